//! Whether the balances of marketplaces equal the ledger: a difference is reported, and never while money is in transit.

use std::sync::Arc;

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind, RemediationStatus};
use tradepost_domain::markets::provider::{Baseline, ProviderKind};
use tradepost_engine::Venue;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{DismissRemediation, GetRemediations, ListRemediations};
use tradepost_operations::markets::{GetProviders, ListProviders};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_testkit::samples::text;

use crate::desk::{CUSTOMER, Desk, MARKET, all_items, all_purchases};
use crate::scripted_adapters::Stub;

impl Desk {
    pub(crate) fn drift(&self, cents: i64) {
        self.simulator.world(|world| world.inject(Fault::BalanceDrift { customer: CUSTOMER.to_owned(), cents }));
    }

    pub(crate) async fn mismatches(&self) -> Vec<RemediationStatus> {
        self.remediations(RemediationKind::BalanceMismatch).await
    }

    /// The latest difference that was reported.
    async fn difference(&self) -> i64 {
        let (workspace_id, cursor, kind) = (self.workspace_id, String::new(), Some(RemediationKind::BalanceMismatch));
        let (status, severity, subject) = (None, None, None);
        let list = ListRemediations { workspace_id, limit: 1, cursor, status, kind, severity, subject };
        let remediation_ids = self.operations.list_remediations(&Caller::system(), list).await.unwrap().entries;
        let get = GetRemediations { workspace_id, remediation_ids };
        let found = self.operations.get_remediations(&Caller::system(), get).await.unwrap().found;
        let Evidence { expected, found, .. } = found[0].value.evidence.clone();
        let cents =
            |stored: Option<tradepost_domain::text::ExternalId>| stored.unwrap().as_str().parse::<i64>().unwrap();
        cents(found) - cents(expected)
    }

    /// Lets a person dismiss the latest problem of a kind.
    pub(crate) async fn dismiss(&self, kind: RemediationKind) {
        let (workspace_id, cursor) = (self.workspace_id, String::new());
        let (status, kind, severity, subject) = (None, Some(kind), None, None);
        let list = ListRemediations { workspace_id, limit: 1, cursor, status, kind, severity, subject };
        let ids = self.operations.list_remediations(&Caller::system(), list).await.unwrap().entries;
        let (remediation_id, reason) = (ids[0], "a person has seen to it".to_owned());
        let dismiss = DismissRemediation { workspace_id, remediation_id, reason, expected_version: None };
        self.operations.dismiss_remediation(&Caller::system(), dismiss).await.unwrap();
    }

    async fn baseline(&self) -> Option<Baseline> {
        let (workspace_id, kind) = (self.workspace_id, Some(ProviderKind::Marketplace));
        let list = ListProviders { workspace_id, limit: 1, cursor: String::new(), kind };
        let provider_ids = self.operations.list_providers(&Caller::system(), list).await.unwrap().entries;
        let get = GetProviders { workspace_id, provider_ids };
        self.operations.get_providers(&Caller::system(), get).await.unwrap().found[0].baseline
    }
}

#[tokio::test]
async fn a_lasting_balance_difference_is_reported_and_dismissal_resets_the_baseline() {
    let desk = Desk::slow(101).await;
    desk.provider(ProviderKind::Marketplace, MARKET).await;
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Traded)).await;
    desk.live(&mut engine, Duration::hours(1)).await;
    assert!(desk.baseline().await.is_some());
    desk.drift(-250);
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.mismatches().await, [], "a marketplace may be slow to show something");
    desk.live(&mut engine, Duration::hours(2)).await;
    assert_eq!(desk.mismatches().await, [RemediationStatus::NeedsOperator]);
    assert_eq!(desk.difference().await, -250);
    // Another engine knows the baseline and what was reported.
    let mut engine = desk.engine();
    desk.live(&mut engine, Duration::hours(2)).await;
    assert_eq!(desk.mismatches().await, [RemediationStatus::NeedsOperator]);
    desk.dismiss(RemediationKind::BalanceMismatch).await;
    desk.live(&mut engine, Duration::hours(3)).await;
    assert_eq!(desk.mismatches().await, [RemediationStatus::Dismissed]);
    // What a person let be is not let be again.
    desk.drift(70);
    desk.live(&mut engine, Duration::hours(3)).await;
    assert_eq!(desk.mismatches().await, [RemediationStatus::NeedsOperator, RemediationStatus::Dismissed]);
    assert_eq!(desk.difference().await, 70);
    desk.drift(-70);
    desk.live(&mut engine, Duration::hours(2)).await;
    assert_eq!(desk.mismatches().await, [RemediationStatus::Resolved, RemediationStatus::Dismissed]);
}

#[tokio::test]
async fn no_balance_difference_is_reported_while_everything_else_goes_wrong() {
    let mut desk = Desk::slow(102).await;
    desk.step = Duration::minutes(30);
    desk.provider(ProviderKind::Marketplace, MARKET).await;
    desk.buying(12).await;
    desk.selling().await;
    let mut after = Duration::ZERO;
    for call in [Call::Buy, Call::Accept, Call::List, Call::Send] {
        desk.simulator.world(|world| world.inject(Fault::TimeoutAfterCommit { call }));
        desk.simulator.world(|world| world.inject(Fault::TimeoutBeforeCommit { call }));
    }
    for fault in [
        Fault::ItemSwapped,
        Fault::LateRefund { hours: 6 },
        Fault::RateLimitStorm { side: Side::Marketplace, seconds: 3_600 },
        Fault::Escrow { hours: 2, rolled_back: true },
        Fault::SessionLost { side: Side::Platform, seconds: 3_600 },
        Fault::Reversal { hours: 1 },
        Fault::LateDelivery { seconds: 600 },
    ] {
        desk.simulator.world(|world| world.schedule(after, fault));
        after += Duration::minutes(40);
    }
    let mut engine = desk.engine();
    for _ in 0..8 {
        desk.live(&mut engine, Duration::days(1)).await;
        // The next one knows only what is on record.
        engine = desk.engine();
    }
    desk.live_until(&mut engine, |_, items| items.iter().all(|item| item.status.is_terminal())).await;
    desk.live(&mut engine, Duration::hours(6)).await;
    assert_eq!(desk.mismatches().await, []);
    let (balance, seen) = (desk.simulator.world(|world| world.balance_of(CUSTOMER)), desk.baseline().await.unwrap());
    assert_eq!(seen.balance.get(), balance.get(), "it is known to agree at the end");
    desk.assert_sound().await;
}

#[tokio::test]
async fn money_received_and_not_booked_yet_makes_no_balance_difference() {
    let desk = Desk::slow(103).await;
    desk.provider(ProviderKind::Marketplace, MARKET).await;
    desk.buying(1).await;
    desk.selling().await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Sold)).await;
    // No engine runs while it is paid for.
    desk.simulator.advance(Duration::days(9));
    let mut engine = desk.engine();
    desk.live(&mut engine, Duration::hours(2)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::Settled]);
    assert_eq!(desk.mismatches().await, []);
}

#[tokio::test]
async fn a_marketplace_that_cannot_be_followed_keeps_no_other_from_being_compared() {
    let desk = Desk::slow(104).await;
    desk.provider(ProviderKind::Marketplace, MARKET).await;
    let silent = Arc::new(Stub::default());
    *silent.refuses.lock().unwrap() = Some(ExternalError::AuthLost { effect: Effect::Nothing });
    let mut engaged = desk.engaged("node-1", Arc::new(desk.simulator.marketplace(CUSTOMER)));
    engaged.venues.push(Venue { name: text("elsewhere"), marketplace: silent, currency: None });
    let mut engine = desk.engine_for(engaged);
    desk.live(&mut engine, Duration::hours(1)).await;
    assert!(desk.baseline().await.is_some());
    desk.drift(-250);
    desk.live(&mut engine, Duration::hours(2)).await;
    assert!(!engine.pass().await.errors.is_empty(), "the other is followed");
    assert_eq!(desk.mismatches().await, [RemediationStatus::NeedsOperator]);
    assert_eq!(desk.difference().await, -250);
}

#[tokio::test]
async fn an_account_that_cannot_be_read_keeps_its_marketplace_from_being_compared_for_an_hour() {
    let desk = Desk::slow(105).await;
    desk.provider(ProviderKind::Marketplace, MARKET).await;
    desk.buying(2).await;
    let (mut engine, moody, other) = desk.moody_engine();
    desk.live_until(&mut engine, all_purchases(2, PurchaseStatus::Traded)).await;
    desk.live(&mut engine, Duration::hours(1)).await;
    assert!(desk.baseline().await.is_some());
    for account in [desk.account.user, other.user] {
        moody.mood.lock().unwrap().refuses.insert(account, ExternalError::AuthLost { effect: Effect::Nothing });
    }
    desk.drift(-250);
    desk.live(&mut engine, Duration::minutes(50)).await;
    assert_eq!(desk.mismatches().await, [], "it is unknown what was reversed");
    desk.live(&mut engine, Duration::hours(2)).await;
    assert_eq!(desk.mismatches().await, [RemediationStatus::NeedsOperator]);
    assert_eq!(desk.difference().await, -250);
    assert_eq!(desk.remediations(RemediationKind::TradeReversed).await, []);
}
