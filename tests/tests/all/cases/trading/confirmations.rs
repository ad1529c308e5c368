//! Confirmations of trading accounts.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, WaitingFor, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![list(), get(), batch(), count(), approve(), deny(), refresh()]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn read(method: &'static str) -> Case {
    case(method, workspace)
        .by(Key::Reader)
        .denies(Key::Bare)
        .denies(Key::Trader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .prepared(|world| world.confirmation(WaitingFor::ApiKey).map(|_| json!({})).boxed())
        .requires(&["workspaceId"])
}

fn write(method: &'static str) -> Case {
    case(method, workspace).denies(Key::Reader).denies(Key::Trader).denied(other_workspace, "PERMISSION_DENIED")
}

fn list() -> Case {
    read("ListConfirmations")
        .prepared(|world| {
            async {
                world.confirmation(WaitingFor::ApiKey).await;
                json!({
                    "limit": 1,
                    "accountId": world.account(1).await.to_string(),
                    "status": "CONFIRMATION_STATUS_STRANGE",
                    "kind": "CONFIRMATION_KIND_API_KEY",
                })
            }
            .boxed()
        })
        .not_found(|_| json!({ "accountId": unknown_id() }))
        .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    read("GetConfirmation")
        .prepared(|world| {
            world.confirmation(WaitingFor::ApiKey).map(|id| json!({ "confirmationId": id.to_string() })).boxed()
        })
        .requires(&["workspaceId", "confirmationId"])
        .not_found(|_| json!({ "confirmationId": unknown_id() }))
}

fn batch() -> Case {
    read("GetConfirmations")
        .prepared(|world| {
            world
                .confirmation(WaitingFor::ApiKey)
                .map(|id| json!({ "confirmationIds": [unknown_id(), id.to_string()] }))
                .boxed()
        })
        .requires(&["workspaceId", "confirmationIds"])
        .invalid(|_| json!({ "confirmationIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountConfirmations")
}

fn approve() -> Case {
    write("ApproveConfirmation")
        .prepared(|world| {
            world
                .confirmation(WaitingFor::Approval)
                .map(|id| json!({ "confirmationId": id.to_string(), "expectedVersion": "1" }))
                .boxed()
        })
        .needs_step_up()
        .requires(&["workspaceId", "confirmationId", "expectedVersion"])
        .not_found(|_| json!({ "confirmationId": unknown_id() }))
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
}

fn deny() -> Case {
    write("DenyConfirmation")
        .prepared(|world| {
            world.confirmation(WaitingFor::Denial).map(|id| json!({ "confirmationId": id.to_string() })).boxed()
        })
        .requires(&["workspaceId", "confirmationId"])
        .not_found(|_| json!({ "confirmationId": unknown_id() }))
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
}

fn refresh() -> Case {
    write("RefreshConfirmations")
        .prepared(|world| async { json!({ "accountId": world.account(1).await.to_string() }) }.boxed())
        .requires(&["workspaceId", "accountId"])
        .not_found(|_| json!({ "accountId": unknown_id() }))
}
