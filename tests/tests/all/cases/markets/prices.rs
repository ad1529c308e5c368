//! What items are worth.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

const REDLINE: &str = "AK-47 | Redline (Field-Tested)";

pub(crate) fn cases() -> Vec<Case> {
    vec![price(), prices(), variants(), set(), list(), delete(), rules(), update()]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denies(Key::Trader).denied(other_workspace, "PERMISSION_DENIED")
}

fn write(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).denies(Key::Reader).denied(other_workspace, "PERMISSION_DENIED")
}

fn given(world: &World) -> Value {
    json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "marketHashName": REDLINE,
        "priceCents": "1250",
        "expiresAt": "2026-06-01T00:00:00Z",
        "reason": "the sources are wrong",
    })
}

/// The value that the variant is given by the first who asks.
async fn override_of(world: &World) -> Value {
    let listed = world.call(Key::Full, "ListPriceOverrides", &workspace(world)).await.ok();
    if let Some(known) = listed["priceOverrides"].as_array().and_then(|all| all.first()) {
        return known.clone();
    }
    world.call(Key::Full, "SetPriceOverride", &given(world)).await.ok()["priceOverride"].clone()
}

/// Two marketplaces where the variant is on sale.
async fn on_sale(world: &World) {
    let offer = |place, cents| json!({ "marketplace": place, "listingId": "priced", "marketHashName": REDLINE, "priceCents": cents });
    let request = json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "observations": [offer("simulator", "1200"), offer("elsewhere", "1300")],
    });
    world.call(Key::Full, "RecordMarketObservations", &request).await.ok();
}

fn price() -> Case {
    read(
        "GetPrice",
        |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "marketHashName": REDLINE, "appId": 730 }),
    )
    .prepared(|world| on_sale(world).map(|()| json!({})).boxed())
    .requires(&["workspaceId", "marketHashName"])
    .invalid(|_| json!({ "phase": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(|_| json!({ "appId": -1 }), "INVALID_FIELD")
}

fn prices() -> Case {
    read("GetPrices", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "variants": [
                { "marketHashName": "★ Karambit | Doppler (Factory New)", "phase": "Phase 4" },
                { "marketHashName": REDLINE, "appId": 730 },
                { "marketHashName": REDLINE },
            ],
        })
    })
    .prepared(|world| on_sale(world).map(|()| json!({})).boxed())
    .requires(&["workspaceId", "variants"])
    .invalid(|_| json!({ "variants": [{ "marketHashName": "" }] }), "INVALID_FIELD")
    .invalid(|_| json!({ "variants": vec![json!({ "marketHashName": "x" }); 201] }), "INVALID_FIELD")
}

fn variants() -> Case {
    case(
        "ListVariants",
        |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "prefix": "ak-47 |", "limit": 5 }),
    )
    .by(Key::Reader)
    .denies(Key::Bare)
    .denied(other_workspace, "PERMISSION_DENIED")
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "prefix": "x".repeat(101) }), "INVALID_FIELD")
    .requires(&["workspaceId"])
}

fn set() -> Case {
    write("SetPriceOverride", given)
        .requires(&["workspaceId", "marketHashName", "priceCents", "expiresAt", "reason"])
        .invalid(|_| json!({ "priceCents": "0" }), "INVALID_FIELD")
        .invalid(|_| json!({ "reason": "x".repeat(201) }), "INVALID_FIELD")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
        .fails(|_| json!({ "expiresAt": "2025-01-01T00:00:00Z" }), "EXPIRY_IN_PAST")
        .fails(|_| json!({ "expectedVersion": "1" }), "VERSION_MISMATCH")
}

fn list() -> Case {
    read("ListPriceOverrides", |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "limit": 1 }))
        .requires(&["workspaceId"])
        .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn delete() -> Case {
    write(
        "DeletePriceOverride",
        |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "expectedVersion": "1" }),
    )
    .prepared(|world| override_of(world).map(|given| json!({ "priceOverrideId": given["id"] })).boxed())
    .requires(&["workspaceId", "priceOverrideId"])
    .not_found(|_| json!({ "priceOverrideId": unknown_id() }))
    .fails(|_| json!({ "expectedVersion": "2" }), "VERSION_MISMATCH")
    .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn rules() -> Case {
    read("GetPricingRules", workspace).requires(&["workspaceId"])
}

fn update() -> Case {
    write("UpdatePricingRules", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "priceReference": {
                "sources": ["simulator", "elsewhere"],
                "statistic": "PRICE_STATISTIC_LOWEST_ASK",
                "maxAgeSeconds": 600,
                "minConfidenceBps": 6000,
            },
            "expectedVersion": "0",
        })
    })
    .requires(&["workspaceId", "priceReference"])
    .invalid(|_| json!({ "priceReference": { "statistic": "PRICE_STATISTIC_MEDIAN" } }), "INVALID_FIELD")
    .invalid(|_| json!({ "expectedVersion": "-1" }), "INVALID_FIELD")
    .fails(|_| json!({ "expectedVersion": "1" }), "VERSION_MISMATCH")
}
