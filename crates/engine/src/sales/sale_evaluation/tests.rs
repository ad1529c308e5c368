//! The decisions of where and at which price an item is on sale, arm by arm.

use super::*;
use tradepost_domain::contracts::contract::{ContractParts, SellingTerms};
use tradepost_domain::markets::pricing::{PriceOverride, Quotes};
use tradepost_domain::money::Currency;
use tradepost_operations::Versioned;
use tradepost_operations::markets::PriceBasis;
use tradepost_testkit::samples::{Samples, minute, start, text};

use crate::samples::{cents, changed, item};

const DAY: i64 = 24 * 60;
const INTERVAL: Duration = Duration::minutes(10);

/// An item, a contract that sells it at `csfloat`, and what is known there.
struct Sale {
    item: InventoryItem,
    standing: CachedContract,
    market: MarketState,
    at: Timestamp,
}

impl Sale {
    /// An item of this status at a time when it is free to trade.
    fn of(status: ItemStatus) -> Self {
        let (samples, at, csfloat) = (Samples::seeded(11), minute(30 * DAY), text("csfloat"));
        let contract = samples.selling_contract(samples.id());
        let mut parts = item(status).value.into_parts();
        if let Some(place) = &mut parts.sale_place {
            (place.marketplace, place.contract_id) = (csfloat.clone(), Some(contract.id));
        }
        let item = InventoryItem::restore(parts).unwrap();
        let standing = CachedContract::new(Versioned { value: contract, version: 1 }, None);
        let mut market = MarketState::default();
        market.set_schedule(&csfloat, samples.fees());
        market.compute_fees(&csfloat, Ok(None));
        let given = Some(PriceOverride { price: cents(2_000), expires_at: Timestamp::MAX });
        market.set_valuation(variant_of(&item), PriceBasis { quotes: Quotes::default(), given });
        Self { item, standing, market, at }
    }

    fn verdict_at(&self, marketplace: &str, is_disabled: bool) -> PlaceVerdict {
        let (basis, samples) = (SaleBasis::new(&self.market, self.at, INTERVAL), Samples::seeded(12));
        let marketplace = text(marketplace);
        let place = SalesPlace::new(&self.standing, &marketplace, is_disabled);
        basis.evaluate(HeldItem::new(&self.item, Some(cents(1_220))), place, || samples.id())
    }

    fn verdict(&self) -> PlaceVerdict {
        self.verdict_at("csfloat", false)
    }
}

fn is_candidate(verdict: &PlaceVerdict) -> bool {
    matches!(verdict, PlaceVerdict::Candidate(_))
}

fn is_never_wanted(verdict: &PlaceVerdict) -> bool {
    matches!(verdict, PlaceVerdict::NeverWanted)
}

fn candidate() -> SaleCandidate {
    match Sale::of(ItemStatus::InInventory).verdict() {
        PlaceVerdict::Candidate(candidate) => *candidate,
        PlaceVerdict::NeverWanted | PlaceVerdict::NotNow => panic!("the item is sold there"),
    }
}

/// An item that is on sale for the price of the candidate, and changed then.
fn listed(place: &SaleCandidate) -> InventoryItem {
    let mut parts = item(ItemStatus::Listed).value.into_parts();
    (parts.list_price, parts.sale_rate) = (Some(place.price), None);
    InventoryItem::restore(parts).unwrap()
}

#[test]
fn an_item_that_a_contract_sells_is_put_on_sale() {
    assert!(is_candidate(&Sale::of(ItemStatus::InInventory).verdict()));
}

#[test]
fn an_item_is_not_put_on_sale_at_a_disabled_marketplace_and_stays_on_sale_there() {
    assert!(is_never_wanted(&Sale::of(ItemStatus::InInventory).verdict_at("csfloat", true)));
    assert!(is_candidate(&Sale::of(ItemStatus::Listed).verdict_at("csfloat", true)));
}

#[test]
fn an_item_on_sale_stays_where_it_is_and_for_whom() {
    let mut sale = Sale::of(ItemStatus::Listed);
    assert!(is_never_wanted(&sale.verdict_at("skinport", false)));
    let mut parts = sale.item.into_parts();
    parts.sale_place.as_mut().unwrap().contract_id = Some(ContractId::from_bytes([9; 16]));
    sale.item = InventoryItem::restore(parts).unwrap();
    assert!(is_never_wanted(&sale.verdict()));
}

#[test]
fn nothing_is_sold_without_known_fees_or_a_valuation() {
    let mut sale = Sale::of(ItemStatus::InInventory);
    sale.market.compute_fees(&text("csfloat"), Err(crate::error::EngineError::NoExchangeRate(eur())));
    assert!(is_never_wanted(&sale.verdict()));
    let mut sale = Sale::of(ItemStatus::InInventory);
    sale.market.begin_pass(sale.at);
    assert!(is_never_wanted(&sale.verdict()));
}

#[test]
fn a_contract_sells_only_at_its_marketplaces() {
    let mut sale = Sale::of(ItemStatus::InInventory);
    sale.market.set_schedule(&text("skinport"), Samples::seeded(11).fees());
    sale.market.compute_fees(&text("skinport"), Ok(None));
    assert!(is_never_wanted(&sale.verdict_at("skinport", false)));
}

#[test]
fn an_item_that_is_locked_may_be_sold_later() {
    let mut sale = Sale::of(ItemStatus::InInventory);
    let mut parts = sale.item.into_parts();
    parts.lock =
        parts.lock.map(|lock| tradepost_domain::contracts::inventory_item::Lock { until: Timestamp::MAX, ..lock });
    sale.item = InventoryItem::restore(parts).unwrap();
    assert!(matches!(sale.verdict(), PlaceVerdict::NotNow));
}

#[test]
fn an_item_in_the_inventory_is_listed_at_once() {
    let kept = item(ItemStatus::InInventory).value;
    assert_eq!(candidate().due_intent(&kept, None, minute(0)), Some(IntentKind::List));
}

#[test]
fn another_price_is_asked_after_the_interval() {
    let place = candidate();
    let other = SaleCandidate { price: cents(1), ..candidate() };
    let due = |at| other.due_intent(&listed(&place), None, changed(at));
    assert_eq!([9, 10].map(due), [None, Some(IntentKind::Reprice)]);
    assert_eq!(due(-1), Some(IntentKind::Reprice), "the clock was set back");
}

#[test]
fn a_price_that_is_asked_already_is_left_unless_its_rate_has_moved() {
    let place = candidate();
    let mut parts = listed(&place).into_parts();
    let rate = |micros| ExchangeRate::new(eur(), micros, start()).ok();
    assert_eq!(place.due_intent(&listed(&place), None, changed(100)), None);
    parts.sale_rate = rate(1_000_000);
    let abroad = InventoryItem::restore(parts).unwrap();
    let due = |micros| place.due_intent(&abroad, rate(micros), changed(100));
    assert_eq!([due(1_010_000), due(1_010_001)], [None, Some(IntentKind::Reprice)]);
}

#[test]
fn the_place_that_leaves_most_comes_first_and_then_the_name_decides() {
    let at = |net, marketplace| SaleCandidate { net: Some(cents(net)), marketplace: text(marketplace), ..candidate() };
    let mut places = [at(900, "b"), at(1_000, "c"), at(1_000, "a")];
    places.sort_by(|one, other| one.rank().cmp(&other.rank()));
    assert_eq!(places.map(|place| place.marketplace.to_string()), ["a", "c", "b"]);
}

#[test]
fn only_what_an_operator_could_see_on_sale_counts_as_acted_on() {
    let modes = [ApprovalMode::Automatic, ApprovalMode::Manual, ApprovalMode::DryRun];
    let acted = modes.map(|mode| {
        let place = SaleCandidate { mode, ..candidate() };
        (place.is_acted_on(), place.is_automatic())
    });
    assert_eq!(acted, [(true, true), (true, false), (false, false)]);
}

#[test]
fn a_contract_can_make_the_interval_longer_and_not_shorter() {
    let samples = Samples::seeded(11);
    let interval = |reprice_interval_seconds| {
        let parts = samples.selling_contract(samples.id()).into_parts();
        let Terms::Selling(terms) = parts.terms else { panic!("it sells") };
        let terms = Terms::Selling(SellingTerms { reprice_interval_seconds, ..terms });
        decision_interval(&Contract::restore(ContractParts { terms, ..parts }).unwrap(), INTERVAL)
    };
    assert_eq!([None, Some(300), Some(3_600)].map(interval), [INTERVAL, INTERVAL, Duration::HOUR]);
}

fn eur() -> Currency {
    Currency::new("EUR").unwrap()
}
