//! Intents, and what people want done about the sale of items.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        list(),
        get(),
        batch(),
        count(),
        would_buys(),
        would_buy_report(),
        create(),
        approve(),
        reject(),
        cancel(),
        sell(),
        transfer(),
        reprice(),
        delist(),
    ]
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn intent(world: &World) -> Value {
    json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "intentId": world.desk.intent.to_string(),
    })
}

fn ended(world: &World) -> Value {
    json!({ "intentId": world.desk.ended_intent.to_string() })
}

fn item(world: &World) -> Value {
    json!({ "inventoryItemId": world.desk.item.to_string() })
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denies(Key::Bare).denied(other_workspace, "PERMISSION_DENIED")
}

fn write(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Trader).denies(Key::Reader).denied(other_workspace, "PERMISSION_DENIED")
}

fn list() -> Case {
    read("ListIntents", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "contractId": world.desk.by_hand.to_string(),
            "kind": "INTENT_KIND_BUY",
            "status": "INTENT_STATUS_PROPOSED",
        })
    })
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    read("GetIntent", intent).requires(&["workspaceId", "intentId"]).not_found(|_| json!({ "intentId": unknown_id() }))
}

fn batch() -> Case {
    read("GetIntents", |world| {
        let ids = [world.desk.ended_intent.to_string(), unknown_id(), world.desk.intent.to_string()];
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "intentIds": ids })
    })
    .requires(&["workspaceId", "intentIds"])
    .invalid(|_| json!({ "intentIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountIntents", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "contractId": world.desk.by_hand.to_string(),
        })
    })
    .requires(&["workspaceId"])
}

fn would_buys() -> Case {
    read("ListWouldBuys", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "contractId": world.desk.by_hand.to_string(),
        })
    })
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn would_buy_report() -> Case {
    read("GetWouldBuyReport", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "contractId": world.desk.by_hand.to_string(),
            "from": "2026-01-01T00:00:00Z",
            "to": "2026-02-01T00:00:00Z",
        })
    })
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "to": "2025-12-31T00:00:00Z" }), "INVALID_FIELD")
}

fn listing(number: u32) -> Value {
    json!({
        "marketplace": "simulator",
        "listingId": format!("listing-{number}"),
        "listingAssetId": format!("1{number:06}"),
        "marketHashName": "★ Karambit | Doppler (Factory New)",
        "phase": "Phase 2",
        "priceCents": "1200",
        "platformFeeCents": "30",
    })
}

fn create() -> Case {
    write("CreateIntent", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "contractId": world.desk.by_hand.to_string(),
            "kind": "INTENT_KIND_BUY",
            "listing": listing(92),
        })
    })
    .requires(&["workspaceId", "contractId", "kind", "listing"])
    .not_found(|_| json!({ "contractId": unknown_id() }))
    .exists(|_| json!({ "listing": listing(90) }), "INTENT_EXISTS")
    .fails(|world| json!({ "contractId": world.desk.draft.to_string() }), "CONTRACT_NOT_ACTIVE")
    .fails(
        |_| {
            let mut dear = listing(92);
            dear["maxBuyPriceCents"] = json!("1501");
            json!({ "listing": dear })
        },
        "TOO_EXPENSIVE",
    )
    .fails(
        |_| {
            let mut elsewhere = listing(92);
            elsewhere["marketplace"] = json!("elsewhere");
            json!({ "listing": elsewhere })
        },
        "OTHER_MARKETPLACE",
    )
    .fails(
        |world| {
            let sale = json!({
                "inventoryItemId": world.desk.item.to_string(),
                "marketplace": "simulator",
                "priceCents": "1900",
            });
            json!({ "kind": "INTENT_KIND_LIST", "listing": null, "item": sale })
        },
        "ITEM_LOCKED",
    )
    .invalid(|_| json!({ "kind": "INTENT_KIND_DELIVER" }), "INVALID_FIELD")
    .invalid(|_| json!({ "kind": "INTENT_KIND_LIST" }), "INVALID_FIELD")
    .invalid(|world| json!({ "item": item(world) }), "INVALID_FIELD")
    .invalid(
        |_| {
            let mut free = listing(92);
            free["priceCents"] = json!("0");
            json!({ "listing": free })
        },
        "INVALID_FIELD",
    )
}

fn decided(method: &'static str, request: fn(&World) -> Value) -> Case {
    write(method, request)
        .requires(&["workspaceId", "intentId"])
        .not_found(|_| json!({ "intentId": unknown_id() }))
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .fails(ended, "ILLEGAL_STEP")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn approve() -> Case {
    decided("ApproveIntent", intent)
}

fn explained(world: &World) -> Value {
    let mut request = intent(world);
    request["reason"] = json!("prices look wrong");
    request
}

fn reject() -> Case {
    decided("RejectIntent", explained).invalid(|_| json!({ "reason": "x".repeat(201) }), "INVALID_FIELD")
}

fn cancel() -> Case {
    decided("CancelIntent", explained).invalid(|_| json!({ "reason": "" }), "INVALID_FIELD")
}

fn sell() -> Case {
    write("ListItemForSale", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "inventoryItemId": world.desk.item.to_string(),
            "marketplace": "simulator",
            "priceCents": "1900",
        })
    })
    .prepared(|world| world.free_item().boxed())
    .fails(|world| json!({ "inventoryItemId": world.desk.item.to_string() }), "ITEM_LOCKED")
    .requires(&["workspaceId", "inventoryItemId", "marketplace", "priceCents"])
    .not_found(|_| json!({ "inventoryItemId": unknown_id() }))
    .fails(|world| json!({ "inventoryItemId": world.desk.closed_item.to_string() }), "ITEM_CLOSED")
    .invalid(|_| json!({ "priceCents": "0" }), "INVALID_FIELD")
}

fn transfer() -> Case {
    case("TransferItem", |world| json!({ "workspaceId": world.desk.workspace_id.to_string() }))
        .denies(Key::Reader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .prepared(|world| {
            async {
                let mut request = world.free_item().await;
                request["accountId"] = json!(world.account_with_trade_url().await.to_string());
                request
            }
            .boxed()
        })
        .needs_step_up()
        .requires(&["workspaceId", "inventoryItemId", "accountId"])
        .not_found(|_| json!({ "inventoryItemId": unknown_id() }))
        .not_found(|_| json!({ "accountId": unknown_id() }))
        .fails(|world| json!({ "inventoryItemId": world.desk.item.to_string() }), "ITEM_LOCKED")
        .fails(|world| json!({ "inventoryItemId": world.desk.closed_item.to_string() }), "ITEM_CLOSED")
}

fn reprice() -> Case {
    write("RepriceItem", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "inventoryItemId": world.desk.item.to_string(),
            "priceCents": "1800",
        })
    })
    .prepared(|world| world.listed_item().boxed())
    .requires(&["workspaceId", "inventoryItemId", "priceCents"])
    .not_found(|_| json!({ "inventoryItemId": unknown_id() }))
    .fails(item, "ILLEGAL_STEP")
    .invalid(|_| json!({ "priceCents": "-1" }), "INVALID_FIELD")
}

fn delist() -> Case {
    write("DelistItem", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "inventoryItemId": world.desk.item.to_string(),
        })
    })
    .prepared(|world| world.listed_item().boxed())
    .requires(&["workspaceId", "inventoryItemId"])
    .not_found(|_| json!({ "inventoryItemId": unknown_id() }))
    .fails(item, "ILLEGAL_STEP")
}
