//! Bit tests and bounds that refuse most listings before any rule is asked. They let through whatever the rules would.

use crate::contracts::filter_set::{RuleParts, Rules};
use crate::float_value::FloatValue;
use crate::markets::listing::{Category, Exterior, Listing, NameParts, Rarity};
use crate::money::Cents;

/// The bounds of what a contract can take. Small, because most contracts are excluded by them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Screen {
    least: Cents,
    most: Cents,
    /// The bounds of the float value, in its coarse steps.
    float_min: u32,
    float_max: u32,
    trade_lock_max_days: u32,
    rarities: Bits,
    exteriors: Bits,
    categories: Bits,
}

/// What a screen sees of a listing.
pub(super) struct ListingFeatures {
    pub(super) price: Cents,
    /// Zero where it is unknown: the rules decide whether there is a bound.
    float: u32,
    trade_lock_days: u32,
    rarity: Bits,
    exterior: Bits,
    category: Bits,
}

/// Values of a small list by their codes; the lowest bit represents an unknown value.
#[derive(Debug, Clone, Copy)]
struct Bits(u8);

impl Bits {
    const ALL: Self = Self(u8::MAX);
    const UNKNOWN: Self = Self(1);

    fn of(codes: impl Iterator<Item = i16>) -> Self {
        Self(codes.fold(0, |bits, code| {
            bits | u8::try_from(code).ok().and_then(|code| 1_u8.checked_shl(code.into())).unwrap_or(0)
        }))
    }

    fn of_one(code: Option<i16>) -> Self {
        code.map_or(Self::UNKNOWN, |code| Self::of(std::iter::once(code)))
    }

    /// What is asked for, without what is excluded; everything where nothing is asked for.
    fn asked(asked: Self, excluded: Self) -> Self {
        let asked = if asked.0 == 0 { Self::ALL } else { asked };
        Self(asked.0 & !excluded.0)
    }

    const fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl Screen {
    pub(super) fn of(rules: Option<&Rules>) -> Self {
        let everything = RuleParts::default();
        let RuleParts { features, exclude, prices, floats, trade_lock_max_days } =
            rules.map_or(&everything, |rules| &**rules);
        let rarities = |of: &[Rarity]| Bits::of(of.iter().map(|one| one.code()));
        let exteriors = |of: &[Exterior]| Bits::of(of.iter().map(|one| one.code()));
        let categories = |of: &[Category]| Bits::of(of.iter().map(|one| one.code()));
        Self {
            least: prices.min.unwrap_or(Cents::ZERO),
            most: prices.max.unwrap_or(Cents::MAX),
            float_min: floats.min.map_or(0, FloatValue::coarse),
            float_max: floats.max.map_or(u32::MAX, FloatValue::coarse),
            trade_lock_max_days: trade_lock_max_days.unwrap_or(u32::MAX),
            rarities: Bits::asked(rarities(&features.rarities), rarities(&exclude.rarities)),
            exteriors: Bits::asked(exteriors(&features.exteriors), exteriors(&exclude.exteriors)),
            categories: Bits::asked(categories(&features.categories), categories(&exclude.categories)),
        }
    }

    /// The highest price that is let through.
    pub(super) const fn most(&self) -> Cents {
        self.most
    }

    /// Returns the place of a rarity among all, the first for an unknown one.
    pub(super) fn place_of(rarity: Option<Rarity>) -> usize {
        Bits::of_one(rarity.map(Rarity::code)).0.trailing_zeros() as usize
    }

    /// Whether something of the rarity at this place is let through.
    pub(super) fn takes_rarity(&self, place: usize) -> bool {
        self.rarities.0.checked_shr(u32::try_from(place).unwrap_or(u32::MAX)).is_some_and(|bits| bits & 1 == 1)
    }

    pub(super) fn lets_through(&self, listing: &ListingFeatures) -> bool {
        self.least <= listing.price
            && listing.price <= self.most
            && self.rarities.meet(listing.rarity)
            && self.exteriors.meet(listing.exterior)
            && self.categories.meet(listing.category)
            && self.float_min <= listing.float
            && listing.float <= self.float_max
            && listing.trade_lock_days <= self.trade_lock_max_days
    }
}

impl ListingFeatures {
    pub(super) fn of(listing: &Listing, named: NameParts<'_>) -> Self {
        Self {
            price: listing.price,
            float: listing.float_value.map_or(0, FloatValue::coarse),
            trade_lock_days: listing.trade_lock_days,
            rarity: Bits::of_one(listing.rarity.map(Rarity::code)),
            exterior: Bits::of_one(named.exterior.map(Exterior::code)),
            category: Bits::of_one(Some(named.category.code())),
        }
    }
}
