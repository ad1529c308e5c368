//! Descriptions of items. Steam describes each kind of item once an answer, apart from the items of this kind.

use std::collections::HashMap;

use tradepost_adapters_outside::{JsonType, RequiredShape};
use tradepost_domain::asset::{AssetId, ContextId};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;
use tradepost_ports::game_platform::{Asset, PlatformResult};

use crate::reading::{Entry, FLAG, MAYBE_ARRAY, MAYBE_NUMBER, MAYBE_TEXT, NUMBER, OBJECT, known, needed, time_of};

/// What the driver needs of descriptions.
pub(crate) const SHAPE: &[RequiredShape] = &[
    known("$.response.descriptions", MAYBE_ARRAY),
    known("$.response.descriptions[]", OBJECT),
    needed("$.response.descriptions[].appid", NUMBER),
    needed("$.response.descriptions[].classid", NUMBER),
    known("$.response.descriptions[].instanceid", MAYBE_NUMBER),
    needed("$.response.descriptions[].market_hash_name", MAYBE_TEXT),
    known("$.response.descriptions[].tradable", FLAG),
    // Older answers have an empty text in place of an empty list.
    known("$.response.descriptions[].owner_descriptions", &[JsonType::Array, JsonType::Null, JsonType::String]),
    known("$.response.descriptions[].owner_descriptions[]", OBJECT),
    known("$.response.descriptions[].owner_descriptions[].value", MAYBE_TEXT),
];

/// What Steam writes around a time that clients show in their own time zone.
const DATE: (&str, &str) = ("[date]", "[/date]");

/// The kind of an item, as Steam numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    app: u32,
    class: u64,
    instance: u64,
}

/// The description of a kind of item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Described {
    pub(crate) market_hash_name: MarketHashName,
    is_tradable: bool,
    /// The latest date that is shown to the owner. It is the end of a hold.
    shown_until: Option<Timestamp>,
}

/// The descriptions of an answer.
#[derive(Debug)]
pub(crate) struct Descriptions(HashMap<Kind, Described>);

impl Kind {
    fn of(entry: &Entry<'_>) -> PlatformResult<Self> {
        Ok(Self {
            app: entry.number("appid")?,
            class: entry.number("classid")?,
            instance: entry.maybe_number("instanceid")?.unwrap_or_default(),
        })
    }
}

impl Described {
    /// Returns the description of an entry; nothing for one without a name, which describes nothing.
    fn read(entry: &Entry<'_>) -> PlatformResult<Option<Self>> {
        let name = entry.text("market_hash_name").and_then(|name| MarketHashName::new(name).ok());
        let Some(market_hash_name) = name else { return Ok(None) };
        let is_tradable = entry.maybe_flag("tradable")?.unwrap_or_default();
        let lines = entry.list("owner_descriptions");
        let shown_until = lines.iter().filter_map(|line| line.text("value")).flat_map(dates).max();
        Ok(Some(Self { market_hash_name, is_tradable, shown_until }))
    }

    /// Returns the time until which an item of this kind cannot be traded.
    pub(crate) fn locked_until(&self, context_id: ContextId) -> Option<Timestamp> {
        let is_free = self.is_tradable && context_id != ContextId::PROTECTED;
        // An item that cannot be traded and shows no date is locked until Steam shows otherwise.
        self.shown_until.or_else(|| (!is_free).then_some(Timestamp::MAX))
    }
}

/// Returns the times that a text shows. Texts around them are translated, so that only the marks are read.
fn dates(text: &str) -> impl Iterator<Item = Timestamp> {
    let (begin, end) = DATE;
    let marked = text.split(begin).skip(1).filter_map(move |rest| rest.split_once(end));
    marked.filter_map(|(seconds, _)| time_of(seconds.trim().parse().ok()?))
}

impl Descriptions {
    /// Reads the descriptions of an answer.
    pub(crate) fn of(response: &Entry<'_>) -> PlatformResult<Self> {
        let mut all = HashMap::new();
        for entry in response.list("descriptions") {
            if let Some(described) = Described::read(&entry)? {
                all.insert(Kind::of(&entry)?, described);
            }
        }
        Ok(Self(all))
    }

    /// Returns the description of an item; nothing if the answer has none.
    pub(crate) fn find(&self, item: &Entry<'_>) -> PlatformResult<Option<&Described>> {
        Ok(self.0.get(&Kind::of(item)?))
    }

    /// Returns an item with what its description says; nothing if the answer has no description of it.
    pub(crate) fn asset(&self, item: &Entry<'_>, traits: Traits) -> PlatformResult<Option<Asset>> {
        let Some(described) = self.find(item)? else { return Ok(None) };
        Ok(Some(Asset {
            asset_id: AssetId::from(item.id("assetid")?),
            app_id: item.app_id()?,
            market_hash_name: described.market_hash_name.clone(),
            traits,
            locked_until: described.locked_until(item.context("contextid")?),
        }))
    }
}

#[cfg(test)]
pub(crate) mod tests;
