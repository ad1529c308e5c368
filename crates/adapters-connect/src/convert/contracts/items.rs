//! Inventory items and their chains on the wire.

use tradepost_domain::contracts::chain::{AssetIdLink, ChainProblem};
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::markets::listing::Sticker;
use tradepost_domain::money::Cents;
use tradepost_operations::Versioned;

use super::purchases::exchange_rate;
use crate::convert::enums::WireEnum;
use crate::convert::{wire_id, wire_number, wire_time};
use tradepost_proto::contracts::v1 as wire;

pub(crate) fn inventory_item(Versioned { value, version }: &Versioned<InventoryItem>) -> wire::InventoryItem {
    let (place, lock, traits, proceeds) =
        (value.sale_place.as_ref(), value.lock.as_ref(), &value.traits, value.proceeds);
    wire::InventoryItem {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        purchase_id: Some(wire_id(value.purchase_id)),
        contract_id: Some(value.contract_id.map(wire_id).unwrap_or_default()),
        market_hash_name: Some(value.market_hash_name.to_string()),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        current_asset_id: Some(value.head.asset_id.to_string()),
        buy_price_cents: Some(value.buy_price.get()),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        sale_marketplace: Some(place.map(|place| place.marketplace.to_string()).unwrap_or_default()),
        selling_contract_id: Some(place.and_then(|place| place.contract_id).map(wire_id).unwrap_or_default()),
        account_name: Some(value.account_name.to_string()),
        app_id: Some(wire_number(value.app_id.get())),
        // A context is at most the largest number that fits.
        context_id: i64::try_from(value.context_id.get()).ok(),
        lock_kind: lock.map(|lock| lock.kind.to_wire()),
        locked_until: lock.map(|lock| wire_time(lock.until)).into(),
        float_value: traits.wear.as_ref().map(ToString::to_string),
        paint_seed: traits.paint_seed.map(wire_number),
        phase: traits.phase.as_ref().map(ToString::to_string),
        rarity: traits.rarity.map(WireEnum::to_wire),
        paint_index: traits.paint_index.map(wire_number),
        stickers: traits.stickers.iter().flatten().map(item_sticker).collect(),
        charms: traits.charms.iter().flatten().map(ToString::to_string).collect(),
        sale_listing_id: value.sale_listing_id.as_ref().map(ToString::to_string),
        list_price_cents: value.list_price.map(Cents::get),
        sell_price_cents: proceeds.map(|proceeds| proceeds.sell_price().get()),
        sale_fee_cents: proceeds.map(|proceeds| proceeds.sale_fee().get()),
        sold_at: value.sold_at.map(wire_time).into(),
        sale_exchange_rate: value.sale_rate.map(exchange_rate).into(),
    }
}

pub(crate) fn asset_id_link(link: &AssetIdLink) -> wire::AssetIDLink {
    wire::AssetIDLink {
        id: Some(wire_id(link.id)),
        inventory_item_id: Some(wire_id(link.inventory_item_id)),
        purchase_id: Some(wire_id(link.purchase_id)),
        workspace_id: Some(wire_id(link.workspace_id)),
        step: Some(wire_number(link.step)),
        asset_id: Some(link.asset_id.to_string()),
        previous_asset_id: Some(link.previous.as_ref().map(ToString::to_string).unwrap_or_default()),
        source: Some(link.source.to_string()),
        source_id: Some(link.source_id.to_string()),
        created_at: wire_time(link.created_at).into(),
    }
}

pub(crate) fn chain_problem(problem: &ChainProblem) -> wire::AssetIDChainProblem {
    wire::AssetIDChainProblem { step: Some(wire_number(problem.step)), description: Some(problem.law.to_string()) }
}

fn item_sticker(sticker: &Sticker) -> wire::InventoryItemSticker {
    wire::InventoryItemSticker {
        name: Some(sticker.name.to_string()),
        wear: sticker.wear.as_ref().map(ToString::to_string),
    }
}
