//! [`AcceptTransfer`] and [`FindSeenTradeOffer`]: an engine has the offer of a transfer accepted by the account that receives the item. Not
//! operations of the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::intent::{Intent, IntentKind, IntentStatus, Target};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::id::{TradeOfferId, WorkspaceId};
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trade_offer::{AssetKey, TradeOffer};
use tradepost_ports::changes::{Caller, Changes};

use super::request_steps::{Ask, request_step, require_off_record, trade_offer_as_seen};
use crate::commit::By;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// A query for an offer by the platform's id of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindSeenTradeOffer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account that sees it.
    pub account_name: AccountName,
    /// The platform's id of it.
    pub offer_id: ExternalId,
}

/// A request of an engine that the account which receives an item accepts the offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AcceptTransfer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The offer, as the account that receives the item sees it.
    pub trade_offer_id: TradeOfferId,
    /// The same offer, as the account that gives the item has sent it.
    pub sent_offer_id: TradeOfferId,
}

impl Operations {
    /// Returns the record that an account has of an offer which the platform has shown it.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn find_seen_trade_offer(
        &self,
        caller: &Caller,
        command: FindSeenTradeOffer,
    ) -> OpResult<Option<Versioned<TradeOffer>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let offers = self.ports.store.trade_offers();
        Ok(offers.find_seen(scope, &command.account_name, &command.offer_id).await?.map(Versioned::from))
    }

    /// Records that an offer is to be accepted, which brings the item of a transfer and nothing else.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `ILLEGAL_STEP` unless the offer is active and that of a transfer which is
    /// carried out, `OFFER_REQUEST_OPEN`.
    pub async fn accept_transfer(&self, caller: &Caller, command: AcceptTransfer) -> OpResult<Versioned<TradeOffer>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let received = trade_offer_as_seen(self, scope, command.trade_offer_id, None).await?;
            let sent = trade_offer_as_seen(self, scope, command.sent_offer_id, None).await?;
            let mut changes = Changes::by(caller);
            let sent = changes.rely_on(sent);
            let intent = live_transfer(self, scope, &sent).await?.filter(|_| sent.request.is_none());
            if !intent.is_some_and(|intent| brings_item(received.peek(), &sent, &intent)) {
                let message = "the offer is not that of a transfer to this account, or it is being cancelled";
                return Err(OpError::failed_precondition(Reason::IllegalStep, message));
            }
            // Whether a hold is accepted was decided when the offer was sent.
            request_step(self, By { caller, at }, changes, received, Ask::to_accept(true)).await
        })
        .await
    }
}

/// Whether an offer that an account sees is the one that transfers an item to it.
fn brings_item(received: &TradeOffer, sent: &TradeOffer, intent: &Intent) -> bool {
    let Target::Item(target) = &intent.terms.target else { return false };
    received.offer_id.is_some()
        && received.offer_id == sent.offer_id
        && target.to_account.as_ref() == Some(&received.account_name)
        && received.given_assets().is_empty()
        && received.received_assets() == sent.given_assets()
}

/// Returns the transfer that an offer carries out, or did.
async fn transfer_of(operations: &Operations, scope: WorkspaceScope, offer: &TradeOffer) -> OpResult<Option<Intent>> {
    let Some(intent_id) = offer.wish.as_ref().and_then(|wish| wish.intent_id) else { return Ok(None) };
    let intent = operations.ports.store.intents().find(scope, intent_id).await?.map(|seen| seen.into_display().0);
    let is_its =
        |intent: &Intent| intent.terms.kind == IntentKind::Transfer && intent.trade_offer_id() == Some(offer.id);
    Ok(intent.filter(is_its))
}

async fn live_transfer(operations: &Operations, scope: WorkspaceScope, offer: &TradeOffer) -> OpResult<Option<Intent>> {
    Ok(transfer_of(operations, scope, offer).await?.filter(is_live))
}

fn is_live(transfer: &Intent) -> bool {
    transfer.status == IntentStatus::Executing
}

/// Checks that an offer gives what it may: the item of its transfer, which is where it was and free to be traded, or items that are not of
/// the ledger.
pub(super) async fn require_givable(
    operations: &Operations,
    scope: WorkspaceScope,
    offer: &TradeOffer,
    at: Timestamp,
) -> OpResult<()> {
    let Some(transfer) = transfer_of(operations, scope, offer).await? else {
        return require_off_record(operations, scope, &offer.given_assets()).await;
    };
    let Some(item) = item_of(operations, scope, offer, &transfer).await? else {
        let message =
            "the item or the recipient of the transfer is not what it was, or the transfer has ended; nothing was sent";
        return Err(OpError::failed_precondition(Reason::ItemOnRecord, message));
    };
    Ok(item.check_unlocked(at)?)
}

/// Whether the recipient of an offer is still the account that is to receive the item.
async fn is_received_by(
    operations: &Operations,
    scope: WorkspaceScope,
    name: Option<&AccountName>,
    user: PlatformUserId,
) -> OpResult<bool> {
    let Some(name) = name else { return Ok(false) };
    let account = operations.ports.store.trading_accounts().find_named(scope, name).await?;
    Ok(account.is_some_and(|seen| seen.peek().platform_user_id == user && seen.peek().status.receives()))
}

/// Returns the item that an offer transfers, as long as it is where it was, in the inventory of the account that gives it under the asset
/// id of the offer, and the recipient is the account that is to receive it.
pub(crate) async fn transferred_item(
    operations: &Operations,
    scope: WorkspaceScope,
    offer: &TradeOffer,
) -> OpResult<Option<InventoryItem>> {
    match transfer_of(operations, scope, offer).await? {
        Some(transfer) => item_of(operations, scope, offer, &transfer).await,
        None => Ok(None),
    }
}

async fn item_of(
    operations: &Operations,
    scope: WorkspaceScope,
    offer: &TradeOffer,
    transfer: &Intent,
) -> OpResult<Option<InventoryItem>> {
    let Target::Item(target) = &transfer.terms.target else { return Ok(None) };
    if !is_live(transfer) {
        return Ok(None);
    }
    if !is_received_by(operations, scope, target.to_account.as_ref(), offer.partner).await? {
        return Ok(None);
    }
    let found = operations.ports.store.items().find(scope, target.inventory_item_id).await?;
    let item = found.map(|seen| seen.into_display().0);
    Ok(item.filter(|item| {
        let asset = AssetKey { app_id: item.app_id, asset_id: item.current_asset_id().clone() };
        item.status == ItemStatus::InInventory
            && item.account_name == offer.account_name
            && offer.given_assets() == [asset]
    }))
}
