//! The arrival of an item.

use time::Duration;
use tradepost_domain::asset::Wear;
use tradepost_domain::contracts::contract::Counters;
use tradepost_domain::contracts::inventory_item::{ItemStatus, LockKind, Traits};
use tradepost_domain::contracts::purchase::{PurchaseEvent, PurchaseStatus};
use tradepost_domain::markets::listing::{Rarity, Sticker};
use tradepost_domain::transition::Subject;
use tradepost_operations::Code;
use tradepost_operations::contracts::{ReceiveItem, ReceivedItem, RecordPurchase};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::text;

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
    let links: Vec<_> = chain.iter().map(|link| (link.step, link.source.as_str(), link.asset_id.as_str())).collect();
    assert_eq!(links, [(0, "listing", "10001"), (1, "purchase_trade", "20001")]);
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

/// What a listing shows of a craft.
fn craft() -> Traits {
    let sticker = |name| Sticker { name: text(name), wear: Some("0.1".parse().unwrap()) };
    Traits {
        paint_seed: Some(412),
        rarity: Some(Rarity::Classified),
        paint_index: Some(282),
        stickers: Some(vec![sticker("Sticker | Crown (Foil)"); 2]),
        charms: Some(vec![text("Charm | Hot Howl")]),
        ..Traits::default()
    }
}

impl Desk {
    /// Buys a craft whose item arrives as the platform shows it.
    async fn receive_craft(&self, shown: Traits) -> ReceivedItem {
        let listing = RecordPurchase { traits: craft(), ..self.listing(1) };
        let purchase = self.operations().record_purchase(&self.trader, listing).await.unwrap();
        let purchase_id = purchase.value.terms.id;
        self.advance(purchase_id, super::submitted()).await.unwrap();
        self.advance(purchase_id, super::accepted(1)).await.unwrap();
        let arrival = ReceiveItem { traits: shown, ..self.arrival(purchase_id, 1) };
        self.operations().receive_item(&self.trader, arrival).await.unwrap()
    }
}

#[tokio::test]
async fn an_item_keeps_all_that_its_listing_showed() {
    let desk = Desk::open().await;
    let received = desk.receive_craft(Traits::default()).await;
    assert_eq!(desk.owned(received.item.value.id).await.value.traits, craft());
    assert_eq!(desk.problem_states().await, []);
}

#[tokio::test]
async fn an_item_that_the_platform_shows_as_its_listing_did_differs_in_nothing() {
    let desk = Desk::open().await;
    let shown = Traits { wear: Some(Wear::new("0.1501").unwrap()), charms: None, ..craft() };
    let received = desk.receive_craft(shown.clone()).await;
    assert_eq!(received.item.value.traits, Traits { charms: craft().charms, ..shown });
    assert_eq!(desk.problem_states().await, []);
}

#[tokio::test]
async fn an_item_that_is_another_than_its_listing_showed_is_a_problem_from_its_receipt_on() {
    let desk = Desk::open().await;
    let received = desk.receive_craft(Traits { stickers: Some(Vec::new()), ..craft() }).await;
    assert_eq!(received.item.value.traits.stickers, Some(Vec::new()), "the item is what the platform shows");
    assert_eq!(desk.problem_states().await, [("TRAITS_DIFFER", "NEEDS_OPERATOR")]);
    let problem = desk.problems().await.remove(0);
    assert_eq!(problem.subject, Subject::InventoryItem(received.item.value.id));
    let evidence = problem.evidence.clone();
    let texts = [evidence.shown_by, evidence.expected, evidence.found];
    let crown = "Sticker | Crown (Foil)";
    assert_eq!(
        texts,
        [Some(text("trade-1")), Some(text(&format!("stickers {crown}, {crown}"))), Some(text("no stickers"))]
    );
}

#[tokio::test]
async fn the_same_trade_reported_again_gives_the_same_item() {
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
