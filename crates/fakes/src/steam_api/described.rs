//! Descriptions of items: one for all items of a class and an instance.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tradepost_domain::asset::AppId;
use tradepost_domain::markets::listing::Rarity;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::game_platform::{Asset, MovedAsset};

use crate::steam_bearer::seconds;

/// For how many days an item cannot be traded on after it was bought on the Community Market.
const RESTRICTED_DAYS: u32 = 7;
/// What the owner of a locked item reads; the time follows.
const LOCKED: &str = "This item is trade-protected and cannot be consumed, modified, or transferred until";
/// The first number of a class, and how many numbers there are.
const FIRST_CLASS: u64 = 300_000_000;
const CLASSES: u64 = 9_000_000_000;

/// How yes and no are written: inventories were seen with numbers, and offers with booleans.
#[derive(Debug, Clone, Copy)]
pub(super) enum Flags {
    Numbers,
    Booleans,
}

/// What a description says of an item.
pub(super) struct Described<'a> {
    app_id: AppId,
    name: &'a str,
    phase: Option<&'a str>,
    rarity: Option<Rarity>,
    /// Until when it cannot be traded, which is shown to its owner alone.
    locked_until: Option<Timestamp>,
}

impl<'a> Described<'a> {
    /// An item as its owner sees it.
    pub(super) fn own(asset: &'a Asset) -> Self {
        Self { locked_until: asset.locked_until, ..Self::strange(asset) }
    }

    /// The same as others see it.
    pub(super) fn strange(asset: &'a Asset) -> Self {
        Self {
            app_id: asset.app_id,
            name: asset.market_hash_name.as_str(),
            phase: asset.traits.phase.as_ref().map(Name::as_str),
            rarity: asset.traits.rarity,
            locked_until: None,
        }
    }

    /// An item that a trade has moved.
    pub(super) fn moved(asset: &'a MovedAsset) -> Self {
        let name = asset.market_hash_name.as_str();
        Self { app_id: asset.app_id, name, phase: None, rarity: None, locked_until: None }
    }

    /// The class is that of its kind. An item that is locked has an instance of its own, since its description is another one.
    pub(super) fn ids(&self) -> [String; 2] {
        let bytes = self.name.bytes().chain(self.phase.unwrap_or_default().bytes());
        let class = bytes.fold(0_u64, |number, byte| (number * 131 + u64::from(byte)) % CLASSES);
        let instance = self.locked_until.map_or(0, seconds);
        [(FIRST_CLASS + class).to_string(), instance.to_string()]
    }

    fn description(&self, flags: Flags) -> Value {
        let [class, instance] = self.ids();
        let is_free = self.locked_until.is_none();
        let mut description = json!({
            "appid": self.app_id.get(),
            "classid": class,
            "instanceid": instance,
            "name": self.name,
            "market_name": self.name,
            "market_hash_name": self.name,
            "tradable": flags.of(is_free),
            "marketable": flags.of(is_free),
            "commodity": flags.of(false),
            "market_tradable_restriction": RESTRICTED_DAYS,
            "market_marketable_restriction": RESTRICTED_DAYS,
            "descriptions": self.lines(),
            "tags": self.tags(),
        });
        if let Some(until) = self.locked_until {
            let locked = format!("{LOCKED} [date]{}[/date]", seconds(until));
            description["owner_descriptions"] = json!([
                { "type": "html", "value": " " },
                { "type": "html", "value": locked, "color": "ff4040" },
            ]);
        }
        description
    }

    fn exterior(&self) -> Option<&'a str> {
        self.name.strip_suffix(')')?.rsplit_once(" (").map(|(_, exterior)| exterior)
    }

    fn lines(&self) -> Vec<Value> {
        let line = |exterior: &str| json!({ "type": "html", "name": "exterior_wear", "value": format!("Exterior: {exterior}") });
        self.exterior().map(line).into_iter().collect()
    }

    fn tags(&self) -> Vec<Value> {
        let tag = |(internal_name, name): (&str, &str)| {
            json!({
                "category": "Rarity",
                "internal_name": internal_name,
                "localized_category_name": "Quality",
                "localized_tag_name": name,
            })
        };
        self.rarity.map(names).map(tag).into_iter().collect()
    }
}

impl Flags {
    fn of(self, is_so: bool) -> Value {
        match self {
            Self::Numbers => json!(u8::from(is_so)),
            Self::Booleans => json!(is_so),
        }
    }
}

/// The names of a rarity of weapons.
const fn names(rarity: Rarity) -> (&'static str, &'static str) {
    match rarity {
        Rarity::Consumer => ("Rarity_Common_Weapon", "Consumer Grade"),
        Rarity::Industrial => ("Rarity_Uncommon_Weapon", "Industrial Grade"),
        Rarity::MilSpec => ("Rarity_Rare_Weapon", "Mil-Spec Grade"),
        Rarity::Restricted => ("Rarity_Mythical_Weapon", "Restricted"),
        Rarity::Classified => ("Rarity_Legendary_Weapon", "Classified"),
        Rarity::Covert => ("Rarity_Ancient_Weapon", "Covert"),
        Rarity::Contraband => ("Rarity_Contraband", "Contraband"),
    }
}

/// The descriptions of items, each once.
pub(super) fn descriptions<'a>(items: impl Iterator<Item = Described<'a>>, flags: Flags) -> Vec<Value> {
    let mut known = BTreeSet::new();
    items.filter(|item| known.insert(item.ids())).map(|item| item.description(flags)).collect()
}
