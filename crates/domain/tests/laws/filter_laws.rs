//! Which listings meet which rules: all rules, of a rule any value, and nothing of what is excluded.

use proptest::prelude::*;

use tradepost_domain::contracts::filter_set::{
    FailedRule, Feature, Features, RuleParts, Rules, Span, StickerRule, Values,
};
use tradepost_domain::float_value::FloatValue;
use tradepost_domain::markets::listing::{Listing, Sticker};
use tradepost_domain::text::{MarketHashName, Name};

use crate::given::text;
use crate::offers::{NAMES, STUCK, listings, redline, rules, some, texts};

/// The features of one kind alone.
fn alone(feature: Feature, of: &Features) -> Features {
    let of = of.clone();
    let none = Features::default();
    match feature {
        Feature::MarketHashNames => Features { market_hash_names: of.market_hash_names, ..none },
        Feature::NameContains => Features { name_contains: of.name_contains, ..none },
        Feature::Weapons => Features { weapons: of.weapons, ..none },
        Feature::Rarities => Features { rarities: of.rarities, ..none },
        Feature::Exteriors => Features { exteriors: of.exteriors, ..none },
        Feature::Categories => Features { categories: of.categories, ..none },
        Feature::Phases => Features { phases: of.phases, ..none },
        Feature::PaintSeeds => Features { paint_seeds: of.paint_seeds, ..none },
        Feature::PaintIndexes => Features { paint_indexes: of.paint_indexes, ..none },
        Feature::Stickers => Features { stickers: of.stickers, ..none },
        Feature::Charms => Features { charms: of.charms, ..none },
    }
}

/// Whether a listing has a feature, by rules that ask for nothing else; `None` when nothing is asked for.
fn has(feature: Feature, of: &Features, listing: &Listing) -> Option<bool> {
    let rules = Rules::new(RuleParts { features: alone(feature, of), ..RuleParts::default() }).ok()?;
    Some(rules.judge(listing).is_ok())
}

/// Each rule that is there, in the order in which they are reported, with whether the listing meets it by itself.
fn each_alone(parts: &RuleParts, listing: &Listing) -> Vec<(FailedRule, bool)> {
    let excluded = Feature::ALL
        .iter()
        .filter_map(|feature| Some((FailedRule::Excluded(*feature), !has(*feature, &parts.exclude, listing)?)));
    let asked = Feature::ALL
        .iter()
        .filter_map(|feature| Some((FailedRule::Missing(*feature), has(*feature, &parts.features, listing)?)));
    let bounds = [
        (FailedRule::FloatMin, parts.floats.min.map(|min| listing.float_value.is_some_and(|value| value >= min))),
        (FailedRule::FloatMax, parts.floats.max.map(|max| listing.float_value.is_some_and(|value| value <= max))),
        (FailedRule::PriceMin, parts.prices.min.map(|min| listing.price >= min)),
        (FailedRule::PriceMax, parts.prices.max.map(|max| listing.price <= max)),
        (FailedRule::TradeLockMaxDays, parts.trade_lock_max_days.map(|most| listing.trade_lock_days <= most)),
    ];
    let bounds = bounds.into_iter().filter_map(|(rule, met)| Some((rule, met?)));
    excluded.chain(asked).chain(bounds).collect()
}

/// Lists of one value each that together are the list of a feature.
fn one_by_one(names: &Values<MarketHashName>) -> impl Iterator<Item = Features> {
    names
        .iter()
        .map(|name| Features { market_hash_names: Values::new(vec![name.clone()]).unwrap(), ..Features::default() })
}

proptest! {
    #[test]
    fn a_listing_meets_all_rules_or_fails_the_first_that_it_does_not_meet((parts, rules) in rules(), listing in listings()) {
        let first = each_alone(&parts, &listing).into_iter().find(|(_, met)| !met).map(|(rule, _)| rule);
        prop_assert_eq!(rules.judge(&listing).err(), first);
    }

    #[test]
    fn one_value_of_a_list_is_enough(names in some::<MarketHashName, 500>(texts(&NAMES)), listing in listings()) {
        let features = Features { market_hash_names: names.clone(), ..Features::default() };
        let any = one_by_one(&names).any(|one| has(Feature::MarketHashNames, &one, &listing) == Some(true));
        prop_assert_eq!(has(Feature::MarketHashNames, &features, &listing), (!names.is_empty()).then_some(any));
    }

    #[test]
    fn what_is_excluded_refuses_whatever_else_is_met((parts, _) in rules(), listing in listings()) {
        for feature in Feature::ALL {
            if has(*feature, &parts.features, &listing) == Some(true) {
                let exclude = alone(*feature, &parts.features);
                let rules = Rules::new(RuleParts { exclude, ..parts.clone() });
                let judged = rules.map(|rules| rules.judge(&listing));
                prop_assert_eq!(judged, Ok(Err(FailedRule::Excluded(*feature))));
            }
        }
    }

    #[test]
    fn the_order_in_which_values_are_given_is_no_matter(
        names in Just(texts::<256>(&NAMES)).prop_shuffle(),
        seeds in Just((0..20_u32).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        prop_assert_eq!(Values::<MarketHashName>::new(names), Values::new(texts(&NAMES)));
        prop_assert_eq!(Values::<u32>::new(seeds), Values::new((0..20).collect()));
    }
}

fn judged(parts: RuleParts, listing: &Listing) -> Option<FailedRule> {
    Rules::new(parts).unwrap().judge(listing).err()
}

#[test]
fn bounds_are_within() {
    let floats = |min: &str, max: &str| RuleParts {
        floats: Span { min: Some(min.parse().unwrap()), max: Some(max.parse().unwrap()) },
        ..RuleParts::default()
    };
    assert_eq!(judged(floats("0.15", "0.15"), &redline()), None);
    assert_eq!(judged(floats("0.150000000000000000000001", "0.2"), &redline()), Some(FailedRule::FloatMin));
    assert_eq!(judged(floats("0.1", "0.149999999999999999999999"), &redline()), Some(FailedRule::FloatMax));
    assert_eq!(judged(floats("0", "0.2"), &Listing { float_value: None, ..redline() }), Some(FailedRule::FloatMin));
    let locked = |days| RuleParts { trade_lock_max_days: Some(days), ..RuleParts::default() };
    assert_eq!(judged(locked(7), &Listing { trade_lock_days: 7, ..redline() }), None);
    assert_eq!(judged(locked(6), &Listing { trade_lock_days: 7, ..redline() }), Some(FailedRule::TradeLockMaxDays));
}

#[test]
fn stickers_are_counted_by_name_and_only_those_that_are_fresh_enough() {
    let rule = |count, wear: Option<&str>| {
        let wear = wear.map(|wear| wear.parse().unwrap());
        let stickers = Values::new(vec![StickerRule::new(text(STUCK[0]), count, wear).unwrap()]).unwrap();
        RuleParts { features: Features { stickers, ..Features::default() }, ..RuleParts::default() }
    };
    let stuck = |wear: Option<&str>| Sticker { name: text(STUCK[0]), wear: wear.map(|wear| wear.parse().unwrap()) };
    let other = Sticker { name: text(STUCK[1]), wear: Some(FloatValue::MIN) };
    let listing = Listing { stickers: vec![stuck(Some("0.1")), stuck(Some("0.9")), stuck(None), other], ..redline() };
    let missing = Some(FailedRule::Missing(Feature::Stickers));
    assert_eq!(judged(rule(3, None), &listing), None);
    assert_eq!(judged(rule(4, None), &listing), missing);
    assert_eq!(judged(rule(1, Some("0.1")), &listing), None);
    assert_eq!(judged(rule(2, Some("0.5")), &listing), missing);
    assert_eq!(judged(rule(1, None), &redline()), missing);
}

#[test]
fn a_part_of_a_name_is_found_in_any_case_and_weapons_are_not() {
    let part = |part: &str| Features { name_contains: Values::new(vec![text(part)]).unwrap(), ..Features::default() };
    let weapon = |weapon: &str| Features {
        weapons: Values::new(vec![Name::new(weapon).unwrap()]).unwrap(),
        ..Features::default()
    };
    for (features, met) in [
        (part("REDline"), true),
        (part("redlines"), false),
        (part(NAMES[0]), true),
        (weapon("AK-47"), true),
        (weapon("ak-47"), false),
        (weapon("AK"), false),
    ] {
        let parts = RuleParts { features, ..RuleParts::default() };
        assert_eq!(judged(parts.clone(), &redline()).is_none(), met, "{parts:?}");
    }
}

#[test]
fn a_failed_rule_is_named_as_the_interface_has_it() {
    let names = [
        (FailedRule::Excluded(Feature::MarketHashNames), "exclude.marketHashNames"),
        (FailedRule::Missing(Feature::PaintIndexes), "paintIndexes"),
        (FailedRule::PriceMax, "priceMaxCents"),
        (FailedRule::TradeLockMaxDays, "tradeLockMaxDays"),
    ];
    for (rule, name) in names {
        assert_eq!(rule.to_string(), name);
    }
}
