//! What the demo trades: item variants, and the contracts that look for them. A contract buys what its name says.

use tradepost::domain::asset::Wear;
use tradepost::domain::contracts::inventory_item::Traits;
use tradepost::domain::markets::listing::{Category, Exterior, NameParts, Sticker};
use tradepost::domain::text::MarketHashName;
use tradepost::operations::contracts::{FilterFeatures, FilterRules};

use super::rng::mix;
use super::sure;
use crate::failure::Outcome;

/// An item variant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variant {
    /// Its name on every marketplace.
    pub(super) name: &'static str,
    kind: Kind,
    /// What it usually costs, in cents.
    pub(super) usual_price: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rifle,
    SniperRifle,
    Pistol,
    SubmachineGun,
}

/// What a buying contract looks for.
pub(super) struct Search {
    /// The contract's name.
    pub(super) name: &'static str,
    /// The most that it pays for one item with all fees, in cents.
    pub(super) highest_price: i64,
    takes: fn(&Variant) -> bool,
    /// The same as rules of the contract's filter set, which has its name.
    pub(super) rules: fn() -> FilterRules,
}

/// Buying contracts; the first is also the one of the small workspace.
pub(super) const BUYING: [Search; 8] = [
    Search::of(
        "Rifles",
        10_000,
        |variant| variant.kind == Kind::Rifle,
        || weapons(&["AK-47", "M4A1-S", "M4A4", "FAMAS", "Galil AR"]),
    ),
    Search::of(
        "AWP field-tested",
        20_000,
        |variant| variant.name.starts_with("AWP") && variant.name.ends_with("(Field-Tested)"),
        || {
            let weapons = vec!["AWP".to_owned()];
            rules(FilterFeatures { weapons, exteriors: vec![Exterior::FieldTested], ..FilterFeatures::default() })
        },
    ),
    Search::of(
        "Pistols",
        10_000,
        |variant| variant.kind == Kind::Pistol,
        || weapons(&["USP-S", "Glock-18", "Desert Eagle", "P250"]),
    ),
    Search::of(
        "Up to 10.00",
        1_000,
        |variant| variant.usual_price < 900,
        || FilterRules { price_max_cents: Some(1_000), ..FilterRules::default() },
    ),
    Search::of(
        "SMG basket",
        5_000,
        |variant| variant.kind == Kind::SubmachineGun,
        || weapons(&["MAC-10", "MP9", "MP7"]),
    ),
    Search::of(
        "StatTrak™ only",
        5_000,
        |variant| variant.name.starts_with("StatTrak™"),
        || rules(FilterFeatures { categories: vec![Category::StatTrak], ..FilterFeatures::default() }),
    ),
    Search::of(
        "Factory new",
        10_000,
        |variant| variant.name.ends_with("(Factory New)"),
        || rules(FilterFeatures { exteriors: vec![Exterior::FactoryNew], ..FilterFeatures::default() }),
    ),
    Search::of("Sniper rifles", 20_000, |variant| variant.kind == Kind::SniperRifle, || weapons(&["AWP"])),
];

fn weapons(names: &[&str]) -> FilterRules {
    let weapons = names.iter().map(|name| (*name).to_owned()).collect();
    rules(FilterFeatures { weapons, ..FilterFeatures::default() })
}

fn rules(features: FilterFeatures) -> FilterRules {
    FilterRules { features, ..FilterRules::default() }
}

/// Selling contracts.
pub(super) const SELLING: [&str; 4] = ["Sell rifles", "Sell pistols", "Clear old stock", "Premium patterns"];

const STICKER: &str = "Sticker | Crown (Foil)";

pub(super) const VARIANTS: [Variant; 14] = [
    Variant::of("AK-47 | Redline (Field-Tested)", Kind::Rifle, 3_150),
    Variant::of("M4A1-S | Hyper Beast (Minimal Wear)", Kind::Rifle, 5_870),
    Variant::of("M4A4 | Neo-Noir (Field-Tested)", Kind::Rifle, 2_890),
    Variant::of("FAMAS | Roll Cage (Field-Tested)", Kind::Rifle, 640),
    Variant::of("StatTrak™ Galil AR | Chatterbox (Field-Tested)", Kind::Rifle, 3_790),
    Variant::of("AWP | Asiimov (Field-Tested)", Kind::SniperRifle, 14_200),
    Variant::of("AWP | Wildfire (Minimal Wear)", Kind::SniperRifle, 7_450),
    Variant::of("USP-S | Kill Confirmed (Field-Tested)", Kind::Pistol, 6_240),
    Variant::of("Glock-18 | Water Elemental (Factory New)", Kind::Pistol, 1_420),
    Variant::of("Desert Eagle | Printstream (Field-Tested)", Kind::Pistol, 4_980),
    Variant::of("P250 | See Ya Later (Minimal Wear)", Kind::Pistol, 870),
    Variant::of("MAC-10 | Neon Rider (Factory New)", Kind::SubmachineGun, 2_310),
    Variant::of("MP9 | Hot Rod (Factory New)", Kind::SubmachineGun, 3_420),
    Variant::of("StatTrak™ MP7 | Bloodsport (Minimal Wear)", Kind::SubmachineGun, 1_980),
];

impl Variant {
    const fn of(name: &'static str, kind: Kind, usual_price: i64) -> Self {
        Self { name, kind, usual_price }
    }
}

impl Search {
    const fn of(
        name: &'static str,
        highest_price: i64,
        takes: fn(&Variant) -> bool,
        rules: fn() -> FilterRules,
    ) -> Self {
        Self { name, highest_price, takes, rules }
    }

    /// The variants that it takes.
    pub(super) fn variants(&self) -> impl Iterator<Item = Variant> {
        VARIANTS.into_iter().filter(self.takes)
    }
}

/// What is special about the item of a story: its wear within its exterior, its pattern, and on one in four a sticker.
pub(super) fn traits(name: &str, story: u64) -> Outcome<Traits> {
    let name = sure(MarketHashName::new(name))?;
    let drawn = mix(story);
    let (least, most) = match NameParts::from(&name).exterior {
        Some(Exterior::FactoryNew) => (100, 700),
        Some(Exterior::MinimalWear) => (700, 1_500),
        Some(Exterior::FieldTested | Exterior::WellWorn | Exterior::BattleScarred) | None => (1_500, 3_800),
    };
    let wear = least + drawn % (most - least);
    let sticker = drawn.is_multiple_of(4).then(|| sure(MarketHashName::new(STICKER))).transpose()?;
    Ok(Traits {
        wear: Some(sure(Wear::new(&format!("0.{wear:04}{:04}", drawn % 10_000)))?),
        paint_seed: u32::try_from(drawn % 1_000).ok(),
        stickers: Some(sticker.into_iter().map(|name| Sticker { name, wear: None }).collect()),
        charms: Some(Vec::new()),
        ..Traits::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wear_of_an_item_is_within_its_exterior() {
        for (variant, story) in VARIANTS.iter().zip(0..) {
            let wear = traits(variant.name, story).unwrap().wear.unwrap().to_string();
            let most = if variant.name.ends_with("(Factory New)") { "0.07" } else { "0.38" };
            assert!(wear.as_str() < most, "{}: {wear}", variant.name);
        }
    }

    #[test]
    fn every_contract_finds_something_that_it_can_pay() {
        for search in BUYING {
            let prices: Vec<i64> = search.variants().map(|variant| variant.usual_price).collect();
            assert!(!prices.is_empty(), "{}", search.name);
            // The highest price of a purchase is above its usual one by the fee and a margin.
            assert!(prices.iter().all(|price| price * 11 / 10 <= search.highest_price), "{}: {prices:?}", search.name);
        }
    }
}
