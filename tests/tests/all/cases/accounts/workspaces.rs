//! The life of whole workspaces.

use futures::future::FutureExt as _;
use serde_json::{Value, json};
use tradepost_operations::Code;

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case("SetTradingHalt", |world| {
            json!({
                "workspaceId": world.people.workspace_id.to_string(),
                "halted": true,
                "reason": "prices look wrong",
            })
        })
        .by(Key::Trader)
        .requires(&["workspaceId", "reason"])
        .denies(Key::Reader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .invalid(|_| json!({ "reason": "x".repeat(201) }), "INVALID_FIELD"),
        case("TransferWorkspaceOwnership", workspace)
            .by(Key::Owner)
            .prepared(|world| world.heir("heir@example.com").boxed())
            .requires(&["workspaceId", "membershipId"])
            .denies(Key::Full)
            .denies(Key::Session)
            .denied(other_workspace, "PERMISSION_DENIED")
            .not_found(|_| json!({ "membershipId": unknown_id() }))
            .not_found(|world| json!({ "membershipId": world.people.foreign_membership.to_string() }))
            .refuses(Key::UnprovenOwner, nothing, Code::FailedPrecondition, "STEP_UP_REQUIRED")
            .fails(|world| json!({ "membershipId": world.people.guest.to_string() }), "NOT_ACCEPTED")
            .fails(|world| json!({ "membershipId": world.people.membership.to_string() }), "TARGET_NO_TWO_FACTOR"),
        case("DeleteWorkspace", |_| json!({ "confirmName": "Second desk" }))
            .by(Key::Owner)
            .prepared(|world| world.second_desk().boxed())
            .requires(&["workspaceId", "confirmName"])
            .denies(Key::Full)
            .denies(Key::Session)
            .denied(other_workspace, "PERMISSION_DENIED")
            .refuses(Key::UnprovenOwner, nothing, Code::FailedPrecondition, "STEP_UP_REQUIRED")
            .fails(|_| json!({ "confirmName": "second desk" }), "NAME_MISMATCH")
            .fails(
                |world| json!({ "workspaceId": world.people.workspace_id.to_string(), "confirmName": "Desk" }),
                "HAS_OPEN_PURCHASES",
            )
            .invalid(|_| json!({ "confirmName": "x".repeat(65) }), "INVALID_FIELD"),
        case("RestoreWorkspace", nothing)
            .by(Key::Owner)
            .prepared(|world| world.deleted_desk().boxed())
            .requires(&["workspaceId"])
            .denies(Key::Full)
            .denies(Key::Session)
            .denied(other_workspace, "PERMISSION_DENIED")
            .fails(workspace, "WORKSPACE_NOT_DELETED"),
    ]
}

fn nothing(_: &World) -> Value {
    json!({})
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.people.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.people.other_workspace_id.to_string() })
}
