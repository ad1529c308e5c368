//! Moving an item: by what happened to it, or by a fact for its chain. A fact that is on record already moves nothing.

use crate::contracts::items::chains::recorded_or;
use crate::contracts::items::write_offs::require_lost;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::chain::{AssetIdLink, Evidence, NewLink, Source};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemError, ItemEvent, ItemStatus};
use tradepost_domain::contracts::purchase::PurchaseEvent;
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade_offer::{OfferOwner, OwnerChange};
use tradepost_ports::changes::{Caller, Seen};
use tradepost_ports::store::{StoreError, Unique};

use crate::commit::By;
use crate::contracts::purchases::lifecycle_update::{LifecycleUpdate, Moved};
use crate::in_workspace::InWorkspace;
use crate::results::require_version;
use crate::{OpError, OpResult, Operations, Versioned};

/// A move of an item.
#[derive(Debug, Clone)]
pub(crate) struct ItemMove {
    pub(crate) item_id: InventoryItemId,
    pub(crate) expected_version: Option<i64>,
    pub(crate) cause: Cause,
}

/// The cause of an item's step.
#[derive(Debug, Clone)]
pub(crate) enum Cause {
    /// Something that happened to it.
    Event(ItemEvent),
    /// The same under an id that its chain has already.
    Repeated(ItemEvent),
    /// A fact for its chain.
    Fact { evidence: Evidence, expected_step: Option<u32> },
}

/// An item after a move, with the link that records the move's fact.
pub(crate) struct After {
    pub(crate) item: Versioned<InventoryItem>,
    pub(crate) link: Option<AssetIdLink>,
}

impl Cause {
    fn trigger(&self) -> &'static str {
        match self {
            Self::Event(event) | Self::Repeated(event) => event.name(),
            Self::Fact { evidence, .. } => evidence.source.as_str(),
        }
    }

    fn of_offer(&self) -> Option<OwnerChange> {
        match self {
            Self::Event(event) | Self::Repeated(event) => OwnerChange::of_item(event),
            Self::Fact { .. } => None,
        }
    }

    fn evidence(&self, item: &InventoryItem) -> Option<Evidence> {
        match self {
            Self::Event(event) | Self::Repeated(event) => item.evidence_of(event),
            Self::Fact { evidence, .. } => Some(evidence.clone()),
        }
    }

    /// Returns what else a fact that is on record can mean where the item can take its step: that an item is on sale again under an
    /// id that it had before. No marketplace promises to use an id once, and each numbers for itself. Trades and looks have their
    /// ids for themselves.
    fn as_repeated(&self) -> Option<Self> {
        match self {
            Self::Event(event @ ItemEvent::ListingAccepted { .. }) => Some(Self::Repeated(event.clone())),
            Self::Event(_) | Self::Repeated(_) | Self::Fact { .. } => None,
        }
    }

    /// Returns whether the proceeds of the sale that it settles were paid out with it.
    const fn is_paid_out(&self) -> bool {
        matches!(self, Self::Event(ItemEvent::ProceedsBooked { paid_out: true, .. }))
    }

    fn decide(self, item: InventoryItem, at: Timestamp) -> Result<(InventoryItem, Option<NewLink>), ItemError> {
        match self {
            Self::Event(event) => item.apply(event, at),
            Self::Repeated(event) => item.apply_repeated(event, at),
            Self::Fact { evidence, .. } if !item.is_live() => {
                Err(ItemError::IllegalLink { from: item.status, given: evidence.source })
            }
            Self::Fact { evidence, expected_step } => {
                item.append(evidence, expected_step, at).map(|(item, link)| (item, Some(link)))
            }
        }
    }
}

async fn commit_move(
    operations: &Operations,
    by: By<'_>,
    scope: WorkspaceScope,
    seen: Seen<InventoryItem>,
    wanted: ItemMove,
) -> OpResult<After> {
    let mut steps = LifecycleUpdate::new(operations, by.caller, by.at);
    let moved = take_item_step(operations, &mut steps, scope, seen, wanted).await?;
    steps.commit().await?;
    Ok(After { item: moved.item.into(), link: moved.link })
}

/// Moves an item once, on a fresh read.
pub(crate) async fn move_item(
    operations: &Operations,
    caller: &Caller,
    scope: WorkspaceScope,
    wanted: &ItemMove,
    at: Timestamp,
) -> OpResult<After> {
    let found = operations.ports.store.items().find(scope, wanted.item_id).await?;
    let seen = found.ok_or_else(|| OpError::not_found("inventory item"))?;
    let unmoved = Versioned::from(seen.clone());
    let by = By { caller, at };
    let mut moved = commit_move(operations, by, scope, seen.clone(), wanted.clone()).await;
    if moved.as_ref().is_err_and(is_on_record)
        && let Some(cause) = wanted.cause.as_repeated()
    {
        let repeated = ItemMove { cause, ..wanted.clone() };
        moved = commit_move(operations, by, scope, seen, repeated).await;
    }
    let refusal = match moved {
        Ok(after) => return Ok(after),
        Err(refusal) => refusal,
    };
    match wanted.cause.evidence(&unmoved.value) {
        Some(evidence) if may_be_repeat(&refusal) => {
            let item = InWorkspace { scope, id: wanted.item_id };
            let link = recorded_or(operations, by, item, &evidence, refusal).await?;
            Ok(After { item: unmoved, link: Some(link) })
        }
        Some(_) | None => Err(refusal),
    }
}

/// Takes the step of a move in addition to what the steps hold already.
pub(crate) async fn take_item_step(
    operations: &Operations,
    steps: &mut LifecycleUpdate<'_>,
    scope: WorkspaceScope,
    seen: Seen<InventoryItem>,
    wanted: ItemMove,
) -> OpResult<Moved> {
    require_version(&seen, wanted.expected_version)?;
    let at = steps.at();
    let (trigger, is_paid_out) = (wanted.cause.trigger(), wanted.cause.is_paid_out());
    let of_offer = wanted.cause.of_offer();
    if matches!(wanted.cause, Cause::Event(ItemEvent::GivenUp)) {
        require_lost(operations, steps, scope, seen.peek()).await?;
    }
    let moved = steps.item(scope, seen, trigger, |item| wanted.cause.decide(item, at)).await?;
    if is_paid_out {
        steps.pay_out(scope)?;
    }
    steps.offer(scope, OfferOwner::Item(wanted.item_id), None, of_offer).await?;
    let rollback = moved.link.as_ref().filter(|link| link.source == Source::PurchaseReversal);
    if let (ItemStatus::Reverted, Some(link)) = (moved.item.value.status, rollback) {
        let purchase = operations.ports.store.purchases().find(scope, link.purchase_id).await?;
        let purchase = purchase.ok_or_else(|| StoreError::Corrupt("an item has no purchase".to_owned()))?;
        let event = PurchaseEvent::TradeReversed { rollback_trade_id: link.source_id.clone() };
        steps.purchase(scope, purchase, event).await?;
    }
    Ok(moved)
}

/// Returns whether the fact may be on record already: a rule rejected it, not storage.
fn may_be_repeat(refusal: &OpError) -> bool {
    refusal.source.is_none() || is_on_record(refusal)
}

/// Returns whether the step failed only because the fact is on record already.
const fn is_on_record(refusal: &OpError) -> bool {
    matches!(refusal.source, Some(StoreError::Duplicate(Unique::LinkEvidence)))
}
