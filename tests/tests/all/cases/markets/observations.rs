//! What was seen on markets.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![record(), list(), get(), batch(), count(), book(), history()]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

/// A listing with everything that one may have, and another one with only what it must have.
fn observations() -> Value {
    json!([
        {
            "marketplace": "simulator",
            "listingId": "seen-1",
            "assetId": "27348562871",
            "appId": 730,
            "marketHashName": "★ Karambit | Doppler (Factory New)",
            "phase": "Phase 2",
            "rarity": "RARITY_COVERT",
            "floatValue": "0.012",
            "paintSeed": 0,
            "paintIndex": 419,
            "stickers": [{ "name": "Crown (Foil)", "wear": "0.5" }, { "name": "Howling Dawn" }],
            "charms": ["Charm | Die-cast AK"],
            "priceCents": "80000",
            "tradeLockDays": 7,
            "sellerSuccessBps": 9900,
        },
        {
            "marketplace": "elsewhere",
            "listingId": "seen-2",
            "marketHashName": "AK-47 | Redline (Field-Tested)",
            "priceCents": "1200",
        },
    ])
}

fn recorded(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string(), "observations": observations() })
}

/// The identifiers of those observations, which are recorded by the first who asks.
pub(crate) async fn seen(world: &World) -> Vec<Value> {
    let answer = world.call(Key::Full, "RecordMarketObservations", &recorded(world)).await.ok();
    answer["results"].as_array().unwrap().iter().map(|result| result["observationId"].clone()).collect()
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denies(Key::Trader).denied(other_workspace, "PERMISSION_DENIED")
}

fn record() -> Case {
    case("RecordMarketObservations", |world| {
        let mut request = recorded(world);
        let twice = request["observations"][1].clone();
        let several = request["observations"].as_array_mut().unwrap();
        several.push(twice);
        several.push(json!({ "marketplace": "simulator", "listingId": "seen-3", "marketHashName": "x" }));
        several.push(json!({
            "marketplace": "simulator",
            "listingId": "seen-4",
            "marketHashName": "x",
            "priceCents": "1",
            "observedAt": "2020-01-01T00:00:00Z",
        }));
        request
    })
    .denies(Key::Reader)
    .denied(other_workspace, "PERMISSION_DENIED")
    .requires(&["workspaceId", "observations"])
    .invalid(|_| json!({ "observations": vec![json!({}); 501] }), "INVALID_FIELD")
    .invalid(
        |_| json!({ "observations": [{ "rarity": "RARITY_UNSPECIFIED", "observedAt": "0000-01-01T00:00:00Z" }] }),
        "INVALID_FIELD",
    )
}

fn list() -> Case {
    read("ListMarketObservations", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "limit": 1,
            "marketplace": "elsewhere",
            "marketHashName": "AK-47 | Redline (Field-Tested)",
            "since": "2026-01-01T00:00:00Z",
        })
    })
    .prepared(|world| seen(world).map(|_| json!({})).boxed())
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
    .invalid(|_| json!({ "marketplace": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(|_| json!({ "marketHashName": "x".repeat(257) }), "INVALID_FIELD")
}

fn get() -> Case {
    read("GetMarketObservation", workspace)
        .prepared(|world| seen(world).map(|ids| json!({ "observationId": ids[0] })).boxed())
        .requires(&["workspaceId", "observationId"])
        .not_found(|_| json!({ "observationId": unknown_id() }))
}

fn batch() -> Case {
    read("GetMarketObservations", workspace)
        .prepared(|world| seen(world).map(|ids| json!({ "observationIds": [ids[1], unknown_id(), ids[0]] })).boxed())
        .requires(&["workspaceId", "observationIds"])
        .invalid(|_| json!({ "observationIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read(
        "CountMarketObservations",
        |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "since": "2026-01-01T00:00:00Z" }),
    )
    .prepared(|world| seen(world).map(|_| json!({})).boxed())
    .requires(&["workspaceId"])
}

fn book() -> Case {
    read("GetOrderBook", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "marketHashName": "★ Karambit | Doppler (Factory New)",
            "phase": "Phase 2",
            "appId": 730,
        })
    })
    .prepared(|world| seen(world).map(|_| json!({})).boxed())
    .requires(&["workspaceId", "marketHashName"])
    .invalid(|_| json!({ "phase": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(|_| json!({ "appId": -1 }), "INVALID_FIELD")
}

fn history() -> Case {
    read("ListPriceHistory", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "marketHashName": "AK-47 | Redline (Field-Tested)",
            "marketplace": "elsewhere",
            "bucket": "PRICE_BUCKET_DAY",
            "from": "2025-12-01T00:00:00Z",
        })
    })
    .prepared(|world| seen(world).map(|_| json!({})).boxed())
    .requires(&["workspaceId", "marketHashName"])
    .invalid(|_| json!({ "marketplace": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(|_| json!({ "from": "2020-01-01T00:00:00Z" }), "INVALID_FIELD")
    .invalid(|_| json!({ "to": "2020-01-01T00:00:00Z" }), "INVALID_FIELD")
}
