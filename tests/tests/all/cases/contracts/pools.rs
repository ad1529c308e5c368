//! Pools and the ledger.

use serde_json::{Value, json};
use tradepost_operations::Code;

use crate::cases::{Case, case, merged};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    let of_pools = [
        list(),
        get(),
        batch(),
        count(),
        balance(),
        capital(),
        create(),
        update(),
        adjust(),
        pause(),
        resume(),
        archive(),
    ];
    of_pools.into_iter().chain([list_entries(), batch_of_entries()]).collect()
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn pool(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string(), "poolId": world.desk.pool.to_string() })
}

fn paused(world: &World) -> Value {
    json!({ "poolId": world.desk.paused_pool.to_string() })
}

fn archived(world: &World) -> Value {
    json!({ "poolId": world.desk.archived_pool.to_string() })
}

fn limits() -> Value {
    json!({
        "budgetCents": "500000",
        "maxPerPurchaseCents": "20000",
        "maxExposurePerItemCents": "60000",
        "dailyLimitCents": "100000",
    })
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denies(Key::Bare).denied(other_workspace, "PERMISSION_DENIED")
}

fn write(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Trader).denies(Key::Reader).denied(other_workspace, "PERMISSION_DENIED")
}

/// What every change of a pool has in common.
fn change(case: Case) -> Case {
    case.requires(&["workspaceId", "poolId"])
        .not_found(|_| json!({ "poolId": unknown_id() }))
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn list() -> Case {
    read("ListPools", |world| {
        let status = "POOL_STATUS_ACTIVE";
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "limit": 1, "status": status })
    })
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    read("GetPool", pool).requires(&["workspaceId", "poolId"]).not_found(|_| json!({ "poolId": unknown_id() }))
}

fn batch() -> Case {
    read("GetPools", |world| {
        let ids = [world.desk.paused_pool.to_string(), unknown_id(), world.desk.pool.to_string()];
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "poolIds": ids })
    })
    .requires(&["workspaceId", "poolIds"])
    .invalid(|_| json!({ "poolIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountPools", workspace).requires(&["workspaceId"])
}

fn balance() -> Case {
    read("GetPoolBalance", pool).requires(&["workspaceId", "poolId"]).not_found(|_| json!({ "poolId": unknown_id() }))
}

fn capital() -> Case {
    read("GetCapital", workspace).requires(&["workspaceId"])
}

fn create() -> Case {
    write("CreatePool", |world| {
        let workspace_id = world.desk.workspace_id.to_string();
        json!({ "workspaceId": workspace_id, "name": "Knives", "currency": "USD", "limits": limits() })
    })
    .requires(&["workspaceId", "name", "limits"])
    .invalid(|_| json!({ "name": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(|_| json!({ "currency": "euro" }), "INVALID_FIELD")
    .refuses(Key::Trader, |_| json!({ "currency": "EUR" }), Code::FailedPrecondition, "OTHER_CURRENCY")
    .invalid(|_| json!({ "limits": { "maxPerPurchaseCents": "1" } }), "INVALID_FIELD")
    .invalid(|_| json!({ "limits": { "budgetCents": "100", "maxPerPurchaseCents": "101" } }), "INVALID_FIELD")
    .invalid(|_| json!({ "limits": { "budgetCents": "10000000000001" } }), "INVALID_FIELD")
}

fn update() -> Case {
    let request = write("UpdatePool", |world| {
        let mut request = pool(world);
        request["name"] = json!("Rifles, more of them");
        request["limits"] = limits();
        request
    });
    change(request)
        .fails(|_| json!({ "limits": { "budgetCents": "1" } }), "LIMIT_BELOW_USE")
        .fails(archived, "POOL_ARCHIVED")
        .invalid(|_| json!({ "limits": { "budgetCents": "0" } }), "INVALID_FIELD")
        .invalid(|_| json!({ "name": null, "limits": null }), "INVALID_FIELD")
}

fn adjust() -> Case {
    let request = case("AdjustPoolFunds", |world| {
        let mut request = pool(world);
        request["deltaCents"] = json!("-2500");
        request["reason"] = json!("profit taken out");
        request
    });
    change(request.by(Key::Full).denies(Key::Reader).denied(other_workspace, "PERMISSION_DENIED"))
        .needs_step_up()
        .invalid(|_| json!({ "deltaCents": "0" }), "INVALID_FIELD")
        .invalid(|_| json!({ "deltaCents": "10000000000001" }), "INVALID_FIELD")
        .invalid(|_| json!({ "reason": "" }), "INVALID_FIELD")
        .fails(|_| json!({ "deltaCents": "10000000" }), "ABOVE_POOL_BUDGET")
        .fails(|_| json!({ "deltaCents": "-10000000" }), "POOL_FUNDS_TOO_LOW")
        .fails(|world| merged(archived(world), &json!({ "deltaCents": "2500" })), "POOL_ARCHIVED")
}

fn pause() -> Case {
    let request = write("PausePool", |world| {
        let mut request = pool(world);
        request["reason"] = json!("prices look wrong");
        request
    });
    change(request).fails(paused, "ILLEGAL_STEP").invalid(|_| json!({ "reason": "x".repeat(513) }), "INVALID_FIELD")
}

fn resume() -> Case {
    let request = write("ResumePool", |world| {
        let pool_id = world.desk.paused_pool.to_string();
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "poolId": pool_id })
    });
    change(request).fails(archived, "ILLEGAL_STEP")
}

fn archive() -> Case {
    let request = write("ArchivePool", |world| {
        let pool_id = world.desk.paused_pool.to_string();
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "poolId": pool_id })
    });
    change(request)
        .fails(archived, "ILLEGAL_STEP")
        .fails(pool, "POOL_IN_USE")
        .fails(|world| json!({ "poolId": world.desk.buying_pool.to_string() }), "POOL_HOLDS_MONEY")
}

fn list_entries() -> Case {
    read("ListLedgerEntries", |world| {
        let account = "LEDGER_ACCOUNT_CAPITAL";
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "limit": 1, "account": account })
    })
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
    .invalid(|_| json!({ "from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z" }), "INVALID_FIELD")
}

fn batch_of_entries() -> Case {
    read("GetLedgerEntries", |world| {
        let ids = [world.desk.booked.to_string(), unknown_id(), world.desk.ledger_entry.to_string()];
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "ledgerEntryIds": ids })
    })
    .requires(&["workspaceId", "ledgerEntryIds"])
    .invalid(|_| json!({ "ledgerEntryIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}
