//! Whether a contract would put an item on sale, and at which price.

use proptest::prelude::*;

use tradepost_domain::contracts::contract::{
    Contract, ContractDraft, ContractParts, Counters, SellingTerms, Terms, Undercut,
};
use tradepost_domain::contracts::evaluation::{Decision, Evaluation, Figure, Holding, Rule};
use tradepost_domain::contracts::filter_set::{Features, FilterSetVersion, RuleParts, Rules, StickerRule, Values};
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, ItemParts, ItemStatus, Traits};
use tradepost_domain::markets::listing::{Rarity, Sticker};
use tradepost_domain::markets::pricing::{Quotes, Unpriced};
use tradepost_domain::money::Cents;

use crate::given::{at, buying, cents, draft, id, item, sale_place, selling, text};
use crate::known::{Known, active, filter_of, held, money, points, quotes, reason, share_of};
use crate::offers::NAMES;

/// The rules of selling, in the order in which they are reported.
const RULES: [Rule; 12] = [
    Rule::ContractActive,
    Rule::ContractPeriod,
    Rule::Listings,
    Rule::ItemFree,
    Rule::Filter,
    Rule::Marketplace,
    Rule::TradeLock,
    Rule::FairValue,
    Rule::Confidence,
    Rule::FloorPrice,
    Rule::ExpectedMargin,
    Rule::PriceBand,
];

fn contract(terms: SellingTerms) -> Contract {
    active(draft(Terms::Selling(terms)))
}

/// An item that cost 1 040 cents, with no other seller.
fn holding(item: &InventoryItem) -> Holding<'_> {
    Holding { item, cost: Some(cents(1_040)), competing_price: None }
}

fn evaluate(terms: SellingTerms) -> Evaluation {
    let (item, _) = item();
    Known::default().evaluate_item(&contract(terms), &holding(&item)).unwrap()
}

fn asked(terms: SellingTerms, competing_price: Option<Cents>) -> i64 {
    let (item, _) = item();
    let holding = Holding { competing_price, ..holding(&item) };
    Known::default().evaluate_item(&contract(terms), &holding).unwrap().asking_price.unwrap().get()
}

proptest! {
    #[test]
    fn every_rule_is_reported_once_and_nothing_is_sold_below_the_floor(
        floor in 1..3_000_i64, ask in 1..3_000_i64, competing in prop::option::of(1..3_000_i64), undercut in 0..10_000_u16,
    ) {
        let terms = SellingTerms { floor_price: cents(floor), undercut: Some(Undercut::Share(share_of(undercut))), ..selling() };
        let (item, _) = item();
        let holding = Holding { competing_price: competing.map(cents), ..holding(&item) };
        let known = Known { quotes: quotes(&[ask, ask]), ..Known::default() };
        let evaluation = known.evaluate_item(&contract(terms), &holding).unwrap();
        let rules: Vec<Rule> = evaluation.reasons.iter().map(|reason| reason.rule).collect();
        prop_assert_eq!(rules, RULES);
        prop_assert_eq!(evaluation.decision == Decision::Sell, evaluation.failed().next().is_none());
        prop_assert!(evaluation.decision == Decision::Hold || evaluation.asking_price >= Some(cents(floor)));
    }
}

#[test]
fn an_item_that_brings_enough_is_sold_and_its_figures_are_reported() {
    let evaluation = evaluate(selling());
    assert_eq!((evaluation.decision, evaluation.failed().count()), (Decision::Sell, 0));
    assert_eq!((evaluation.asking_price, evaluation.expected_net), (Some(cents(1_300)), Some(cents(1_274))));
    assert_eq!((evaluation.all_in_cost, evaluation.expected_margin), (Some(cents(1_040)), Some(2_250)));
}

#[test]
fn a_buying_contract_evaluates_no_item() {
    let (item, _) = item();
    let buys = active(draft(Terms::Buying(buying())));
    assert_eq!(Known::default().evaluate_item(&buys, &holding(&item)), None);
}

#[test]
fn the_price_asked_is_the_value_or_below_the_competition_and_never_above_the_ceiling() {
    let undercut = |undercut| SellingTerms { undercut: Some(undercut), ..selling() };
    let (by_amount, by_share) = (undercut(Undercut::Amount(cents(1))), undercut(Undercut::Share(share_of(100))));
    assert_eq!(asked(by_amount.clone(), None), 1_300, "there is nobody to be cheaper than");
    assert_eq!(asked(selling(), Some(cents(1_250))), 1_300, "it does not have to be cheaper");
    assert_eq!(asked(by_amount.clone(), Some(cents(1_250))), 1_249);
    assert_eq!(asked(by_share, Some(cents(1_250))), 1_237, "one percent is 12.5, taken as 13");
    assert_eq!(asked(SellingTerms { ceiling_price: Some(cents(1_200)), ..by_amount }, Some(cents(1_250))), 1_200);
    assert_eq!(asked(undercut(Undercut::Amount(cents(2_000))), Some(cents(1_250))), 650, "half of the value");
}

#[test]
fn whatever_others_ask_the_price_stays_near_the_value() {
    let (item, _) = item();
    let ask = |terms: SellingTerms, competing| {
        let terms = SellingTerms { undercut: Some(Undercut::Amount(cents(1))), ..terms };
        let holding = Holding { competing_price: Some(cents(competing)), ..holding(&item) };
        let known = Known { quotes: quotes(&[1_000, 1_000, 1_000]), ..Known::default() };
        let evaluation = known.evaluate_item(&contract(terms), &holding).unwrap();
        (evaluation.asking_price.unwrap().get(), evaluation.decision)
    };
    let plain = SellingTerms { floor_price: cents(1), ..selling() };
    let table = [(300, 500), (50, 500), (501, 500), (502, 501), (999, 998), (1_501, 1_500), (9_000, 1_500)];
    for (competing, asked) in table {
        assert_eq!(ask(plain.clone(), competing), (asked, Decision::Sell), "another asks {competing}");
    }
    let (below, above) = (Some(share_of(405)), Some(share_of(805)));
    let narrow = SellingTerms { max_below_value: below, max_above_value: above, ..plain.clone() };
    assert_eq!([300, 961, 9_000].map(|competing| ask(narrow.clone(), competing).0), [960, 960, 1_080]);
    let ceiling = |price| SellingTerms { ceiling_price: Some(cents(price)), ..plain.clone() };
    assert_eq!(ask(ceiling(500), 300), (500, Decision::Sell));
    assert_eq!(ask(ceiling(499), 300), (499, Decision::Hold), "what is worth twice the ceiling is kept");
}

#[test]
fn of_two_sources_the_higher_counts_when_selling() {
    let (item, _) = item();
    let known = Known { quotes: quotes(&[600, 1_000]), ..Known::default() };
    let evaluation = known.evaluate_item(&contract(selling()), &holding(&item)).unwrap();
    assert_eq!((evaluation.fair_value, evaluation.asking_price), (Some(cents(1_000)), Some(cents(1_000))));
}

#[test]
fn an_item_is_kept_where_it_would_bring_too_little() {
    let floor = evaluate(SellingTerms { floor_price: cents(1_301), ..selling() });
    assert_eq!((floor.decision, floor.failed().collect::<Vec<_>>()), (Decision::Hold, vec![Rule::FloorPrice]));
    assert_eq!(floor.reasons[9], held(Rule::FloorPrice, false, money(1_300), money(1_301)));
    let margin = |points| evaluate(SellingTerms { min_margin: Some(share_of(points)), ..selling() });
    assert_eq!(margin(2_250).decision, Decision::Sell);
    assert_eq!(margin(2_251).reasons[10], held(Rule::ExpectedMargin, false, points(2_250), points(2_251)));
}

#[test]
fn a_margin_is_not_kept_where_the_cost_is_not_known() {
    let (item, _) = item();
    let holding = Holding { cost: None, ..holding(&item) };
    let failed =
        |terms| Known::default().evaluate_item(&contract(terms), &holding).unwrap().failed().collect::<Vec<_>>();
    assert_eq!(failed(selling()), []);
    assert_eq!(failed(SellingTerms { min_margin: Some(share_of(0)), ..selling() }), [Rule::ExpectedMargin]);
}

#[test]
fn nothing_is_sold_whose_value_is_not_known() {
    let (item, _) = item();
    let known = Known { quotes: Quotes::default(), ..Known::default() };
    let terms = SellingTerms { undercut: Some(Undercut::Amount(cents(1))), ..selling() };
    let holding = Holding { competing_price: Some(cents(1_250)), ..holding(&item) };
    let evaluation = known.evaluate_item(&contract(terms), &holding).unwrap();
    let unknown = [Rule::FairValue, Rule::Confidence, Rule::FloorPrice, Rule::ExpectedMargin];
    assert_eq!(evaluation.failed().collect::<Vec<_>>(), unknown);
    let why = Some(Figure::Unpriced(Unpriced::NoQuote));
    assert_eq!(evaluation.reasons[7], reason(Rule::FairValue, false, why, None));
}

#[test]
fn a_locked_item_waits_until_it_can_be_traded() {
    let (item, _) = item();
    let until = item.lock.expect("it is protected").until.as_micros() / 1_000_000;
    let contract = active(ContractDraft { ends_at: None, ..draft(Terms::Selling(selling())) });
    let lock = |now| {
        let evaluation = Known { at: now, ..Known::default() }.evaluate_item(&contract, &holding(&item)).unwrap();
        evaluation.reasons.into_iter().find(|reason| reason.rule == Rule::TradeLock).unwrap()
    };
    let days = |days| Some(Figure::Days(days));
    assert_eq!(lock(until - 1), reason(Rule::TradeLock, false, days(1), days(0)));
    assert_eq!(lock(until), reason(Rule::TradeLock, true, days(0), days(0)));
}

#[test]
fn an_item_with_which_something_is_under_way_is_left_alone() {
    let (item, _) = item();
    let started =
        ItemEvent::ListingStarted { place: sale_place(), price: cents(1_300), takes_locked: true, exchange_rate: None };
    let (listing, _) = item.apply(started, at(20)).unwrap();
    let evaluation = Known::default().evaluate_item(&contract(selling()), &holding(&listing)).unwrap();
    let status = |status| Some(Figure::ItemStatus(status));
    let found = reason(Rule::ItemFree, false, status(ItemStatus::Listing), status(ItemStatus::InInventory));
    assert_eq!((evaluation.failed().count(), &evaluation.reasons[3]), (1, &found));
}

#[test]
fn a_contract_lists_as_many_items_as_it_may() {
    let (item, _) = item();
    let parts = contract(SellingTerms { max_listings: Some(2), ..selling() }).into_parts();
    let listed = |open_quantity| {
        let counters = Counters { open_quantity, ..Counters::default() };
        let contract = Contract::restore(ContractParts { counters, ..parts.clone() }).unwrap();
        Known::default().evaluate_item(&contract, &holding(&item)).unwrap().failed().collect::<Vec<_>>()
    };
    assert_eq!((listed(1), listed(2)), (vec![], vec![Rule::Listings]));
}

#[test]
fn a_filter_set_chooses_items_by_all_that_is_known_of_them() {
    let parts = item().0.into_parts();
    let sticker = Sticker { name: text("Sticker | Crown (Foil)"), wear: None };
    let traits = Traits {
        rarity: Some(Rarity::Classified),
        paint_index: Some(282),
        stickers: Some(vec![sticker]),
        charms: Some(vec![text("Charm | Hot Howl")]),
        ..Traits::default()
    };
    let filtered = active(ContractDraft { filter_set_id: Some(id(7)), ..draft(Terms::Selling(selling())) });
    let is_chosen = |rules: &RuleParts, traits: &Traits| {
        let item = InventoryItem::restore(ItemParts { traits: traits.clone(), ..parts.clone() }).unwrap();
        let filter = FilterSetVersion { rules: Rules::new(rules.clone()).unwrap(), ..filter_of(&NAMES[..1]) };
        let known = Known { filter: Some(filter), ..Known::default() };
        known.evaluate_item(&filtered, &holding(&item)).unwrap().failed().next().is_none()
    };
    let crown = StickerRule::new(text("Sticker | Crown (Foil)"), 1, None).unwrap();
    let features = |features| RuleParts { features, ..RuleParts::default() };
    for rules in [
        features(Features { stickers: Values::new(vec![crown]).unwrap(), ..Features::default() }),
        features(Features { charms: Values::new(vec![text("Charm | Hot Howl")]).unwrap(), ..Features::default() }),
        features(Features { rarities: Values::new(vec![Rarity::Classified]).unwrap(), ..Features::default() }),
        features(Features { paint_indexes: Values::new(vec![282]).unwrap(), ..Features::default() }),
    ] {
        assert_eq!([&traits, &Traits::default()].map(|traits| is_chosen(&rules, traits)), [true, false], "{rules:?}");
    }
}

#[test]
fn a_filter_set_chooses_among_items_too() {
    let (item, _) = item();
    let filtered = active(ContractDraft { filter_set_id: Some(id(7)), ..draft(Terms::Selling(selling())) });
    let failed = |names| {
        let known = Known { filter: Some(filter_of(names)), ..Known::default() };
        known.evaluate_item(&filtered, &holding(&item)).unwrap().failed().collect::<Vec<_>>()
    };
    assert_eq!(failed(&NAMES[..1]), []);
    assert_eq!(failed(&NAMES[1..]), [Rule::Filter]);
}
