//! Bit tests and bounds that refuse most listings before any rule is asked. They let through whatever the rules would.

use crate::filter_set::{RuleParts, Rules, Span};
use crate::listing::{Category, Exterior, Listing, NameParts, Rarity};
use crate::money::Cents;

/// What a contract can take at all.
#[derive(Debug, Clone, Copy)]
pub(super) struct Screen {
    rarities: Bits,
    exteriors: Bits,
    categories: Bits,
    prices: Span<Cents>,
    trade_lock_max_days: u32,
}

/// What a screen sees of a listing.
pub(super) struct Sight {
    rarity: Bits,
    exterior: Bits,
    category: Bits,
    price: Cents,
    trade_lock_days: u32,
}

/// Values of a small list by their codes; the lowest bit stands for a value that is not told.
#[derive(Debug, Clone, Copy)]
struct Bits(u8);

impl Bits {
    const ALL: Self = Self(u8::MAX);
    const NOT_TOLD: Self = Self(1);

    fn of(codes: impl Iterator<Item = i16>) -> Self {
        Self(codes.fold(0, |bits, code| {
            bits | u8::try_from(code).ok().and_then(|code| 1_u8.checked_shl(code.into())).unwrap_or(0)
        }))
    }

    fn of_one(code: Option<i16>) -> Self {
        code.map_or(Self::NOT_TOLD, |code| Self::of(std::iter::once(code)))
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
        let RuleParts { features, exclude, prices, trade_lock_max_days, .. } =
            rules.map_or(&everything, |rules| &**rules);
        let rarities = |of: &[Rarity]| Bits::of(of.iter().map(|one| one.code()));
        let exteriors = |of: &[Exterior]| Bits::of(of.iter().map(|one| one.code()));
        let categories = |of: &[Category]| Bits::of(of.iter().map(|one| one.code()));
        Self {
            rarities: Bits::asked(rarities(&features.rarities), rarities(&exclude.rarities)),
            exteriors: Bits::asked(exteriors(&features.exteriors), exteriors(&exclude.exteriors)),
            categories: Bits::asked(categories(&features.categories), categories(&exclude.categories)),
            prices: *prices,
            trade_lock_max_days: trade_lock_max_days.unwrap_or(u32::MAX),
        }
    }

    pub(super) fn lets_through(&self, listing: &Sight) -> bool {
        self.rarities.meet(listing.rarity)
            && self.exteriors.meet(listing.exterior)
            && self.categories.meet(listing.category)
            && self.prices.min.is_none_or(|min| listing.price >= min)
            && self.prices.max.is_none_or(|max| listing.price <= max)
            && listing.trade_lock_days <= self.trade_lock_max_days
    }
}

impl Sight {
    pub(super) fn of(listing: &Listing, named: NameParts<'_>) -> Self {
        Self {
            rarity: Bits::of_one(listing.rarity.map(Rarity::code)),
            exterior: Bits::of_one(named.exterior.map(Exterior::code)),
            category: Bits::of_one(Some(named.category.code())),
            price: listing.price,
            trade_lock_days: listing.trade_lock_days,
        }
    }
}
