//! Trade offers as they are seen before a request, the items that they may give, and the record of a request.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::id::TradeOfferId;
use tradepost_domain::trading::trade_offer::{AssetKey, OfferStep, RequestError, TradeOffer};
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::record_trade_offer::{commit_trade_offer, move_trade_offer};
use crate::commit::By;
use crate::results::require_version;
use crate::rules::READ_TRADING;
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// Returns a trade offer for a caller that changes it, at the version that the caller saw, if it names one.
pub(super) async fn trade_offer_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: TradeOfferId,
    expected_version: Option<i64>,
) -> OpResult<Seen<TradeOffer>> {
    let found = operations.ports.store.trade_offers().find(scope, id).await?;
    let offer = found.ok_or_else(|| OpError::not_found("trade offer"))?;
    require_version(&offer, expected_version)?;
    Ok(offer)
}

/// Returns an offer as a caller may see it: the value of what it gives is a price of ours, which needs the right to read what is traded.
pub(super) fn as_shown(caller: &Caller, offer: Versioned<TradeOffer>) -> Versioned<TradeOffer> {
    if caller.principal.enter(offer.value.workspace_id, READ_TRADING).is_ok() {
        return offer;
    }
    Versioned { value: offer.value.without_value(), version: offer.version }
}

/// Returns the inventory item that has an asset id now.
pub(crate) async fn item_with_asset(
    operations: &Operations,
    scope: WorkspaceScope,
    asset: &AssetKey,
) -> OpResult<Option<InventoryItem>> {
    let items = operations.ports.store.items();
    let Some((item_id, _)) = items.find_link_of_asset(scope, &asset.asset_id).await? else { return Ok(None) };
    let item = items.find(scope, item_id).await?.map(|seen| seen.into_display().0);
    Ok(item.filter(|item| has_asset(item, asset)))
}

/// Whether an inventory item has an asset id now.
pub(crate) fn has_asset(item: &InventoryItem, asset: &AssetKey) -> bool {
    *item.current_asset_id() == asset.asset_id && item.app_id == asset.app_id
}

/// Checks that no inventory item has one of the assets: an item that leaves by hand would be missing in the ledger.
pub(super) async fn require_off_record(
    operations: &Operations,
    scope: WorkspaceScope,
    assets: &[AssetKey],
) -> OpResult<()> {
    for asset in assets {
        let item = item_with_asset(operations, scope, asset).await?;
        if let Some(item) = item.filter(|item| !item.status.is_terminal()) {
            let message = format!(
                "asset {} is the inventory item {}, which is {}: sell it by ListItemForSale, move it to another account by TransferItem, or give \
                 another item",
                asset.asset_id, item.id, item.status
            );
            return Err(OpError::failed_precondition(Reason::ItemOnRecord, message));
        }
    }
    Ok(())
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ask {
    step: OfferStep,
    accepts_hold: bool,
}

impl Ask {
    pub(super) const fn of(step: OfferStep) -> Self {
        Self { step, accepts_hold: false }
    }

    /// To accept an offer, and whether that is done though the platform would hold the items.
    pub(super) const fn to_accept(accepts_hold: bool) -> Self {
        Self { step: OfferStep::Accept, accepts_hold }
    }
}

/// Records the request of a person about an offer that was seen.
pub(super) async fn request_step(
    operations: &Operations,
    by: By<'_>,
    mut changes: Changes,
    seen: Seen<TradeOffer>,
    Ask { step, accepts_hold }: Ask,
) -> OpResult<Versioned<TradeOffer>> {
    let next = seen.peek().clone().request(step, by.at)?;
    let next = if accepts_hold { next.accepting_hold() } else { next };
    let moved = move_trade_offer(operations, &mut changes, by, seen, next)?;
    let kind = match step {
        OfferStep::Send => AuditKind::TradeOfferSendRequested,
        OfferStep::Accept => AuditKind::TradeOfferAcceptRequested,
        OfferStep::Decline => AuditKind::TradeOfferDeclineRequested,
        OfferStep::Cancel => AuditKind::TradeOfferCancelRequested,
    };
    changes.audit(kind, &moved.value);
    commit_trade_offer(operations, by.caller, changes).await?;
    Ok(as_shown(by.caller, moved.into()))
}

impl From<RequestError> for OpError {
    fn from(error: RequestError) -> Self {
        let reason = match error {
            RequestError::Unfinished(_) => Reason::OfferRequestOpen,
            RequestError::OfEngine
            | RequestError::Direction { .. }
            | RequestError::Status { .. }
            | RequestError::Glitched => Reason::IllegalStep,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}
