//! [`ReceiveItem`]: the item of a purchase has arrived. No operation of the interface.

use crate::contracts::items::chains::report_mismatch;
use crate::contracts::remediations::remediation_steps::open_separately;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::contracts::chain::ChainError;
use tradepost_domain::contracts::inventory_item::{InventoryItem, Receipt, Traits};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseEvent};
use tradepost_domain::contracts::remediation::findings;
use tradepost_domain::id::{PurchaseId, WorkspaceId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade_offer::{OfferOwner, OwnerChange};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Seen};
use tradepost_ports::store::StoreError;

use crate::commit::By;
use crate::contracts::purchases::lifecycle_update::LifecycleUpdate;
use crate::in_workspace::InWorkspace;
use crate::results::require_version;
use crate::rules::WRITE_TRADING;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// A report that the item of a purchase has arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiveItem {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase.
    pub purchase_id: PurchaseId,
    /// The game platform's identifier of the completed trade, 1 to 128 characters.
    pub trade_id: String,
    /// The asset id that the trade gave the item, 1 to 20 decimal digits.
    pub asset_id: String,
    /// The end of the trade protection; the time of the trade where the platform protects nothing.
    pub protected_until: Timestamp,
    /// The game.
    pub app_id: AppId,
    /// The inventory context that it arrived in.
    pub context_id: ContextId,
    /// The traits that distinguish it from others of its name, as the platform shows them; the listing has the rest.
    pub traits: Traits,
    /// The version of the purchase that the caller saw; rejected when the purchase has another one.
    pub expected_version: Option<i64>,
}

/// A purchase and the item that it brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedItem {
    /// The purchase.
    pub purchase: Versioned<Purchase>,
    /// The item.
    pub item: Versioned<InventoryItem>,
}

/// A receipt that was checked.
pub(crate) struct CheckedReceipt {
    purchase_id: PurchaseId,
    trade_id: ExternalId,
    event: PurchaseEvent,
    receipt: Receipt,
    expected_version: Option<i64>,
    at: Timestamp,
}

impl Operations {
    /// Marks the purchase TRADED and creates the item, with the first two links of its chain, in one commit. A repeated report of
    /// the same trade returns the existing records.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field, `not_found`, `failed_precondition`: `VERSION_MISMATCH`,
    /// `ILLEGAL_STEP` unless the purchase waits for its item, `OTHER_TRADE`, `ASSET_ID_UNCHANGED`, `ASSET_ID_OWNED`,
    /// `ASSET_ID_MISMATCH` when the trade is on record with another asset id. A remediation is open for
    /// that then, and for an item that arrives after its money came back or was written off.
    pub async fn receive_item(&self, caller: &Caller, command: ReceiveItem) -> OpResult<ReceivedItem> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_TRADING)?;
        fields::expected_version(command.expected_version)?;
        let arrival = arrival_of(self, command)?;
        self.in_turn(scope.workspace_id(), || {
            take_in(self, LifecycleUpdate::new(self, caller, arrival.at), scope, &arrival)
        })
        .await
    }

    async fn received_before(
        &self,
        by: By<'_>,
        scope: WorkspaceScope,
        purchase: Seen<Purchase>,
        arrival: &CheckedReceipt,
    ) -> OpResult<ReceivedItem> {
        const TRADE: u32 = 1;
        let no_item = || StoreError::Corrupt("a traded purchase has no item".to_owned());
        let item =
            self.ports.store.items().find_of_purchase(scope, purchase.peek().terms.id).await?.ok_or_else(no_item)?;
        let links = self.ports.store.items().list_links(scope, item.peek().id, TRADE, 1).await?.unwrap_or_default();
        let given = &arrival.receipt.asset_id;
        match links.into_iter().next().filter(|traded| traded.asset_id != *given) {
            Some(traded) => {
                let (recorded, given) = (traded.asset_id, given.clone());
                let mismatch = ChainError::AssetIdMismatch { step: TRADE, recorded, given };
                let item = InWorkspace { scope, id: item.peek().id };
                Err(report_mismatch(self, by, item, &arrival.trade_id, mismatch).await?)
            }
            None => Ok(ReceivedItem { purchase: purchase.into(), item: item.into() }),
        }
    }
}

pub(crate) fn arrival_of(operations: &Operations, command: ReceiveItem) -> OpResult<CheckedReceipt> {
    let at = operations.market_now(command.workspace_id);
    let trade_id: ExternalId = fields::text("tradeId", &command.trade_id)?;
    Ok(CheckedReceipt {
        purchase_id: command.purchase_id,
        trade_id: trade_id.clone(),
        event: PurchaseEvent::ItemReceived { trade_id, protected_until: command.protected_until },
        receipt: Receipt {
            item_id: operations.mint(),
            link_ids: [operations.mint(), operations.mint()],
            asset_id: fields::asset_id("assetId", &command.asset_id)?,
            app_id: command.app_id,
            context_id: command.context_id,
            traits: command.traits,
        },
        expected_version: command.expected_version,
        at,
    })
}

/// Takes an item in, in addition to what the steps hold already.
pub(crate) async fn take_in(
    operations: &Operations,
    mut steps: LifecycleUpdate<'_>,
    scope: WorkspaceScope,
    arrival: &CheckedReceipt,
) -> OpResult<ReceivedItem> {
    let found = operations.ports.store.purchases().find(scope, arrival.purchase_id).await?;
    let seen = found.ok_or_else(|| OpError::not_found("purchase"))?;
    if seen.peek().has_seen(&arrival.event) {
        return operations.received_before(steps.by(), scope, seen, arrival).await;
    }
    require_version(&seen, arrival.expected_version)?;
    if let Some(finding) = findings::of_arrival(seen.peek(), &arrival.trade_id) {
        let subject = Subject::Purchase(seen.peek().terms.id);
        open_separately(operations, steps.by(), scope, subject, &finding).await?;
    }
    let purchase = steps.purchase(scope, seen, arrival.event.clone()).await?;
    let (item, links) = InventoryItem::receive(&purchase.value, arrival.receipt.clone(), arrival.at)?;
    let moved = OwnerChange::Completed {
        trade_id: arrival.trade_id.clone(),
        asset_id: arrival.receipt.asset_id.clone(),
        context_id: Some(arrival.receipt.context_id),
        protected_until: purchase.value.progress.protected_until,
    };
    let named = purchase.value.progress.trade_offer_id.as_ref();
    steps.offer(scope, OfferOwner::Purchase(arrival.purchase_id), named, Some(moved)).await?;
    let found = findings::of_receipt(&purchase.value, &arrival.receipt.traits);
    steps.receive(scope, item.clone(), links, found).await?;
    steps.commit().await?;
    Ok(ReceivedItem { purchase: purchase.into(), item: Versioned::new(item) })
}
