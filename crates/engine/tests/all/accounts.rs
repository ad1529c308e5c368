//! What the platform shows of trading accounts is written to their records, and decides which accounts get work.

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::contracts::intent::{IntentKind, IntentStatus};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::AccountId;
use tradepost_domain::trading::trading_account::{AccountStatus, TradingAccount};
use tradepost_domain::transition::Subject;
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    AccountSecrets, DisableAccount, EnableAccount, GetAccount, LimitsOfAccount, UpdateAccount,
};
use tradepost_testkit::samples::text;

use crate::desk::{CAPITAL, CUSTOMER, Desk, all_items, all_purchases, cents};

impl Desk {
    pub(crate) async fn record(&self, account_id: AccountId) -> TradingAccount {
        let get = GetAccount { workspace_id: self.workspace_id, account_id };
        self.operations.get_account(&Caller::system(), get).await.unwrap().value
    }

    async fn limit(&self, account_id: AccountId, limits: LimitsOfAccount) {
        let update = UpdateAccount {
            workspace_id: self.workspace_id,
            account_id,
            trade_token: None,
            capabilities: Vec::new(),
            limits: Some(limits),
            chat_enabled: None,
            secrets: AccountSecrets::default(),
            cancel_strange_offers: None,
            giving_limits: None,
            expected_version: None,
        };
        self.operations.update_account(&Caller::system(), update).await.unwrap();
    }

    pub(crate) async fn account_status(&self, account_id: AccountId) -> AccountStatus {
        self.record(account_id).await.status
    }

    /// The statuses that the account went to, in order.
    async fn went_to(&self, account_id: AccountId) -> Vec<&'static str> {
        self.steps(Subject::Account(account_id)).await.into_iter().map(|(status, _)| status).collect()
    }
}

#[tokio::test]
async fn a_pool_buys_through_accounts_that_only_the_engine_has_checked() {
    let desk = Desk::lively(71).await.pooled().await;
    let account_id = desk.on_record().await;
    desk.buying(2).await;
    assert_eq!(desk.account_status(account_id).await, AccountStatus::New);
    desk.live_until(&mut desk.engine(), all_purchases(2, PurchaseStatus::Traded)).await;
    assert_eq!(desk.went_to(account_id).await, ["NEW", "VALIDATING", "READY"]);
    let health = desk.record(account_id).await.health.unwrap();
    assert!(health.is_signed_in && health.is_api_key_ours == Some(true), "{health:?}");
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_unchanged_account_is_not_reported_again() {
    let desk = Desk::lively(72).await;
    let account_id = desk.on_record().await;
    let (mut engine, now) = (desk.engine(), || desk.simulator.world(|world| world.now()));
    engine.pass().await;
    let recorded = desk.record(account_id).await;
    desk.simulator.advance(Duration::minutes(30));
    engine.pass().await;
    assert_eq!(desk.record(account_id).await, recorded);
    desk.simulator.advance(Duration::minutes(30));
    engine.pass().await;
    assert_eq!(
        desk.record(account_id).await.health.unwrap().seen_at,
        now(),
        "a record shows once an hour that the account was read"
    );
}

#[tokio::test]
async fn an_account_whose_session_is_lost_gets_no_new_work_keeps_what_it_has_and_comes_back() {
    for pooled in [true, false] {
        let desk = if pooled { Desk::lively(73).await.pooled().await } else { Desk::lively(73).await };
        let account_id = desk.on_record().await;
        desk.buying(1).await;
        let mut engine = desk.engine();
        desk.live_until(&mut engine, |purchases, _| purchases.len() == 1).await;
        desk.simulator.world(|world| world.inject(Fault::SessionLost { side: Side::Platform, seconds: 1_800 }));
        // An account is looked at once a minute.
        desk.simulator.advance(desk.step);
        desk.buying(1).await;
        desk.live(&mut engine, Duration::minutes(10)).await;
        assert_eq!(desk.account_status(account_id).await, AccountStatus::NeedsLogin);
        assert_eq!(desk.remediations(RemediationKind::SessionFailed).await, [RemediationStatus::NeedsOperator]);
        assert!(!desk.record(account_id).await.health.unwrap().is_signed_in);
        assert_eq!(desk.purchases().await.len(), 1, "no new work");
        desk.live_until(&mut engine, all_purchases(2, PurchaseStatus::Traded)).await;
        assert_eq!(desk.account_status(account_id).await, AccountStatus::Ready);
        assert_eq!(desk.remediations(RemediationKind::SessionFailed).await, [RemediationStatus::Resolved]);
        desk.assert_sound().await;
    }
}

#[tokio::test]
async fn an_unassigned_account_keeps_to_its_limit_of_open_purchases() {
    let desk = Desk::lively(75).await;
    let account_id = desk.on_record().await;
    desk.limit(account_id, LimitsOfAccount { max_open_purchases: Some(1), ..LimitsOfAccount::default() }).await;
    desk.buying(3).await;
    let are_traded = all_purchases(3, PurchaseStatus::Traded);
    desk.live_until(&mut desk.engine(), |purchases, items| {
        assert!(purchases.iter().filter(|purchase| purchase.status.is_open()).count() <= 1, "{purchases:?}");
        are_traded(purchases, items)
    })
    .await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_account_that_loses_its_session_gets_no_further_work_in_that_minute() {
    let desk = Desk::lively(75).await;
    let account_id = desk.on_record().await;
    let strike = |fault| desk.simulator.world(|world| world.inject(fault));
    // In one pass it is tried as a purchase that was paid, and as one that was offered.
    for _ in 0..2 {
        strike(Fault::TimeoutBeforeCommit { call: Call::Accept });
    }
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Offered)).await;
    // The account was just looked at. What shows that it is lost is the seller's offer.
    strike(Fault::SessionLost { side: Side::Platform, seconds: 1_800 });
    engine.pass().await;
    assert_eq!(desk.account_status(account_id).await, AccountStatus::NeedsLogin);
    desk.simulator.advance(Duration::seconds(5));
    desk.buying(1).await;
    engine.pass().await;
    assert_eq!(desk.purchases().await.len(), 1);
}

#[tokio::test]
async fn rate_limits_degrade_an_account_held_trades_restrict_it_and_an_operator_disables_it() {
    let desk = Desk::lively(74).await;
    let account_id = desk.on_record().await;
    let mut engine = desk.engine();
    engine.pass().await;
    let strike = |fault| desk.simulator.world(|world| world.inject(fault));
    strike(Fault::RateLimitStorm { side: Side::Platform, seconds: 900 });
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(desk.account_status(account_id).await, AccountStatus::Degraded);
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(desk.account_status(account_id).await, AccountStatus::Ready);
    strike(Fault::TradesHeld { hours: 1 });
    desk.simulator.advance(desk.step);
    desk.buying(1).await;
    desk.live(&mut engine, Duration::minutes(30)).await;
    assert_eq!(desk.account_status(account_id).await, AccountStatus::Restricted);
    assert!(desk.purchases().await.is_empty());
    desk.live(&mut engine, Duration::hours(1)).await;
    assert_eq!(desk.account_status(account_id).await, AccountStatus::Ready);
    let disable = DisableAccount { workspace_id: desk.workspace_id, account_id, reason: None, expected_version: None };
    desk.operations.disable_account(&Caller::system(), disable).await.unwrap();
    let bought = desk.purchases().await.len();
    desk.simulator.advance(desk.step);
    desk.buying(1).await;
    desk.live(&mut engine, Duration::hours(1)).await;
    assert_eq!(
        (desk.account_status(account_id).await, desk.purchases().await.len()),
        (AccountStatus::Disabled, bought)
    );
}

#[tokio::test]
async fn a_disabled_account_lists_nothing_and_completes_what_it_has_begun() {
    let desk = Desk::slow(75).await;
    let account_id = desk.on_record().await;
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, |_, items| items.len() == 1).await;
    desk.live(&mut engine, Duration::days(8)).await;
    let (workspace_id, expected_version) = (desk.workspace_id, None);
    let disable = || DisableAccount { workspace_id, account_id, reason: None, expected_version };
    desk.operations.disable_account(&Caller::system(), disable()).await.unwrap();
    // An engine reads the records of accounts every few seconds.
    desk.simulator.advance(desk.step);
    desk.selling().await;
    desk.live(&mut engine, Duration::hours(1)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory]);
    desk.put_on_sale().await;
    desk.live(&mut engine, Duration::minutes(10)).await;
    let [denied] = desk.intents(IntentKind::List).await.try_into().unwrap();
    assert_eq!(denied.value.status, IntentStatus::Denied);
    assert_eq!(denied.value.failed_check, Some(text("ACCOUNT_NOT_READY")));
    let enable = EnableAccount { workspace_id, account_id, expected_version };
    desk.operations.enable_account(&Caller::system(), enable).await.unwrap();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    desk.operations.disable_account(&Caller::system(), disable()).await.unwrap();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_account_buys_nothing_while_there_is_less_to_spend_than_its_least_balance() {
    let desk = Desk::lively(76).await;
    let account_id = desk.on_record().await;
    let least = LimitsOfAccount { min_balance_cents: Some(CAPITAL + 1), ..LimitsOfAccount::default() };
    desk.limit(account_id, least).await;
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live(&mut engine, Duration::hours(1)).await;
    assert_eq!(desk.record(account_id).await.health.unwrap().balance, Some(cents(CAPITAL)));
    assert!(desk.purchases().await.is_empty());
    desk.simulator.world(|world| world.pay_in(CUSTOMER, cents(1)));
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Traded)).await;
    // The record shows the new balance after a purchase as well.
    let left = desk.simulator.world(|world| world.balance_of(CUSTOMER));
    assert_eq!(
        desk.record(account_id).await.health.unwrap().balance.map(tradepost_domain::money::Cents::get),
        Some(left.get())
    );
}
