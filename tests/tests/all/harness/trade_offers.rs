//! Trade offers of a world: recorded by the first who asks for one, so that reads can share a world.

use tradepost_domain::id::{TradeOfferId, WorkspaceId};
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_domain::trading::trade_offer::OfferReport;
use tradepost_operations::Caller;
use tradepost_operations::trading::{AssetToTrade, RecordTradeOffer, SendTradeOffer};
use tradepost_testkit::samples::{Samples, minute, text};

use super::World;

/// The trade that came of the offer.
pub(crate) const TRADE: &str = "trade-of-an-offer";

impl World {
    /// A trade offer that the account 1 of a workspace took, which is for nothing of ours.
    pub(crate) async fn trade_offer_of(&self, workspace_id: WorkspaceId) -> TradeOfferId {
        self.account_of(workspace_id, 1).await;
        let samples = Samples::seeded(9);
        let mut trade = samples.whole_trade();
        trade.id = text(TRADE);
        trade.rollback_trade_id = None;
        // Longer than any test takes: the trade of an offer for nothing of ours is final after that.
        trade.protected_until = Some(minute(20 * 365 * 24 * 60));
        trade.assets.truncate(1);
        let report = OfferReport {
            offer_id: text("offer-that-was-taken"),
            trade: Some(trade),
            ..samples.offer_report(OfferStatus::Accepted)
        };
        let account_name = text("account-1");
        let command = RecordTradeOffer { workspace_id, account_name, report, owner: None };
        self.app.operations().record_trade_offer(&Caller::system(), command).await.unwrap().value.id
    }

    /// The same in the workspace that is not the other one.
    pub(crate) async fn trade_offer(&self) -> TradeOfferId {
        self.trade_offer_of(self.desk.workspace_id).await
    }

    /// An offer that another account sent, which asks for an item that no record has.
    pub(crate) async fn received_offer(&self) -> TradeOfferId {
        let workspace_id = self.desk.workspace_id;
        self.account_of(workspace_id, 1).await;
        let samples = Samples::seeded(12);
        let gives = vec![samples.offered_asset(27_348_563_001)];
        let report =
            OfferReport { offer_id: text("offer-that-asks"), gives, ..samples.offer_report(OfferStatus::Active) };
        let command = RecordTradeOffer { workspace_id, account_name: text("account-1"), report, owner: None };
        self.app.operations().record_trade_offer(&Caller::system(), command).await.unwrap().value.id
    }

    /// An offer that a person asked for and that waits for the engine.
    pub(crate) async fn requested_offer(&self) -> TradeOfferId {
        let command = SendTradeOffer {
            workspace_id: self.desk.workspace_id,
            account_id: self.account(1).await,
            partner: "76561198000000777".to_owned(),
            token: "abcdefgh".to_owned(),
            gives: Vec::new(),
            receives: vec![AssetToTrade { app_id: None, context_id: None, asset_id: "27348563002".to_owned() }],
            message: String::new(),
            intent_id: None,
            accept_hold: false,
        };
        self.app.operations().send_trade_offer(&Caller::system(), command).await.unwrap().value.id
    }
}
