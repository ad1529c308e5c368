//! Reversed purchases: the purchase, its item and the contract's counters move together, whatever reports the reversal.

use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::contract::Counters;
use tradepost_domain::contracts::inventory_item::{ItemEvent, ItemStatus};
use tradepost_domain::contracts::purchase::{PurchaseEvent, PurchaseStatus};
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{AppendAssetIDLink, ReceivedItem};
use tradepost_testkit::samples::text;

use time::Duration;

use super::{Desk, cents};

fn reversed(number: u32) -> PurchaseEvent {
    PurchaseEvent::TradeReversed { rollback_trade_id: text(&format!("rollback-{number}")) }
}

/// Expects purchase and item reverted, with the chain ending in this asset id.
async fn expect_reverted(desk: &Desk, received: &ReceivedItem, asset_id: &str) {
    let purchase = desk.purchase(received.purchase.value.terms.id).await;
    assert_eq!((purchase.value.status, purchase.version), (PurchaseStatus::Reverted, 5));
    let item = desk.owned(received.item.value.id).await;
    assert_eq!((item.value.status, item.version), (ItemStatus::Reverted, 2));
    assert_eq!(item.value.current_asset_id().as_str(), asset_id);
    let chain = desk.chain(received.item.value.id).await;
    let last = chain.last().map(|link| (link.step, link.source.as_str(), link.source_id.as_str()));
    assert_eq!(last, Some((2, "purchase_reversal", "rollback-1")));
    assert_eq!(desk.counters().await, Counters { open_quantity: 1, spent: cents(1_220), ..Counters::default() });
    let log = desk.log(Subject::InventoryItem(item.value.id)).await;
    assert_eq!(log.last().map(|step| (step.to, step.version)), Some(("REVERTED", 2)));
}

#[tokio::test]
async fn a_reversed_purchase_takes_its_item_with_it() {
    let desk = Desk::open().await;
    let received = desk.receive(1).await;
    desk.advance(received.purchase.value.terms.id, reversed(1)).await.unwrap();
    expect_reverted(&desk, &received, "20001").await;
}

#[tokio::test]
async fn an_item_that_went_back_takes_its_purchase_with_it() {
    let desk = Desk::open().await;
    let received = desk.receive(1).await;
    let asset_id = Some(AssetId::new("777").unwrap());
    let event = ItemEvent::PurchaseReversed { rollback_trade_id: text("rollback-1"), asset_id };
    desk.advance_item(received.item.value.id, event).await.unwrap();
    expect_reverted(&desk, &received, "777").await;
}

#[tokio::test]
async fn a_reversal_reported_as_a_link_reverts_item_and_purchase() {
    let desk = Desk::open().await;
    let received = desk.receive(1).await;
    let command = AppendAssetIDLink {
        workspace_id: desk.workspace_id(),
        inventory_item_id: received.item.value.id,
        expected_step: Some(2),
        asset_id: "777".to_owned(),
        source: "purchase_reversal".to_owned(),
        source_id: "rollback-1".to_owned(),
    };
    desk.operations().append_asset_id_link(&desk.trader, command).await.unwrap();
    expect_reverted(&desk, &received, "777").await;
}

#[tokio::test]
async fn the_same_reversal_reported_again_changes_nothing() {
    let desk = Desk::open().await;
    let received = desk.receive(1).await;
    let purchase_id = received.purchase.value.terms.id;
    let reverted = desk.advance(purchase_id, reversed(1)).await.unwrap();
    assert_eq!(desk.advance(purchase_id, reversed(1)).await.unwrap(), reverted);
    let event = ItemEvent::PurchaseReversed { rollback_trade_id: text("rollback-1"), asset_id: None };
    desk.advance_item(received.item.value.id, event).await.unwrap();
    expect_reverted(&desk, &received, "20001").await;
}

#[tokio::test]
async fn a_purchase_is_reversed_once() {
    let desk = Desk::open().await;
    let received = desk.receive(1).await;
    let purchase_id = received.purchase.value.terms.id;
    desk.advance(purchase_id, reversed(1)).await.unwrap();
    desk.forbidden(desk.advance(purchase_id, reversed(2)), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn a_settled_purchase_is_not_reversed() {
    let desk = Desk::open().await;
    let received = desk.receive(1).await;
    let purchase_id = received.purchase.value.terms.id;
    desk.advance_clock(Duration::hours(1));
    desk.advance(purchase_id, PurchaseEvent::ProtectionEnded).await.unwrap();
    desk.forbidden(desk.advance(purchase_id, reversed(1)), "ILLEGAL_STEP").await;
    let event = ItemEvent::PurchaseReversed { rollback_trade_id: text("rollback-1"), asset_id: None };
    desk.forbidden(desk.advance_item(received.item.value.id, event), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn an_item_that_was_given_on_keeps_its_purchase_from_being_reversed() {
    let desk = Desk::open().await;
    let received = desk.receive(1).await;
    let item_id = received.item.value.id;
    let command = AppendAssetIDLink {
        workspace_id: desk.workspace_id(),
        inventory_item_id: item_id,
        expected_step: None,
        asset_id: "30001".to_owned(),
        source: "sale_trade".to_owned(),
        source_id: "trade-2".to_owned(),
    };
    desk.operations().append_asset_id_link(&desk.trader, command).await.unwrap();
    desk.forbidden(desk.advance(received.purchase.value.terms.id, reversed(1)), "ILLEGAL_STEP").await;
}
