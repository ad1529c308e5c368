//! The rules of a filter set as given, and the listings that they are tried on: plain texts and numbers, checked field by
//! field into the domain's.

use std::fmt::Display;

use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::filter_set::{Features, RuleParts, Rules, RulesError, Span, StickerRule, Values};
use tradepost_domain::float_value::FloatValue;
use tradepost_domain::markets::listing::{Category, Exterior, Listing, Rarity, Sticker};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::Text;

use crate::fields::{basis_points, cents, optional, required, text, texts, whole};
use crate::{OpError, OpResult, Reason};

/// The shortest part of a market name that is looked for.
const SHORTEST_PART: usize = 2;

/// The rules of a filter set: a listing meets all that are given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilterRules {
    /// The features that an item must have.
    pub features: FilterFeatures,
    /// The least float value, a decimal number from 0 to 1.
    pub float_min: Option<String>,
    /// The highest float value, a decimal number from 0 to 1.
    pub float_max: Option<String>,
    /// The lowest price, in cents.
    pub price_min_cents: Option<i64>,
    /// The highest price, in cents.
    pub price_max_cents: Option<i64>,
    /// The maximum of days for which an item may be locked.
    pub trade_lock_max_days: Option<i64>,
    /// The features that an item must not have: any one of them rejects the item.
    pub exclude: FilterFeatures,
}

/// Features of items. Of a list any one value is enough; an empty list asks for nothing. A list has at most 500 values, each
/// once; those of `name_contains` and `stickers` at most 50.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilterFeatures {
    /// Whole market names.
    pub market_hash_names: Vec<String>,
    /// Parts of market names, 2 to 64 characters, whatever the case of ASCII letters.
    pub name_contains: Vec<String>,
    /// The part of market names before the finish.
    pub weapons: Vec<String>,
    /// Rarities.
    pub rarities: Vec<Rarity>,
    /// Exteriors.
    pub exteriors: Vec<Exterior>,
    /// Categories.
    pub categories: Vec<Category>,
    /// Phases.
    pub phases: Vec<String>,
    /// Seeds of patterns.
    pub paint_seeds: Vec<i64>,
    /// Numbers of finishes.
    pub paint_indexes: Vec<i64>,
    /// Stickers.
    pub stickers: Vec<FilterSticker>,
    /// Names of charms.
    pub charms: Vec<String>,
}

/// Stickers of one name on an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterSticker {
    /// The name.
    pub name: String,
    /// The minimum number of them, 1 to 5; default 1.
    pub min_count: Option<i64>,
    /// The maximum wear of each of them, a decimal number from 0 to 1; unlimited if `None`.
    pub max_wear: Option<String>,
}

/// An item on offer to try rules on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SampleListing {
    /// The caller's name for it, up to 128 characters.
    pub id: String,
    /// Its market name.
    pub market_hash_name: String,
    /// The rarity.
    pub rarity: Option<Rarity>,
    /// Its phase.
    pub phase: Option<String>,
    /// Its float value, a decimal number from 0 to 1.
    pub float_value: Option<String>,
    /// The seed of its pattern.
    pub paint_seed: Option<i64>,
    /// The number of its finish.
    pub paint_index: Option<i64>,
    /// The stickers on it, by name and wear; at most 5.
    pub stickers: Vec<(String, Option<String>)>,
    /// The names of what hangs on it; at most 5.
    pub charms: Vec<String>,
    /// The price in cents. Required.
    pub price_cents: Option<i64>,
    /// The number of days for which it is locked.
    pub trade_lock_days: i64,
    /// The share of deliveries that its seller completed, in basis points.
    pub seller_success_bps: Option<i64>,
}

impl FilterRules {
    pub(crate) fn check(&self) -> OpResult<Rules> {
        let price = |cents_given, field| optional(cents_given, cents, field);
        let parts = RuleParts {
            features: self.features.check("rules")?,
            floats: Span {
                min: optional(self.float_min.as_deref(), float_value, "rules.floatMin")?,
                max: optional(self.float_max.as_deref(), float_value, "rules.floatMax")?,
            },
            prices: Span {
                min: price(self.price_min_cents, "rules.priceMinCents")?,
                max: price(self.price_max_cents, "rules.priceMaxCents")?,
            },
            trade_lock_max_days: optional(self.trade_lock_max_days, whole, "rules.tradeLockMaxDays")?,
            exclude: self.exclude.check("rules.exclude")?,
        };
        Rules::new(parts).map_err(|error| match error {
            RulesError::FloatsReversed => OpError::invalid_field("rules.floatMax", error),
            RulesError::PricesReversed => OpError::invalid_field("rules.priceMaxCents", error),
            RulesError::MatchEverything => OpError::invalid_argument(
                Reason::MatchesEverything,
                "rules match every item: in addition to rules.exclude there must be one that leaves something out",
            ),
        })
    }
}

impl FilterFeatures {
    fn check(&self, below: &str) -> OpResult<Features> {
        let field = |name: &str| format!("{below}.{name}");
        Ok(Features {
            market_hash_names: named(&field("marketHashNames"), &self.market_hash_names)?,
            name_contains: values(
                &field("nameContains"),
                parts_of_names(&field("nameContains"), &self.name_contains)?,
            )?,
            weapons: named(&field("weapons"), &self.weapons)?,
            rarities: values(&field("rarities"), self.rarities.clone())?,
            exteriors: values(&field("exteriors"), self.exteriors.clone())?,
            categories: values(&field("categories"), self.categories.clone())?,
            phases: named(&field("phases"), &self.phases)?,
            paint_seeds: numbers(&field("paintSeeds"), &self.paint_seeds)?,
            paint_indexes: numbers(&field("paintIndexes"), &self.paint_indexes)?,
            stickers: values(&field("stickers"), sticker_rules(&field("stickers"), &self.stickers)?)?,
            charms: named(&field("charms"), &self.charms)?,
        })
    }
}

fn values<T: Ord + Display, const MOST: usize>(field: &str, given: Vec<T>) -> OpResult<Values<T, MOST>> {
    Values::new(given).map_err(|error| OpError::invalid_field(field, error))
}

fn named<const LONGEST: usize>(field: &str, given: &[String]) -> OpResult<Values<Text<LONGEST>>> {
    values(field, texts(field, given)?)
}

fn numbers(field: &str, given: &[i64]) -> OpResult<Values<u32>> {
    values(field, given.iter().map(|number| whole(field, *number)).collect::<OpResult<_>>()?)
}

fn parts_of_names(field: &str, given: &[String]) -> OpResult<Vec<Text<64>>> {
    let parts: Vec<Text<64>> = texts(field, given)?;
    if parts.iter().any(|part| part.as_str().chars().count() < SHORTEST_PART) {
        return Err(OpError::invalid_field(field, format_args!("must have at least {SHORTEST_PART} characters each")));
    }
    Ok(parts)
}

fn sticker_rules(field: &str, given: &[FilterSticker]) -> OpResult<Vec<StickerRule>> {
    let check = |index: usize, rule: &FilterSticker| {
        let field = |name: &str| format!("{field}[{index}].{name}");
        let count = u8::try_from(rule.min_count.unwrap_or(1)).unwrap_or(u8::MAX);
        let max_wear = optional(rule.max_wear.as_deref(), float_value, &field("maxWear"))?;
        let rule = StickerRule::new(text(&field("name"), &rule.name)?, count, max_wear);
        rule.map_err(|error| OpError::invalid_field(&field("minCount"), error))
    };
    given.iter().enumerate().map(|(index, rule)| check(index, rule)).collect()
}

fn float_value(field: &str, value: &str) -> OpResult<FloatValue> {
    value.parse().map_err(|_| OpError::invalid_field(field, "must be a decimal number from 0 to 1, such as 0.07"))
}

impl SampleListing {
    /// Checks the listing.
    pub(crate) fn check(&self) -> OpResult<Listing> {
        let few = |field: &str, count: usize| match count {
            0..=MOST_ON_AN_ITEM => Ok(()),
            _ => Err(OpError::invalid_field(field, format_args!("must have at most {MOST_ON_AN_ITEM} values"))),
        };
        few("stickers", self.stickers.len())?;
        few("charms", self.charms.len())?;
        let sticker = |index: usize, name: &str, wear: Option<&str>| {
            let field = |name: &str| format!("stickers[{index}].{name}");
            let wear = optional(wear, float_value, &field("wear"))?;
            Ok(Sticker { name: text(&field("name"), name)?, wear })
        };
        let stickers =
            self.stickers.iter().enumerate().map(|(index, (name, wear))| sticker(index, name, wear.as_deref()));
        if self.id.chars().count() > LONGEST_ID {
            return Err(OpError::invalid_field("id", format_args!("must have at most {LONGEST_ID} characters")));
        }
        Ok(Listing {
            variant: Variant {
                app_id: AppId::default(),
                market_hash_name: text("marketHashName", &self.market_hash_name)?,
                phase: optional(self.phase.as_deref(), text, "phase")?,
            },
            rarity: self.rarity,
            float_value: optional(self.float_value.as_deref(), float_value, "floatValue")?,
            paint_seed: optional(self.paint_seed, whole, "paintSeed")?,
            paint_index: optional(self.paint_index, whole, "paintIndex")?,
            stickers: stickers.collect::<OpResult<_>>()?,
            charms: texts("charms", &self.charms)?,
            price: required(self.price_cents, cents, "priceCents")?,
            trade_lock_days: whole("tradeLockDays", self.trade_lock_days)?,
            seller_success: optional(self.seller_success_bps, basis_points, "sellerSuccessBps")?,
        })
    }
}

/// The most stickers, and the most charms, of a listing in a sample.
const MOST_ON_AN_ITEM: usize = StickerRule::MOST as usize;
/// The longest name that a caller gives to a listing in a sample.
const LONGEST_ID: usize = 128;
