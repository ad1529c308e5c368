//! Reads of trade offers.

use crate::trading::trading_accounts::account_moves::account_as_seen;
use tradepost_domain::id::{AccountId, InventoryItemId, OfTradeOffer, PurchaseId, TradeOfferId, WorkspaceId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade_offer::{OfferDirection, OfferOwner, TradeOffer, TradeOfferStatus};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;
use tradepost_ports::store::TradeOfferFilter;

use super::request_steps::as_shown;
use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::{Batch, OpError, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one trade offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetTradeOffer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trade offer.
    pub trade_offer_id: TradeOfferId,
}

/// A request for several trade offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetTradeOffers {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trade offers, 1 to 200.
    pub trade_offer_ids: Vec<TradeOfferId>,
}

/// A request for a trade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetTrade {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The game platform's id of the trade, 1 to 128 characters.
    pub trade_id: String,
}

/// A request for a page of trade offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListTradeOffers {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only those that were sent, or received.
    pub direction: Option<OfferDirection>,
    /// Only in this status.
    pub status: Option<TradeOfferStatus>,
    /// Only those that deliver this purchase.
    pub purchase_id: Option<PurchaseId>,
    /// Only those that give this item to a buyer.
    pub inventory_item_id: Option<InventoryItemId>,
}

/// A request for the number of trade offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountTradeOffers {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns one trade offer, without the value of what it gives for a caller that may not read what is traded.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_trade_offer(&self, caller: &Caller, command: GetTradeOffer) -> OpResult<Versioned<TradeOffer>> {
        let scope = rules::GET_TRADE_OFFER.enter(&caller.principal, command.workspace_id)?;
        let found = self.ports.store.trade_offers().find(scope, command.trade_offer_id).await?;
        Ok(as_shown(caller, found.ok_or_else(|| OpError::not_found("trade offer"))?.into()))
    }

    /// Returns several trade offers in the order asked for, each once, and the ids that name none; without values as [`GetTradeOffer`] does.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_trade_offers(
        &self,
        caller: &Caller,
        command: GetTradeOffers,
    ) -> OpResult<Batch<TradeOffer, OfTradeOffer>> {
        let scope = rules::GET_TRADE_OFFERS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("tradeOfferIds", &command.trade_offer_ids)?;
        let found = self.ports.store.trade_offers().find_many(scope, &ids).await?;
        let batch = Batch::in_order(ids, found, |record: &TradeOffer| record.id);
        let found = batch.found.into_iter().map(|offer| as_shown(caller, offer)).collect();
        Ok(Batch { found, missing: batch.missing })
    }

    /// Returns the trade offer of a trade, from the records: no external system is called. Where both sides are
    /// accounts of the workspace, it is the offer that was recorded first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an id that cannot be, `not_found`.
    pub async fn get_trade(&self, caller: &Caller, command: GetTrade) -> OpResult<Versioned<TradeOffer>> {
        let scope = rules::GET_TRADE.enter(&caller.principal, command.workspace_id)?;
        let trade_id: ExternalId = fields::text("tradeId", &command.trade_id)?;
        let found = self.ports.store.trade_offers().find_of_trade(scope, &trade_id).await?;
        Ok(as_shown(caller, found.ok_or_else(|| OpError::not_found("trade"))?.into()))
    }

    /// Returns a page of trade offers, the newest first.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a negative limit, a cursor that this list did not give out, and for a purchase
    /// together with an item; `not_found` for an account that is not there.
    pub async fn list_trade_offers(&self, caller: &Caller, command: ListTradeOffers) -> OpResult<PageOf<TradeOfferId>> {
        let scope = rules::LIST_TRADE_OFFERS.enter(&caller.principal, command.workspace_id)?;
        let owner = match (command.purchase_id, command.inventory_item_id) {
            (Some(_), Some(_)) => {
                return Err(OpError::invalid_field("purchaseId", "and inventoryItemId exclude each other"));
            }
            (purchase, item) => purchase.map(OfferOwner::Purchase).or(item.map(OfferOwner::Item)),
        };
        let key = ListKey::of("trade offers", scope)
            .and_id(command.account_id)
            .and_code(command.direction.map(OfferDirection::code))
            .and_code(command.status.map(TradeOfferStatus::code))
            .and_id(command.purchase_id)
            .and_id(command.inventory_item_id);
        let request = self.page_request::<OfTradeOffer>(&key, command.limit, &command.cursor)?;
        let account_name = match command.account_id {
            Some(id) => Some(account_as_seen(self, scope, id, None).await?.peek().name.clone()),
            None => None,
        };
        let filter = TradeOfferFilter {
            account_name: account_name.as_ref(),
            direction: command.direction,
            status: command.status,
            owner,
        };
        let page = self.to_show(caller, scope).trade_offers().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts trade offers: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_trade_offers(
        &self,
        caller: &Caller,
        command: CountTradeOffers,
    ) -> OpResult<Vec<StatusCount<TradeOfferStatus>>> {
        let scope = rules::COUNT_TRADE_OFFERS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::TradeOffer, None).await?;
        Ok(every_status(TradeOfferStatus::ALL, TradeOfferStatus::code, &counted))
    }
}
