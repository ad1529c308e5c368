//! Assignments of trading accounts to pools.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![list(), get(), batch(), create(), update(), delete(), resolve()]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

/// The assignment of an account of its own.
async fn assigned(world: &World, number: u32) -> String {
    let account = world.ready_account(number).await;
    world.assignment_of(world.desk.workspace_id, world.desk.pool, account).await.to_string()
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denies(Key::Bare).denied(other_workspace, "PERMISSION_DENIED")
}

fn write(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Trader).denies(Key::Reader).denied(other_workspace, "PERMISSION_DENIED")
}

/// What every change of an assignment has in common.
fn change(case: Case) -> Case {
    case.requires(&["workspaceId", "assignmentId"])
        .not_found(|_| json!({ "assignmentId": unknown_id() }))
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn list() -> Case {
    read("ListAssignments", |world| {
        let pool_id = world.desk.pool.to_string();
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "limit": 1, "poolId": pool_id })
    })
    .prepared(|world| {
        async {
            assigned(world, 30).await;
            json!({})
        }
        .boxed()
    })
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    read("GetAssignment", workspace)
        .prepared(|world| async { json!({ "assignmentId": assigned(world, 31).await }) }.boxed())
        .requires(&["workspaceId", "assignmentId"])
        .not_found(|_| json!({ "assignmentId": unknown_id() }))
}

fn batch() -> Case {
    read("GetAssignments", workspace)
        .prepared(|world| {
            async {
                let ids = [assigned(world, 32).await, unknown_id(), assigned(world, 33).await];
                json!({ "assignmentIds": ids })
            }
            .boxed()
        })
        .requires(&["workspaceId", "assignmentIds"])
        .invalid(|_| json!({ "assignmentIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn create() -> Case {
    write("CreateAssignment", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "poolId": world.desk.pool.to_string(),
            "roles": ["ASSIGNMENT_ROLE_BUY", "ASSIGNMENT_ROLE_STORE"],
            "priority": 2,
            "limits": { "maxOpenPurchases": 4, "maxItems": 500 },
        })
    })
    .prepared(|world| async { json!({ "accountId": world.account(34).await.to_string() }) }.boxed())
    .requires(&["workspaceId", "poolId", "roles"])
    .not_found(|_| json!({ "poolId": unknown_id() }))
    .not_found(|_| json!({ "accountId": unknown_id() }))
    .not_found(|_| json!({ "accountId": null, "accountGroupId": unknown_id() }))
    .fails(|world| json!({ "poolId": world.desk.archived_pool.to_string() }), "POOL_ARCHIVED")
    .invalid(|_| json!({ "accountId": null }), "INVALID_FIELD")
    .invalid(|_| json!({ "accountGroupId": unknown_id() }), "INVALID_FIELD")
    .invalid(|_| json!({ "priority": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "roles": ["ASSIGNMENT_ROLE_UNSPECIFIED"] }), "INVALID_FIELD")
    .invalid(|_| json!({ "limits": { "maxItems": -1 } }), "INVALID_FIELD")
}

fn update() -> Case {
    let request = write("UpdateAssignment", |world| {
        let mut request = workspace(world);
        request["roles"] = json!(["ASSIGNMENT_ROLE_SELL"]);
        request["priority"] = json!(3);
        request["limits"] = json!({ "maxItems": 10 });
        request
    })
    .prepared(|world| async { json!({ "assignmentId": assigned(world, 35).await }) }.boxed());
    change(request)
        .invalid(|_| json!({ "roles": null, "priority": null, "limits": null }), "INVALID_FIELD")
        .invalid(|_| json!({ "priority": -1 }), "INVALID_FIELD")
}

fn delete() -> Case {
    let request = write("DeleteAssignment", workspace)
        .prepared(|world| async { json!({ "assignmentId": assigned(world, 36).await }) }.boxed());
    change(request)
}

fn resolve() -> Case {
    read("ResolveAssignment", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "poolId": world.desk.buying_pool.to_string(),
            "role": "ASSIGNMENT_ROLE_BUY",
        })
    })
    .prepared(|world| {
        async {
            let account = world.account(37).await;
            world.assignment_of(world.desk.workspace_id, world.desk.buying_pool, account).await;
            json!({})
        }
        .boxed()
    })
    .requires(&["workspaceId", "poolId", "role"])
    .not_found(|_| json!({ "poolId": unknown_id() }))
}
