//! Whether a contract would buy a listing: each rule, with what it found and what it held it against.

use proptest::prelude::*;

use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::{
    BuyingTerms, Contract, ContractDraft, ContractParts, ContractStatus, Counters, PriceReference, Terms,
};
use tradepost_domain::contracts::evaluation::{Activity, Decision, Figure, Rule};
use tradepost_domain::contracts::filter_set::{FailedRule, Feature, FilterSetVersion};
use tradepost_domain::markets::fees::Charges;
use tradepost_domain::markets::listing::Listing;
use tradepost_domain::markets::pricing::{PriceOverride, Unpriced};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;

use crate::given::{at, buying, cents, draft, id, selling, text};
use crate::known::{
    Known, NOW, active, contract, fees, filter_of, held, listing, money, points, quotes, reason, share_of,
};
use crate::offers::{NAMES, listings, redline};

/// The rules of buying, in the order in which they are reported.
const RULES: [Rule; 18] = [
    Rule::ContractActive,
    Rule::ContractPeriod,
    Rule::Quantity,
    Rule::OpenPurchases,
    Rule::ItemNameQuantity,
    Rule::Cooldown,
    Rule::Filter,
    Rule::Marketplace,
    Rule::SellerSuccess,
    Rule::TradeLock,
    Rule::BuyPrice,
    Rule::Budget,
    Rule::DailyBudget,
    Rule::FairValue,
    Rule::Confidence,
    Rule::Liquidity,
    Rule::Discount,
    Rule::ExpectedMargin,
];

proptest! {
    #[test]
    fn every_rule_is_reported_once_and_a_listing_is_bought_if_all_are_met(
        listing in listings(), most in 1..9_i64, ask in 1..20_i64, days in prop::option::of(0..9_u32),
    ) {
        let terms = BuyingTerms {
            max_buy_price: cents(most), max_trade_lock_days: days, min_discount: Some(share_of(1_000)), ..buying()
        };
        let known = Known { quotes: quotes(&[ask, ask]), ..Known::default() };
        let evaluation = known.evaluate(&contract(terms), &listing).unwrap();
        let rules: Vec<Rule> = evaluation.reasons.iter().map(|reason| reason.rule).collect();
        prop_assert_eq!(rules, RULES);
        prop_assert_eq!(evaluation.decision == Decision::Buy, evaluation.failed().next().is_none());
    }

    #[test]
    fn what_costs_a_cent_more_is_never_bought_where_the_cheaper_is_not(price in 1..3_000_i64, discount in 0..5_000_u16) {
        let terms = BuyingTerms { min_discount: Some(share_of(discount)), min_expected_margin: Some(share_of(0)), ..buying() };
        let decision = |price| {
            Known::default().evaluate(&contract(terms.clone()), &Listing { price: cents(price), ..redline() }).unwrap().decision
        };
        prop_assert!(decision(price) == Decision::Buy || decision(price + 1) == Decision::Skip);
    }
}

#[test]
fn a_listing_that_meets_every_rule_is_bought_and_its_figures_are_reported() {
    let evaluation = Known::default().evaluate(&contract(buying()), &listing()).unwrap();
    assert_eq!((evaluation.decision, evaluation.failed().count()), (Decision::Buy, 0));
    assert_eq!((evaluation.fair_value, evaluation.confidence), (Some(cents(1_300)), Some(share_of(8_750))));
    assert_eq!(evaluation.all_in_cost, Some(cents(1_005)));
    // 1.4 % of 1 300 is 18.2, taken as 19; 2 % of the remaining 1 281 is 25.62, taken as 26.
    assert_eq!(evaluation.expected_net, Some(cents(1_255)));
    assert_eq!((evaluation.expected_margin, evaluation.asking_price), (Some(2_487), None));
}

#[test]
fn a_selling_contract_evaluates_no_listing() {
    assert_eq!(Known::default().evaluate(&active(draft(Terms::Selling(selling()))), &listing()), None);
}

#[test]
fn only_a_contract_at_work_buys() {
    let parts = contract(buying()).into_parts();
    let paused = Contract::restore(ContractParts { status: ContractStatus::Paused, ..parts }).unwrap();
    let (actual, limit) = (Figure::Status(ContractStatus::Paused), Figure::Status(ContractStatus::Active));
    let found = Known::default().reason(&paused, Rule::ContractActive);
    assert_eq!(found, reason(Rule::ContractActive, false, Some(actual), Some(limit)));
}

#[test]
fn a_contract_buys_from_its_start_until_its_end() {
    let starts_at = Some(at(4_000));
    let contract = active(ContractDraft { starts_at, ..draft(Terms::Buying(buying())) });
    for (now, limit) in [(3_999, Some(4_000)), (4_000, None), (9_999, None), (10_000, Some(10_000))] {
        let found = Known { at: now, ..Known::default() }.reason(&contract, Rule::ContractPeriod);
        let expected = reason(
            Rule::ContractPeriod,
            limit.is_none(),
            Some(Figure::Time(at(now))),
            Some(Figure::Time(at(limit.unwrap_or(10_000)))),
        );
        assert_eq!(found, expected);
    }
}

#[test]
fn what_is_bought_and_on_its_way_counts_with_this_one() {
    let limits = BuyingTerms { max_open_purchases: Some(1), max_per_item_name: Some(2), ..buying() };
    let counters = Counters { filled_quantity: 2, open_quantity: 1, spent: cents(900), reserved: cents(1_096) };
    let busy = Contract::restore(ContractParts { counters, ..contract(limits).into_parts() }).unwrap();
    let activity = Activity { of_item_name: 2, ..Activity::default() };
    let known = Known { activity, ..Known::default() };
    let full = [Rule::Quantity, Rule::OpenPurchases, Rule::ItemNameQuantity, Rule::Budget];
    assert_eq!(known.failed(&busy), full);
    let count = |number| Some(Figure::Count(number));
    assert_eq!(known.reason(&busy, Rule::Quantity), reason(Rule::Quantity, false, count(4), count(3)));
    assert_eq!(known.reason(&busy, Rule::Budget), held(Rule::Budget, false, money(3_001), money(3_000)));
}

#[test]
fn the_budget_of_a_day_is_held_too() {
    let contract = contract(BuyingTerms { daily_budget: Some(cents(2_000)), ..buying() });
    let spent = |cents_today| {
        let activity = Activity { spent_today: cents(cents_today), ..Activity::default() };
        Known { activity, ..Known::default() }.failed(&contract)
    };
    assert_eq!((spent(995), spent(996)), (vec![], vec![Rule::DailyBudget]));
}

#[test]
fn a_contract_waits_between_purchases() {
    let contract = contract(BuyingTerms { cooldown_seconds: Some(60), ..buying() });
    let bought = |seconds: Option<i64>| {
        let last_purchase_at = seconds.map(|ago| at(NOW - ago));
        Known { activity: Activity { last_purchase_at, ..Activity::default() }, ..Known::default() }.failed(&contract)
    };
    assert_eq!([None, Some(60), Some(59), Some(-1)].map(|ago| bought(ago).len()), [0, 0, 1, 1]);
}

#[test]
fn the_rule_of_the_filter_set_that_fails_is_named() {
    let filtered = active(ContractDraft { filter_set_id: Some(id(7)), ..draft(Terms::Buying(buying())) });
    let with = |filter: Option<FilterSetVersion>| Known { filter, ..Known::default() }.reason(&filtered, Rule::Filter);
    let version = Some(Figure::FilterVersion(3));
    assert_eq!(with(Some(filter_of(&NAMES[..1]))), reason(Rule::Filter, true, None, version.clone()));
    let missing = Figure::FilterRule(FailedRule::Missing(Feature::MarketHashNames));
    assert_eq!(with(Some(filter_of(&NAMES[1..]))), reason(Rule::Filter, false, Some(missing), version));
}

#[test]
fn a_contract_is_judged_by_its_own_filter_set_or_buys_nothing() {
    let filtered = active(ContractDraft { filter_set_id: Some(id(7)), ..draft(Terms::Buying(buying())) });
    let strange = FilterSetVersion { filter_set_id: id(8), ..filter_of(&NAMES[..1]) };
    for filter in [None, Some(strange)] {
        assert_eq!(Known { filter, ..Known::default() }.failed(&filtered), [Rule::Filter]);
    }
    let unused = Known { filter: Some(filter_of(&NAMES[1..])), ..Known::default() };
    assert_eq!(unused.failed(&contract(buying())), [], "a contract without one wants everything");
}

#[test]
fn a_contract_works_on_the_marketplaces_that_it_names() {
    let elsewhere = Known { marketplace: text("bazaar"), ..Known::default() };
    let found = elsewhere.reason(&contract(buying()), Rule::Marketplace);
    let here = |name| Some(Figure::Marketplaces(vec![text(name)]));
    assert_eq!(found, reason(Rule::Marketplace, false, here("bazaar"), here("sim")));
    let anywhere = active(ContractDraft { marketplaces: Vec::new(), ..draft(Terms::Buying(buying())) });
    assert_eq!(elsewhere.failed(&anywhere), []);
}

#[test]
fn a_seller_without_figures_meets_no_minimum_of_success() {
    let contract = contract(BuyingTerms { min_seller_success: Some(share_of(9_000)), ..buying() });
    let sold_by = |seller_success| {
        let offered = Listing { seller_success, ..listing() };
        Known::default().evaluate(&contract, &offered).unwrap().failed().collect::<Vec<_>>()
    };
    assert_eq!(sold_by(Some(share_of(9_000))), []);
    assert_eq!(sold_by(Some(share_of(8_999))), [Rule::SellerSuccess]);
    assert_eq!(sold_by(None), [Rule::SellerSuccess]);
}

#[test]
fn a_locked_item_is_bought_as_long_as_the_lock_may_be() {
    let contract = contract(BuyingTerms { max_trade_lock_days: Some(3), ..buying() });
    let locked = |trade_lock_days| {
        let evaluation = Known::default().evaluate(&contract, &Listing { trade_lock_days, ..listing() }).unwrap();
        (evaluation.failed().count(), evaluation.expected_net.unwrap().get())
    };
    assert_eq!(locked(3), (0, 1_248), "each day in which it cannot be sold takes off the value");
    assert_eq!(locked(4).0, 1);
    assert_eq!(locked(u32::MAX), (1, 0));
}

#[test]
fn price_and_fee_together_are_at_most_what_a_contract_pays() {
    let contract = contract(BuyingTerms { max_buy_price: cents(1_005), ..buying() });
    let fee = |points| Known { fees: Some(fees(points, 0)), ..Known::default() }.reason(&contract, Rule::BuyPrice);
    assert_eq!(fee(50), held(Rule::BuyPrice, true, money(1_005), money(1_005)));
    assert_eq!(fee(51), held(Rule::BuyPrice, false, money(1_006), money(1_005)), "a part of a cent is a whole one");
}

#[test]
fn what_costs_nothing_or_more_than_an_amount_can_be_is_not_bought() {
    for price in [Cents::ZERO, Cents::MAX] {
        let evaluation = Known::default().evaluate(&contract(buying()), &Listing { price, ..listing() }).unwrap();
        assert_eq!((evaluation.decision, evaluation.all_in_cost), (Decision::Skip, None));
        assert_eq!(evaluation.failed().collect::<Vec<_>>(), [Rule::BuyPrice, Rule::Budget]);
    }
}

#[test]
fn a_contract_that_needs_no_value_buys_without_one() {
    let unpriced = Known { quotes: quotes(&[1_300]), ..Known::default() };
    let why = Some(Figure::Unpriced(Unpriced::OneSource));
    let plain = contract(buying());
    assert_eq!(unpriced.failed(&plain), []);
    assert_eq!(unpriced.reason(&plain, Rule::FairValue), reason(Rule::FairValue, true, why.clone(), None));
    let by_reference = ContractDraft { price_reference: Some(PriceReference::default()), ..draft(plain.terms.clone()) };
    let needy = active(by_reference);
    assert_eq!(unpriced.failed(&needy), [Rule::FairValue, Rule::Confidence]);
    assert_eq!(unpriced.reason(&needy, Rule::FairValue), reason(Rule::FairValue, false, why, None));
    let by_discount = contract(BuyingTerms { min_discount: Some(share_of(0)), ..buying() });
    assert_eq!(unpriced.failed(&by_discount), [Rule::FairValue, Rule::Confidence, Rule::Discount]);
}

#[test]
fn a_value_that_sources_do_not_agree_on_is_not_trusted() {
    let reference = PriceReference { min_confidence: share_of(6_000), ..PriceReference::default() };
    let contract = active(ContractDraft { price_reference: Some(reference), ..draft(Terms::Buying(buying())) });
    let agreed = |asks: &[i64]| Known { quotes: quotes(asks), ..Known::default() }.reason(&contract, Rule::Confidence);
    assert_eq!(agreed(&[1_200, 1_300]), held(Rule::Confidence, true, points(7_200), points(6_000)));
    assert!(!agreed(&[900, 1_600]).passed);
}

#[test]
fn of_two_sources_the_higher_makes_nothing_worth_buying() {
    let limits = BuyingTerms { min_expected_margin: Some(share_of(0)), max_buy_price: cents(2_000), ..buying() };
    let contract = contract(limits);
    let judged = |asks: &[i64], price| {
        let known =
            Known { quotes: quotes(asks), fees: Some(fees(0, 200)), exits: vec![fees(0, 200)], ..Known::default() };
        let evaluation = known.evaluate(&contract, &Listing { price: cents(price), ..listing() }).unwrap();
        (evaluation.decision, evaluation.fair_value.map(Cents::get))
    };
    for other in [2_000, 2_050, 4_900] {
        assert_eq!(judged(&[1_000, other], 1_350), (Decision::Skip, Some(1_000)), "the other says {other}");
    }
    assert_eq!(judged(&[1_000, 1_000], 450), (Decision::Buy, Some(1_000)));
    assert_eq!(judged(&[1_000], 450), (Decision::Skip, None), "one source values nothing");
}

#[test]
fn what_no_game_protects_loses_no_days() {
    let rust = AppId::new(252_490).unwrap();
    let offered = Listing { variant: Variant { app_id: rust, ..listing().variant }, ..listing() };
    let net = |offered: &Listing| Known::default().evaluate(&contract(buying()), offered).unwrap().expected_net;
    assert_eq!((net(&listing()), net(&offered)), (Some(cents(1_255)), Some(cents(1_274))));
    let locked = Listing { trade_lock_days: 7, ..offered };
    assert_eq!(net(&locked), net(&listing()), "a lock does");
}

#[test]
fn a_discount_is_what_it_costs_less_than_its_value() {
    let least = |points| contract(BuyingTerms { min_discount: Some(share_of(points)), ..buying() });
    let found = |points| Known::default().reason(&least(points), Rule::Discount);
    assert_eq!(found(2_269), held(Rule::Discount, true, points(2_269), points(2_269)));
    assert_eq!(found(2_270), held(Rule::Discount, false, points(2_269), points(2_270)));
}

#[test]
fn a_margin_is_what_is_left_where_most_is_left() {
    let contract = contract(BuyingTerms { min_expected_margin: Some(share_of(1_000)), ..buying() });
    let sold_at = |exits: Vec<Charges>| Known { exits, ..Known::default() }.reason(&contract, Rule::ExpectedMargin);
    let margin = |passed, actual| reason(Rule::ExpectedMargin, passed, actual, Some(points(1_000)));
    assert_eq!(sold_at(vec![fees(0, 1_500)]), margin(false, Some(points(825))));
    assert_eq!(sold_at(vec![fees(0, 1_500), fees(0, 200)]), margin(true, Some(points(2_487))));
    assert_eq!(sold_at(vec![fees(0, 10_000)]), margin(false, Some(points(-10_000))));
    assert_eq!(sold_at(Vec::new()), margin(false, None), "where it cannot be sold it earns nothing");
}

#[test]
fn a_variant_that_hardly_sells_is_left() {
    let contract = contract(BuyingTerms { min_liquidity_score: Some(50), ..buying() });
    let found = Known::default().reason(&contract, Rule::Liquidity);
    assert_eq!(found, reason(Rule::Liquidity, false, Some(Figure::Score(40)), Some(Figure::Score(50))));
}

#[test]
fn a_value_that_a_person_gave_is_held_against_like_any() {
    let contract = contract(BuyingTerms { min_discount: Some(share_of(1_000)), ..buying() });
    let price_override = Some(PriceOverride { price: cents(1_000), expires_at: at(NOW + 1) });
    assert_eq!(Known { price_override, ..Known::default() }.failed(&contract), [Rule::Discount]);
}

#[test]
fn figures_are_written_without_their_units() {
    let marketplaces = Figure::Marketplaces(vec![text("sim"), text("bazaar")]);
    let written = [
        (Figure::Money(cents(1_005)), "1005"),
        (Figure::BasisPoints(-10_000), "-10000"),
        (Figure::Time(at(0)), "1970-01-01T00:00:00Z"),
        (Figure::Unpriced(Unpriced::Stale), "STALE"),
        (Figure::FilterRule(FailedRule::FloatMax), "floatMax"),
        (marketplaces, "sim, bazaar"),
    ];
    for (figure, text) in written {
        assert_eq!(figure.to_string(), text);
    }
}
