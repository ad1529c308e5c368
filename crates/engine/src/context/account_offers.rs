//! Keeping what the platform shows of offers that are for no purchase and no item, with their trades.

use tradepost_domain::trading::trade_offer::TradeOffer;
use tradepost_operations::Versioned;
use tradepost_operations::trading::RecordAccountOffer;
use tradepost_ports::game_platform::Offer;

use crate::context::Context;
use crate::context::trade_offers::offer_report;
use crate::desk::TradingAccount;
use crate::error::EngineResult;

impl Context {
    /// Records an offer as the platform shows it, with its trade. `answers` is the draft whose call gave it.
    pub(crate) async fn record_shown(
        &self,
        account: &TradingAccount,
        shown: &Offer,
        answers: Option<&TradeOffer>,
    ) -> EngineResult<Option<Versioned<TradeOffer>>> {
        let trade = match &shown.trade_id {
            Some(trade_id) => Some(self.desk.platform.trade(account.address.user, trade_id).await?),
            None => None,
        };
        if let Some(trade) = &trade {
            self.note_trade(&account.name, trade);
        }
        let command = RecordAccountOffer {
            workspace_id: self.desk.workspace_id,
            account_name: account.name.clone(),
            report: offer_report(shown, trade.as_ref()),
            answers: answers.map(|offer| offer.id),
            watched_since: None,
        };
        Ok(self.operations.record_account_offer(&self.caller, command).await?)
    }
}
