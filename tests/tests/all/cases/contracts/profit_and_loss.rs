//! Profit and loss.

use serde_json::{Value, json};

use crate::cases::{Case, case, merged};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![report(), series(), equity(), of_item(), export()]
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denies(Key::Bare).denied(other_workspace, "PERMISSION_DENIED")
}

/// The time in which the records of a world are made.
fn winter(world: &World) -> Value {
    json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "from": "2025-12-01T00:00:00Z",
        "to": "2026-03-01T00:00:00Z",
    })
}

/// What every report refuses.
fn of_days(case: Case) -> Case {
    case.invalid(|_| json!({ "to": "2025-12-01T00:00:00Z" }), "INVALID_FIELD")
        .invalid(|_| json!({ "from": "2025-12-01T00:00:01Z" }), "INVALID_FIELD")
        .invalid(|_| json!({ "timeZone": "Europe/Atlantis" }), "INVALID_FIELD")
        .invalid(|_| json!({ "timeZone": "Asia/Shanghai" }), "INVALID_FIELD")
        .invalid(
            |_| json!({ "accountName": "trader-1", "marketHashName": "AK-47 | Redline (Field-Tested)" }),
            "INVALID_FIELD",
        )
}

fn report() -> Case {
    let request = read("GetProfitAndLoss", |world| {
        merged(winter(world), &json!({ "groupBy": "PROFIT_AND_LOSS_GROUPING_ITEM_NAME" }))
    });
    of_days(request.requires(&["workspaceId", "groupBy"]))
}

fn series() -> Case {
    let request = read("GetProfitAndLossSeries", |world| {
        merged(winter(world), &json!({ "bucket": "PROFIT_AND_LOSS_BUCKET_MONTH" }))
    });
    of_days(request.requires(&["workspaceId", "bucket"]))
        .invalid(|_| json!({ "from": "1900-01-01T00:00:00Z" }), "INVALID_FIELD")
}

/// Days before there was money: which later ones are marked depends on when the server looked.
fn equity() -> Case {
    let request = read("GetEquitySeries", |world| merged(winter(world), &json!({ "to": "2026-01-01T00:00:00Z" })));
    request
        .requires(&["workspaceId"])
        .invalid(|_| json!({ "to": "2025-12-01T00:00:00Z" }), "INVALID_FIELD")
        .invalid(|_| json!({ "from": "2025-12-01T00:00:01Z" }), "INVALID_FIELD")
        .invalid(|_| json!({ "from": "1900-01-01T00:00:00Z" }), "INVALID_FIELD")
}

fn of_item() -> Case {
    read("GetItemProfitAndLoss", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "inventoryItemId": world.desk.item.to_string(),
        })
    })
    .requires(&["workspaceId", "inventoryItemId"])
    .not_found(|_| json!({ "inventoryItemId": unknown_id() }))
}

fn export() -> Case {
    let request = read("ExportProfitAndLoss", |world| {
        let chosen = json!({ "groupBy": "PROFIT_AND_LOSS_GROUPING_POOL", "format": "PROFIT_AND_LOSS_FORMAT_CSV" });
        merged(winter(world), &chosen)
    });
    of_days(request.requires(&["workspaceId", "groupBy", "format"]))
}
