//! The keys under which the secrets of a workspace are stored.

use serde_json::{Value, json};

use crate::cases::{Case, case, merged};
use crate::harness::{ACTIVE_KEY, DESTROYED_KEY, EMPTY_KEY, FOREIGN_KEY, Key, USED_KEY, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        of_a_workspace("ListWorkspaceKeys", workspace),
        of_a_workspace("RotateWorkspaceKey", workspace).needs_step_up(),
        of_a_workspace("DestroyWorkspaceKey", |world| {
            merged(workspace(world), &json!({ "workspaceKeyId": EMPTY_KEY.to_string() }))
        })
        .requires(&["workspaceId", "workspaceKeyId"])
        .not_found(|_| json!({ "workspaceKeyId": unknown_id() }))
        .not_found(|_| json!({ "workspaceKeyId": FOREIGN_KEY.to_string() }))
        .fails(|_| json!({ "workspaceKeyId": ACTIVE_KEY.to_string() }), "ACTIVE")
        .fails(|_| json!({ "workspaceKeyId": USED_KEY.to_string() }), "STILL_IN_USE")
        .fails(|_| json!({ "workspaceKeyId": DESTROYED_KEY.to_string() }), "ALREADY_DESTROYED")
        .needs_step_up(),
    ]
}

fn of_a_workspace(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request)
        .requires(&["workspaceId"])
        .denies(Key::Reader)
        .denied(|world| json!({ "workspaceId": world.people.other_workspace_id.to_string() }), "PERMISSION_DENIED")
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.people.workspace_id.to_string() })
}
