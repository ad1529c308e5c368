//! Items that arrive although their money is back: reported, and not part of the inventory.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use time::Duration;
use tradepost_adapters_simulator::Fault;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::transition::Subject;
use tradepost_ports::game_platform::GamePlatform as _;
use tradepost_ports::marketplace::{Marketplace as _, OrderStatus};

use crate::desk::{CUSTOMER, Desk, all_purchases, cents};
use crate::scripted_adapters::{Stub, with_purchases};

const LATE: RemediationKind = RemediationKind::LateDelivery;

fn is_refunded(purchases: &[Purchase], _: &[InventoryItem]) -> bool {
    purchases.last().is_some_and(|purchase| purchase.status == PurchaseStatus::Refunded)
}

#[tokio::test]
async fn an_item_released_from_escrow_after_its_refund_is_reported_until_it_goes_back() {
    let mut desk = Desk::lively(141).await;
    desk.step = Duration::minutes(2);
    desk.simulator.world(|world| {
        world.inject(Fault::LateDelivery { seconds: 1 });
        world.inject(Fault::Escrow { hours: 2, rolled_back: false });
    });
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, is_refunded).await;
    desk.step = Duration::minutes(10);
    // Another one was bought in its place, and has come.
    desk.live_until(&mut engine, |_, items| items.len() == 1).await;
    assert_eq!(desk.remediations(LATE).await, [], "the platform holds it");
    desk.simulator.world(|world| world.inject(Fault::Reversal { hours: 4 }));
    desk.live(&mut engine, Duration::hours(3)).await;
    assert_eq!(desk.remediations(LATE).await, [RemediationStatus::NeedsOperator]);
    assert!(!desk.purchases().await.last().unwrap().was_traded());
    // Another engine knows what was reported.
    desk.live(&mut desk.engine(), Duration::hours(5)).await;
    assert_eq!(desk.remediations(LATE).await, [RemediationStatus::Resolved]);
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_purchase_delivered_and_refunded_between_two_passes_is_refunded_and_reported() {
    let desk = Desk::lively(142).await;
    desk.simulator.world(|world| {
        world.inject(Fault::LateDelivery { seconds: 60 });
        world.inject(Fault::Escrow { hours: 1, rolled_back: false });
    });
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Paid)).await;
    let purchase = desk.purchases().await.remove(0);
    // A person accepts on the platform's own pages what came after the deadline.
    desk.simulator.advance(Duration::minutes(65));
    let order_id = &purchase.progress.order.as_ref().unwrap().id;
    let order = desk.simulator.marketplace(CUSTOMER).order(order_id).await.unwrap();
    let offer_id = order.trade_offer_id.unwrap();
    desk.simulator.platform().accept(desk.account.user, &offer_id).await.unwrap();
    desk.simulator.advance(Duration::hours(2));
    engine.pass().await;
    let steps = desk.steps(Subject::Purchase(purchase.terms.id)).await;
    let went: Vec<_> = steps.iter().map(|(status, _)| *status).collect();
    assert_eq!(went, ["PENDING", "SUBMITTED", "PAID", "REFUNDED"]);
    desk.live(&mut engine, Duration::minutes(30)).await;
    assert_eq!(desk.remediations(LATE).await, [RemediationStatus::NeedsOperator]);
    desk.assert_sound().await;
}

#[tokio::test]
async fn each_part_of_a_partial_refund_is_booked_once() {
    let desk = Desk::lively(143).await;
    let purchase = with_purchases(&desk, 1, PurchaseStatus::RefundPending).await.remove(0);
    let stub = Arc::new(Stub { order_status: Mutex::new(Some(OrderStatus::Refunded)), ..Stub::default() });
    let mut engine = desk.engine_at(stub.clone());
    let pays = |cents| stub.refunded.store(cents, Ordering::SeqCst);
    let refunded = async || desk.purchases().await.remove(0).progress.refunded;
    let mut came = Vec::new();
    for in_all in [300, 300, 700] {
        pays(in_all);
        desk.live(&mut engine, Duration::minutes(30)).await;
        came.push(refunded().await);
    }
    let rate = purchase.terms.exchange_rate.unwrap();
    let converted = |amount| rate.proceeds(cents(amount)).unwrap();
    assert_eq!(came, [converted(300), converted(300), converted(700)]);
    let steps = desk.steps(Subject::Purchase(purchase.terms.id)).await;
    assert_eq!(steps.iter().map(|(status, _)| *status).collect::<Vec<_>>(), ["REFUNDED", "REFUNDED"]);
}
