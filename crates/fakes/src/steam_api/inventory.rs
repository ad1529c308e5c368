//! Inventories: pages of three items, the newest item first, with what each item is and what distinguishes it.

use serde_json::{Value, json};
use tradepost_adapters_simulator::PlatformCall;
use tradepost_domain::asset::{AppId, ContextId, Wear};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::{Asset, Inventory};

use super::described::{Described, Flags, descriptions};
use super::replies::{bad_request, read};
use crate::facade::{Asked, Reply};
use crate::state::Fakes;

/// The items of a page, whatever is asked for: fewer than Steam shows, so that a small inventory has several pages.
const ITEMS: usize = 3;
/// The properties that distinguish an item.
const PATTERN: u32 = 1;
const WEAR: u32 = 2;

/// What a request asks for.
struct Part<'a> {
    app_id: AppId,
    context_id: ContextId,
    user: &'a str,
    /// The item after which the page begins.
    after: Option<u64>,
    most: usize,
    has_descriptions: bool,
    has_properties: bool,
}

impl<'a> Part<'a> {
    fn of(asked: &'a Asked) -> Option<Self> {
        let count = asked.number("count");
        Some(Self {
            app_id: AppId::new(asked.query.get("appid")?.parse().ok()?).ok()?,
            context_id: ContextId::new(asked.query.get("contextid")?.parse().ok()?).ok()?,
            user: asked.query.get("steamid")?,
            after: asked.query.get("start_assetid").and_then(|id| id.parse().ok()),
            most: if count == 0 { ITEMS } else { count.min(ITEMS) },
            has_descriptions: asked.is_set("get_descriptions"),
            has_properties: asked.is_set("get_asset_properties"),
        })
    }
}

pub(super) fn page(fakes: &Fakes, asked: &Asked) -> Reply {
    let Some(part) = Part::of(asked) else { return bad_request() };
    read(fakes, asked, "steam-api.inventory", |bearer| {
        // What is protected is shown to its owner alone, so that no one reads another account's inventory here.
        if part.user != bearer.user.to_string() {
            return Err(ExternalError::AuthLost { effect: Effect::Nothing });
        }
        let call = PlatformCall::Inventory { app_id: part.app_id, context_id: part.context_id };
        let inventory: Inventory = bearer.ask(fakes, call)?;
        Ok(json!({ "response": shown(&inventory, &part) }))
    })
}

fn number(asset: &Asset) -> u64 {
    asset.asset_id.as_str().parse().unwrap_or_default()
}

fn shown(inventory: &Inventory, part: &Part<'_>) -> Value {
    let mut all: Vec<&Asset> = inventory.assets.iter().collect();
    all.sort_by_key(|asset| std::cmp::Reverse(number(asset)));
    all.retain(|asset| part.after.is_none_or(|after| number(asset) < after));
    let items: Vec<&Asset> = all.iter().copied().take(part.most).collect();
    // What the world withholds is counted all the same.
    let total = inventory.assets.len() + usize::from(!inventory.is_complete);
    let mut response = json!({ "total_inventory_count": total });
    if items.is_empty() {
        return response;
    }
    response["assets"] = items.iter().map(|asset| shown_asset(asset, part)).collect();
    if part.has_descriptions {
        let described = items.iter().map(|asset| Described::own(asset));
        response["descriptions"] = descriptions(described, Flags::Numbers).into();
    }
    if part.has_properties {
        response["asset_properties"] = items.iter().filter_map(|asset| properties(asset, part)).collect();
    }
    if let Some(last) = items.last().filter(|_| items.len() < all.len()) {
        response["more_items"] = json!(1);
        response["last_assetid"] = json!(last.asset_id.as_str());
    }
    response
}

fn shown_asset(asset: &Asset, part: &Part<'_>) -> Value {
    let [class, instance] = Described::own(asset).ids();
    json!({
        "appid": part.app_id.get(),
        "contextid": part.context_id.get().to_string(),
        "assetid": asset.asset_id.as_str(),
        "classid": class,
        "instanceid": instance,
        "amount": "1",
    })
}

/// The wear and the pattern of an item; nothing for one that has neither.
fn properties(asset: &Asset, part: &Part<'_>) -> Option<Value> {
    let wear = |wear: &Wear| json!({ "propertyid": WEAR, "float_value": wear.as_str(), "name": "Wear Rating" });
    let pattern =
        |seed: u32| json!({ "propertyid": PATTERN, "int_value": seed.to_string(), "name": "Pattern Template" });
    let (worn, seeded) = (asset.traits.wear.as_ref().map(wear), asset.traits.paint_seed.map(pattern));
    let all: Vec<Value> = worn.into_iter().chain(seeded).collect();
    (!all.is_empty()).then(|| {
        json!({
            "appid": part.app_id.get(),
            "contextid": part.context_id.get().to_string(),
            "assetid": asset.asset_id.as_str(),
            "asset_properties": all,
        })
    })
}
