//! Items that are not where our records have them: reported once two reads miss them, and resolved when they are there again.

use time::Duration;
use tradepost_adapters_simulator::Fault;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::time::Timestamp;
use tradepost_operations::Caller;
use tradepost_ports::changes::Changes;
use tradepost_ports::marketplace::{Marketplace as _, OrderStatus};
use tradepost_ports::store::Records;
use tradepost_ports::store::Store as _;

use crate::desk::{CUSTOMER, Desk, all_items, all_purchases};

const MISSING: RemediationKind = RemediationKind::MissingItem;

fn strike(desk: &Desk, fault: Fault) {
    desk.simulator.world(|world| world.inject(fault));
}

impl Desk {
    /// Moves the time that the only item has of the end of its chain, as nothing does but a hand in the database.
    async fn tamper(&self, by: Duration) {
        let scope = Principal::System.enter(self.workspace_id, PolicySet::NONE).unwrap();
        let seen = self.store.items().find(scope, self.items().await[0].id).await.unwrap().unwrap();
        let mut changes = Changes::by(&Caller::system());
        let tampered = changes.revise(seen, |item| {
            let mut parts = item.into_parts();
            parts.head.at = parts.head.at.plus(by);
            InventoryItem::restore(parts)
        });
        tampered.unwrap();
        self.store.commit(changes).await.unwrap();
    }
}

#[tokio::test]
async fn an_invalid_chain_is_reported_until_it_is_valid() {
    let desk = Desk::slow(117).await;
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(desk.remediations(RemediationKind::ChainInvalid).await, []);
    desk.tamper(-Duration::seconds(1)).await;
    desk.live(&mut engine, Duration::minutes(10)).await;
    assert_eq!(desk.remediations(RemediationKind::ChainInvalid).await, [RemediationStatus::NeedsOperator]);
    desk.tamper(Duration::seconds(1)).await;
    // Another engine knows what was reported.
    desk.live(&mut desk.engine(), Duration::minutes(10)).await;
    assert_eq!(desk.remediations(RemediationKind::ChainInvalid).await, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn an_item_that_two_looks_do_not_show_is_missing_until_one_does() {
    let mut desk = Desk::slow(111).await;
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_items(1, ItemStatus::InInventory)).await;
    desk.step = Duration::minutes(5);
    strike(&desk, Fault::ItemWithheld { seconds: 7_200 });
    // Half of an inventory shows nothing of what is not in it.
    strike(&desk, Fault::PartialInventory);
    engine.pass().await;
    desk.live(&mut engine, Duration::minutes(5)).await;
    assert_eq!((desk.item_statuses().await, desk.remediations(MISSING).await), (vec![ItemStatus::InInventory], vec![]));
    desk.live(&mut engine, Duration::minutes(30)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::Missing]);
    assert_eq!(desk.remediations(MISSING).await, [RemediationStatus::Open]);
    desk.live(&mut engine, Duration::hours(2)).await;
    assert_eq!(desk.item_statuses().await, [ItemStatus::InInventory]);
    assert_eq!(desk.remediations(MISSING).await, [RemediationStatus::Resolved]);
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_item_that_cannot_be_given_to_its_buyer_is_missing_and_goes_on_when_it_is_there() {
    let desk = Desk::slow(112).await;
    desk.buying(1).await;
    desk.selling().await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    strike(&desk, Fault::ItemWithheld { seconds: 3 * 3_600 });
    let listing_id = desk.items().await[0].sale_listing_id.clone().unwrap();
    desk.simulator.world(|world| world.sell_to_stranger(&listing_id));
    desk.live_until(&mut engine, all_items(1, ItemStatus::Missing)).await;
    assert_eq!(desk.remediations(MISSING).await, [RemediationStatus::Open]);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    assert_eq!(desk.remediations(MISSING).await, [RemediationStatus::Resolved]);
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_item_taken_by_a_reversal_or_a_buyer_is_not_missing() {
    let desk = Desk::slow(113).await;
    desk.buying(2).await;
    strike(&desk, Fault::Reversal { hours: 30 });
    desk.selling().await;
    let mut engine = desk.engine();
    let is_over = |items: &[InventoryItem]| items.len() >= 2 && items.iter().all(|item| item.status.is_terminal());
    desk.live_until(&mut engine, |_, items| is_over(items)).await;
    assert_eq!(desk.remediations(MISSING).await, []);
    desk.assert_sound().await;
}

#[tokio::test]
async fn an_item_stuck_in_rollback_is_reported_at_once_and_resolved_by_its_refund() {
    let desk = Desk::slow(114).await;
    desk.simulator.world(|world| {
        world.inject(Fault::RollbackFailed { hours: 1 });
        world.inject(Fault::LateRefund { hours: 6 });
    });
    desk.buying(1).await;
    let mut engine = desk.engine();
    let is = |status| {
        move |purchases: &[Purchase], _: &[_]| purchases.last().is_some_and(|purchase| purchase.status == status)
    };
    desk.live_until(&mut engine, is(PurchaseStatus::TradeHeld)).await;
    assert_eq!(desk.remediations(RemediationKind::PaidNotDelivered).await, []);
    desk.live_until(&mut engine, is(PurchaseStatus::RefundPending)).await;
    assert_eq!(desk.remediations(RemediationKind::PaidNotDelivered).await, [RemediationStatus::Waiting]);
    desk.live_until(&mut engine, is(PurchaseStatus::Refunded)).await;
    assert_eq!(desk.remediations(RemediationKind::PaidNotDelivered).await, [RemediationStatus::Resolved]);
    desk.assert_sound().await;
}

#[tokio::test]
async fn a_sale_whose_trade_is_stuck_leaves_an_item_that_is_missing() {
    let mut desk = Desk::slow(115).await;
    desk.buying(1).await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_purchases(1, PurchaseStatus::Settled)).await;
    desk.selling().await;
    strike(&desk, Fault::RollbackFailed { hours: 1 });
    desk.sell_though_held(&mut engine).await;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Missing)).await;
    assert_eq!(desk.remediations(MISSING).await, [RemediationStatus::Open]);
}

#[tokio::test]
async fn an_item_of_a_reversed_sale_is_missing_if_no_trade_returns_it_within_an_hour() {
    let mut desk = Desk::slow(119).await;
    desk.buying(1).await;
    desk.selling().await;
    let (mut engine, moody, _) = desk.moody_engine();
    moody.mood.lock().unwrap().hides_reversals = true;
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    strike(&desk, Fault::Reversal { hours: 25 });
    let listing_id = desk.items().await[0].sale_listing_id.clone().unwrap();
    assert!(desk.simulator.world(|world| world.sell_to_stranger(&listing_id)));
    desk.live_until(&mut engine, all_items(1, ItemStatus::Sold)).await;
    let is_reversed = async || {
        let sales = desk.simulator.marketplace(CUSTOMER).sales(Timestamp::MIN).await.unwrap();
        sales.iter().any(|sale| matches!(sale.status, OrderStatus::Reverted | OrderStatus::Refunded))
    };
    while !is_reversed().await {
        engine.pass().await;
        desk.simulator.advance(Duration::minutes(10));
    }
    desk.step = Duration::minutes(10);
    desk.live(&mut engine, Duration::minutes(50)).await;
    assert_eq!(desk.remediations(MISSING).await, []);
    desk.live(&mut engine, Duration::minutes(40)).await;
    assert_eq!(desk.remediations(MISSING).await, [RemediationStatus::Open]);
    moody.mood.lock().unwrap().hides_reversals = false;
    desk.live(&mut engine, Duration::minutes(20)).await;
    assert_eq!(desk.remediations(MISSING).await, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn an_offer_without_a_confirmation_is_reported_until_it_is_cancelled() {
    let mut desk = Desk::slow(116).await;
    desk.buying(1).await;
    desk.selling().await;
    let mut engine = desk.engine();
    desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
    strike(&desk, Fault::LostConfirmation);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Delivering)).await;
    desk.step = Duration::minutes(4);
    desk.live(&mut engine, Duration::minutes(4)).await;
    assert_eq!(desk.remediations(RemediationKind::ConfirmationStuck).await, []);
    desk.live(&mut engine, Duration::minutes(16)).await;
    assert_eq!(desk.remediations(RemediationKind::ConfirmationStuck).await, [RemediationStatus::Resolved]);
    desk.step = Duration::minutes(10);
    desk.live_until(&mut engine, all_items(1, ItemStatus::Settled)).await;
    desk.assert_sound().await;
}
