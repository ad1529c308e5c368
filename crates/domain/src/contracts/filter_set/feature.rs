//! The kinds of features that a filter set asks for or excludes.

use crate::names::names;

/// A kind of feature, in the order of the checks: first those that all items of a variant share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Its whole market name.
    MarketHashNames = 1,
    /// Parts of its market name.
    NameContains = 2,
    /// The part before the finish in its market name.
    Weapons = 3,
    /// How rare it is.
    Rarities = 4,
    /// The exterior in its market name.
    Exteriors = 5,
    /// Whether it is a `StatTrak™` item or a souvenir.
    Categories = 6,
    /// Its phase.
    Phases = 7,
    /// The seed of its pattern.
    PaintSeeds = 8,
    /// The number of its finish.
    PaintIndexes = 9,
    /// What is stuck to it.
    Stickers = 10,
    /// What hangs on it.
    Charms = 11,
}

names! { Feature, "feature":
    MarketHashNames => "marketHashNames",
    NameContains => "nameContains",
    Weapons => "weapons",
    Rarities => "rarities",
    Exteriors => "exteriors",
    Categories => "categories",
    Phases => "phases",
    PaintSeeds => "paintSeeds",
    PaintIndexes => "paintIndexes",
    Stickers => "stickers",
    Charms => "charms",
}
