//! Listings, and rules that choose among them, of few values, so that they meet each other.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::filter_set::{Features, RuleParts, Rules, Span, StickerRule, Values};
use tradepost_domain::float_value::FloatValue;
use tradepost_domain::markets::listing::{Category, Exterior, Listing, Rarity, Sticker};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;

use crate::given::{cents, text};

pub(crate) const NAMES: [&str; 5] = [
    "AK-47 | Redline (Field-Tested)",
    "StatTrak™ AK-47 | Redline (Minimal Wear)",
    "★ Karambit | Doppler (Factory New)",
    "Souvenir AWP | Dragon Lore (Factory New)",
    "Operation Bravo Case",
];
const PARTS: [&str; 6] = ["redline", "DOPPLER", "case", "Asiimov", "ak", "™ AK"];
const WEAPONS: [&str; 3] = ["AK-47", "Karambit", "AWP"];
const PHASES: [&str; 3] = ["Phase 1", "Phase 2", "Ruby"];
pub(crate) const STUCK: [&str; 2] = ["Crown (Foil)", "Howling Dawn"];
const CHARMS: [&str; 2] = ["Charm | Hot Howl", "Charm | Die-cast AK"];

fn floats() -> impl Strategy<Value = FloatValue> {
    (0..=9_u8).prop_map(|tenths| format!("0.{tenths}").parse().unwrap())
}

fn prices() -> impl Strategy<Value = Cents> {
    (1..=9_i64).prop_map(cents)
}

fn names_of<const MOST: usize>(
    all: &'static [&'static str],
) -> impl Strategy<Value = tradepost_domain::text::Text<MOST>> {
    select(all).prop_map(text)
}

prop_compose! {
    fn stickers()(stuck in prop::collection::vec((names_of(&STUCK), prop::option::of(floats())), 0..=3)) -> Vec<Sticker> {
        stuck.into_iter().map(|(name, wear)| Sticker { name, wear }).collect()
    }
}

prop_compose! {
    pub(crate) fn listings()(
        (market_hash_name, rarity, phase) in (
            names_of(&NAMES),
            prop::option::of(select(Rarity::ALL)),
            prop::option::of(names_of(&PHASES)),
        ),
        (float_value, paint_seed, paint_index) in
            (prop::option::of(floats()), prop::option::of(0..4_u32), prop::option::of(0..4_u32)),
        (stickers, charms) in (stickers(), prop::collection::vec(names_of(&CHARMS), 0..=1)),
        (price, trade_lock_days) in (prices(), 0..9_u32),
    ) -> Listing {
        let variant = Variant { app_id: AppId::CS2, market_hash_name, phase };
        Listing {
            variant, rarity, float_value, paint_seed, paint_index, stickers, charms, price, trade_lock_days,
            seller_success: None,
        }
    }
}

/// Some of the values, in any order; mostly none, so that not every rule is there.
pub(crate) fn some<T: Ord + Clone + std::fmt::Debug + 'static, const MOST: usize>(
    all: Vec<T>,
) -> impl Strategy<Value = Values<T, MOST>> {
    let few = all.len() - 1;
    let any = subsequence(all, 1..=few).prop_shuffle().prop_map(|some| Values::new(some).unwrap());
    prop_oneof![3 => Just(Values::default()), 1 => any]
}

pub(crate) fn texts<const LONGEST: usize>(all: &[&str]) -> Vec<tradepost_domain::text::Text<LONGEST>> {
    all.iter().map(|word| text(word)).collect()
}

fn sticker_rules() -> Vec<StickerRule> {
    let rule = |name: &str, count, wear: Option<&str>| {
        StickerRule::new(text(name), count, wear.map(|wear| wear.parse().unwrap())).unwrap()
    };
    vec![
        rule(STUCK[0], 1, None),
        rule(STUCK[0], 2, None),
        rule(STUCK[1], 1, Some("0.4")),
        rule(STUCK[1], 2, Some("0.8")),
    ]
}

prop_compose! {
    fn features()(
        (market_hash_names, name_contains, weapons) in (some(texts(&NAMES)), some(texts(&PARTS)), some(texts(&WEAPONS))),
        (rarities, exteriors, categories, phases) in (
            some(Rarity::ALL.to_vec()),
            some(Exterior::ALL.to_vec()),
            some(Category::ALL.to_vec()),
            some(texts(&PHASES)),
        ),
        (paint_seeds, paint_indexes) in (some((0..4_u32).collect()), some((0..4_u32).collect())),
        (stickers, charms) in (some(sticker_rules()), some(texts(&CHARMS))),
    ) -> Features {
        Features {
            market_hash_names, name_contains, weapons, rarities, exteriors, categories, phases, paint_seeds, paint_indexes,
            stickers, charms,
        }
    }
}

fn span<T: Ord + Copy + std::fmt::Debug>(value: impl Strategy<Value = T> + Clone) -> impl Strategy<Value = Span<T>> {
    (prop::option::of(value.clone()), prop::option::of(value)).prop_map(|(one, other)| match (one, other) {
        (Some(one), Some(other)) => Span { min: Some(one.min(other)), max: Some(one.max(other)) },
        (min, max) => Span { min, max },
    })
}

prop_compose! {
    fn parts()(
        features in features(),
        floats in span((1..=9_u8).prop_map(|tenths| format!("0.{tenths}").parse().unwrap())),
        prices in span((1..=9_i64).prop_map(cents)),
        trade_lock_max_days in prop::option::of(0..9_u32),
        exclude in features(),
    ) -> RuleParts {
        RuleParts { features, floats, prices, trade_lock_max_days, exclude }
    }
}

/// Rules, which are not refused for matching everything.
pub(crate) fn rules() -> impl Strategy<Value = (RuleParts, Rules)> {
    parts().prop_filter_map("they match everything", |parts| Some((parts.clone(), Rules::new(parts).ok()?)))
}

pub(crate) fn redline() -> Listing {
    Listing {
        variant: Variant { app_id: AppId::CS2, market_hash_name: text(NAMES[0]), phase: None },
        rarity: Some(Rarity::Classified),
        float_value: Some("0.15".parse().unwrap()),
        paint_seed: Some(661),
        paint_index: Some(282),
        stickers: Vec::new(),
        charms: Vec::new(),
        price: cents(1_200),
        trade_lock_days: 0,
        seller_success: None,
    }
}
