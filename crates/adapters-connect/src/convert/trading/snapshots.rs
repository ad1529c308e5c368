//! Snapshots, their items and differences, and inventory changes on the wire.

use tradepost_domain::asset::ContextId;
use tradepost_domain::text::Text;
use tradepost_domain::trading::inventory_change::InventoryChange;
use tradepost_domain::trading::snapshot::{ItemPlace, ShownItem, Snapshot, SnapshotContext, SnapshotDifference};
use tradepost_operations::Versioned;
use tradepost_operations::trading::ListedItem;

use crate::convert::enums::WireEnum as _;
use crate::convert::{wire_id, wire_number, wire_time};
use tradepost_proto::trading::v1 as wire;

pub(crate) fn snapshot(Versioned { value, version }: &Versioned<Snapshot>) -> wire::Snapshot {
    wire::Snapshot {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        account_id: Some(wire_id(value.account_id)),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        contexts: value.contexts.iter().map(context).collect(),
        item_count: Some(wire_number(value.item_count())),
        trigger: Some(value.trigger.to_wire()),
        change_count: Some(wire_number(value.change_count)),
        failure: Some(text(value.failure.as_ref())),
        taken_at: value.taken_at.map(wire_time).into(),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
    }
}

pub(crate) fn item(listed: &ListedItem) -> wire::SnapshotItem {
    let ShownItem { app_id, market_hash_name, face, place } = &listed.item;
    wire::SnapshotItem {
        asset_id: Some(place.asset_id.to_string()),
        app_id: Some(wire_number(app_id.get())),
        context_id: Some(wire_context(place.context_id)),
        market_hash_name: Some(market_hash_name.to_string()),
        phase: Some(text(face.phase.as_ref())),
        float_value: Some(wear(&listed.item)),
        paint_seed: face.paint_seed.map(wire_number),
        locked_until: place.locked_until.map(wire_time).into(),
        inventory_item_id: Some(listed.inventory_item_id.map(wire_id).unwrap_or_default()),
        tradable: Some(listed.is_tradable),
    }
}

pub(crate) fn difference(difference: &SnapshotDifference) -> wire::SnapshotDifference {
    let (item, after) = (&difference.item, difference.after.as_ref());
    wire::SnapshotDifference {
        kind: Some(difference.kind.to_wire()),
        app_id: Some(wire_number(item.app_id.get())),
        asset_id: Some(item.place.asset_id.to_string()),
        new_asset_id: Some(new_asset_id(item, after)),
        context_id: Some(wire_context(item.place.context_id)),
        new_context_id: after.map(|after| wire_context(after.context_id)),
        market_hash_name: Some(item.market_hash_name.to_string()),
        float_value: Some(wear(item)),
        paint_seed: item.face.paint_seed.map(wire_number),
        locked_until: item.place.locked_until.map(wire_time).into(),
        new_locked_until: after.and_then(|after| after.locked_until).map(wire_time).into(),
    }
}

pub(crate) fn inventory_change(Versioned { value, version }: &Versioned<InventoryChange>) -> wire::InventoryChange {
    let (item, after) = (&value.item, value.after.as_ref());
    wire::InventoryChange {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        account_id: Some(wire_id(value.account_id)),
        kind: Some(value.kind.to_wire()),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        asset_id: Some(item.place.asset_id.to_string()),
        new_asset_id: Some(new_asset_id(item, after)),
        context_id: Some(wire_context(item.place.context_id)),
        new_context_id: after.map(|after| wire_context(after.context_id)),
        market_hash_name: Some(item.market_hash_name.to_string()),
        float_value: Some(wear(item)),
        paint_seed: item.face.paint_seed.map(wire_number),
        locked_until: item.place.locked_until.map(wire_time).into(),
        new_locked_until: after.and_then(|after| after.locked_until).map(wire_time).into(),
        from_snapshot_id: Some(wire_id(value.between.from)),
        to_snapshot_id: Some(wire_id(value.between.to)),
        inventory_item_id: Some(value.inventory_item_id.map(wire_id).unwrap_or_default()),
        trade_id: Some(text(value.trade_id.as_ref())),
        reason: Some(text(value.reason.as_ref())),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        app_id: Some(wire_number(item.app_id.get())),
    }
}

fn context(context: &SnapshotContext) -> wire::SnapshotContext {
    wire::SnapshotContext {
        app_id: Some(wire_number(context.app_id.get())),
        context_id: Some(wire_context(context.context_id)),
        shown: Some(wire_number(context.shown)),
        is_complete: Some(context.is_complete),
    }
}

/// The later id, if it is another one.
fn new_asset_id(item: &ShownItem, after: Option<&ItemPlace>) -> String {
    let other = after.filter(|after| after.asset_id != item.place.asset_id);
    other.map(|after| after.asset_id.to_string()).unwrap_or_default()
}

fn wear(item: &ShownItem) -> String {
    item.face.wear.as_ref().map(ToString::to_string).unwrap_or_default()
}

fn text<const MOST: usize>(text: Option<&Text<MOST>>) -> String {
    text.map(ToString::to_string).unwrap_or_default()
}

/// The largest context of the platform has 63 bits.
fn wire_context(context_id: ContextId) -> i64 {
    i64::try_from(context_id.get()).unwrap_or(i64::MAX)
}
