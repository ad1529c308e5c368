//! The life of whole workspaces.

use futures::future::FutureExt as _;
use serde_json::{Value, json};
use tradepost_domain::accounts::workspace::RISK_NOTICE;
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
        read_risks(),
        acknowledge_risks(),
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

fn read_risks() -> Case {
    case("GetRiskNotice", |world| json!({ "workspaceId": world.desk.workspace_id.to_string() }))
        .prepared(|world| {
            async {
                world.acknowledge_risks().await;
                json!({})
            }
            .boxed()
        })
        .requires(&["workspaceId"])
        .denied(other_workspace, "PERMISSION_DENIED")
}

fn acknowledge_risks() -> Case {
    case(
        "AcknowledgeRiskNotice",
        |world| json!({ "workspaceId": world.people.workspace_id.to_string(), "version": RISK_NOTICE.version }),
    )
    .requires(&["workspaceId", "version"])
    .denies(Key::Reader)
    .denied(other_workspace, "PERMISSION_DENIED")
    .fails(|_| json!({ "version": "2026-01-01" }), "OTHER_NOTICE_VERSION")
    .invalid(|_| json!({ "version": "x".repeat(17) }), "INVALID_FIELD")
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
