//! The life of contracts: changed, stopped, resumed, ended, copied, deleted, counted.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![update(), pause(), resume(), cancel(), copy(), delete(), count()]
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

/// The active contract.
fn at_work(world: &World) -> Value {
    json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "contractId": world.desk.contract.to_string(),
    })
}

fn draft(world: &World) -> Value {
    json!({ "contractId": world.desk.draft.to_string() })
}

/// What every change of a contract has in common.
fn change(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request)
        .by(Key::Trader)
        .denies(Key::Reader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .not_found(|_| json!({ "contractId": unknown_id() }))
}

fn guarded(case: Case) -> Case {
    case.requires(&["workspaceId", "contractId"])
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn update() -> Case {
    let request = change("UpdateContract", |world| {
        let mut request = at_work(world);
        request["name"] = json!("Redlines, slower");
        request["filterSetId"] = json!(world.desk.unused_filter_set.to_string());
        request["approvalMode"] = json!("APPROVAL_MODE_MANUAL");
        request["everyMarketplace"] = json!(true);
        request["priceReference"] = json!({ "statistic": "PRICE_STATISTIC_LOWEST_ASK", "maxAgeSeconds": 60 });
        request["endsAt"] = json!("2030-01-01T00:00:00Z");
        request["buying"] = json!({ "targetQuantity": 5, "maxBuyPriceCents": "1400", "budgetCents": "50000" });
        request
    });
    guarded(request)
        .not_found(|_| json!({ "filterSetId": unknown_id() }))
        .fails(|_| buying(1, "50000"), "LIMIT_BELOW_USE")
        .fails(|_| buying(9, "1400"), "LIMIT_BELOW_USE")
        .fails(|_| buying(9, "1399"), "CONTRACT_LIMITS")
        .fails(|_| json!({ "poolId": unknown_id() }), "FIXED_FIELD")
        .fails(|_| json!({ "startsAt": "2025-01-01T00:00:00Z" }), "FIXED_FIELD")
        .fails(|_| json!({ "endsAt": "2020-01-01T00:00:00Z" }), "CONTRACT_ENDED")
        .invalid(|_| json!({ "name": "" }), "INVALID_FIELD")
        .invalid(|_| json!({ "neverEnds": true }), "INVALID_FIELD")
        .invalid(|_| json!({ "marketplaces": ["simulator"] }), "INVALID_FIELD")
        .invalid(|_| json!({ "buying": null, "selling": { "floorPriceCents": "1" } }), "INVALID_FIELD")
}

fn buying(target_quantity: i32, budget_cents: &str) -> Value {
    json!({
        "buying": { "targetQuantity": target_quantity, "maxBuyPriceCents": "1400", "budgetCents": budget_cents },
    })
}

fn pause() -> Case {
    let request = change("PauseContract", |world| {
        let mut request = at_work(world);
        request["reason"] = json!("prices look wrong");
        request
    });
    guarded(request).fails(draft, "ILLEGAL_STEP").invalid(|_| json!({ "reason": "x".repeat(513) }), "INVALID_FIELD")
}

fn resume() -> Case {
    guarded(change("ResumeContract", at_work))
        .prepared(|world| {
            async {
                world.call(Key::Trader, "PauseContract", &at_work(world)).await.ok();
                json!({})
            }
            .boxed()
        })
        .fails(draft, "ILLEGAL_STEP")
}

fn cancel() -> Case {
    guarded(change("CancelContract", at_work)).fails(draft, "ILLEGAL_STEP")
}

fn copy() -> Case {
    change("CloneContract", |world| {
        let mut request = at_work(world);
        request["name"] = json!("More redlines");
        request
    })
    .requires(&["workspaceId", "contractId", "name"])
    .invalid(|_| json!({ "name": "x".repeat(65) }), "INVALID_FIELD")
}

fn delete() -> Case {
    let request = change("DeleteContract", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "contractId": world.desk.draft.to_string(),
        })
    });
    guarded(request).fails(|world| json!({ "contractId": world.desk.contract.to_string() }), "ILLEGAL_STEP")
}

fn count() -> Case {
    case(
        "CountContracts",
        |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "type": "CONTRACT_TYPE_BUYING" }),
    )
    .by(Key::Reader)
    .denies(Key::Bare)
    .denied(other_workspace, "PERMISSION_DENIED")
    .requires(&["workspaceId"])
}
