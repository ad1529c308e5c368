//! Paid purchases without a delivery: followed to their outcome where a system shows it, and reported where none does.

use std::sync::Arc;

use time::Duration;
use tradepost_adapters_simulator::Fault;
use tradepost_domain::contracts::purchase::{FailureCode, Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::trading::trade::{PlatformUserId, TradeStatus};
use tradepost_engine::Engine;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::PlatformRefusal;
use tradepost_ports::marketplace::{MarketplaceRefusal, OrderStatus};

use crate::desk::{Desk, all_purchases};
use crate::flaky_systems::Moody;
use crate::scripted_adapters::{Stub, with_purchases};

impl Desk {
    async fn not_delivered(&self) -> Vec<RemediationStatus> {
        self.remediations(RemediationKind::PaidNotDelivered).await
    }
}

/// A desk whose only purchase is held by the platform for a day.
async fn held(seed: u64, rolled_back: bool) -> (Desk, Engine, (Arc<Moody>, PlatformUserId)) {
    let desk = Desk::slow(seed).await;
    desk.buying(1).await;
    desk.simulator.world(|world| world.inject(Fault::Escrow { hours: 24, rolled_back }));
    let (mut engine, moody, other) = desk.moody_engine();
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::TradeHeld)).await;
    (desk, engine, (moody, other.user))
}

#[tokio::test]
async fn a_held_trade_that_fails_is_rolled_back_and_its_refund_waited_for() {
    let (mut desk, mut engine, (moody, _)) = held(131, true).await;
    moody.mood.lock().unwrap().trades_are = Some(TradeStatus::Failed);
    engine.pass().await;
    let purchase = desk.purchases().await.remove(0);
    assert_eq!(purchase.status, PurchaseStatus::RefundPending);
    assert_eq!(purchase.progress.failure_code, Some(FailureCode::EscrowRolledBack));
    assert_eq!(desk.not_delivered().await, []);
    desk.live(&mut engine, Duration::hours(2)).await;
    assert_eq!(desk.not_delivered().await, [RemediationStatus::Waiting]);
    desk.step = Duration::hours(1);
    let is_refunded = |purchase: &Purchase| purchase.status == PurchaseStatus::Refunded;
    desk.live_until(&mut engine, |purchases, _| purchases.last().is_some_and(is_refunded)).await;
    assert_eq!(desk.not_delivered().await, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn a_trade_held_beyond_its_time_is_reported_until_it_proceeds() {
    let (mut desk, mut engine, (moody, _)) = held(132, false).await;
    moody.mood.lock().unwrap().trades_are = Some(TradeStatus::InEscrow);
    desk.step = Duration::hours(1);
    desk.live(&mut engine, Duration::hours(24)).await;
    assert_eq!(desk.not_delivered().await, []);
    desk.live(&mut engine, Duration::hours(3)).await;
    assert_eq!(desk.not_delivered().await, [RemediationStatus::Waiting]);
    moody.mood.lock().unwrap().trades_are = None;
    desk.live(&mut engine, Duration::hours(1)).await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Traded]);
    assert_eq!(desk.not_delivered().await, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn a_dismissed_problem_is_reported_again_once_the_purchase_has_moved_on() {
    let (mut desk, mut engine, (moody, _)) = held(137, true).await;
    desk.simulator.world(|world| world.inject(Fault::LateRefund { hours: 72 }));
    moody.mood.lock().unwrap().trades_are = Some(TradeStatus::InEscrow);
    desk.step = Duration::hours(1);
    desk.live(&mut engine, Duration::hours(27)).await;
    desk.dismiss(RemediationKind::PaidNotDelivered).await;
    desk.live(&mut engine, Duration::hours(3)).await;
    assert_eq!(desk.not_delivered().await, [RemediationStatus::Dismissed], "as long as it lasts");
    moody.mood.lock().unwrap().trades_are = None;
    desk.live(&mut engine, Duration::hours(3)).await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::RefundPending]);
    assert_eq!(desk.not_delivered().await, [RemediationStatus::Waiting, RemediationStatus::Dismissed]);
}

#[tokio::test]
async fn a_held_trade_unknown_to_the_platform_is_reported_until_it_is_known() {
    let (desk, mut engine, (moody, other)) = held(133, false).await;
    for account in [desk.account.user, other] {
        let refusal = ExternalError::Rejected(PlatformRefusal::NotFound);
        moody.mood.lock().unwrap().refuses.insert(account, refusal);
    }
    desk.live(&mut engine, Duration::minutes(30)).await;
    assert_eq!(desk.not_delivered().await, [], "it may be slow to show it");
    desk.live(&mut engine, Duration::hours(1)).await;
    assert_eq!(desk.not_delivered().await, [RemediationStatus::Waiting]);
    moody.mood.lock().unwrap().refuses.clear();
    engine.pass().await;
    assert_eq!(desk.not_delivered().await, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn an_order_no_longer_known_to_its_marketplace_is_reported_until_it_is_known() {
    let desk = Desk::lively(134).await;
    with_purchases(&desk, 1, PurchaseStatus::Paid).await;
    desk.simulator.advance(Duration::days(9));
    let stub = Arc::new(Stub::default());
    *stub.refuses.lock().unwrap() = Some(ExternalError::Rejected(MarketplaceRefusal::NotFound));
    let mut engine = desk.engine_at(stub.clone());
    engine.pass().await;
    assert_eq!(desk.not_delivered().await, [RemediationStatus::Waiting]);
    *stub.refuses.lock().unwrap() = None;
    engine.pass().await;
    assert_eq!(desk.not_delivered().await, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn a_refund_of_zero_is_reported_and_not_booked() {
    for status in [PurchaseStatus::RefundPending, PurchaseStatus::Reverted] {
        let desk = Desk::lively(135).await;
        with_purchases(&desk, 1, status).await;
        let stub = Arc::new(Stub::default());
        *stub.order_status.lock().unwrap() = Some(OrderStatus::Refunded);
        let mut engine = desk.engine_at(stub.clone());
        for _ in 0..2 {
            engine.pass().await;
            assert_eq!(desk.not_delivered().await, [RemediationStatus::Waiting]);
            desk.simulator.advance(Duration::minutes(2));
        }
        assert_eq!(desk.purchase_statuses().await, [status]);
    }
}

#[tokio::test]
async fn a_refund_of_an_account_without_a_session_is_booked() {
    let desk = Desk::lively(136).await;
    desk.buying(1).await;
    let (mut engine, moody, other) = desk.moody_engine();
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Paid)).await;
    for account in [desk.account.user, other.user] {
        moody.mood.lock().unwrap().refuses.insert(account, ExternalError::AuthLost { effect: Effect::Nothing });
    }
    // No account accepts the seller's offer, and the marketplace cancels the order.
    desk.live(&mut engine, Duration::hours(2)).await;
    let first = desk.purchases().await.pop().unwrap();
    assert_eq!((first.status, first.was_traded()), (PurchaseStatus::Refunded, false));
    desk.assert_sound().await;
}
