//! The steps of an item.

use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::inventory_item::{AssetEvidence, ItemEvent, ItemStatus, Proceeds};
use tradepost_domain::text::ExternalId;
use tradepost_domain::transition::Subject;
use tradepost_operations::Code;
use tradepost_operations::contracts::{AdvanceItem, ReceiveItem};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::text;

use super::{Desk, cents};
use crate::harness::refusal;

pub(super) fn asset(digits: &str) -> AssetId {
    AssetId::new(digits).unwrap()
}

fn listing_started() -> ItemEvent {
    ItemEvent::ListingStarted {
        place: super::on_sale_at(None),
        price: cents(1_800),
        takes_locked: false,
        exchange_rate: None,
    }
}

fn listed() -> ItemEvent {
    ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset("20001") }
}

fn sold_to_a_buyer(listing_id: &str) -> ItemEvent {
    ItemEvent::SaleNoticed { listing_id: text(listing_id), proceeds: proceeds() }
}

fn proceeds() -> Proceeds {
    Proceeds::new(cents(1_800), cents(36)).unwrap()
}

fn given() -> ItemEvent {
    ItemEvent::Given { trade_id: text("trade-out"), asset_id: asset("30001") }
}

#[tokio::test]
async fn an_item_is_listed_sold_and_settled() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let delivery = ItemEvent::DeliveryStarted { asset_id: asset("20001") };
    for event in [listing_started(), listed(), sold_to_a_buyer("sale-1"), delivery, given()] {
        desk.advance_item(item, event).await.unwrap();
    }
    let protected_until = desk.world.clock.now();
    let booked = ItemEvent::ProceedsBooked { proceeds: proceeds(), protected_until, paid_out: false };
    let settled = desk.advance_item(item, booked).await.unwrap();
    assert_eq!((settled.value.status, settled.version), (ItemStatus::Settled, 7));
    assert_eq!(desk.sources(item).await, ["listing", "purchase_trade", "sale_listing", "sale_trade"]);
    let log = desk.log(Subject::InventoryItem(item)).await;
    let steps: Vec<_> = log.iter().map(|step| step.to).collect();
    let expected = ["IN_INVENTORY", "LISTING", "LISTED", "RESERVED", "DELIVERING", "SOLD", "SETTLED"];
    assert_eq!(steps, expected);
    assert_eq!(log[5].evidence.as_ref().map(ExternalId::as_str), Some("trade-out"));
}

#[tokio::test]
async fn a_step_that_the_status_does_not_allow_is_refused() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.forbidden(desk.advance_item(item, listed()), "ILLEGAL_STEP").await;
    desk.forbidden(desk.advance_item(item, ItemEvent::DeliveryHeld), "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn a_step_whose_guard_does_not_hold_is_refused() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let free = ItemEvent::ListingStarted {
        place: super::on_sale_at(None),
        price: cents(0),
        takes_locked: false,
        exchange_rate: None,
    };
    desk.refused(desk.advance_item(item, free), Code::InvalidArgument, "INVALID_FIELD").await;
    desk.advance_item(item, listing_started()).await.unwrap();
    desk.advance_item(item, listed()).await.unwrap();
    desk.forbidden(desk.advance_item(item, sold_to_a_buyer("sale-2")), "OTHER_LISTING").await;
    desk.advance_item(item, sold_to_a_buyer("sale-1")).await.unwrap();
    let other = ItemEvent::DeliveryStarted { asset_id: asset("5") };
    desk.forbidden(desk.advance_item(item, other), "OTHER_ASSET").await;
    let now = desk.world.clock.now();
    let too_soon = ItemEvent::WentMissing { first_absent_at: now, last_absent_at: now.plus(Duration::minutes(9)) };
    desk.forbidden(desk.advance_item(item, too_soon), "TOO_EARLY").await;
}

#[tokio::test]
async fn a_locked_item_is_not_listed_where_locked_items_are_not_taken() {
    let desk = Desk::open().await;
    let purchase_id = desk.pay(1).await;
    let protected_until = desk.world.clock.now().plus(Duration::days(7));
    let arrival = ReceiveItem { protected_until, ..desk.arrival(purchase_id, 1) };
    let item = desk.operations().receive_item(&desk.trader, arrival).await.unwrap().item.value.id;
    desk.forbidden(desk.advance_item(item, listing_started()), "ITEM_LOCKED").await;
    desk.advance_clock(Duration::days(7));
    assert_eq!(desk.advance_item(item, listing_started()).await.unwrap().value.status, ItemStatus::Listing);
}

#[tokio::test]
async fn the_same_evidence_reported_again_changes_nothing() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.advance_item(item, listing_started()).await.unwrap();
    let on_sale = desk.advance_item(item, listed()).await.unwrap();
    assert_eq!(desk.advance_item(item, listed()).await.unwrap(), on_sale);
    let (workspace_id, expected_version) = (desk.workspace_id(), Some(2));
    let stale = AdvanceItem { workspace_id, inventory_item_id: item, event: listed(), expected_version };
    assert_eq!(desk.operations().advance_item(&desk.trader, stale).await.unwrap(), on_sale);
    assert_eq!(desk.owned(item).await, on_sale);
}

#[tokio::test]
async fn an_item_is_listed_again_under_an_id_that_it_was_listed_under_before() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    // The last marketplace takes the item into custody, under another asset id.
    for asset_id in ["20001", "20001", "5"] {
        desk.advance_item(item, listing_started()).await.unwrap();
        let accepted = ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset(asset_id) };
        let listed = desk.advance_item(item, accepted.clone()).await.unwrap();
        assert_eq!(
            (listed.value.status, listed.value.sale_listing_id.clone()),
            (ItemStatus::Listed, Some(text("sale-1")))
        );
        assert_eq!(listed.value.current_asset_id(), &asset(asset_id));
        assert_eq!(desk.advance_item(item, accepted).await.unwrap(), listed);
        let seen = AssetEvidence { asset_id: asset(asset_id), source_id: text("snapshot-1") };
        desk.advance_item(item, ItemEvent::ListingEnded { seen }).await.unwrap();
    }
    let links: Vec<_> = desk.chain(item).await.into_iter().skip(2).map(|link| link.source_id.to_string()).collect();
    assert_eq!(links, ["sale-1", "sale-1@3", "sale-1@4"]);
}

#[tokio::test]
async fn the_same_evidence_with_another_asset_id_is_refused() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    desk.advance_item(item, listing_started()).await.unwrap();
    desk.advance_item(item, listed()).await.unwrap();
    let other = ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset("5") };
    assert_eq!(refusal(desk.advance_item(item, other).await), (Code::FailedPrecondition, "ASSET_ID_MISMATCH"));
}

#[tokio::test]
async fn evidence_that_was_used_up_does_not_move_the_item_again() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let seen = AssetEvidence { asset_id: asset("20001"), source_id: text("snapshot-1") };
    let missing = || {
        let first_absent_at = desk.world.clock.now();
        ItemEvent::WentMissing { first_absent_at, last_absent_at: first_absent_at.plus(Duration::minutes(10)) }
    };
    desk.advance_item(item, missing()).await.unwrap();
    let found = ItemEvent::Found { seen };
    assert_eq!(desk.advance_item(item, found.clone()).await.unwrap().value.status, ItemStatus::InInventory);
    let absent = desk.advance_item(item, missing()).await.unwrap();
    assert_eq!(desk.advance_item(item, found).await.unwrap(), absent);
}

#[tokio::test]
async fn an_item_that_changed_since_it_was_seen_is_not_moved() {
    let desk = Desk::open().await;
    let (workspace_id, inventory_item_id) = (desk.workspace_id(), desk.item(1).await);
    let stale = AdvanceItem { workspace_id, inventory_item_id, event: listing_started(), expected_version: Some(2) };
    desk.forbidden(desk.operations().advance_item(&desk.trader, stale), "VERSION_MISMATCH").await;
}

#[tokio::test]
async fn a_written_off_item_never_moves_again() {
    let desk = Desk::open().await;
    let item = desk.item(1).await;
    let now = desk.world.clock.now();
    let missing = ItemEvent::WentMissing { first_absent_at: now, last_absent_at: now.plus(Duration::minutes(10)) };
    desk.advance_item(item, missing).await.unwrap();
    desk.advance_item(item, ItemEvent::GivenUp).await.unwrap();
    desk.forbidden(desk.advance_item(item, listing_started()), "ITEM_CLOSED").await;
}
