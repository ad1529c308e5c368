//! Problems that the engine sees outside: reported once, and resolved when they no longer exist.

use time::Duration;
use tradepost_adapters_simulator::Fault;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_operations::Caller;
use tradepost_operations::contracts::ListItemForSale;
use tradepost_ports::marketplace::Marketplace as _;

use crate::desk::{CUSTOMER, Desk, MARKET, all_items, cents};

#[tokio::test]
async fn an_overdue_refund_is_reported_once_and_resolved_by_the_refund() {
    let desk = Desk::lively(91).await;
    desk.simulator.world(|world| {
        world.inject(Fault::ItemSwapped);
        world.inject(Fault::LateRefund { hours: 6 });
    });
    desk.buying(1).await;
    let mut engine = desk.engine();
    let is = |status| {
        move |purchases: &[Purchase], _: &[_]| purchases.last().is_some_and(|purchase| purchase.status == status)
    };
    desk.live_until(&mut engine, is(PurchaseStatus::RefundPending)).await;
    desk.live(&mut engine, Duration::minutes(30)).await;
    assert_eq!(desk.remediations(RemediationKind::PaidNotDelivered).await, []);
    desk.live(&mut engine, Duration::hours(1)).await;
    assert_eq!(desk.remediations(RemediationKind::PaidNotDelivered).await, [RemediationStatus::Waiting]);
    // Another engine knows what was reported.
    desk.live(&mut desk.engine(), Duration::hours(1)).await;
    assert_eq!(desk.remediations(RemediationKind::PaidNotDelivered).await, [RemediationStatus::Waiting]);
    desk.live_until(&mut desk.engine(), is(PurchaseStatus::Refunded)).await;
    assert_eq!(desk.remediations(RemediationKind::PaidNotDelivered).await, [RemediationStatus::Resolved]);
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_listing_with_a_price_other_than_recorded_is_reported_until_it_matches() {
    let desk = Desk::slow(92).await;
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, |_, items| items.len() == 1).await;
    desk.live(&mut engine, Duration::days(8)).await;
    // Too expensive for a stranger to buy it.
    let (workspace_id, inventory_item_id, price) = (desk.workspace_id, desk.items().await[0].id, cents(900_000));
    let (marketplace, price_cents) = (MARKET.to_owned(), Some(price.get()));
    let list = ListItemForSale { workspace_id, inventory_item_id, marketplace, price_cents };
    desk.operations.list_item_for_sale(&Caller::system(), list).await.unwrap();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    let listing_id = desk.items().await[0].sale_listing_id.clone().unwrap();
    let market = desk.simulator.marketplace(CUSTOMER);
    market.reprice(&listing_id, price.plus(price).unwrap()).await.unwrap();
    engine.pass().await;
    assert_eq!(desk.remediations(RemediationKind::ListingMismatch).await, [], "an answer may be in transit");
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.remediations(RemediationKind::ListingMismatch).await, [RemediationStatus::NeedsOperator]);
    market.reprice(&listing_id, price).await.unwrap();
    desk.live(&mut desk.engine(), Duration::minutes(10)).await;
    assert_eq!(desk.remediations(RemediationKind::ListingMismatch).await, [RemediationStatus::Resolved]);
    market.reprice(&listing_id, price.plus(price).unwrap()).await.unwrap();
    desk.live(&mut engine, Duration::minutes(20)).await;
    market.delist(&listing_id).await.unwrap();
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.remediations(RemediationKind::ListingMismatch).await, [RemediationStatus::Resolved; 2]);
}
