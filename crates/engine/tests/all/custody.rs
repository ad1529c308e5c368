//! Purchases that a marketplace keeps in custody and hands out under another asset id than the one that was listed.

use std::sync::{Arc, Mutex};

use time::Duration;
use tradepost_adapters_simulator::{Fault, Settings, Spread, Variant};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::time::Timestamp;
use tradepost_ports::game_platform::GamePlatform as _;
use tradepost_ports::marketplace::OrderStatus;
use tradepost_testkit::samples::text;

use crate::desk::{Desk, all_items, cents};
use crate::scripted_adapters::{Stub, with_purchases};
use crate::shapes::CUSTODY;

const CASE: &str = "Fracture Case";
/// Longer than the simulated marketplace can read a listing that was sold.
const UNTIL_LISTINGS_ARE_FORGOTTEN: u32 = 30 * 3_600;

/// A world whose marketplace hands out items under new asset ids.
fn renaming() -> Settings {
    let settings = Settings { traits: CUSTODY, in_custody: 1_800, protection: 43_200, ..Settings::default() };
    Settings { custody_renames: true, ..settings }
}

/// The same world, in which all items are cases: they have neither a float nor a seed.
fn of_cases() -> Settings {
    let case = Variant { market_hash_name: text(CASE), price: cents(900), wear: Spread::new(0, 0), phase: None };
    Settings { variants: vec![case], ..renaming() }
}

/// Asserts that every item was sent under an asset id that its listing did not have.
async fn assert_renamed(desk: &Desk) {
    for purchase in desk.purchases().await {
        let trade_id = purchase.progress.trade_id.clone().unwrap();
        let trade = desk.simulator.platform().trade(desk.account.user, &trade_id).await.unwrap();
        assert_ne!(trade.received[0].asset_id, purchase.terms.listing_asset_id, "{trade:?}");
    }
}

async fn assert_trades(settings: Settings, faults: &[Fault]) {
    let desk = Desk::slow_in(12, settings).await.pooled().await;
    desk.buying(2).await;
    desk.selling().await;
    desk.simulator.world(|world| faults.iter().for_each(|fault| world.inject(fault.clone())));
    desk.live_until(&mut desk.engine(), all_items(2, ItemStatus::Settled)).await;
    assert_eq!(desk.purchases().await.len(), 2, "no delivery was declined");
    assert_renamed(&desk).await;
    assert_eq!(desk.remediations(RemediationKind::TraitsDiffer).await, []);
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_item_that_leaves_custody_under_another_asset_id_is_received_and_sold() {
    assert_trades(renaming(), &[]).await;
    assert_trades(renaming(), &[Fault::FailedTrade]).await;
}

#[tokio::test]
async fn an_item_without_a_float_that_leaves_custody_under_another_asset_id_is_received_and_sold() {
    assert_trades(of_cases(), &[]).await;
    assert_trades(of_cases(), &[Fault::FailedTrade]).await;
}

#[tokio::test]
async fn an_item_that_leaves_custody_after_its_listing_is_forgotten_is_received_and_sold() {
    for settings in [renaming(), of_cases()] {
        assert_trades(Settings { in_custody: UNTIL_LISTINGS_ARE_FORGOTTEN, ..settings }, &[]).await;
    }
}

#[tokio::test]
async fn another_item_than_the_purchased_one_that_leaves_custody_is_declined() {
    let desk = Desk::slow_in(12, renaming()).await;
    desk.buying(1).await;
    desk.simulator.world(|world| world.inject(Fault::ItemSwapped));
    desk.live_until(&mut desk.engine(), all_items(1, ItemStatus::InInventory)).await;
    let purchases = desk.purchases().await;
    assert_eq!(purchases.last().map(|purchase| purchase.status), Some(PurchaseStatus::Refunded));
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_item_from_custody_that_comes_after_its_refund_is_reported() {
    for settings in [renaming(), of_cases()] {
        let mut desk = Desk::slow_in(141, settings).await;
        desk.step = Duration::minutes(2);
        desk.simulator.world(|world| {
            world.inject(Fault::LateDelivery { seconds: 1 });
            world.inject(Fault::Escrow { hours: 2, rolled_back: false });
        });
        desk.buying(1).await;
        let mut engine = desk.engine();
        desk.live_until(&mut engine, is_refunded).await;
        desk.step = Duration::minutes(10);
        desk.live(&mut engine, Duration::hours(4)).await;
        let reported = desk.remediations(RemediationKind::LateDelivery).await;
        assert_eq!(reported, [RemediationStatus::NeedsOperator]);
        desk.assert_sound().await;
    }
}

#[tokio::test]
async fn a_purchase_that_left_custody_without_a_deadline_is_overdue_after_an_hour_seen() {
    let desk = Desk::lively(144).await;
    with_purchases(&desk, 1, PurchaseStatus::Paid).await;
    // The purchase was paid on the ninth day.
    desk.simulator.advance(Duration::days(9));
    let kept = OrderStatus::InCustody { withdrawable_at: Some(Timestamp::MAX) };
    let stub = Arc::new(Stub { has_custody: true, order_status: Mutex::new(Some(kept)), ..Stub::default() });
    let mut engine = desk.engine_at(stub.clone());
    let undelivered = || desk.remediations(RemediationKind::PaidNotDelivered);
    desk.live(&mut engine, Duration::hours(3)).await;
    assert_eq!(undelivered().await, [], "it is in custody");
    *stub.order_status.lock().unwrap() = Some(OrderStatus::AwaitingSeller);
    desk.live(&mut engine, Duration::minutes(50)).await;
    assert_eq!(undelivered().await, [], "it left custody less than an hour ago");
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(undelivered().await, [RemediationStatus::Waiting]);
    *stub.order_status.lock().unwrap() = Some(kept);
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(undelivered().await, [RemediationStatus::Resolved]);
}

fn is_refunded(purchases: &[Purchase], _: &[InventoryItem]) -> bool {
    purchases.last().is_some_and(|purchase| purchase.status == PurchaseStatus::Refunded)
}
