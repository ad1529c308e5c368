//! An item as a marketplace offers it, with what contracts select it by. Its seller and its value are not known here.

use crate::contracts::contract::BasisPoints;
use crate::float_value::FloatValue;
use crate::markets::variant::Variant;
use crate::money::{Amount, WorkspaceCurrency};
use crate::names::names;
use crate::text::MarketHashName;

/// An item on offer, at a price in the currency of the workspace or, at the port of a marketplace, of the venue. What is absent is not said,
/// or the item has no such thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing<Of = WorkspaceCurrency> {
    /// What it is.
    pub variant: Variant,
    /// How rare it is.
    pub rarity: Option<Rarity>,
    /// Its wear.
    pub float_value: Option<FloatValue>,
    /// The seed of its pattern.
    pub paint_seed: Option<u32>,
    /// The number of its finish.
    pub paint_index: Option<u32>,
    /// What is stuck to it.
    pub stickers: Vec<Sticker>,
    /// The names of what hangs on it.
    pub charms: Vec<MarketHashName>,
    /// What it costs, without fee.
    pub price: Amount<Of>,
    /// For how many days it cannot be traded on, begun ones counted whole.
    pub trade_lock_days: u32,
    /// The share of deliveries that its seller completed.
    pub seller_success: Option<BasisPoints>,
}

impl<Of> Listing<Of> {
    /// The same item at another price, which may be in another currency.
    #[must_use]
    pub fn priced<To>(self, price: Amount<To>) -> Listing<To> {
        Listing {
            variant: self.variant,
            rarity: self.rarity,
            float_value: self.float_value,
            paint_seed: self.paint_seed,
            paint_index: self.paint_index,
            stickers: self.stickers,
            charms: self.charms,
            price,
            trade_lock_days: self.trade_lock_days,
            seller_success: self.seller_success,
        }
    }
}

/// A sticker on an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sticker {
    /// Its name.
    pub name: MarketHashName,
    /// How far it is scraped off.
    pub wear: Option<FloatValue>,
}

/// How rare an item is: one scale, whose steps have other names for weapons, agents, and all the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rarity {
    /// Consumer Grade; Base Grade.
    Consumer = 1,
    /// Industrial Grade.
    Industrial = 2,
    /// Mil-Spec Grade; Distinguished; High Grade.
    MilSpec = 3,
    /// Restricted; Exceptional; Remarkable.
    Restricted = 4,
    /// Classified; Superior; Exotic.
    Classified = 5,
    /// Covert; Master; Extraordinary.
    Covert = 6,
    /// Contraband.
    Contraband = 7,
}

names! { Rarity, "rarity":
    Consumer => "CONSUMER",
    Industrial => "INDUSTRIAL",
    MilSpec => "MIL_SPEC",
    Restricted => "RESTRICTED",
    Classified => "CLASSIFIED",
    Covert => "COVERT",
    Contraband => "CONTRABAND",
}

/// The span of wear that an item's name contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exterior {
    /// Factory New.
    FactoryNew = 1,
    /// Minimal Wear.
    MinimalWear = 2,
    /// Field-Tested.
    FieldTested = 3,
    /// Well-Worn.
    WellWorn = 4,
    /// Battle-Scarred.
    BattleScarred = 5,
}

names! { Exterior, "exterior":
    FactoryNew => "FACTORY_NEW",
    MinimalWear => "MINIMAL_WEAR",
    FieldTested => "FIELD_TESTED",
    WellWorn => "WELL_WORN",
    BattleScarred => "BATTLE_SCARRED",
}

/// Whether an item counts kills, or is from a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Neither.
    Normal = 1,
    /// `StatTrak™`.
    StatTrak = 2,
    /// Souvenir.
    Souvenir = 3,
}

names! { Category, "category":
    Normal => "NORMAL",
    StatTrak => "STATTRAK",
    Souvenir => "SOUVENIR",
}

/// What the market name of an item says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameParts<'a> {
    /// Whether it is a `StatTrak™` item or a souvenir.
    pub category: Category,
    /// The part before the finish: `AK-47`, `Karambit`, `Sticker`. None for cases and the like, whose name has one part.
    pub weapon: Option<&'a str>,
    /// The exterior, of what has one.
    pub exterior: Option<Exterior>,
}

impl<'a> From<&'a MarketHashName> for NameParts<'a> {
    fn from(name: &'a MarketHashName) -> Self {
        let name = name.as_str();
        // Knives and gloves, alone among weapons, may have no finish.
        let (is_starred, plain) = name.strip_prefix("★ ").map_or((false, name), |rest| (true, rest));
        let (category, plain) = Category::of_name(plain);
        let weapon = plain.split_once(" | ").map(|(weapon, _)| weapon).or_else(|| is_starred.then_some(plain));
        let in_brackets = plain.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
        Self { category, weapon, exterior: in_brackets.and_then(|(_, exterior)| Exterior::of_name(exterior)) }
    }
}

impl Category {
    /// Returns the category at the beginning of a market name, and the rest of the name.
    fn of_name(name: &str) -> (Self, &str) {
        let begun_with = |category, beginning| name.strip_prefix(beginning).map(|rest| (category, rest));
        begun_with(Self::StatTrak, "StatTrak™ ")
            .or_else(|| begun_with(Self::Souvenir, "Souvenir "))
            .unwrap_or((Self::Normal, name))
    }
}

impl Exterior {
    /// The exterior that market names write so.
    fn of_name(text: &str) -> Option<Self> {
        match text {
            "Factory New" => Some(Self::FactoryNew),
            "Minimal Wear" => Some(Self::MinimalWear),
            "Field-Tested" => Some(Self::FieldTested),
            "Well-Worn" => Some(Self::WellWorn),
            "Battle-Scarred" => Some(Self::BattleScarred),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_market_name_says_category_weapon_and_exterior() {
        use Category::{Normal, Souvenir, StatTrak};
        use Exterior::{FactoryNew, FieldTested, MinimalWear, WellWorn};
        for (name, category, weapon, exterior) in [
            ("AK-47 | Redline (Field-Tested)", Normal, Some("AK-47"), Some(FieldTested)),
            ("StatTrak™ MP7 | Bloodsport (Minimal Wear)", StatTrak, Some("MP7"), Some(MinimalWear)),
            ("Souvenir AWP | Dragon Lore (Factory New)", Souvenir, Some("AWP"), Some(FactoryNew)),
            ("★ StatTrak™ Karambit | Doppler (Factory New)", StatTrak, Some("Karambit"), Some(FactoryNew)),
            ("★ Karambit", Normal, Some("Karambit"), None),
            ("★ Sport Gloves | Vice (Well-Worn)", Normal, Some("Sport Gloves"), Some(WellWorn)),
            ("Sticker | Titan (Holo) | Katowice 2014", Normal, Some("Sticker"), None),
            ("Music Kit | AWOLNATION (Bonus)", Normal, Some("Music Kit"), None),
            ("Operation Bravo Case", Normal, None, None),
        ] {
            let parts = NameParts { category, weapon, exterior };
            assert_eq!(NameParts::from(&MarketHashName::new(name).unwrap()), parts, "{name}");
        }
    }
}
