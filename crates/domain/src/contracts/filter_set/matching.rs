//! Whether a listing meets the rules of a filter set. Nothing is allocated, so that it can be asked for every listing there is.

use std::fmt;

use super::feature::Feature;
use super::rules::{Features, Rules, StickerRule};
use crate::markets::listing::{Listing, NameParts};
use crate::markets::variant::Variant;

/// The first rule that a listing does not meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailedRule {
    /// It has something that is excluded.
    Excluded(Feature),
    /// It has none of what is asked for.
    Missing(Feature),
    /// Its float value is too low, or not said.
    FloatMin,
    /// Its float value is too high, or not said.
    FloatMax,
    /// It costs too little.
    PriceMin,
    /// It costs too much.
    PriceMax,
    /// It is locked for too long.
    TradeLockMaxDays,
}

/// The rule's name in the interface, such as `exclude.weapons`.
impl fmt::Display for FailedRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Excluded(feature) => write!(f, "exclude.{feature}"),
            Self::Missing(feature) => fmt::Display::fmt(feature, f),
            Self::FloatMin => f.write_str("floatMin"),
            Self::FloatMax => f.write_str("floatMax"),
            Self::PriceMin => f.write_str("priceMinCents"),
            Self::PriceMax => f.write_str("priceMaxCents"),
            Self::TradeLockMaxDays => f.write_str("tradeLockMaxDays"),
        }
    }
}

impl Rules {
    /// Whether a listing meets every rule. What it does not say meets none, and excludes it by none.
    ///
    /// # Errors
    /// The first [`FailedRule`]; what is excluded comes first.
    pub fn judge(&self, listing: &Listing) -> Result<(), FailedRule> {
        self.judge_named(listing, NameParts::from(&listing.variant.market_hash_name))
    }

    /// The same, where what the name says is known already.
    pub(crate) fn judge_named(&self, listing: &Listing, named: NameParts<'_>) -> Result<(), FailedRule> {
        if let Some(feature) = self.excluded().each().find(|feature| self.exclude.include(*feature, listing, named)) {
            return Err(FailedRule::Excluded(feature));
        }
        match self.asked().each().find(|feature| !self.features.include(*feature, listing, named)) {
            Some(feature) => Err(FailedRule::Missing(feature)),
            None => self.judge_bounds(listing),
        }
    }

    fn judge_bounds(&self, listing: &Listing) -> Result<(), FailedRule> {
        let (value, price) = (listing.float_value, listing.price);
        if self.floats.min.is_some_and(|min| value.is_none_or(|value| value < min)) {
            Err(FailedRule::FloatMin)
        } else if self.floats.max.is_some_and(|max| value.is_none_or(|value| value > max)) {
            Err(FailedRule::FloatMax)
        } else if self.prices.min.is_some_and(|min| price < min) {
            Err(FailedRule::PriceMin)
        } else if self.prices.max.is_some_and(|max| price > max) {
            Err(FailedRule::PriceMax)
        } else if self.trade_lock_max_days.is_some_and(|most| listing.trade_lock_days > most) {
            Err(FailedRule::TradeLockMaxDays)
        } else {
            Ok(())
        }
    }
}

impl Features {
    /// Whether the listing has one of the values of a feature.
    fn include(&self, feature: Feature, listing: &Listing, named: NameParts<'_>) -> bool {
        let Listing { variant, rarity, paint_seed, paint_index, stickers, charms, .. } = listing;
        let Variant { market_hash_name: name, phase, .. } = variant;
        match feature {
            Feature::MarketHashNames => self.market_hash_names.have(name),
            Feature::NameContains => {
                self.name_contains.iter().any(|part| contains_in_any_case(name.as_str(), part.as_str()))
            }
            Feature::Weapons => named.weapon.is_some_and(|weapon| self.weapons.have(weapon)),
            Feature::Rarities => rarity.is_some_and(|rarity| self.rarities.have(&rarity)),
            Feature::Exteriors => named.exterior.is_some_and(|exterior| self.exteriors.have(&exterior)),
            Feature::Categories => self.categories.have(&named.category),
            Feature::Phases => phase.as_ref().is_some_and(|phase| self.phases.have(phase)),
            Feature::PaintSeeds => paint_seed.is_some_and(|seed| self.paint_seeds.have(&seed)),
            Feature::PaintIndexes => paint_index.is_some_and(|index| self.paint_indexes.have(&index)),
            Feature::Stickers => !stickers.is_empty() && self.stickers.iter().any(|rule| rule.is_met(listing)),
            Feature::Charms => charms.iter().any(|charm| self.charms.have(charm)),
        }
    }
}

impl StickerRule {
    fn is_met(&self, listing: &Listing) -> bool {
        let counts = listing.stickers.iter().filter(|sticker| {
            let is_fresh_enough = |most| sticker.wear.is_some_and(|wear| wear <= most);
            sticker.name == *self.name() && self.max_wear().is_none_or(is_fresh_enough)
        });
        counts.count() >= usize::from(self.min_count())
    }
}

/// Whether a text contains another one, whatever the case of ASCII letters.
fn contains_in_any_case(text: &str, part: &str) -> bool {
    text.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
}
