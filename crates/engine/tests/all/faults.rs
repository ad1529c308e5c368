//! Every fault of the world, and the way to its end.

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::inventory_item::ItemStatus;
use tradepost_domain::purchase::{FailureCode, Purchase, PurchaseStatus};
use tradepost_operations::Caller;
use tradepost_operations::contracts::ReconcilePurchase;

use crate::desk::{Desk, all_items, all_purchases};

/// A desk with a contract that wants one item, where this goes wrong with it.
async fn struck_by(fault: Fault) -> Desk {
    let desk = Desk::lively(11).await;
    desk.buying(1).await;
    desk.simulator.world(|world| world.inject(fault));
    desk
}

/// The same, where one item was bought and is on sale when this goes wrong.
async fn struck_on_sale_by(fault: Fault) -> Desk {
    let desk = Desk::slow(12).await;
    desk.buying(1).await;
    desk.selling().await;
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Listed)).await;
    desk.simulator.world(|world| world.inject(fault));
    desk
}

/// The fault ends in one purchase that brought its item.
async fn assert_bought(fault: Fault) {
    let desk = struck_by(fault).await;
    desk.live_until(&mut desk.engine(), all_purchases(1, PurchaseStatus::Traded)).await;
    desk.assert_sound().await;
}

/// The fault ends the first purchase like this, with its money free or back, and the contract has bought another one.
async fn assert_replaced(fault: Fault, status: PurchaseStatus, code: FailureCode) {
    let desk = struck_by(fault).await;
    let first = |purchase: &Purchase| purchase.status == status && purchase.progress.failure_code == Some(code);
    desk.live_until(&mut desk.engine(), |purchases, items| purchases.last().is_some_and(first) && items.len() == 1)
        .await;
    assert_eq!(desk.purchases().await.len(), 2);
    desk.assert_sound().await;
}

/// The fault does not keep the item from being sold in the end.
async fn assert_sold(fault: Fault) {
    let desk = struck_on_sale_by(fault).await;
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Settled)).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_purchase_whose_answer_was_lost_is_found_and_not_made_twice() {
    assert_bought(Fault::TimeoutAfterCommit { call: Call::Buy }).await;
}

#[tokio::test]
async fn a_purchase_whose_answer_was_lost_is_found_at_once_when_somebody_asks() {
    let desk = struck_by(Fault::TimeoutAfterCommit { call: Call::Buy }).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Uncertain)).await;
    desk.operations.offer_lookup(engine.lookup());
    let purchase_id = desk.purchases().await[0].terms.id;
    let command = ReconcilePurchase { workspace_id: desk.workspace_id, purchase_id };
    let found = desk.operations.reconcile_purchase(&Caller::system(), command).await.unwrap();
    assert_eq!(found.value.status, PurchaseStatus::Paid);
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Traded)).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_purchase_that_was_never_made_is_proven_absent_before_its_money_is_free() {
    let fault = Fault::TimeoutBeforeCommit { call: Call::Buy };
    assert_replaced(fault, PurchaseStatus::Failed, FailureCode::NotPlaced).await;
}

#[tokio::test]
async fn what_was_sold_already_is_not_bought() {
    assert_replaced(Fault::SoldAlready, PurchaseStatus::Failed, FailureCode::SoldAlready).await;
}

#[tokio::test]
async fn a_price_that_moved_is_not_chased() {
    let fault = Fault::PriceMoved { percent: 10 };
    assert_replaced(fault, PurchaseStatus::Failed, FailureCode::PriceChanged).await;
}

#[tokio::test]
async fn a_storm_of_limits_is_waited_for() {
    assert_bought(Fault::RateLimitStorm { side: Side::Marketplace, seconds: 1_800 }).await;
    assert_bought(Fault::RateLimitStorm { side: Side::Platform, seconds: 1_800 }).await;
}

#[tokio::test]
async fn a_session_that_is_lost_for_a_while_loses_nothing() {
    assert_bought(Fault::SessionLost { side: Side::Marketplace, seconds: 1_800 }).await;
    assert_bought(Fault::SessionLost { side: Side::Platform, seconds: 1_800 }).await;
}

#[tokio::test]
async fn an_offer_that_is_accepted_without_an_answer_is_read_again() {
    assert_bought(Fault::TimeoutAfterCommit { call: Call::Accept }).await;
    assert_bought(Fault::TimeoutBeforeCommit { call: Call::Accept }).await;
}

#[tokio::test]
async fn an_offer_that_vanishes_is_followed_by_another() {
    assert_bought(Fault::OfferVanishes { seconds: 1 }).await;
}

#[tokio::test]
async fn an_offer_that_shows_no_items_is_not_accepted_until_it_does() {
    assert_bought(Fault::GlitchedOffer { seconds: 900 }).await;
}

#[tokio::test]
async fn a_trade_that_fails_is_followed_by_another_under_the_items_new_id() {
    assert_bought(Fault::FailedTrade).await;
}

#[tokio::test]
async fn a_held_trade_is_waited_for() {
    assert_bought(Fault::Escrow { hours: 24, rolled_back: false }).await;
}

#[tokio::test]
async fn what_comes_after_the_deadline_is_taken_while_the_money_is_not_back() {
    let mut desk = struck_by(Fault::LateDelivery { seconds: 1 }).await;
    desk.step = Duration::minutes(2);
    let late = |purchase: &Purchase| purchase.was_traded();
    desk.live_until(&mut desk.engine(), |purchases, _| purchases.last().is_some_and(late)).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn another_item_than_was_bought_is_declined_and_the_money_comes_back() {
    let desk = struck_by(Fault::ItemSwapped).await;
    let is_refunded = |purchase: &Purchase| purchase.status == PurchaseStatus::Refunded;
    desk.live_until(&mut desk.engine(), |purchases, items| {
        purchases.last().is_some_and(is_refunded) && items.len() == 1
    })
    .await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_trade_that_is_rolled_back_out_of_escrow_is_refunded() {
    let fault = Fault::Escrow { hours: 24, rolled_back: true };
    assert_replaced(fault, PurchaseStatus::Refunded, FailureCode::EscrowRolledBack).await;
}

#[tokio::test]
async fn what_comes_after_the_refund_is_not_taken() {
    let fault = Fault::LateDelivery { seconds: 3_600 };
    assert_replaced(fault, PurchaseStatus::Refunded, FailureCode::SellerLate).await;
}

#[tokio::test]
async fn what_comes_after_a_refund_that_nobody_saw_is_not_taken() {
    let mut desk = struck_by(Fault::LateDelivery { seconds: 1_200 }).await;
    desk.step = Duration::minutes(90);
    let is_refunded = |purchase: &Purchase| purchase.status == PurchaseStatus::Refunded && !purchase.was_traded();
    desk.live_until(&mut desk.engine(), |purchases, _| purchases.last().is_some_and(is_refunded)).await;
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_purchase_that_is_reversed_on_any_day_ends_refunded_and_its_item_reverted() {
    for day in 0..7 {
        let desk = struck_by(Fault::Reversal { hours: 24 * day + 1 }).await;
        let reverted = |purchase: &Purchase| purchase.status == PurchaseStatus::Refunded && purchase.was_traded();
        let mut engine = desk.engine();
        desk.live_until(&mut engine, |purchases, _| purchases.last().is_some_and(reverted)).await;
        assert_eq!(desk.item_statuses().await.first(), Some(&ItemStatus::Reverted), "day {day}");
        desk.assert_sound().await;
    }
}

#[tokio::test]
async fn a_listing_whose_answer_was_lost_is_found_and_not_made_twice() {
    for fault in [Fault::TimeoutAfterCommit { call: Call::List }, Fault::TimeoutBeforeCommit { call: Call::List }] {
        let desk = struck_by(fault).await;
        desk.selling().await;
        desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::Settled)).await;
        desk.assert_sound().await;
    }
}

#[tokio::test]
async fn an_offer_to_a_buyer_is_sent_once_whatever_became_of_the_answer() {
    assert_sold(Fault::TimeoutAfterCommit { call: Call::Send }).await;
    assert_sold(Fault::TimeoutBeforeCommit { call: Call::Send }).await;
}

#[tokio::test]
async fn a_confirmation_whose_answer_was_lost_is_read_again() {
    assert_sold(Fault::TimeoutAfterCommit { call: Call::Answer }).await;
    assert_sold(Fault::TimeoutBeforeCommit { call: Call::Answer }).await;
}

#[tokio::test]
async fn a_confirmation_that_never_appears_is_asked_for_anew() {
    assert_sold(Fault::LostConfirmation).await;
}

#[tokio::test]
async fn a_trade_with_a_buyer_that_fails_is_made_again() {
    assert_sold(Fault::FailedTrade).await;
    assert_sold(Fault::FailedInPlace).await;
}

#[tokio::test]
async fn a_trade_with_a_buyer_that_is_held_ends_either_way() {
    assert_sold(Fault::Escrow { hours: 24, rolled_back: false }).await;
    assert_sold(Fault::Escrow { hours: 24, rolled_back: true }).await;
}

#[tokio::test]
async fn a_sale_that_is_reversed_brings_the_item_back_to_be_sold_again() {
    for day in [0, 3, 6] {
        assert_sold(Fault::Reversal { hours: 24 * day + 1 }).await;
    }
}

#[tokio::test]
async fn nothing_but_the_money_comes_back_of_a_trade_after_its_protection() {
    let desk = struck_by(Fault::Reversal { hours: 24 * 8 }).await;
    desk.live(&mut desk.engine(), Duration::days(9)).await;
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Settled]);
}
