//! Contracts, purchases, items and chains.

use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    [lists(), gets(), batches(), counts(), search(), drafts(), chains()].into_iter().flatten().collect()
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn item(world: &World) -> Value {
    json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "inventoryItemId": world.desk.item.to_string(),
    })
}

/// What every read has in common.
fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denies(Key::Bare).denied(other_workspace, "PERMISSION_DENIED")
}

fn paged(method: &'static str, request: fn(&World) -> Value) -> Case {
    read(method, request)
        .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn lists() -> Vec<Case> {
    vec![
        paged("ListContracts", |world| {
            json!({ "workspaceId": world.desk.workspace_id.to_string(), "limit": 1, "type": "CONTRACT_TYPE_BUYING" })
        })
        .requires(&["workspaceId"]),
        paged("ListContractVersions", |world| {
            json!({
                "workspaceId": world.desk.workspace_id.to_string(),
                "contractId": world.desk.contract.to_string(),
                "limit": 1,
            })
        })
        .not_found(|_| json!({ "contractId": unknown_id() }))
        .requires(&["workspaceId", "contractId"]),
        paged("ListPurchases", |world| {
            json!({
                "workspaceId": world.desk.workspace_id.to_string(),
                "contractId": world.desk.contract.to_string(),
                "status": "PURCHASE_STATUS_TRADED",
                "statuses": ["PURCHASE_STATUS_SETTLED"],
                "nameContains": "redline",
                "marketplace": "csfloat",
                "accountName": "trader-1",
                "from": "2020-01-01T00:00:00Z",
            })
        })
        .invalid(|_| json!({ "nameContains": "with\nbreak" }), "INVALID_FIELD")
        .invalid(|_| json!({ "to": "2020-01-01T00:00:00Z" }), "INVALID_FIELD")
        .requires(&["workspaceId"]),
        paged("ListInventoryItems", |world| {
            json!({
                "workspaceId": world.desk.workspace_id.to_string(),
                "contractId": world.desk.contract.to_string(),
                "status": "INVENTORY_ITEM_STATUS_IN_INVENTORY",
                "marketHashName": "AK-47 | Redline (Field-Tested)",
                "accountName": "trader-1",
                "nameContains": "redline",
            })
        })
        .invalid(|_| json!({ "saleMarketplace": "with\nbreak" }), "INVALID_FIELD")
        .invalid(|_| json!({ "marketHashName": "with\nbreak" }), "INVALID_FIELD")
        .requires(&["workspaceId"]),
        paged("ListAssetIDLinks", item)
            .requires(&["workspaceId", "inventoryItemId"])
            .not_found(|_| json!({ "inventoryItemId": unknown_id() })),
    ]
}

fn gets() -> Vec<Case> {
    vec![
        read("GetContract", |world| {
            json!({
                "workspaceId": world.desk.workspace_id.to_string(),
                "contractId": world.desk.contract.to_string(),
            })
        })
        .requires(&["workspaceId", "contractId"])
        .not_found(|_| json!({ "contractId": unknown_id() })),
        read("GetPurchase", |world| {
            json!({
                "workspaceId": world.desk.workspace_id.to_string(),
                "purchaseId": world.desk.purchase.to_string(),
            })
        })
        .requires(&["workspaceId", "purchaseId"])
        .not_found(|_| json!({ "purchaseId": unknown_id() })),
        read("GetInventoryItem", item)
            .requires(&["workspaceId", "inventoryItemId"])
            .not_found(|_| json!({ "inventoryItemId": unknown_id() })),
    ]
}

fn batches() -> Vec<Case> {
    vec![
        read("GetContracts", |world| {
            let ids = [world.desk.selling.to_string(), unknown_id(), world.desk.draft.to_string()];
            json!({ "workspaceId": world.desk.workspace_id.to_string(), "contractIds": ids })
        })
        .requires(&["workspaceId", "contractIds"])
        .invalid(|_| json!({ "contractIds": vec![unknown_id(); 201] }), "INVALID_FIELD"),
        read("GetContractVersions", |world| {
            let ids = [world.desk.contract_version.to_string(), unknown_id()];
            json!({ "workspaceId": world.desk.workspace_id.to_string(), "contractVersionIds": ids })
        })
        .requires(&["workspaceId", "contractVersionIds"])
        .invalid(|_| json!({ "contractVersionIds": vec![unknown_id(); 201] }), "INVALID_FIELD"),
        read("GetPurchases", |world| {
            let ids = [world.desk.purchase, world.desk.pending, world.desk.purchase].map(|id| id.to_string());
            json!({ "workspaceId": world.desk.workspace_id.to_string(), "purchaseIds": ids })
        })
        .requires(&["workspaceId", "purchaseIds"])
        .invalid(|_| json!({ "purchaseIds": vec![unknown_id(); 201] }), "INVALID_FIELD"),
        read("GetInventoryItems", |world| {
            let ids = [unknown_id(), world.desk.closed_item.to_string()];
            json!({ "workspaceId": world.desk.workspace_id.to_string(), "inventoryItemIds": ids })
        })
        .requires(&["workspaceId", "inventoryItemIds"])
        .invalid(|_| json!({ "inventoryItemIds": vec![unknown_id(); 201] }), "INVALID_FIELD"),
    ]
}

fn search() -> Vec<Case> {
    let found = case(
        "Search",
        |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "text": "redline ak", "limit": 5 }),
    );
    vec![
        found
            .by(Key::Reader)
            .denies(Key::Bare)
            .denied(other_workspace, "PERMISSION_DENIED")
            .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
            .invalid(|_| json!({ "text": "1 2 3 4 5 6 7 8 9" }), "INVALID_FIELD")
            .requires(&["workspaceId", "text"]),
    ]
}

fn counts() -> Vec<Case> {
    ["CountPurchases", "CountInventoryItems"]
        .map(|method| read(method, workspace).requires(&["workspaceId"]))
        .into_iter()
        .collect()
}

fn drafts() -> Vec<Case> {
    vec![
        draft(),
        case("ActivateContract", |world| {
            json!({
                "workspaceId": world.desk.workspace_id.to_string(),
                "contractId": world.desk.draft.to_string(),
                "expectedVersion": "1",
            })
        })
        .by(Key::Trader)
        .requires(&["workspaceId", "contractId"])
        .denies(Key::Reader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .not_found(|_| json!({ "contractId": unknown_id() }))
        .fails(|_| json!({ "expectedVersion": "7" }), "VERSION_MISMATCH")
        .fails(
            |world| json!({ "contractId": world.desk.contract.to_string(), "expectedVersion": null }),
            "ILLEGAL_STEP",
        ),
    ]
}

fn draft() -> Case {
    case("CreateContract", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "name": "Knives",
            "approvalMode": "APPROVAL_MODE_MANUAL",
            "filterSetId": world.desk.filter_set.to_string(),
            "marketplaces": ["simulator"],
            "priceReference": { "statistic": "PRICE_STATISTIC_MEDIAN", "maxAgeSeconds": 3_600 },
            "startsAt": "2026-02-01T00:00:00Z",
            "endsAt": "2026-03-01T00:00:00Z",
            "buying": { "targetQuantity": 3, "maxBuyPriceCents": "90000", "budgetCents": "270000", "minDiscountBps": 0 },
        })
    })
    .by(Key::Trader)
    .requires(&["workspaceId", "name", "approvalMode", "buying"])
    .denies(Key::Reader)
    .denied(other_workspace, "PERMISSION_DENIED")
    .not_found(|_| json!({ "filterSetId": unknown_id() }))
    .invalid(|_| json!({ "name": "" }), "INVALID_FIELD")
    .invalid(|_| json!({ "endsAt": "2026-01-31T00:00:00Z" }), "INVALID_FIELD")
    .invalid(|_| json!({ "marketplaces": ["simulator", "simulator"] }), "INVALID_FIELD")
    .invalid(|_| json!({ "selling": { "floorPriceCents": "1" } }), "INVALID_FIELD")
    .invalid(|_| json!({ "buying": { "targetQuantity": 3, "maxBuyPriceCents": "1" } }), "INVALID_FIELD")
    .invalid(|_| json!({ "buying": { "targetQuantity": -1, "maxBuyPriceCents": "1", "budgetCents": "1" } }), "INVALID_FIELD")
    .invalid(|_| json!({ "priceReference": { "maxAgeSeconds": 1 } }), "INVALID_FIELD")
}

fn chains() -> Vec<Case> {
    vec![
        read("VerifyAssetIDChain", item)
            .requires(&["workspaceId", "inventoryItemId"])
            .not_found(|_| json!({ "inventoryItemId": unknown_id() })),
        case("AppendAssetIDLink", |world| {
            json!({
                "workspaceId": world.desk.workspace_id.to_string(),
                "inventoryItemId": world.desk.item.to_string(),
                "expectedStep": 3,
                "assetId": "4000001",
                "source": "transfer",
                "sourceId": "transfer-1",
            })
        })
        .by(Key::Trader)
        .requires(&["workspaceId", "inventoryItemId", "assetId", "source", "sourceId"])
        .denies(Key::Reader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .not_found(|_| json!({ "inventoryItemId": unknown_id() }))
        .fails(|_| json!({ "expectedStep": 2 }), "STALE_STEP")
        .fails(|_| json!({ "source": "listing" }), "ILLEGAL_SUCCESSOR")
        .fails(|_| json!({ "assetId": "3000003" }), "ASSET_ID_UNCHANGED")
        .fails(|_| json!({ "source": "inventory", "sourceId": "snapshot-3" }), "ASSET_ID_MISMATCH")
        .fails(
            |world| json!({ "inventoryItemId": world.desk.closed_item.to_string(), "expectedStep": null }),
            "ITEM_CLOSED",
        )
        .invalid(|_| json!({ "assetId": "00012" }), "INVALID_FIELD")
        .invalid(|_| json!({ "source": "hearsay" }), "INVALID_FIELD")
        .invalid(|_| json!({ "sourceId": "x".repeat(129) }), "INVALID_FIELD")
        .invalid(|_| json!({ "expectedStep": -1 }), "INVALID_FIELD"),
    ]
}
