//! Evaluations.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::markets::observations::seen;
use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![evaluate(), simulate(), list(), get(), batch()]
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    let elsewhere = |world: &World| json!({ "workspaceId": world.other_desk.workspace_id.to_string() });
    case(method, request).by(Key::Reader).denies(Key::Bare).denied(elsewhere, "PERMISSION_DENIED")
}

fn listing(price: &str) -> Value {
    json!({ "marketHashName": "AK-47 | Redline (Field-Tested)", "floatValue": "0.17", "priceCents": price })
}

/// Two sources that agree.
fn market() -> Value {
    let quote = |source: &str| {
        json!({
            "source": source,
            "marketHashName": "AK-47 | Redline (Field-Tested)",
            "lowestAskCents": "1700",
            "highestBidCents": "1600",
            "salesCount": 40,
            "salesAverageCents": "1650",
        })
    };
    json!({ "quotes": [quote("skinport"), quote("buff")], "buyFeeBps": 250, "sellFeeBps": 200 })
}

fn evaluate() -> Case {
    read("EvaluateContract", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "contractId": world.desk.contract.to_string(),
            "marketplace": "simulator",
            "listing": listing("1470"),
            "market": market(),
        })
    })
    .requires(&["workspaceId", "contractId", "marketplace", "listing"])
    .not_found(|_| json!({ "contractId": unknown_id() }))
    .not_found(|_| json!({ "listing": null, "inventoryItemId": unknown_id() }))
    .not_found(|_| json!({ "listing": null, "observationId": unknown_id() }))
    .invalid(|_| json!({ "observationId": unknown_id() }), "INVALID_FIELD")
    .fails(|world| json!({ "contractId": world.desk.selling.to_string() }), "CONTRACT_NEVER_BUYS")
    .fails(|world| json!({ "listing": null, "inventoryItemId": world.desk.item.to_string() }), "CONTRACT_NEVER_SELLS")
    .invalid(|world| json!({ "inventoryItemId": world.desk.item.to_string() }), "INVALID_FIELD")
    .invalid(|_| json!({ "market": { "buyFeeBps": 10_001 } }), "INVALID_FIELD")
    .invalid(|_| json!({ "listing": { "marketHashName": "AK-47 | Redline (Field-Tested)" } }), "INVALID_FIELD")
}

fn simulate() -> Case {
    read("SimulateContract", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "contractId": world.desk.draft.to_string(),
            "from": "2026-01-01T00:00:00Z",
            "to": "2100-01-01T00:00:00Z",
            "fees": [{ "marketplace": "simulator", "buyFeeBps": 250, "sellFeeBps": 200 }],
        })
    })
    .prepared(|world| seen(world).map(|_| json!({})).boxed())
    .requires(&["workspaceId", "contractId", "from"])
    .not_found(|_| json!({ "contractId": unknown_id() }))
    .fails(|world| json!({ "contractId": world.desk.selling.to_string() }), "CONTRACT_NEVER_BUYS")
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "to": "2026-01-01T00:00:00Z" }), "INVALID_FIELD")
    .invalid(|_| json!({ "draft": { "name": "Redlines" } }), "INVALID_FIELD")
    .invalid(|_| json!({ "fees": [{ "marketplace": "simulator", "buyFeeBps": 10_001 }] }), "INVALID_FIELD")
}

fn list() -> Case {
    read("ListEvaluations", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "contractId": world.desk.contract.to_string(),
            "decision": "EVALUATION_DECISION_SKIP",
        })
    })
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "listingId": "x".repeat(129) }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    read("GetEvaluation", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "evaluationId": world.desk.evaluation.to_string(),
        })
    })
    .requires(&["workspaceId", "evaluationId"])
    .not_found(|_| json!({ "evaluationId": unknown_id() }))
}

fn batch() -> Case {
    read("GetEvaluations", |world| {
        let ids = [unknown_id(), world.desk.other_evaluation.to_string(), world.desk.evaluation.to_string()];
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "evaluationIds": ids })
    })
    .requires(&["workspaceId", "evaluationIds"])
    .invalid(|_| json!({ "evaluationIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}
