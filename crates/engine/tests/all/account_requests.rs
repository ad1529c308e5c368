//! Accounts for which no one has accepted the platform's notice trade nothing, and accounts are read and their trade URLs renewed on request.

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::AccountId;
use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::snapshot::SnapshotStatus;
use tradepost_domain::trading::trading_account::{AccountStatus, TradingAccount};
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    AccountSecrets, AcknowledgeTradeProtection, CreateAccount, LimitsOfAccount, ListSnapshots, RefreshAccount,
    RefreshTradeToken,
};
use tradepost_ports::game_platform::GamePlatform as _;

use crate::desk::{CAPITAL, Desk, all_items, all_purchases};
use crate::flaky_systems::NotDone;

impl Desk {
    /// Has the notice of the platform accepted for an account.
    pub(crate) async fn acknowledge(&self, account_id: AccountId) {
        let accept = AcknowledgeTradeProtection { workspace_id: self.workspace_id, account_ids: vec![account_id] };
        self.operations.acknowledge_trade_protection(&Caller::system(), accept).await.unwrap();
    }

    async fn refresh(&self, account_id: AccountId) -> TradingAccount {
        let command = RefreshAccount { workspace_id: self.workspace_id, account_id };
        self.operations.refresh_account(&Caller::system(), command).await.unwrap().value
    }

    async fn renew(&self, account_id: AccountId) {
        let command = RefreshTradeToken { workspace_id: self.workspace_id, account_id, renew: true };
        self.operations.refresh_trade_token(&Caller::system(), command).await.unwrap();
    }

    /// The token that the platform shows.
    async fn shown_token(&self) -> ExternalId {
        self.simulator.platform().trade_token(self.account.user).await.unwrap()
    }

    /// Registers an account that is not one of the desk.
    async fn registered_elsewhere(&self) -> AccountId {
        let command = CreateAccount {
            workspace_id: self.workspace_id,
            name: "trader-1".to_owned(),
            platform: "steam".to_owned(),
            platform_user_id: "76561198000000009".to_owned(),
            trade_token: Some("abcdefgh".to_owned()),
            capabilities: Vec::new(),
            limits: LimitsOfAccount::default(),
            giving_limits: None,
            secrets: AccountSecrets::default(),
        };
        self.operations.create_account(&Caller::system(), command).await.unwrap().value.id
    }

    async fn snapshots_in(&self, status: SnapshotStatus) -> usize {
        let list = ListSnapshots {
            workspace_id: self.workspace_id,
            limit: 200,
            cursor: String::new(),
            account_id: None,
            status: Some(status),
        };
        self.operations.list_snapshots(&Caller::system(), list).await.unwrap().entries.len()
    }
}

#[tokio::test]
async fn an_account_buys_nothing_until_its_notice_is_accepted() {
    for pooled in [true, false] {
        let desk = if pooled { Desk::lively(901).await.pooled().await } else { Desk::lively(901).await };
        let account_id = desk.registered().await;
        desk.buying(1).await;
        let mut engine = desk.engine();
        desk.live(&mut engine, Duration::minutes(30)).await;
        assert_eq!((desk.account_status(account_id).await, desk.purchases().await.len()), (AccountStatus::Ready, 0));
        let kind = RemediationKind::AcknowledgeTrades;
        assert_eq!(desk.remediations(kind).await, [RemediationStatus::NeedsOperator]);
        desk.acknowledge(account_id).await;
        assert_eq!(desk.remediations(kind).await, [RemediationStatus::Resolved]);
        desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Traded)).await;
        desk.assert_sound().await;
    }
}

#[tokio::test]
async fn an_account_neither_accepts_nor_sends_an_offer_until_its_notice_is_accepted() {
    let desk = Desk::slow(902).await;
    desk.buying(1).await;
    desk.selling().await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Paid)).await;
    let account_id = desk.registered().await;
    desk.simulator.advance(Duration::minutes(1));
    engine.pass().await;
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.items().await.len(), 0, "nothing was accepted");
    desk.acknowledge(account_id).await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_request_has_everything_about_an_account_read_in_the_next_pass() {
    let desk = Desk::slow(903).await;
    let account_id = desk.on_record().await;
    let mut engine = desk.engine();
    engine.pass().await;
    let before = desk.record(account_id).await;
    assert_eq!(before.health.unwrap().balance, None, "no limit asks for it");
    desk.simulator.advance(Duration::seconds(20));
    let requested_at = desk.refresh(account_id).await.refresh.unwrap().requested_at;
    engine.pass().await;
    let read = desk.record(account_id).await;
    let health = read.health.unwrap();
    assert_eq!((health.seen_at, health.balance.map(Cents::get)), (requested_at, Some(CAPITAL)));
    assert_eq!(read.refresh.unwrap().read_at, Some(requested_at));
    assert_eq!(read.trade_token, Some(desk.shown_token().await));
    assert_eq!(desk.snapshots_in(SnapshotStatus::Complete).await, 1);
    desk.simulator.advance(Duration::seconds(20));
    engine.pass().await;
    assert_eq!(desk.record(account_id).await, read, "once");
}

#[tokio::test]
async fn a_request_waits_while_the_platform_does_not_answer_and_is_met_by_a_lost_session() {
    let mut desk = Desk::slow(904).await;
    desk.step = Duration::seconds(20);
    let account_id = desk.on_record().await;
    let mut engine = desk.engine();
    engine.pass().await;
    desk.simulator.world(|world| world.inject(Fault::RateLimitStorm { side: Side::Platform, seconds: 90 }));
    desk.refresh(account_id).await;
    engine.pass().await;
    assert!(desk.record(account_id).await.refresh.unwrap().is_pending());
    desk.live(&mut engine, Duration::minutes(5)).await;
    assert!(!desk.record(account_id).await.refresh.unwrap().is_pending());
    desk.simulator.world(|world| world.inject(Fault::SessionLost { side: Side::Platform, seconds: 600 }));
    desk.refresh(account_id).await;
    desk.live(&mut engine, Duration::minutes(2)).await;
    let read = desk.record(account_id).await;
    assert_eq!((read.status, read.refresh.unwrap().is_pending()), (AccountStatus::NeedsLogin, false));
}

#[tokio::test]
async fn a_request_for_an_account_that_the_engine_does_not_trade_with_ends_with_its_snapshot() {
    let mut desk = Desk::slow(908).await;
    desk.step = Duration::seconds(20);
    let account_id = desk.registered_elsewhere().await;
    let mut engine = desk.engine();
    desk.refresh(account_id).await;
    desk.live(&mut engine, Duration::minutes(1)).await;
    assert!(desk.record(account_id).await.refresh.unwrap().is_pending(), "the engine may begin again with it");
    assert_eq!(desk.snapshots_in(SnapshotStatus::Taking).await, 1);
    desk.live(&mut engine, Duration::minutes(2)).await;
    let refresh = desk.record(account_id).await.refresh.unwrap();
    assert_eq!((refresh.is_pending(), refresh.is_refused, refresh.read_at), (false, true, None));
    assert_eq!(desk.snapshots_in(SnapshotStatus::Failed).await, 1);
}

#[tokio::test]
async fn whatever_happens_to_the_call_a_trade_url_is_renewed_once_and_used_from_then_on() {
    for fault in [
        None,
        Some(Fault::TimeoutAfterCommit { call: Call::RenewToken }),
        Some(Fault::RateLimitStorm { side: Side::Platform, seconds: 60 }),
    ] {
        let mut desk = Desk::lively(905).await;
        desk.step = Duration::seconds(20);
        let account_id = desk.on_record().await;
        let mut engine = desk.engine();
        engine.pass().await;
        let earlier = desk.shown_token().await;
        if let Some(fault) = &fault {
            desk.simulator.world(|world| world.inject(fault.clone()));
        }
        desk.renew(account_id).await;
        desk.live(&mut engine, Duration::minutes(5)).await;
        let record = desk.record(account_id).await;
        let shown = desk.shown_token().await;
        assert_ne!(shown, earlier, "{fault:?}");
        assert_eq!((record.trade_token.clone(), record.is_token_renewed()), (Some(shown.clone()), false), "{fault:?}");
        desk.buying(1).await;
        desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Traded)).await;
        assert_eq!(desk.shown_token().await, shown, "it was renewed once");
        desk.assert_sound().await;
    }
}

#[tokio::test]
async fn a_renewal_that_did_not_reach_the_platform_ends_with_the_url_that_it_shows() {
    let mut desk = Desk::slow(906).await;
    desk.step = Duration::seconds(20);
    let account_id = desk.on_record().await;
    let mut engine = desk.engine();
    engine.pass().await;
    let earlier = desk.shown_token().await;
    desk.simulator.world(|world| world.inject(Fault::TimeoutBeforeCommit { call: Call::RenewToken }));
    desk.renew(account_id).await;
    desk.live(&mut engine, Duration::minutes(5)).await;
    let record = desk.record(account_id).await;
    assert_eq!((record.trade_token.clone(), record.is_token_renewed()), (Some(earlier.clone()), false));
    desk.renew(account_id).await;
    desk.live(&mut engine, Duration::minutes(5)).await;
    assert_ne!(desk.record(account_id).await.trade_token, Some(earlier));
}

#[tokio::test]
async fn a_renewal_that_the_driver_does_not_make_ends_with_the_url_that_is_shown() {
    let mut desk = Desk::slow(907).await;
    desk.step = Duration::seconds(20);
    let account_id = desk.on_record().await;
    let (mut engine, moody, _) = desk.moody_engine();
    engine.pass().await;
    let earlier = desk.shown_token().await;
    moody.mood.lock().unwrap().not_done = Some(NotDone::Writes);
    desk.renew(account_id).await;
    desk.live(&mut engine, Duration::minutes(2)).await;
    let record = desk.record(account_id).await;
    assert_eq!((record.trade_token.clone(), record.is_token_renewed()), (Some(earlier), false));
    assert!(!record.refresh.unwrap().is_pending());
}
