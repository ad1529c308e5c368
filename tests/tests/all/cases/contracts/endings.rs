//! How an operator ends purchases and items, and where an asset id is.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![withdraw(), reconcile(), outcome(), find(), write_off()]
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn change(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request)
        .denies(Key::Reader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn withdraw() -> Case {
    change("CancelPurchase", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "purchaseId": world.desk.pending.to_string(),
            "reason": "prices look wrong",
        })
    })
    .requires(&["workspaceId", "purchaseId"])
    .not_found(|_| json!({ "purchaseId": unknown_id() }))
    .fails(|world| json!({ "purchaseId": world.desk.purchase.to_string() }), "ILLEGAL_STEP")
    .invalid(|_| json!({ "reason": "x".repeat(201) }), "INVALID_FIELD")
}

fn reconcile() -> Case {
    case("ReconcilePurchase", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "purchaseId": world.desk.pending.to_string(),
        })
    })
    .prepared(|world| world.purchase_elsewhere().boxed())
    .denies(Key::Reader)
    .denied(other_workspace, "PERMISSION_DENIED")
    .requires(&["workspaceId", "purchaseId"])
    .not_found(|_| json!({ "purchaseId": unknown_id() }))
    .fails(|world| json!({ "purchaseId": world.desk.pending.to_string() }), "PROVIDER_NOT_CONNECTED")
}

fn outcome() -> Case {
    change("RecordPurchaseOutcome", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "purchaseId": world.desk.pending.to_string(),
            "outcome": "PURCHASE_OUTCOME_REFUNDED",
            "evidence": "case-7",
            "amountCents": "1100",
        })
    })
    .prepared(|world| world.owed_purchase().boxed())
    .requires(&["workspaceId", "purchaseId", "outcome", "evidence"])
    .not_found(|_| json!({ "purchaseId": unknown_id() }))
    .needs_step_up()
    .fails(|world| json!({ "purchaseId": world.desk.purchase.to_string() }), "ILLEGAL_STEP")
    .invalid(|_| json!({ "amountCents": "0" }), "INVALID_FIELD")
    .invalid(|_| json!({ "assetId": "7" }), "INVALID_FIELD")
    .invalid(|_| json!({ "outcome": "PURCHASE_OUTCOME_DELIVERED", "amountCents": null }), "INVALID_FIELD")
    .invalid(|_| json!({ "outcome": "PURCHASE_OUTCOME_WRITTEN_OFF" }), "INVALID_FIELD")
}

fn find() -> Case {
    case(
        "FindInventoryItemByAssetID",
        |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "assetId": "2000002" }),
    )
    .by(Key::Reader)
    .denies(Key::Bare)
    .denied(other_workspace, "PERMISSION_DENIED")
    .requires(&["workspaceId", "assetId"])
    .not_found(|_| json!({ "assetId": "99" }))
    .invalid(|_| json!({ "assetId": "099" }), "INVALID_FIELD")
}

fn write_off() -> Case {
    change("WriteOffItem", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "inventoryItemId": world.desk.item.to_string(),
            "reason": "not found for a month",
        })
    })
    .prepared(|world| world.missing_item().boxed())
    .requires(&["workspaceId", "inventoryItemId", "reason"])
    .not_found(|_| json!({ "inventoryItemId": unknown_id() }))
    .needs_step_up()
    .fails(|world| json!({ "inventoryItemId": world.desk.item.to_string() }), "ILLEGAL_STEP")
}
