//! Groups of trading accounts.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![list(), get(), batch(), create(), update(), delete(), add(), remove()]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

/// A new group with one account in it.
async fn group(world: &World) -> Value {
    let account = world.account(20).await;
    json!({ "accountGroupId": world.group_of(world.desk.workspace_id, account).await.to_string() })
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denies(Key::Trader).denied(other_workspace, "PERMISSION_DENIED")
}

fn write(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).denies(Key::Reader).denied(other_workspace, "PERMISSION_DENIED")
}

/// What every change of a group has in common.
fn change(method: &'static str, request: fn(&World) -> Value) -> Case {
    write(method, request)
        .prepared(|world| group(world).boxed())
        .requires(&["workspaceId", "accountGroupId"])
        .not_found(|_| json!({ "accountGroupId": unknown_id() }))
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn list() -> Case {
    read("ListAccountGroups", |world| json!({ "workspaceId": world.desk.workspace_id.to_string(), "limit": 1 }))
        .prepared(|world| {
            async {
                group(world).await;
                json!({})
            }
            .boxed()
        })
        .requires(&["workspaceId"])
        .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    read("GetAccountGroup", workspace)
        .prepared(|world| group(world).boxed())
        .requires(&["workspaceId", "accountGroupId"])
        .not_found(|_| json!({ "accountGroupId": unknown_id() }))
}

fn batch() -> Case {
    read("GetAccountGroups", workspace)
        .prepared(|world| {
            async {
                let ids = [group(world).await, json!({ "accountGroupId": unknown_id() }), group(world).await];
                json!({ "accountGroupIds": ids.map(|found| found["accountGroupId"].clone()) })
            }
            .boxed()
        })
        .requires(&["workspaceId", "accountGroupIds"])
        .invalid(|_| json!({ "accountGroupIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn create() -> Case {
    write("CreateAccountGroup", |world| {
        let mut request = workspace(world);
        request["name"] = json!("Knives");
        request["description"] = json!("they buy knives");
        request
    })
    .requires(&["workspaceId", "name"])
    .invalid(|_| json!({ "name": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(|_| json!({ "description": "x".repeat(513) }), "INVALID_FIELD")
}

fn update() -> Case {
    change("UpdateAccountGroup", |world| {
        let mut request = workspace(world);
        request["name"] = json!("Rifles, more of them");
        request["description"] = json!("");
        request
    })
    .invalid(|_| json!({ "name": null, "description": null }), "INVALID_FIELD")
}

fn delete() -> Case {
    change("DeleteAccountGroup", workspace)
}

fn add() -> Case {
    change("AddAccountsToGroup", workspace)
        .prepared(|world| {
            async {
                let mut request = group(world).await;
                request["accountIds"] =
                    json!([world.account(21).await.to_string(), world.account(22).await.to_string()]);
                request
            }
            .boxed()
        })
        .requires(&["workspaceId", "accountGroupId", "accountIds"])
        .not_found(|_| json!({ "accountIds": [unknown_id()] }))
        .invalid(|_| json!({ "accountIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn remove() -> Case {
    change("RemoveAccountsFromGroup", workspace)
        .prepared(|world| {
            async {
                let mut request = group(world).await;
                request["accountIds"] = json!([world.account(20).await.to_string(), unknown_id()]);
                request
            }
            .boxed()
        })
        .requires(&["workspaceId", "accountGroupId", "accountIds"])
        .invalid(|_| json!({ "accountIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}
