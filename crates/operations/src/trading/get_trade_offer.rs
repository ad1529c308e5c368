//! [`GetTradeOffer`] and [`GetTradeOffers`]: trade offers of a workspace, and [`GetTrade`]: the trade that came of one.

use tradepost_domain::id::{OfTradeOffer, TradeOfferId, WorkspaceId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade_offer::TradeOffer;
use tradepost_ports::changes::Caller;

use crate::rules::READ_ACCOUNTS;
use crate::{Batch, OpError, OpResult, Operations, Versioned, fields};

/// Asks for one trade offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetTradeOffer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trade offer.
    pub trade_offer_id: TradeOfferId,
}

/// Asks for several trade offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetTradeOffers {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trade offers, 1 to 200.
    pub trade_offer_ids: Vec<TradeOfferId>,
}

/// Asks for a trade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetTrade {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The game platform's id of the trade, 1 to 128 characters.
    pub trade_id: String,
}

impl Operations {
    /// Gives one trade offer.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_trade_offer(&self, caller: &Caller, command: GetTradeOffer) -> OpResult<Versioned<TradeOffer>> {
        let scope = caller.principal.enter(command.workspace_id, READ_ACCOUNTS)?;
        let found = self.ports.store.find_trade_offer(scope, command.trade_offer_id).await?;
        Ok(found.ok_or_else(|| OpError::not_found("trade offer"))?.into())
    }

    /// Gives several trade offers in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_trade_offers(
        &self,
        caller: &Caller,
        command: GetTradeOffers,
    ) -> OpResult<Batch<TradeOffer, OfTradeOffer>> {
        let scope = caller.principal.enter(command.workspace_id, READ_ACCOUNTS)?;
        let ids = fields::batch("tradeOfferIds", &command.trade_offer_ids)?;
        let found = self.ports.store.find_trade_offers(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Gives the trade offer of which a trade came, by what is on record of it: nothing outside is asked. Where both sides are
    /// accounts of the workspace, it is the offer that was recorded first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an id that cannot be, `not_found`.
    pub async fn get_trade(&self, caller: &Caller, command: GetTrade) -> OpResult<Versioned<TradeOffer>> {
        let scope = caller.principal.enter(command.workspace_id, READ_ACCOUNTS)?;
        let trade_id: ExternalId = fields::text("tradeId", &command.trade_id)?;
        let found = self.ports.store.find_trade_offer_of_trade(scope, &trade_id).await?;
        Ok(found.ok_or_else(|| OpError::not_found("trade"))?.into())
    }
}
