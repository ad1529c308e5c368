//! The rules of a filter set: what they may be. Whether a listing meets them is decided in `matching`.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::feature::Feature;
use super::values::Values;
use crate::float_value::FloatValue;
use crate::markets::listing::{Category, Exterior, Rarity};
use crate::money::Cents;
use crate::text::{MarketHashName, Name};

/// Features that identify an item: of each, any one of the values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Features {
    /// Its whole market name.
    pub market_hash_names: Values<MarketHashName>,
    /// Parts of its market name, whatever the case of their ASCII letters.
    pub name_contains: Values<Name, 50>,
    /// The part before the finish in its market name, such as `AK-47`.
    pub weapons: Values<Name>,
    /// How rare it is.
    pub rarities: Values<Rarity>,
    /// The exterior in its market name.
    pub exteriors: Values<Exterior>,
    /// Whether it is a `StatTrak™` item or a souvenir.
    pub categories: Values<Category>,
    /// Its phase.
    pub phases: Values<Name>,
    /// The seed of its pattern.
    pub paint_seeds: Values<u32>,
    /// The number of its finish.
    pub paint_indexes: Values<u32>,
    /// What is stuck to it.
    pub stickers: Values<StickerRule, 50>,
    /// What hangs on it.
    pub charms: Values<MarketHashName>,
}

/// Stickers of one name on an item: at least so many, none of them scraped further.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StickerRule {
    name: MarketHashName,
    min_count: u8,
    max_wear: Option<FloatValue>,
}

/// A number of stickers that no item can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be from 1 to {}", StickerRule::MOST)]
pub struct InvalidStickerCount;

impl StickerRule {
    /// The most stickers that an item has room for.
    pub const MOST: u8 = 5;

    /// Asks for stickers.
    ///
    /// # Errors
    /// [`InvalidStickerCount`] for none, and for more than an item has room for.
    pub fn new(name: MarketHashName, min_count: u8, max_wear: Option<FloatValue>) -> Result<Self, InvalidStickerCount> {
        if (1..=Self::MOST).contains(&min_count) {
            Ok(Self { name, min_count, max_wear })
        } else {
            Err(InvalidStickerCount)
        }
    }

    /// The name of the stickers.
    pub const fn name(&self) -> &MarketHashName {
        &self.name
    }

    /// How many there must be.
    pub const fn min_count(&self) -> u8 {
        self.min_count
    }

    /// How far each of them may be scraped; as far as can be if `None`.
    pub const fn max_wear(&self) -> Option<FloatValue> {
        self.max_wear
    }
}

impl fmt::Display for StickerRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.name, f)
    }
}

/// More days than any item is locked: platforms lock a traded item for a week and hold trades for at most half a month.
const LONGEST_LOCK: u32 = 30;

/// Bounds, both of them within. A bound that is `None` does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span<T> {
    /// The least.
    pub min: Option<T>,
    /// The most.
    pub max: Option<T>,
}

impl<T: Ord + Copy> Span<T> {
    fn is_reversed(&self) -> bool {
        self.min.zip(self.max).is_some_and(|(min, max)| min > max)
    }

    /// Whether it leaves out anything of the whole scale.
    fn is_narrower_than(&self, least: T, most: T) -> bool {
        self.min.is_some_and(|min| min > least) || self.max.is_some_and(|max| max < most)
    }
}

impl<T> Default for Span<T> {
    fn default() -> Self {
        Self { min: None, max: None }
    }
}

/// What rules are made of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuleParts {
    /// What an item must have.
    pub features: Features,
    /// Between which float values it must lie.
    pub floats: Span<FloatValue>,
    /// Between which prices it must lie.
    pub prices: Span<Cents>,
    /// For how many days it may be locked.
    pub trade_lock_max_days: Option<u32>,
    /// What it must not have: any one of these is enough to refuse it.
    pub exclude: Features,
}

/// Why rules were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// No float value lies within.
    #[error("must not be below floatMin")]
    FloatsReversed,
    /// No price lies within.
    #[error("must not be below priceMinCents")]
    PricesReversed,
    /// Nothing but what is excluded is left out.
    #[error(
        "the rules match every item: name at least one thing that an item must have, or a bound that leaves items out"
    )]
    MatchEverything,
}

/// Rules that leave something out. Their parts are read through [`Deref`]; a clone shares them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules(Arc<Checked>);

/// Parts with the features that they name, so that the others are not looked at for every listing.
#[derive(Debug, PartialEq, Eq)]
struct Checked {
    parts: RuleParts,
    asked: Named,
    excluded: Named,
}

/// Which features have values, each as the bit of its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Named(u16);

impl Named {
    fn of(features: &Features) -> Self {
        let named = Feature::ALL.iter().filter(|feature| features.name(**feature));
        Self(named.fold(0, |bits, feature| bits | 1 << feature.code()))
    }

    /// In their order.
    pub(super) fn each(self) -> impl Iterator<Item = Feature> {
        Feature::ALL.iter().copied().filter(move |feature| self.0 & 1 << feature.code() != 0)
    }
}

impl Rules {
    /// Takes rules, unless they match everything that is on offer.
    ///
    /// # Errors
    /// [`RulesError`] says why not.
    pub fn new(parts: RuleParts) -> Result<Self, RulesError> {
        if parts.leave_something_out() { Self::restore(parts) } else { Err(RulesError::MatchEverything) }
    }

    /// Takes rules back from a store, also those of a time when more counted as leaving something out.
    ///
    /// # Errors
    /// [`RulesError`] for bounds between which nothing lies.
    pub fn restore(parts: RuleParts) -> Result<Self, RulesError> {
        if parts.floats.is_reversed() {
            Err(RulesError::FloatsReversed)
        } else if parts.prices.is_reversed() {
            Err(RulesError::PricesReversed)
        } else {
            let (asked, excluded) = (Named::of(&parts.features), Named::of(&parts.exclude));
            Ok(Self(Arc::new(Checked { parts, asked, excluded })))
        }
    }
}

impl Rules {
    /// The features that are asked for.
    pub(super) fn asked(&self) -> Named {
        self.0.asked
    }

    /// Those that are excluded.
    pub(super) fn excluded(&self) -> Named {
        self.0.excluded
    }
}

impl Deref for Rules {
    type Target = RuleParts;

    fn deref(&self) -> &RuleParts {
        &self.0.parts
    }
}

impl RuleParts {
    /// Whether there is a rule in addition to those that exclude, and not one that every item meets.
    fn leave_something_out(&self) -> bool {
        self.features.are_particular()
            || self.floats.is_narrower_than(FloatValue::MIN, FloatValue::MAX)
            || self.prices.is_narrower_than(Cents::ONE, Cents::MAX)
            || self.trade_lock_max_days.is_some_and(|most| most < LONGEST_LOCK)
    }
}

impl Features {
    /// Whether a value of the feature is named.
    fn name(&self, feature: Feature) -> bool {
        match feature {
            Feature::MarketHashNames => !self.market_hash_names.is_empty(),
            Feature::NameContains => !self.name_contains.is_empty(),
            Feature::Weapons => !self.weapons.is_empty(),
            Feature::Rarities => !self.rarities.is_empty(),
            Feature::Exteriors => !self.exteriors.is_empty(),
            Feature::Categories => !self.categories.is_empty(),
            Feature::Phases => !self.phases.is_empty(),
            Feature::PaintSeeds => !self.paint_seeds.is_empty(),
            Feature::PaintIndexes => !self.paint_indexes.is_empty(),
            Feature::Stickers => !self.stickers.is_empty(),
            Feature::Charms => !self.charms.is_empty(),
        }
    }

    fn are_particular(&self) -> bool {
        let open = [
            Feature::MarketHashNames,
            Feature::NameContains,
            Feature::Weapons,
            Feature::Phases,
            Feature::PaintSeeds,
            Feature::PaintIndexes,
            Feature::Stickers,
            Feature::Charms,
        ];
        let closed = [
            (self.rarities.len(), Rarity::ALL.len()),
            (self.exteriors.len(), Exterior::ALL.len()),
            (self.categories.len(), Category::ALL.len()),
        ];
        open.into_iter().any(|feature| self.name(feature))
            || closed.iter().any(|(named, all)| (1..*all).contains(named))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values<T: Ord + fmt::Debug, const MOST: usize>(values: impl Into<Vec<T>>) -> Values<T, MOST> {
        Values::new(values.into()).unwrap()
    }

    fn refused(parts: RuleParts) -> Option<RulesError> {
        Rules::new(parts).err()
    }

    #[test]
    fn rules_that_match_everything_are_refused() {
        let weapons = Features { weapons: values([Name::new("P250").unwrap()]), ..Features::default() };
        let whole_scales = Features {
            rarities: values(Rarity::ALL),
            exteriors: values(Exterior::ALL),
            categories: values(Category::ALL),
            ..Features::default()
        };
        for everything in [
            RuleParts::default(),
            RuleParts { exclude: weapons.clone(), ..RuleParts::default() },
            RuleParts { features: whole_scales, ..RuleParts::default() },
            RuleParts {
                floats: Span { min: Some(FloatValue::MIN), max: Some(FloatValue::MAX) },
                prices: Span { min: Some(Cents::ZERO), max: Some(Cents::MAX) },
                ..RuleParts::default()
            },
            RuleParts { prices: Span { min: Some(Cents::ONE), max: None }, ..RuleParts::default() },
            RuleParts { trade_lock_max_days: Some(LONGEST_LOCK), ..RuleParts::default() },
        ] {
            assert_eq!(refused(everything.clone()), Some(RulesError::MatchEverything));
            assert!(Rules::restore(everything).is_ok(), "what was kept before is read");
        }
        assert_eq!(refused(RuleParts { features: weapons, ..RuleParts::default() }), None);
        for days in [0, LONGEST_LOCK - 1] {
            assert_eq!(refused(RuleParts { trade_lock_max_days: Some(days), ..RuleParts::default() }), None);
        }
    }

    #[test]
    fn a_part_of_a_scale_is_a_rule() {
        let stattrak = Features { categories: values([Category::StatTrak]), ..Features::default() };
        assert_eq!(refused(RuleParts { features: stattrak, ..RuleParts::default() }), None);
        let cheap = Span { min: None, max: Some(Cents::new(500).unwrap()) };
        let dear = Span { min: Some(Cents::new(2).unwrap()), max: None };
        for prices in [cheap, dear] {
            assert_eq!(refused(RuleParts { prices, ..RuleParts::default() }), None);
        }
    }

    #[test]
    fn bounds_between_which_nothing_lies_are_refused() {
        let floats = Span { min: Some(FloatValue::MAX), max: Some(FloatValue::MIN) };
        assert_eq!(refused(RuleParts { floats, ..RuleParts::default() }), Some(RulesError::FloatsReversed));
        let prices = Span { min: Some(Cents::new(2).unwrap()), max: Some(Cents::new(1).unwrap()) };
        assert_eq!(refused(RuleParts { prices, ..RuleParts::default() }), Some(RulesError::PricesReversed));
    }

    #[test]
    fn one_to_five_stickers_can_be_asked_for() {
        let rule = |count| StickerRule::new(MarketHashName::new("Crown (Foil)").unwrap(), count, None);
        assert_eq!((rule(0), rule(6)), (Err(InvalidStickerCount), Err(InvalidStickerCount)));
        assert!(rule(1).is_ok() && rule(5).is_ok());
    }
}
