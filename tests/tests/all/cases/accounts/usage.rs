//! How much a workspace is used, and what bounds it.

use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case("GetUsage", |world| {
            let mut request = of_december(world);
            request["granularity"] = json!("USAGE_GRANULARITY_HOUR");
            request["groupBy"] = json!(["USAGE_GROUP_API_KEY", "USAGE_GROUP_OPERATION"]);
            request
        })
        .by(Key::Reader)
        .requires(&["workspaceId", "granularity"])
        .denies(Key::Trader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .invalid(|_| json!({ "to": "2025-12-01T00:00:00Z" }), "INVALID_FIELD")
        .invalid(|_| json!({ "groupBy": ["USAGE_GROUP_API_KEY", "USAGE_GROUP_API_KEY"] }), "INVALID_FIELD"),
        case("ListKeyUsage", of_december)
            .by(Key::Reader)
            .requires(&["workspaceId"])
            .denies(Key::Trader)
            .denied(other_workspace, "PERMISSION_DENIED")
            .invalid(|_| json!({ "to": "2025-12-01T00:00:00Z" }), "INVALID_FIELD"),
        case("GetQuotas", |world| json!({ "workspaceId": world.people.workspace_id.to_string() }))
            .by(Key::Bare)
            .requires(&["workspaceId"])
            .denies(Key::Other)
            .denied(other_workspace, "PERMISSION_DENIED"),
    ]
}

/// Before the server was started, so that what other tests call does not show.
fn of_december(world: &World) -> Value {
    json!({
        "workspaceId": world.people.workspace_id.to_string(),
        "from": "2025-12-01T00:00:00Z",
        "to": "2026-01-01T00:00:00Z",
    })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.people.other_workspace_id.to_string() })
}
