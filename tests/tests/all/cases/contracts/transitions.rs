//! The log of status changes.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![list(), get(), batch(), count(), watch()]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denies(Key::Bare).denied(other_workspace, "PERMISSION_DENIED")
}

fn of_contract(world: &World) -> Value {
    json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "limit": 2,
        "subjectType": "TRANSITION_SUBJECT_TYPE_CONTRACT",
        "subjectId": world.desk.contract.to_string(),
        "from": "2020-01-01T00:00:00Z",
    })
}

/// The changes of the contract, the newest first.
async fn changes(world: &World) -> Vec<Value> {
    let listed = world.call(Key::Reader, "ListTransitions", &of_contract(world)).await.ok();
    listed["transitionIds"].as_array().unwrap().clone()
}

fn list() -> Case {
    read("ListTransitions", of_contract)
        .requires(&["workspaceId"])
        .denied(|_| json!({ "subjectType": "TRANSITION_SUBJECT_TYPE_MEMBERSHIP" }), "PERMISSION_DENIED")
        .invalid(|_| json!({ "to": "2020-01-01T00:00:00Z" }), "INVALID_FIELD")
        .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    read("GetTransition", workspace)
        .prepared(|world| async { json!({ "transitionId": changes(world).await[0] }) }.boxed())
        .requires(&["workspaceId", "transitionId"])
        .not_found(|_| json!({ "transitionId": unknown_id() }))
}

fn batch() -> Case {
    read("GetTransitions", workspace)
        .prepared(|world| {
            async {
                let ids = changes(world).await;
                json!({ "transitionIds": [ids[1], unknown_id(), ids[0], ids[1]] })
            }
            .boxed()
        })
        .requires(&["workspaceId", "transitionIds"])
        .invalid(|_| json!({ "transitionIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountTransitions", workspace)
        .requires(&["workspaceId"])
        .denied(|_| json!({ "subjectTypes": ["TRANSITION_SUBJECT_TYPE_MEMBERSHIP"] }), "PERMISSION_DENIED")
        .invalid(|_| json!({ "from": "2030-01-01T00:00:00Z", "to": "2020-01-01T00:00:00Z" }), "INVALID_FIELD")
}

fn watch() -> Case {
    read(
        "WatchTransitions",
        |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "limit": 1, "waitSeconds": 25 }),
    )
    .requires(&["workspaceId"])
    .not_found(|_| json!({ "afterTransitionId": unknown_id() }))
    .invalid(|_| json!({ "waitSeconds": 26 }), "INVALID_FIELD")
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "fromEnd": true, "afterTransitionId": unknown_id() }), "INVALID_FIELD")
}
