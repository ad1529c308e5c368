//! Inventories: the items of one context, page by page.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU64;

use serde_json::Value;
use tradepost_adapters_outside::{RequiredShape, ServiceAnswer};
use tradepost_domain::asset::{AppId, ContextId, Wear};
use tradepost_domain::contracts::inventory_item::Traits;
use tradepost_domain::time::Timestamp;
use tradepost_ports::game_platform::{Asset, Inventory, PlatformResult};

use crate::described::{self, Descriptions};
use crate::reading::{Entry, FLAG, MAYBE_ARRAY, MAYBE_NUMBER, NUMBER, OBJECT, known, needed, response, unknown};
use crate::routes::INVENTORY;
use crate::signed_in::SignedIn;

/// The most items of a page. Steam rejects a question for 5,000.
const ON_A_PAGE: &str = "2000";
/// The most pages that are read. An inventory with more is shown in part.
const MOST_PAGES: usize = 50;
/// The property that is the wear, and the one that is the seed of the pattern.
const WEAR: u32 = 2;
const PAINT_SEED: u32 = 1;

const SHAPE: &[RequiredShape] = &[
    needed("$", OBJECT),
    needed("$.response", OBJECT),
    needed("$.response.total_inventory_count", NUMBER),
    known("$.response.more_items", FLAG),
    known("$.response.last_assetid", MAYBE_NUMBER),
    known("$.response.assets", MAYBE_ARRAY),
    known("$.response.assets[]", OBJECT),
    needed("$.response.assets[].appid", NUMBER),
    needed("$.response.assets[].contextid", NUMBER),
    needed("$.response.assets[].assetid", NUMBER),
    needed("$.response.assets[].classid", NUMBER),
    known("$.response.assets[].instanceid", MAYBE_NUMBER),
    known("$.response.asset_properties", MAYBE_ARRAY),
    known("$.response.asset_properties[]", OBJECT),
    needed("$.response.asset_properties[].assetid", NUMBER),
    known("$.response.asset_properties[].asset_properties", MAYBE_ARRAY),
    known("$.response.asset_properties[].asset_properties[]", OBJECT),
    needed("$.response.asset_properties[].asset_properties[].propertyid", NUMBER),
    known("$.response.asset_properties[].asset_properties[].float_value", MAYBE_NUMBER),
    known("$.response.asset_properties[].asset_properties[].int_value", MAYBE_NUMBER),
];

/// Reads one context of the account's inventory.
pub(crate) async fn inventory(
    account: &SignedIn<'_>,
    app_id: AppId,
    context_id: ContextId,
) -> PlatformResult<Inventory> {
    let mut pages = InventoryPages::default();
    while let Some(begin) = pages.next_page() {
        let answer = ask(account, app_id, context_id, ON_A_PAGE, begin).await?;
        pages.take(&answer)?;
    }
    pages.inventory()
}

/// Returns the number of items in one context of the account's inventory.
pub(crate) async fn count(account: &SignedIn<'_>, app_id: AppId, context_id: ContextId) -> PlatformResult<u32> {
    let answer = ask(account, app_id, context_id, "1", Begin::First).await?;
    Entry::of(&content(&answer)?).object("response")?.number("total_inventory_count")
}

async fn ask(
    account: &SignedIn<'_>,
    app_id: AppId,
    context_id: ContextId,
    count: &str,
    begin: Begin,
) -> PlatformResult<ServiceAnswer> {
    let [user, app, context] =
        [account.user().number().get(), app_id.get().into(), context_id.get()].map(|number| number.to_string());
    let after = begin.after();
    let mut query = vec![
        ("steamid", user.as_str()),
        ("appid", app.as_str()),
        ("contextid", context.as_str()),
        ("get_descriptions", "1"),
        ("get_asset_properties", "1"),
        ("count", count),
    ];
    if let Some(after) = &after {
        query.push(("start_assetid", after.as_str()));
    }
    account.read_inventory(INVENTORY, &query).await
}

/// Returns the content of an answer. An inventory without items has their number as well.
fn content(answer: &ServiceAnswer) -> PlatformResult<Value> {
    let nothing = || unknown("its answer has no number of items, and proves nothing".to_owned());
    response(answer, &[SHAPE, described::SHAPE])?.ok_or_else(nothing)
}

/// The place at which a page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begin {
    /// The first page.
    First,
    /// The page after the one that ended with this item.
    After(NonZeroU64),
}

impl Begin {
    fn after(self) -> Option<String> {
        match self {
            Self::First => None,
            Self::After(last) => Some(last.to_string()),
        }
    }
}

/// The pages of an inventory that were read.
#[derive(Debug, Default)]
struct InventoryPages {
    assets: Vec<Asset>,
    /// The ids of all items, also of those that cannot be shown.
    ids: HashSet<NonZeroU64>,
    /// The number of items that each page named.
    totals: HashSet<usize>,
    /// The time of the first page. Later changes may be missing.
    seen_at: Option<Timestamp>,
    taken: usize,
    /// The item with which the last page ended, if another page follows.
    last: Option<NonZeroU64>,
    is_over: bool,
}

impl InventoryPages {
    /// Returns where the next page begins; nothing after the last page.
    fn next_page(&self) -> Option<Begin> {
        match (self.taken, self.last) {
            (0, _) => Some(Begin::First),
            (1..MOST_PAGES, Some(last)) => Some(Begin::After(last)),
            (_, None) | (MOST_PAGES.., _) => None,
        }
    }

    fn take(&mut self, answer: &ServiceAnswer) -> PlatformResult<()> {
        let whole = content(answer)?;
        let response = Entry::of(&whole).object("response")?;
        let no_time = || unknown("its answer names no time".to_owned());
        self.seen_at = Some(self.seen_at.or(answer.date).ok_or_else(no_time)?);
        self.totals.insert(response.number("total_inventory_count")?);
        self.take_assets(&response)?;
        self.taken += 1;
        self.is_over = !response.maybe_flag("more_items")?.unwrap_or_default();
        let last = if self.is_over { None } else { response.maybe_id("last_assetid")? };
        // A page that leads to itself would be read again and again.
        self.last = last.filter(|last| self.last != Some(*last));
        Ok(())
    }

    fn take_assets(&mut self, response: &Entry<'_>) -> PlatformResult<()> {
        let descriptions = Descriptions::of(response)?;
        let mut traits = traits_by_asset(response)?;
        for item in response.list("assets") {
            let id = item.id("assetid")?;
            let shown = descriptions.asset(&item, traits.remove(&id).unwrap_or_default())?;
            if self.ids.insert(id) {
                self.assets.extend(shown);
            }
        }
        Ok(())
    }

    /// Returns the items that were shown. They are all items only if each page names their number, and no page is missing.
    fn inventory(self) -> PlatformResult<Inventory> {
        let seen_at = self.seen_at.ok_or_else(|| unknown("no page was read".to_owned()))?;
        let is_complete = self.is_over && self.totals.iter().all(|total| *total == self.assets.len());
        Ok(Inventory { assets: self.assets, is_complete, seen_at })
    }
}

/// Returns the traits of items, by their ids.
fn traits_by_asset(response: &Entry<'_>) -> PlatformResult<HashMap<NonZeroU64, Traits>> {
    let all = response.list("asset_properties");
    all.iter().map(|entry| Ok((entry.id("assetid")?, traits(&entry.list("asset_properties"))?))).collect()
}

/// Returns the traits that properties show. One that cannot be read is not shown. Stickers and charms are in texts for users alone, which
/// are not read.
fn traits(properties: &[Entry<'_>]) -> PlatformResult<Traits> {
    let mut traits = Traits::default();
    for property in properties {
        match property.number("propertyid")? {
            WEAR => traits.wear = property.value("float_value").and_then(wear),
            PAINT_SEED => traits.paint_seed = property.maybe_number("int_value").unwrap_or_default(),
            _ => {}
        }
    }
    Ok(traits)
}

/// Returns a wear, which Steam writes as a text with all its digits. One in another form is not known.
fn wear(value: &Value) -> Option<Wear> {
    match value {
        Value::String(text) => Wear::new(text).ok(),
        // The shortest text of the number has no exponent.
        Value::Number(number) => number.as_f64().and_then(|wear| Wear::new(&wear.to_string()).ok()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests;
