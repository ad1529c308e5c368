//! The life of an inventory item and of its chain.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;

use tradepost_domain::asset::ContextId;
use tradepost_domain::contracts::chain::{AssetIdLink, ChainError, Evidence, Source, verify};
use tradepost_domain::contracts::inventory_item::{
    AssetEvidence, InventoryItem, ItemError, ItemEvent, ItemParts, ItemStatus, Proceeds, ReceiveError,
};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::{Cents, Currency};

use crate::given::{asset, at, cents, id, item, purchase_terms, receipt, sale_place, text, traded_purchase};

fn euro(micros: i64) -> Option<ExchangeRate> {
    ExchangeRate::new(Currency::new("EUR").unwrap(), micros, at(0)).ok()
}

fn seen(number: u64, source_id: &str) -> AssetEvidence {
    AssetEvidence { asset_id: asset(number), source_id: text(source_id) }
}

fn proceeds() -> Proceeds {
    Proceeds::new(cents(1_500), cents(75)).unwrap()
}

/// A trade that gives the item to another account of ours, under this asset id.
fn transferred(number: u64) -> ItemEvent {
    ItemEvent::Transferred {
        trade_id: text("trade-9"),
        to: text("trader-2"),
        context_id: ContextId::PROTECTED,
        asset_id: asset(number),
        protected_until: Some(at(1_000)),
    }
}

/// One event of each kind for an item that is asset 101 and stays so while it is ours.
fn events() -> Vec<ItemEvent> {
    vec![
        ItemEvent::ListingStarted {
            place: sale_place(),
            price: cents(1_500),
            takes_locked: false,
            exchange_rate: None,
        },
        ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset(101) },
        ItemEvent::ListingRefused,
        ItemEvent::ListingEnded { seen: seen(101, "snapshot-1") },
        ItemEvent::SaleNoticed { listing_id: text("sale-1"), proceeds: proceeds() },
        ItemEvent::DeliveryStarted { asset_id: asset(101) },
        ItemEvent::SaleFellThrough { still_listed: true, seen: seen(101, "snapshot-2") },
        ItemEvent::SaleFellThrough { still_listed: false, seen: seen(101, "snapshot-3") },
        ItemEvent::DeliveryHeld,
        ItemEvent::HoldRolledBack { seen: seen(101, "trade-5") },
        ItemEvent::Given { trade_id: text("trade-6"), asset_id: asset(200) },
        ItemEvent::ProceedsBooked { proceeds: proceeds(), protected_until: at(2_000), paid_out: true },
        ItemEvent::SaleReversed { rollback_trade_id: text("trade-7"), asset_id: asset(101) },
        transferred(300),
        ItemEvent::WentMissing { first_absent_at: at(0), last_absent_at: at(600) },
        ItemEvent::Found { seen: seen(101, "snapshot-4") },
        ItemEvent::GivenUp,
        ItemEvent::PurchaseReversed { rollback_trade_id: text("trade-8"), asset_id: None },
    ]
}

fn any_event() -> impl Strategy<Value = ItemEvent> {
    let dubious = vec![
        ItemEvent::ListingStarted { place: sale_place(), price: Cents::ZERO, takes_locked: true, exchange_rate: None },
        ItemEvent::Repriced { price: Cents::ZERO, exchange_rate: None },
        ItemEvent::ListingStarted { place: sale_place(), price: cents(1), takes_locked: true, exchange_rate: None },
        ItemEvent::ListingAccepted { listing_id: text("sale-2"), asset_id: asset(102) },
        ItemEvent::ListingEnded { seen: seen(103, "snapshot-5") },
        ItemEvent::SaleNoticed { listing_id: text("sale-2"), proceeds: proceeds() },
        ItemEvent::DeliveryStarted { asset_id: asset(103) },
        ItemEvent::SaleFellThrough { still_listed: true, seen: seen(104, "snapshot-6") },
        ItemEvent::Given { trade_id: text("trade-9"), asset_id: asset(101) },
        ItemEvent::WentMissing { first_absent_at: at(0), last_absent_at: at(599) },
        ItemEvent::PurchaseReversed { rollback_trade_id: text("trade-10"), asset_id: Some(asset(100)) },
    ];
    let (ending, lasting): (Vec<_>, Vec<_>) = [events(), dubious].concat().into_iter().partition(ends_a_life);
    prop_oneof![40 => select(lasting), 1 => select(ending)]
}

/// Kept rare, so that most lives are long.
fn ends_a_life(event: &ItemEvent) -> bool {
    matches!(event.name(), "proceeds_booked" | "purchase_reversed" | "given_up")
}

/// What can happen to an item from outside: an event, or a fact appended to its chain.
#[derive(Debug, Clone)]
enum Happening {
    Event(ItemEvent),
    Fact(Source, u64),
}

fn any_happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        8 => any_event().prop_map(Happening::Event),
        1 => (select(Source::ALL), 100..105_u64).prop_map(|(source, number)| Happening::Fact(source, number)),
    ]
}

/// Every step that can be taken by a new item, as `FROM event TO`, with `+ source` where it adds a link; and one item for each
/// state met on the way.
fn walk() -> (BTreeSet<String>, Vec<InventoryItem>) {
    let (fresh, _) = item();
    let (mut steps, mut met) = (BTreeSet::new(), vec![fresh]);
    let mut next = 0;
    while let Some(item) = met.get(next).cloned() {
        next += 1;
        for event in events() {
            let name = event.name();
            let Ok((after, link)) = item.clone().apply(event, at(10_000)) else { continue };
            assert!(InventoryItem::restore(after.clone().into_parts()).is_ok(), "{name}: {after:?}");
            let link = link.map(|link| format!(" + {}", link.evidence.source)).unwrap_or_default();
            steps.insert(format!("{} {name} {}{link}", item.status, after.status));
            let place = |item: &InventoryItem| (item.status, item.missing_from);
            if !met.iter().any(|known| place(known) == place(&after)) {
                met.push(after);
            }
        }
    }
    (steps, met)
}

#[test]
fn the_steps_are_exactly_those_of_the_design() {
    let expected = [
        "IN_INVENTORY listing_started LISTING",
        "LISTING listing_accepted LISTED + sale_listing",
        "LISTING listing_refused IN_INVENTORY",
        "LISTED listing_ended IN_INVENTORY",
        "IN_INVENTORY transferred IN_INVENTORY + transfer",
        "MISSING transferred IN_INVENTORY + transfer",
        "LISTED sale_noticed RESERVED",
        "RESERVED delivery_started DELIVERING",
        "RESERVED sale_fell_through LISTED",
        "RESERVED sale_fell_through IN_INVENTORY",
        "DELIVERING sale_fell_through LISTED",
        "DELIVERING sale_fell_through IN_INVENTORY",
        "DELIVERING delivery_held HELD",
        "DELIVERING given SOLD + sale_trade",
        "HELD given SOLD + sale_trade",
        "HELD hold_rolled_back IN_INVENTORY + inventory",
        "SOLD proceeds_booked SETTLED",
        "SOLD sale_reversed IN_INVENTORY + sale_return",
        "IN_INVENTORY went_missing MISSING",
        "LISTING went_missing MISSING",
        "LISTED went_missing MISSING",
        "RESERVED went_missing MISSING",
        "DELIVERING went_missing MISSING",
        "MISSING found IN_INVENTORY + inventory",
        "MISSING found LISTING + inventory",
        "MISSING found LISTED + inventory",
        "MISSING found RESERVED + inventory",
        "MISSING found DELIVERING + inventory",
        "MISSING given SOLD + sale_trade",
        "MISSING given_up WRITTEN_OFF",
        "SOLD given_up WRITTEN_OFF",
        "IN_INVENTORY given_up WRITTEN_OFF",
        "DELIVERING given_up WRITTEN_OFF",
        "HELD given_up WRITTEN_OFF",
        "IN_INVENTORY purchase_reversed REVERTED + purchase_reversal",
        "LISTING purchase_reversed REVERTED + purchase_reversal",
        "LISTED purchase_reversed REVERTED + purchase_reversal",
        "RESERVED purchase_reversed REVERTED + purchase_reversal",
        "MISSING purchase_reversed REVERTED + purchase_reversal",
    ];
    assert_eq!(walk().0, expected.map(str::to_owned).into());
}

#[test]
fn every_state_can_be_reached() {
    let reached: BTreeSet<_> = walk().1.iter().map(|item| item.status).collect();
    assert_eq!(reached, ItemStatus::ALL.iter().copied().collect());
}

#[test]
fn an_appended_fact_moves_an_item_as_its_event_would() {
    let mut moves = BTreeSet::new();
    for item in walk().1 {
        for source in Source::ALL {
            let evidence = Evidence { asset_id: asset(300), source: *source, source_id: text("fact") };
            let Ok((after, _)) = item.clone().append(evidence, None, at(20_000)) else { continue };
            assert!(InventoryItem::restore(after.clone().into_parts()).is_ok(), "{source}: {after:?}");
            let target = if after.status == item.status { String::new() } else { format!(" {}", after.status) };
            moves.insert(format!("{} + {source}{target}", item.status));
        }
    }
    let expected = [
        "IN_INVENTORY + inventory",
        "IN_INVENTORY + transfer",
        "IN_INVENTORY + sale_listing LISTED",
        "IN_INVENTORY + sale_trade SOLD",
        "IN_INVENTORY + purchase_reversal REVERTED",
        "LISTING + inventory",
        "LISTING + sale_listing LISTED",
        "LISTING + sale_trade SOLD",
        "LISTING + purchase_reversal REVERTED",
        "LISTED + inventory",
        "LISTED + sale_listing",
        "LISTED + sale_trade SOLD",
        "LISTED + purchase_reversal REVERTED",
        "RESERVED + inventory",
        "RESERVED + sale_trade SOLD",
        "RESERVED + purchase_reversal REVERTED",
        "DELIVERING + inventory",
        "DELIVERING + sale_trade SOLD",
        "HELD + inventory IN_INVENTORY",
        "HELD + sale_trade SOLD",
        "SOLD + sale_return IN_INVENTORY",
        "MISSING + inventory IN_INVENTORY",
        "MISSING + inventory LISTING",
        "MISSING + inventory LISTED",
        "MISSING + inventory RESERVED",
        "MISSING + inventory DELIVERING",
        "MISSING + sale_trade SOLD",
        "MISSING + purchase_reversal REVERTED",
    ];
    assert_eq!(moves, expected.map(str::to_owned).into());
}

#[test]
fn an_item_is_received_with_the_first_two_links() {
    let (item, links) = item();
    let facts: Vec<_> =
        links.iter().map(|link| (link.step, link.source, link.source_id.as_str(), link.asset_id.as_str())).collect();
    assert_eq!(facts, [(0, Source::Listing, "listing-1", "100"), (1, Source::PurchaseTrade, "trade-1", "101")]);
    assert_eq!(verify(&links, item.chain_owner(), &item.head), []);
    assert_eq!((item.buy_price, item.current_asset_id()), (cents(990), &asset(101)));
}

#[test]
fn only_a_traded_purchase_brings_an_item() {
    let pending = Purchase::record(purchase_terms(3), at(0)).unwrap();
    let refused = InventoryItem::receive(&pending, receipt(asset(101)), at(1));
    assert_eq!(refused, Err(ReceiveError::NotTraded(PurchaseStatus::Pending)));
}

#[test]
fn an_item_is_not_received_under_the_asset_id_of_its_listing() {
    let refused = InventoryItem::receive(&traded_purchase(), receipt(asset(100)), at(1));
    let unchanged = ChainError::IdUnchanged { given: Source::PurchaseTrade, asset_id: asset(100) };
    assert_eq!(refused, Err(ReceiveError::Chain(unchanged)));
}

#[test]
fn a_locked_item_is_listed_only_where_locked_items_are_taken() {
    let list = |takes_locked| {
        let (item, _) = item();
        item.apply(
            ItemEvent::ListingStarted { place: sale_place(), price: cents(1_500), takes_locked, exchange_rate: None },
            at(999),
        )
        .map(drop)
    };
    assert_eq!(list(false), Err(ItemError::Locked { until: at(1_000) }));
    assert_eq!(list(true), Ok(()));
}

#[test]
fn a_lock_ends_at_its_time() {
    let (place, price, takes_locked, exchange_rate) = (sale_place(), cents(1_500), false, None);
    let started = ItemEvent::ListingStarted { place, price, takes_locked, exchange_rate };
    assert_eq!(item().0.apply(started, at(1_000)).map(|(after, _)| after.status), Ok(ItemStatus::Listing));
}

/// An item of which the walk has met this state.
fn met(status: ItemStatus) -> InventoryItem {
    walk().1.into_iter().find(|item| item.status == status).unwrap()
}

#[test]
fn no_other_asset_is_delivered_and_no_other_listing_is_sold() {
    let delivery = |number| ItemEvent::DeliveryStarted { asset_id: asset(number) };
    let other = ItemError::OtherAsset { ours: asset(101), given: asset(103) };
    assert_eq!(met(ItemStatus::Reserved).apply(delivery(103), at(20_000)).map(drop), Err(other));
    assert_eq!(met(ItemStatus::Reserved).apply(delivery(101), at(20_000)).map(drop), Ok(()));
    let sale = ItemEvent::SaleNoticed { listing_id: text("sale-9"), proceeds: proceeds() };
    let other = ItemError::OtherListing { ours: text("sale-1"), given: text("sale-9") };
    assert_eq!(met(ItemStatus::Listed).apply(sale, at(20_000)).map(drop), Err(other));
}

#[test]
fn a_sale_settles_after_its_protection_and_an_item_is_missing_after_ten_minutes() {
    let booked = ItemEvent::ProceedsBooked { proceeds: proceeds(), protected_until: at(30_000), paid_out: false };
    let settled = |now| met(ItemStatus::Sold).apply(booked.clone(), at(now)).map(drop);
    assert_eq!(settled(29_999), Err(ItemError::TooEarly { earliest: at(30_000) }));
    assert_eq!(settled(30_000), Ok(()));
    let missed = |last| {
        let absent = ItemEvent::WentMissing { first_absent_at: at(0), last_absent_at: at(last) };
        item().0.apply(absent, at(1_000)).map(drop)
    };
    assert_eq!(missed(599), Err(ItemError::TooEarly { earliest: at(600) }));
    assert_eq!(missed(600), Ok(()));
}

#[test]
fn a_transferred_item_is_with_the_account_that_received_it_and_protected_there() {
    let (item, link) = item().0.apply(transferred(300), at(500)).unwrap();
    assert_eq!((item.account_name.as_str(), item.context_id), ("trader-2", ContextId::PROTECTED));
    assert_eq!((item.status, item.current_asset_id()), (ItemStatus::InInventory, &asset(300)));
    assert_eq!(link.unwrap().evidence.source, Source::Transfer);
    assert_eq!(item.check_unlocked(at(999)), Err(ItemError::Locked { until: at(1_000) }));
    assert_eq!(item.check_unlocked(at(1_000)), Ok(()));
    assert_eq!(item.buy_price, self::item().0.buy_price, "it costs nothing");
}

#[test]
fn an_item_that_is_missing_from_a_sale_is_not_transferred() {
    let listed = |events: Vec<ItemEvent>| {
        events.into_iter().fold(item().0, |item, event| item.apply(event, at(10_000)).unwrap().0)
    };
    let missing = || ItemEvent::WentMissing { first_absent_at: at(0), last_absent_at: at(600) };
    let place = sale_place();
    let started = ItemEvent::ListingStarted { place, price: cents(1_500), takes_locked: true, exchange_rate: None };
    assert!(listed(vec![missing()]).apply(transferred(300), at(10_001)).is_ok());
    let refused = listed(vec![started, missing()]).apply(transferred(300), at(10_001)).unwrap_err();
    assert_eq!(refused, ItemError::IllegalStep { from: ItemStatus::Missing, event: "transferred" });
}

#[test]
fn a_transfer_gives_the_item_another_asset_id() {
    let same = item().0.apply(transferred(101), at(500)).unwrap_err();
    assert!(matches!(same, ItemError::Chain(ChainError::IdUnchanged { .. })), "{same:?}");
}

#[test]
fn a_missing_item_returns_to_where_it_was() {
    let (item, _) = item();
    let steps = [
        ItemEvent::ListingStarted { place: sale_place(), price: cents(1_500), takes_locked: true, exchange_rate: None },
        ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset(102) },
        ItemEvent::WentMissing { first_absent_at: at(0), last_absent_at: at(600) },
        ItemEvent::Found { seen: seen(103, "snapshot-1") },
    ];
    let found = steps.into_iter().fold(item, |item, event| item.apply(event, at(700)).unwrap().0);
    assert_eq!((found.status, found.current_asset_id()), (ItemStatus::Listed, &asset(103)));
    assert_eq!(found.sale_listing_id, Some(text("sale-1")));
}

#[test]
fn an_ended_listing_adds_a_link_only_if_the_asset_id_changed() {
    let (item, _) = item();
    let steps = [
        ItemEvent::ListingStarted { place: sale_place(), price: cents(1_500), takes_locked: true, exchange_rate: None },
        ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset(102) },
    ];
    let listed = steps.into_iter().fold(item, |item, event| item.apply(event, at(700)).unwrap().0);
    let ended = |number| {
        let event = ItemEvent::ListingEnded { seen: seen(number, "snapshot-1") };
        listed.clone().apply(event, at(800)).unwrap().1.map(|link| link.evidence.source)
    };
    assert_eq!((ended(102), ended(103)), (None, Some(Source::Inventory)));
}

#[test]
fn an_item_on_sale_has_the_rate_of_its_last_price_until_it_is_off_sale_again() {
    let (item, _) = item();
    let (place, price, takes_locked) = (sale_place(), cents(1_500), true);
    let started = ItemEvent::ListingStarted { place, price, takes_locked, exchange_rate: euro(1_080_000) };
    let (begun, _) = item.apply(started, at(700)).unwrap();
    assert_eq!(begun.sale_rate, euro(1_080_000));
    let accepted = ItemEvent::ListingAccepted { listing_id: text("sale-1"), asset_id: asset(102) };
    let repriced = ItemEvent::Repriced { price, exchange_rate: euro(1_090_000) };
    let noticed = ItemEvent::SaleNoticed { listing_id: text("sale-1"), proceeds: proceeds() };
    let sold =
        [accepted, repriced, noticed].into_iter().fold(begun, |item, event| item.apply(event, at(800)).unwrap().0);
    assert_eq!(sold.sale_rate, euro(1_090_000));
    let fell_through = ItemEvent::SaleFellThrough { still_listed: false, seen: seen(102, "snapshot-1") };
    assert_eq!(sold.apply(fell_through, at(900)).unwrap().0.sale_rate, None);
}

#[test]
fn an_appended_sale_moves_the_item_and_its_return_brings_it_back() {
    let (item, _) = item();
    let fact = |number, source, fact| Evidence { asset_id: asset(number), source, source_id: text(fact) };
    let (sold, _) = item.append(fact(200, Source::SaleTrade, "trade-6"), Some(2), at(20)).unwrap();
    assert_eq!((sold.status, sold.sold_at), (ItemStatus::Sold, Some(at(20))));
    let (returned, _) = sold.append(fact(101, Source::SaleReturn, "trade-7"), Some(3), at(30)).unwrap();
    assert_eq!((returned.status, returned.sold_at), (ItemStatus::InInventory, None));
}

#[test]
fn a_stored_item_that_contradicts_itself_is_corrupt() {
    let parts = item().0.into_parts();
    let corrupt = [
        ItemParts { status: ItemStatus::Sold, ..parts.clone() },
        ItemParts { status: ItemStatus::Missing, ..parts.clone() },
        ItemParts { list_price: Some(cents(1)), ..parts.clone() },
        ItemParts { sale_rate: euro(1), ..parts.clone() },
    ];
    assert!(InventoryItem::restore(parts).is_ok());
    for corrupt in corrupt {
        assert!(InventoryItem::restore(corrupt.clone()).is_err(), "{corrupt:?}");
    }
}

proptest! {
    #[test]
    fn whatever_happens_an_item_keeps_every_rule_and_its_chain(
        life in prop::collection::vec((any_happening(), -50..500_i64), 0..150),
    ) {
        let (mut item, first) = item();
        let mut links = Vec::from(first);
        let mut now = 10;
        for (number, (happening, seconds)) in life.into_iter().enumerate() {
            now += seconds;
            let Some((after, link)) = happen(&item, happening, number, now) else { continue };
            if link.as_ref().is_some_and(|link| is_recorded(&links, link)) {
                continue;
            }
            prop_assert!(item.is_live(), "{} is final, yet became {}", item.status, after.status);
            prop_assert_eq!(given_once(&after), given_once(&item));
            links.extend(link);
            prop_assert_eq!(verify(&links, after.chain_owner(), &after.head), []);
            prop_assert_eq!(InventoryItem::restore(after.clone().into_parts()), Ok(after.clone()));
            item = after;
        }
    }
}

fn happen(
    item: &InventoryItem,
    happening: Happening,
    number: usize,
    now: i64,
) -> Option<(InventoryItem, Option<AssetIdLink>)> {
    let (after, link) = match happening {
        Happening::Event(event) => item.clone().apply(event, at(now)).ok()?,
        Happening::Fact(source, asset_number) => {
            let source_id = text(&format!("fact-{number}"));
            let evidence = Evidence { asset_id: asset(asset_number), source, source_id };
            let (after, link) = item.clone().append(evidence, None, at(now)).ok()?;
            (after, Some(link))
        }
    };
    let link = link.map(|link| link.of(after.chain_owner(), id(7)));
    Some((after, link))
}

/// Whether the chain holds the link's fact already, as a store finds before it appends.
fn is_recorded(links: &[AssetIdLink], given: &AssetIdLink) -> bool {
    links.iter().any(|link| (link.source, &link.source_id) == (given.source, &given.source_id))
}

/// What never changes once an item is received.
fn given_once(item: &InventoryItem) -> impl PartialEq + std::fmt::Debug + use<> {
    (item.id, item.chain_owner(), item.contract_id, item.market_hash_name.clone(), item.buy_price, item.created_at)
}
