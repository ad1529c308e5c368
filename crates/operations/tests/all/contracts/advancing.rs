//! The steps of a purchase.

use time::Duration;
use tradepost_domain::contracts::contract::{ContractEvent, Counters};
use tradepost_domain::contracts::purchase::{
    Absence, CancelCause, FailureCode, ListingOutcome, Order, PurchaseEvent, PurchaseStatus,
};
use tradepost_domain::text::ExternalId;
use tradepost_domain::transition::{Actor, Subject};
use tradepost_operations::Code;
use tradepost_operations::contracts::AdvancePurchase;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::store::Records;
use tradepost_ports::store::Store as _;
use tradepost_testkit::samples::text;

use super::{Desk, accepted, cents, submitted};

#[tokio::test]
async fn each_step_grows_the_version_by_one_and_is_logged() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    let offer = PurchaseEvent::OfferSeen { trade_offer_id: text("offer-1"), asks_for_ours: false };
    let offered = desk.advance(purchase_id, offer).await.unwrap();
    assert_eq!((offered.value.status, offered.version), (PurchaseStatus::Offered, 4));
    let log = desk.log(Subject::Purchase(purchase_id)).await;
    let steps: Vec<_> = log.iter().map(|step| (step.trigger, step.to, step.version)).collect();
    let expected = [
        ("recorded", "PENDING", 1),
        ("submitted", "SUBMITTED", 2),
        ("accepted", "PAID", 3),
        ("offer_seen", "OFFERED", 4),
    ];
    assert_eq!(steps, expected);
    let last = log.last().unwrap();
    assert_eq!(last.evidence.as_ref().map(ExternalId::as_str), Some("offer-1"));
    assert!(matches!(last.actor, Actor::ApiKey { .. }));
}

#[tokio::test]
async fn what_is_paid_is_spent_and_no_longer_reserved() {
    let desk = Desk::open().await;
    desk.pay(1).await;
    let paid = Counters { open_quantity: 1, spent: cents(1_220), ..Counters::default() };
    assert_eq!(desk.counters().await, paid);
}

#[tokio::test]
async fn a_failed_purchase_gives_its_reservation_back() {
    let desk = Desk::open().await;
    let purchase_id = desk.buy(1).await;
    desk.advance(purchase_id, submitted()).await.unwrap();
    desk.advance(purchase_id, PurchaseEvent::Refused(FailureCode::SoldAlready)).await.unwrap();
    assert_eq!(desk.counters().await, Counters::default());
}

#[tokio::test]
async fn an_unknown_outcome_keeps_its_reservation_until_absence_is_proven() {
    let desk = Desk::open().await;
    let purchase_id = desk.buy(1).await;
    desk.advance(purchase_id, submitted()).await.unwrap();
    desk.advance(purchase_id, PurchaseEvent::OutcomeLost).await.unwrap();
    let first = desk.world.clock.now();
    let absence = |seconds, charge_excluded| {
        let last_lookup_at = first.plus(Duration::seconds(seconds));
        let (first_lookup_at, listing) = (first, ListingOutcome::NotSold);
        let balances = None;
        PurchaseEvent::OrderAbsent(Absence { first_lookup_at, last_lookup_at, listing, charge_excluded, balances })
    };
    desk.forbidden(desk.advance(purchase_id, absence(59, true)), "ABSENCE_NOT_PROVEN").await;
    desk.forbidden(desk.advance(purchase_id, absence(60, false)), "ABSENCE_NOT_PROVEN").await;
    assert_eq!(desk.counters().await.reserved, cents(1_500));
    let failed = desk.advance(purchase_id, absence(60, true)).await.unwrap();
    assert_eq!(failed.value.status, PurchaseStatus::Failed);
    assert_eq!(desk.counters().await, Counters::default());
    let log = desk.log(Subject::Purchase(purchase_id)).await;
    let last = first.plus(Duration::seconds(60));
    let words = format!("no order at {first} and {last}; listing not sold; balance stated as unchanged");
    assert_eq!(log.last().unwrap().reason, Some(text(&words)), "the log has the evidence");
}

#[tokio::test]
async fn a_refund_gives_the_money_back_to_the_contract() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    desk.advance(purchase_id, PurchaseEvent::DeliveryFailed(FailureCode::SellerLate)).await.unwrap();
    let refund = |amount| PurchaseEvent::RefundBooked { amount: cents(amount) };
    desk.refused(desk.advance(purchase_id, refund(0)), Code::InvalidArgument, "INVALID_FIELD").await;
    let refunded = desk.advance(purchase_id, refund(1_220)).await.unwrap();
    assert_eq!(refunded.value.status, PurchaseStatus::Refunded);
    assert_eq!(desk.counters().await, Counters::default());
}

#[tokio::test]
async fn a_step_that_the_status_does_not_allow_is_refused() {
    let desk = Desk::open().await;
    let purchase_id = desk.buy(1).await;
    desk.forbidden(desk.advance(purchase_id, accepted(1)), "ILLEGAL_STEP").await;
    desk.forbidden(desk.advance(purchase_id, PurchaseEvent::ProtectionEnded), "ILLEGAL_STEP").await;
    let rollback_trade_id = text("rollback-1");
    desk.forbidden(desk.advance(purchase_id, PurchaseEvent::TradeReversed { rollback_trade_id }), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn a_step_whose_guard_does_not_hold_is_refused() {
    let desk = Desk::open().await;
    let purchase_id = desk.buy(1).await;
    let too_expensive = PurchaseEvent::Submitted { listing_price: cents(1_471) };
    desk.forbidden(desk.advance(purchase_id, too_expensive), "TOO_EXPENSIVE").await;
    let expired = PurchaseEvent::Cancelled(CancelCause::Expired);
    desk.forbidden(desk.advance(purchase_id, expired), "TOO_EARLY").await;
    desk.advance(purchase_id, submitted()).await.unwrap();
    desk.advance(purchase_id, accepted(1)).await.unwrap();
    let greedy = PurchaseEvent::OfferSeen { trade_offer_id: text("offer-1"), asks_for_ours: true };
    desk.forbidden(desk.advance(purchase_id, greedy), "OFFER_ASKS_FOR_OURS").await;
}

#[tokio::test]
async fn the_same_evidence_reported_again_changes_nothing() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    let before = desk.purchase(purchase_id).await;
    assert_eq!(desk.advance(purchase_id, accepted(1)).await.unwrap(), before);
    let stale = AdvancePurchase {
        workspace_id: desk.workspace_id(),
        purchase_id,
        event: accepted(1),
        expected_version: Some(2),
    };
    assert_eq!(desk.operations().advance_purchase(&desk.trader, stale).await.unwrap(), before);
    assert_eq!(desk.purchase(purchase_id).await, before);
}

#[tokio::test]
async fn other_evidence_for_a_step_that_was_taken_is_refused() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    let other = PurchaseEvent::Accepted(Order { id: text("order-2"), executed_price: cents(1_190), fee: cents(30) });
    desk.forbidden(desk.advance(purchase_id, other), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn a_purchase_that_changed_since_it_was_seen_is_not_moved() {
    let desk = Desk::open().await;
    let (workspace_id, purchase_id) = (desk.workspace_id(), desk.buy(1).await);
    let stale = AdvancePurchase { workspace_id, purchase_id, event: submitted(), expected_version: Some(7) };
    desk.forbidden(desk.operations().advance_purchase(&desk.trader, stale), "VERSION_MISMATCH").await;
}

#[tokio::test]
async fn nothing_is_sent_for_a_contract_that_stopped() {
    let desk = Desk::open().await;
    let purchase_id = desk.buy(1).await;
    let contract = desk.world.store.contracts().find(desk.scope(), desk.contract_id).await.unwrap().unwrap();
    let mut changes = Changes::by(&Caller::system());
    let at = desk.world.clock.now();
    changes.revise(contract, |contract| contract.apply(ContractEvent::Paused { reason: None }, at)).unwrap();
    desk.world.store.commit(changes).await.unwrap();
    desk.forbidden(desk.advance(purchase_id, submitted()), "CONTRACT_NOT_ACTIVE").await;
    desk.advance(purchase_id, PurchaseEvent::Cancelled(CancelCause::CheckFailed)).await.unwrap();
    assert_eq!(desk.counters().await, Counters::default());
}

#[tokio::test]
async fn an_arrival_is_reported_with_its_item() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    let event = PurchaseEvent::ItemReceived { trade_id: text("trade-1"), protected_until: desk.world.clock.now() };
    desk.refused(desk.advance(purchase_id, event), Code::InvalidArgument, "INVALID_FIELD").await;
}
