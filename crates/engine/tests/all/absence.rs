//! What happened without a pass, or while a system did not answer, is found afterwards or reported.

use time::Duration;
use tradepost_adapters_simulator::Fault;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::trading::trade::TradeStatus;
use tradepost_ports::external::{Effect, ExternalError};

use crate::desk::{Desk, all_items, all_purchases};

/// Longer than a trade can be reversed, and than the time in which what has changed is looked at anyway.
const WEEKS: Duration = Duration::days(20);

fn was_reverted(purchases: &[Purchase]) -> bool {
    purchases.last().is_some_and(|purchase| purchase.status == PurchaseStatus::Refunded && purchase.was_traded())
}

impl Desk {
    async fn bought_by(&self, account: &str) -> usize {
        self.purchases().await.iter().filter(|purchase| purchase.terms.account_name.as_str() == account).count()
    }
}

#[tokio::test]
async fn an_account_that_cannot_be_asked_keeps_no_other_from_settling() {
    let mut desk = Desk::slow(111).await;
    desk.buying(2).await;
    let (mut engine, moody, other) = desk.moody_engine();
    desk.live_until(&mut engine, all_purchases(2, PurchaseStatus::Traded)).await;
    moody.mood.lock().unwrap().refuses.insert(other.user, ExternalError::AuthLost { effect: Effect::Nothing });
    desk.step = Duration::hours(6);
    desk.live(&mut engine, Duration::days(9)).await;
    for purchase in desk.purchases().await {
        let is_of_other = purchase.terms.account_name.as_str() == "bot-2";
        let expected = if is_of_other { PurchaseStatus::Traded } else { PurchaseStatus::Settled };
        assert_eq!(purchase.status, expected, "of {}", purchase.terms.account_name);
    }
    let reported = desk.remediations(RemediationKind::TradeReversed).await;
    assert_eq!(reported, vec![RemediationStatus::Waiting; desk.bought_by("bot-2").await], "they should be final");
    moody.mood.lock().unwrap().refuses.clear();
    engine.pass().await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Settled; 2]);
    let reported = desk.remediations(RemediationKind::TradeReversed).await;
    assert_eq!(reported, vec![RemediationStatus::Resolved; desk.bought_by("bot-2").await]);
}

#[tokio::test]
async fn a_rate_limited_account_receives_no_call_and_others_do() {
    let desk = Desk::slow(112).await;
    desk.buying(2).await;
    let (mut engine, moody, other) = desk.moody_engine();
    desk.live_until(&mut engine, all_purchases(2, PurchaseStatus::Traded)).await;
    let retry_after = std::time::Duration::from_mins(10);
    moody
        .mood
        .lock()
        .unwrap()
        .refuses
        .insert(other.user, ExternalError::RateLimited { retry_after, effect: Effect::Nothing });
    for expected in [1, 0, 0] {
        moody.mood.lock().unwrap().asked.clear();
        engine.pass().await;
        let asked = moody.mood.lock().unwrap().asked.clone();
        assert_eq!(asked.iter().filter(|account| **account == other.user).count(), expected);
        assert!(asked.iter().any(|account| *account != other.user));
        desk.simulator.advance(Duration::minutes(4));
    }
}

#[tokio::test]
async fn a_purchase_reversed_during_weeks_without_a_pass_ends_refunded() {
    let desk = Desk::slow(113).await;
    desk.buying(1).await;
    desk.simulator.world(|world| world.inject(Fault::Reversal { hours: 25 }));
    desk.live_until(&mut desk.engine(), all_purchases(1, PurchaseStatus::Traded)).await;
    desk.simulator.advance(WEEKS);
    desk.live_until(&mut desk.engine(), |purchases, _| was_reverted(purchases)).await;
    assert_eq!(desk.item_statuses().await.first(), Some(&ItemStatus::Reverted));
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_sale_and_a_payout_during_weeks_without_a_pass_are_booked() {
    let desk = Desk::slow(114).await;
    desk.buying(1).await;
    desk.selling().await;
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Listed)).await;
    // It is sold and not delivered in that time, and so sold a second time.
    desk.simulator.advance(WEEKS + WEEKS);
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Sold)).await;
    desk.simulator.advance(WEEKS);
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Settled)).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_trade_that_support_took_back_without_another_is_a_reversal() {
    let mut desk = Desk::slow(115).await;
    desk.buying(1).await;
    desk.simulator.world(|world| world.inject(Fault::Reversal { hours: 25 }));
    let (mut engine, moody, _) = desk.moody_engine();
    moody.mood.lock().unwrap().hides_reversals = true;
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Traded)).await;
    moody.mood.lock().unwrap().trades_are = Some(TradeStatus::FullSupportRollback);
    desk.step = Duration::hours(6);
    desk.live(&mut engine, Duration::days(9)).await;
    assert!(was_reverted(&desk.purchases().await), "{:?}", desk.purchase_statuses().await);
}

#[tokio::test]
async fn a_trade_that_is_not_complete_once_it_should_be_final_is_a_problem_until_it_is() {
    let mut desk = Desk::slow(116).await;
    desk.buying(1).await;
    let (mut engine, moody, _) = desk.moody_engine();
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Traded)).await;
    moody.mood.lock().unwrap().trades_are = Some(TradeStatus::RollbackFailed);
    desk.step = Duration::hours(6);
    desk.live(&mut engine, Duration::days(9)).await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Traded]);
    assert_eq!(desk.remediations(RemediationKind::TradeReversed).await, [RemediationStatus::Waiting]);
    moody.mood.lock().unwrap().trades_are = None;
    // Another engine knows what was reported.
    desk.live(&mut desk.engine(), Duration::hours(6)).await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Settled]);
    assert_eq!(desk.remediations(RemediationKind::TradeReversed).await, [RemediationStatus::Resolved]);
}
