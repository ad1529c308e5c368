//! The JSON document of a filter set's rules. It is read and written as a whole and never searched, so it needs no columns.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use tradepost_domain::contracts::filter_set::{Features, RuleParts, Rules, Span, StickerRule, Values};
use tradepost_domain::markets::listing::{Category, Exterior, Rarity};
use tradepost_domain::money::Cents;
use tradepost_domain::text::Text;
use tradepost_ports::store::StoreResult;

use crate::rows::RowLocation;

const COLUMN: &str = "rules";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    features: Lists,
    float_min: Option<String>,
    float_max: Option<String>,
    price_min_cents: Option<i64>,
    price_max_cents: Option<i64>,
    trade_lock_max_days: Option<u32>,
    exclude: Lists,
}

/// An empty list is left out.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct Lists {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    market_hash_names: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    name_contains: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    weapons: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rarities: Vec<i16>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exteriors: Vec<i16>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    categories: Vec<i16>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    phases: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paint_seeds: Vec<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paint_indexes: Vec<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stickers: Vec<Stickers>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    charms: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stickers {
    name: String,
    min_count: u8,
    max_wear: Option<String>,
}

/// Rules as JSON.
pub(crate) fn rules_to_json(rules: &Rules) -> String {
    let document = Document {
        features: lists(&rules.features),
        float_min: rules.floats.min.map(|value| value.to_string()),
        float_max: rules.floats.max.map(|value| value.to_string()),
        price_min_cents: rules.prices.min.map(Cents::get),
        price_max_cents: rules.prices.max.map(Cents::get),
        trade_lock_max_days: rules.trade_lock_max_days,
        exclude: lists(&rules.exclude),
    };
    // Numbers, texts and lists of them: serialising these cannot fail. What could not be written would be refused on reading.
    serde_json::to_string(&document).unwrap_or_default()
}

fn lists(features: &Features) -> Lists {
    Lists {
        market_hash_names: texts(&features.market_hash_names),
        name_contains: texts(&features.name_contains),
        weapons: texts(&features.weapons),
        rarities: features.rarities.iter().copied().map(Rarity::code).collect(),
        exteriors: features.exteriors.iter().copied().map(Exterior::code).collect(),
        categories: features.categories.iter().copied().map(Category::code).collect(),
        phases: texts(&features.phases),
        paint_seeds: features.paint_seeds.to_vec(),
        paint_indexes: features.paint_indexes.to_vec(),
        stickers: features.stickers.iter().map(stickers).collect(),
        charms: texts(&features.charms),
    }
}

fn texts(values: &[impl ToString]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

fn stickers(rule: &StickerRule) -> Stickers {
    Stickers {
        name: rule.name().to_string(),
        min_count: rule.min_count(),
        max_wear: rule.max_wear().map(|wear| wear.to_string()),
    }
}

/// The rules in a column.
pub(crate) fn rules_from_json(at: RowLocation, text: &str) -> StoreResult<Rules> {
    let document: Document = at.read(COLUMN, serde_json::from_str(text))?;
    let float = |text: Option<String>| at.read_some(COLUMN, text, |text| text.parse());
    let price = |cents| at.read_some(COLUMN, cents, Cents::new);
    let parts = RuleParts {
        features: features(at, document.features)?,
        floats: Span { min: float(document.float_min)?, max: float(document.float_max)? },
        prices: Span { min: price(document.price_min_cents)?, max: price(document.price_max_cents)? },
        trade_lock_max_days: document.trade_lock_max_days,
        exclude: features(at, document.exclude)?,
    };
    at.read(COLUMN, Rules::restore(parts))
}

fn features(at: RowLocation, lists: Lists) -> StoreResult<Features> {
    let seed = |seed: u32| Ok(seed);
    Ok(Features {
        market_hash_names: values(at, lists.market_hash_names, |name| text(at, &name))?,
        name_contains: values(at, lists.name_contains, |part| text(at, &part))?,
        weapons: values(at, lists.weapons, |weapon| text(at, &weapon))?,
        rarities: values(at, lists.rarities, |code| at.code(COLUMN, code, Rarity::from_code))?,
        exteriors: values(at, lists.exteriors, |code| at.code(COLUMN, code, Exterior::from_code))?,
        categories: values(at, lists.categories, |code| at.code(COLUMN, code, Category::from_code))?,
        phases: values(at, lists.phases, |phase| text(at, &phase))?,
        paint_seeds: values(at, lists.paint_seeds, seed)?,
        paint_indexes: values(at, lists.paint_indexes, seed)?,
        stickers: values(at, lists.stickers, |rule| sticker_rule(at, rule))?,
        charms: values(at, lists.charms, |charm| text(at, &charm))?,
    })
}

fn text<const MOST: usize>(at: RowLocation, text: &str) -> StoreResult<Text<MOST>> {
    at.read(COLUMN, Text::new(text))
}

fn sticker_rule(at: RowLocation, rule: Stickers) -> StoreResult<StickerRule> {
    let max_wear = at.read_some(COLUMN, rule.max_wear, |wear| wear.parse())?;
    at.read(COLUMN, StickerRule::new(text(at, &rule.name)?, rule.min_count, max_wear))
}

fn values<S, T: Ord + Display, const MOST: usize>(
    at: RowLocation,
    stored: Vec<S>,
    read: impl Fn(S) -> StoreResult<T>,
) -> StoreResult<Values<T, MOST>> {
    let values = stored.into_iter().map(read).collect::<StoreResult<Vec<T>>>()?;
    at.read(COLUMN, Values::new(values))
}
