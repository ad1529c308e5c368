//! The arrival of an item.

use time::Duration;
use tradepost_domain::contract::Counters;
use tradepost_domain::inventory_item::{ItemStatus, LockKind};
use tradepost_domain::purchase::{PurchaseEvent, PurchaseStatus};
use tradepost_domain::transition::Subject;
use tradepost_operations::Code;
use tradepost_operations::contracts::ReceiveItem;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::testing::samples::text;

use super::{Desk, cents};
use crate::harness::refusal;

#[tokio::test]
async fn an_arrival_trades_the_purchase_and_makes_the_item_with_its_first_two_links() {
    let desk = Desk::open().await;
    let received = desk.receive(1).await;
    assert_eq!((received.purchase.value.status, received.purchase.version), (PurchaseStatus::Traded, 4));
    let item = &received.item;
    assert_eq!((item.value.status, item.version), (ItemStatus::InInventory, 1));
    assert_eq!((item.value.current_asset_id().as_str(), item.value.buy_price), ("20001", cents(1_190)));
    let chain = desk.chain(item.value.id).await;
    let told: Vec<_> = chain.iter().map(|link| (link.step, link.source.as_str(), link.asset_id.as_str())).collect();
    assert_eq!(told, [(0, "listing", "10001"), (1, "purchase_trade", "20001")]);
    assert_eq!(desk.counters().await, Counters { filled_quantity: 1, spent: cents(1_220), ..Counters::default() });
    assert_eq!(desk.log(Subject::InventoryItem(item.value.id)).await.len(), 1);
}

#[tokio::test]
async fn a_protected_item_is_locked_until_its_trade_is_final() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    let protected_until = desk.world.clock.now().plus(Duration::days(7));
    let arrival = ReceiveItem { protected_until, ..desk.arrival(purchase_id, 1) };
    let received = desk.operations().receive_item(&desk.trader, arrival).await.unwrap();
    let lock = received.item.value.lock.unwrap();
    assert_eq!((lock.kind, lock.until), (LockKind::TradeProtection, protected_until));
}

#[tokio::test]
async fn the_same_trade_told_again_gives_the_same_item() {
    let desk = Desk::open().await;
    let received = desk.receive(1).await;
    let again = desk.arrival(received.purchase.value.terms.id, 1);
    assert_eq!(desk.operations().receive_item(&desk.trader, again).await.unwrap(), received);
}

#[tokio::test]
async fn the_same_trade_with_another_asset_id_is_refused() {
    let desk = Desk::open().await;
    let received = desk.receive(1).await;
    let other = ReceiveItem { asset_id: "999".to_owned(), ..desk.arrival(received.purchase.value.terms.id, 1) };
    let refused = desk.operations().receive_item(&desk.trader, other).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "ASSET_ID_MISMATCH"));
}

#[tokio::test]
async fn an_item_that_did_not_change_its_asset_id_was_not_traded() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    let unchanged = ReceiveItem { asset_id: "10001".to_owned(), ..desk.arrival(purchase_id, 1) };
    desk.forbidden(desk.operations().receive_item(&desk.trader, unchanged), "ASSET_ID_UNCHANGED").await;
}

#[tokio::test]
async fn an_asset_is_owned_once() {
    let desk = Desk::open().await;
    desk.receive(1).await;
    let purchase_id = desk.pay(2).await;
    let taken = ReceiveItem { asset_id: "20001".to_owned(), ..desk.arrival(purchase_id, 2) };
    desk.forbidden(desk.operations().receive_item(&desk.trader, taken), "ASSET_ID_OWNED").await;
}

#[tokio::test]
async fn a_purchase_that_was_not_paid_brings_nothing() {
    let desk = Desk::open().await;
    let purchase_id = desk.buy(1).await;
    let arrival = desk.arrival(purchase_id, 1);
    desk.forbidden(desk.operations().receive_item(&desk.trader, arrival), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn a_held_trade_is_completed_by_no_other() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    let held_until = desk.world.clock.now().plus(Duration::days(15));
    desk.advance(purchase_id, PurchaseEvent::TradeHeld { trade_id: text("trade-9"), held_until }).await.unwrap();
    let arrival = desk.arrival(purchase_id, 1);
    desk.forbidden(desk.operations().receive_item(&desk.trader, arrival), "OTHER_TRADE").await;
}

#[tokio::test]
async fn a_purchase_that_changed_since_it_was_seen_takes_nothing_in() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    let stale = ReceiveItem { expected_version: Some(2), ..desk.arrival(purchase_id, 1) };
    desk.forbidden(desk.operations().receive_item(&desk.trader, stale), "VERSION_MISMATCH").await;
}

#[tokio::test]
async fn a_field_that_breaks_a_rule_is_named() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    let cases = [
        ("tradeId", ReceiveItem { trade_id: String::new(), ..desk.arrival(purchase_id, 1) }),
        ("assetId", ReceiveItem { asset_id: "0".to_owned(), ..desk.arrival(purchase_id, 1) }),
    ];
    for (field, command) in cases {
        let error = desk.operations().receive_item(&desk.trader, command).await.unwrap_err();
        assert_eq!(error.code, Code::InvalidArgument);
        assert!(error.message.starts_with(field), "{}", error.message);
    }
}
