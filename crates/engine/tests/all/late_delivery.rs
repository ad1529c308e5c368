//! Items that arrive although their money is back: reported, and not part of the inventory.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use time::Duration;
use tradepost_adapters_simulator::Fault;
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::intent::IntentKind;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{RemediationAction, RemediationKind, RemediationStatus};
use tradepost_domain::transition::Subject;
use tradepost_engine::Engine;
use tradepost_operations::Caller;
use tradepost_operations::contracts::{ActionArgs, ListRemediations, RunRemediationAction};
use tradepost_ports::game_platform::GamePlatform as _;
use tradepost_ports::marketplace::{Marketplace as _, OrderStatus, Sought, SoughtOrder};

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

/// A purchase that was proven absent, and whose call is executed 10 minutes after it; a person accepts the offer that delivers it.
async fn delivered_although_failed(seed: u64) -> (Desk, Engine, Purchase) {
    let mut desk = Desk::lively(seed).await;
    desk.step = Duration::minutes(1);
    desk.buying_when(ApprovalMode::Manual, 1).await;
    let mut engine = desk.engine();
    engine.pass().await;
    desk.simulator.world(|world| world.inject(Fault::DelayedPurchase { seconds: 600 }));
    desk.approve(&desk.intents(IntentKind::Buy).await[0]).await;
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Failed)).await;
    let purchase = desk.purchases().await.remove(0);
    desk.simulator.advance(Duration::minutes(17));
    let sought = SoughtOrder {
        key: purchase.terms.order_key(),
        listing_id: purchase.terms.listing_id.clone(),
        asset_id: purchase.terms.listing_asset_id.clone(),
        market_hash_name: purchase.terms.market_hash_name.clone(),
        max_price: cents(purchase.terms.max_buy_price.get()),
        deliver_to: desk.account.clone(),
        sent_since: purchase.created_at,
    };
    let found = desk.simulator.marketplace(CUSTOMER).find_order(&sought).await.unwrap();
    let Sought::Found(order) = found else { panic!("it was executed late: {found:?}") };
    desk.simulator.platform().accept(desk.account.user, &order.trade_offer_id.unwrap()).await.unwrap();
    (desk, engine, purchase)
}

#[tokio::test]
async fn an_item_of_a_failed_purchase_is_reported_and_taken_in_once_its_order_is_found() {
    let (desk, mut engine, purchase) = delivered_although_failed(144).await;
    desk.live(&mut engine, Duration::minutes(30)).await;
    assert_eq!(desk.remediations(LATE).await, [RemediationStatus::NeedsOperator]);
    assert_eq!((desk.purchase_statuses().await, desk.items().await.len()), (vec![PurchaseStatus::Failed], 0));
    desk.operations.offer_lookup(engine.purchase_lookup());
    let (workspace_id, limit, cursor, kind) = (desk.workspace_id, 1, String::new(), Some(LATE));
    let list = ListRemediations { workspace_id, limit, cursor, status: None, kind, severity: None, subject: None };
    let remediation_id = desk.operations.list_remediations(&Caller::system(), list).await.unwrap().entries[0];
    let (action, args) = (RemediationAction::Reconcile, ActionArgs::default());
    let run = RunRemediationAction { workspace_id, remediation_id, action, args, expected_version: None };
    let ran = desk.operations.run_remediation_action(&Caller::system(), run).await.unwrap().value;
    assert_eq!(ran.status, RemediationStatus::Resolved);
    assert_eq!(desk.purchase_statuses().await, [PurchaseStatus::Paid]);
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Traded)).await;
    assert_eq!(desk.items().await[0].purchase_id, purchase.terms.id);
    desk.live(&mut engine, Duration::minutes(30)).await;
    assert_eq!(desk.remediations(LATE).await, [RemediationStatus::Resolved]);
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
