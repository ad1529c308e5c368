//! The decisions of a listing and its sale, arm by arm.

use super::*;
use tradepost_domain::contracts::purchase::FailureCode;
use tradepost_domain::trading::trade::TradeStatus;
use tradepost_ports::game_platform::MovedAsset;
use tradepost_testkit::samples::{start, text};

use crate::error::EngineError;
use crate::samples::{asset_id, cents, changed, item, listing, moved, sale, trade};

const TIMEOUT: Duration = Duration::minutes(10);

fn awaiting() -> Sale {
    let OurSale { id, listing_id, asset_id, deliver_to, deliver_by, updated_at, .. } = sale(OrderStatus::Offered);
    let (price, fee, status) = (VenueCents::ZERO, VenueCents::ZERO, OrderStatus::Offered);
    Sale { id, listing_id, asset_id, deliver_to, price, fee, status, deliver_by, updated_at }
}

/// The outcome of a listing call, by listings that were read this many minutes later.
fn created(listings: Vec<MarketListing>, awaiting: Option<&Sale>, are_sales_read: bool, at: i64) -> Option<ItemEvent> {
    let own = OwnListings::new(changed(at), listings);
    created_listing(&item(ItemStatus::Listing).value, &own, awaiting, are_sales_read, TIMEOUT)
}

fn accepted() -> ItemEvent {
    ItemEvent::ListingAccepted { listing_id: text("listing-1"), asset_id: asset_id("7") }
}

fn steps(status: ItemStatus) -> [SaleStep; 2] {
    [OrderStatus::AwaitingSeller, OrderStatus::Refunded].map(|shown| SaleStep::of(status, &sale(shown)))
}

#[test]
fn an_item_is_followed_by_its_listing_until_it_is_sold() {
    assert_eq!(SaleLook::of(&item(ItemStatus::Listing).value), SaleLook::CreatedListing);
    assert_eq!(SaleLook::of(&item(ItemStatus::Listed).value), SaleLook::Listing);
    for status in [ItemStatus::Reserved, ItemStatus::Delivering, ItemStatus::Held, ItemStatus::Sold] {
        assert_eq!(SaleLook::of(&item(status).value), SaleLook::Sale);
    }
}

#[test]
fn a_missing_item_is_followed_if_it_was_being_delivered() {
    let missing = |from| {
        let mut parts = item(from).value.into_parts();
        (parts.status, parts.missing_from) = (ItemStatus::Missing, Some(from));
        SaleLook::of(&InventoryItem::restore(parts).unwrap())
    };
    assert_eq!(missing(ItemStatus::Delivering), SaleLook::Sale);
    assert_eq!(missing(ItemStatus::Listed), SaleLook::Nothing);
}

#[test]
fn a_listing_of_the_item_is_the_created_one() {
    assert_eq!(created(vec![listing(ListingStatus::OnSale, 1_900)], None, false, 1), Some(accepted()));
}

#[test]
fn a_buyer_who_waits_shows_that_the_listing_was_created() {
    assert_eq!(created(Vec::new(), Some(&awaiting()), false, 1), Some(accepted()));
}

#[test]
fn a_listing_that_is_neither_on_sale_nor_sold_after_the_timeout_was_refused() {
    assert_eq!(created(Vec::new(), None, true, 9), None);
    assert_eq!(created(Vec::new(), None, true, 10), Some(ItemEvent::ListingRefused));
    assert_eq!(created(Vec::new(), None, false, 10), None, "the sales were not read since");
}

#[test]
fn a_delivered_sale_of_another_asset_is_that_of_an_earlier_listing() {
    let listed = item(ItemStatus::Listed).value;
    let other = |status| OurSale { asset_id: asset_id("6"), ..sale(status) };
    assert!(may_be_sale_of(&listed, &sale(OrderStatus::Delivered)));
    assert!(may_be_sale_of(&listed, &other(OrderStatus::AwaitingSeller)));
    assert!(may_be_sale_of(&listed, &other(OrderStatus::Refunded)));
    assert!(!may_be_sale_of(&listed, &other(OrderStatus::Delivered)));
}

#[test]
fn a_listing_that_is_unknown_or_sold_looks_sold() {
    let shown = |status| looks_sold(Some(&listing(status, 1_900)));
    assert!(looks_sold(None));
    assert_eq!([ListingStatus::Sold, ListingStatus::OnSale, ListingStatus::Withdrawn].map(shown), [true, false, false]);
}

#[test]
fn only_a_listing_that_the_marketplace_shows_is_on_sale() {
    assert!(is_on_sale(Some(&listing(ListingStatus::OnSale, 1_900))));
    assert!(!is_on_sale(Some(&listing(ListingStatus::Sold, 1_900))));
    assert!(!is_on_sale(None));
}

#[test]
fn a_listing_ends_withdrawn_or_lost() {
    let [withdrawn, sold] = [ListingStatus::Withdrawn, ListingStatus::Sold].map(|status| listing(status, 1_900));
    assert!(has_ended(Some(&withdrawn), false));
    assert!(!has_ended(Some(&sold), true));
    assert_eq!([false, true].map(|is_lost| has_ended(None, is_lost)), [false, true]);
}

#[test]
fn a_listing_with_the_asked_price_or_withdrawn_does_not_differ() {
    let (asked, id) = (VenueCents::new(1_900).ok(), text("listing-1"));
    for status in [ListingStatus::OnSale, ListingStatus::Withdrawn] {
        assert_eq!(listing_mismatch(asked, &id, Some(&listing(status, 1_900))), None);
    }
    assert_eq!(listing_mismatch(asked, &id, Some(&listing(ListingStatus::Withdrawn, 1))), None);
}

#[test]
fn a_listing_with_another_price_or_state_differs() {
    let found = |listing: Option<&MarketListing>| {
        let evidence = listing_mismatch(VenueCents::new(1_900).ok(), &text("listing-1"), listing).unwrap();
        assert_eq!((evidence.shown_by, evidence.expected), (Some(text("listing-1")), Some(text("1900"))));
        evidence.found
    };
    assert_eq!(found(Some(&listing(ListingStatus::OnSale, 1_800))), Some(text("1800")));
    assert_eq!(found(Some(&listing(ListingStatus::Sold, 1_900))), Some(text("1900")));
    assert_eq!(found(Some(&listing(ListingStatus::Other(99), 1_900))), Some(text("status 99")));
    assert_eq!(found(None), None);
}

#[test]
fn a_reserved_item_is_committed_unless_its_sale_was_cancelled() {
    assert_eq!(steps(ItemStatus::Reserved), [SaleStep::Commit, SaleStep::Cancel]);
}

#[test]
fn an_item_of_a_started_delivery_is_followed_even_if_its_sale_was_cancelled() {
    assert_eq!(steps(ItemStatus::Delivering), [SaleStep::Deliver, SaleStep::Deliver]);
    assert_eq!(steps(ItemStatus::Held), [SaleStep::CheckHeldTrade, SaleStep::CheckHeldTrade]);
    assert_eq!(steps(ItemStatus::Sold), [SaleStep::Settle, SaleStep::Settle]);
    assert_eq!(steps(ItemStatus::Missing), [SaleStep::CheckMissing, SaleStep::CheckMissing]);
    assert_eq!(steps(ItemStatus::Settled), [SaleStep::Nothing, SaleStep::Nothing]);
}

#[test]
fn the_proceeds_of_a_settled_sale_are_booked_as_paid_out() {
    let proceeds = Proceeds::new(cents(1_900), cents(95)).unwrap();
    let booked = ItemEvent::ProceedsBooked { proceeds, protected_until: start(), paid_out: true };
    assert_eq!(ProceedsStep::of(&sale(OrderStatus::Settled)).unwrap(), ProceedsStep::Book(booked));
}

#[test]
fn a_fee_above_the_price_is_no_proceeds() {
    let absurd = OurSale { fee: cents(1_901), ..sale(OrderStatus::Settled) };
    assert!(matches!(ProceedsStep::of(&absurd), Err(EngineError::Money(_))));
}

#[test]
fn the_return_of_an_item_is_searched_once_the_buyer_has_the_money_back() {
    for status in [OrderStatus::Reverted, OrderStatus::Refunded, OrderStatus::Failed(FailureCode::SellerLate)] {
        assert_eq!(ProceedsStep::of(&sale(status)).unwrap(), ProceedsStep::FindReturn);
    }
}

#[test]
fn an_active_sale_is_waited_for_and_one_in_an_unknown_state_takes_no_step() {
    for status in [OrderStatus::AwaitingSeller, OrderStatus::Offered, OrderStatus::Delivered] {
        assert_eq!(ProceedsStep::of(&sale(status)).unwrap(), ProceedsStep::Wait);
    }
    assert_eq!(ProceedsStep::of(&sale(OrderStatus::Other(99))).unwrap(), ProceedsStep::Nothing);
}

#[test]
fn a_trade_that_brought_the_item_back_reverses_its_sale() {
    let back = Trade { received: vec![moved()], rollback_of: Some(text("trade-0")), ..trade(TradeStatus::Complete) };
    let reversed = ItemEvent::SaleReversed { rollback_trade_id: text("trade-1"), asset_id: asset_id("8") };
    assert_eq!(sale_reversal(&[trade(TradeStatus::Complete), back.clone()], &asset_id("7")), Some(reversed));
    assert_eq!(sale_reversal(std::slice::from_ref(&back), &asset_id("6")), None, "another item came back");
    let hidden = Trade { received: vec![MovedAsset { moved_to: None, ..moved() }], ..back.clone() };
    assert_eq!(sale_reversal(&[hidden], &asset_id("7")), None, "its new id is not shown yet");
    assert_eq!(sale_reversal(&[Trade { rollback_of: None, ..back }], &asset_id("7")), None, "it is no reversal");
}
