//! What was done, and whether the log of it is as it was written.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case("ListAuditEvents", |world| {
            let mut request = workspace(world);
            request["limit"] = json!(2);
            request["type"] = json!("api_key.revoked");
            request
        })
        .prepared(|world| world.chained().boxed())
        .requires(&["workspaceId"])
        .denies(Key::Reader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .invalid(|_| json!({ "type": "api_key.invented" }), "INVALID_FIELD")
        .invalid(|_| json!({ "from": "2025-01-02T00:00:00Z", "to": "2025-01-02T00:00:00Z" }), "INVALID_FIELD")
        .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR"),
        case("ListMyAuditEvents", |_| json!({ "limit": 2 }))
            .prepared(|world| world.chained().boxed())
            .denies(Key::NoIdentity)
            .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
            .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR"),
        case("VerifyAuditChain", workspace)
            .prepared(|world| world.chained().boxed())
            .requires(&["workspaceId"])
            .denies(Key::Reader)
            .denied(other_workspace, "PERMISSION_DENIED"),
    ]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.people.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.people.other_workspace_id.to_string() })
}
