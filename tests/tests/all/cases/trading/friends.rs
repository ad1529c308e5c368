//! Friends of trading accounts.

use futures::future::FutureExt as _;
use serde_json::{Value, json};
use tradepost_domain::trading::friend::FriendRelation;

use crate::cases::{Case, case};
use crate::harness::{Key, Preparation, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![list(), get(), batch(), count(), add(), accept(), remove(), block(), unblock(), refresh()]
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
        .prepared(|world| world.friend(FriendRelation::Friend).map(|_| json!({})).boxed())
        .requires(&["workspaceId"])
}

fn write(method: &'static str, prepare: Preparation) -> Case {
    case(method, workspace)
        .denies(Key::Reader)
        .denies(Key::Trader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .prepared(prepare)
}

/// A change of a friend that is on record.
fn change(method: &'static str, prepare: Preparation) -> Case {
    write(method, prepare)
        .requires(&["workspaceId", "friendId"])
        .not_found(|_| json!({ "friendId": unknown_id() }))
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn list() -> Case {
    read("ListFriends")
        .prepared(|world| {
            async {
                world.friend(FriendRelation::Friend).await;
                let account = world.account(1).await.to_string();
                json!({ "limit": 1, "accountId": account, "relation": "FRIEND_RELATION_FRIEND" })
            }
            .boxed()
        })
        .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    read("GetFriend")
        .prepared(|world| world.friend(FriendRelation::Friend).map(|id| json!({ "friendId": id.to_string() })).boxed())
        .requires(&["workspaceId", "friendId"])
        .not_found(|_| json!({ "friendId": unknown_id() }))
}

fn batch() -> Case {
    read("GetFriends")
        .prepared(|world| {
            world
                .friend(FriendRelation::Friend)
                .map(|id| json!({ "friendIds": [unknown_id(), id.to_string()] }))
                .boxed()
        })
        .requires(&["workspaceId", "friendIds"])
        .invalid(|_| json!({ "friendIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountFriends")
}

fn add() -> Case {
    write("AddFriend", |world| {
        async {
            world.friend(FriendRelation::Friend).await;
            let account = world.account(1).await.to_string();
            json!({ "accountId": account, "platformUserId": "705", "note": "met at a trade" })
        }
        .boxed()
    })
    .requires(&["workspaceId", "accountId", "platformUserId"])
    .not_found(|_| json!({ "accountId": unknown_id() }))
    .fails(|_| json!({ "platformUserId": "702" }), "ILLEGAL_STEP")
    .fails(|_| json!({ "platformUserId": "704" }), "ILLEGAL_STEP")
    .invalid(|_| json!({ "platformUserId": "0" }), "INVALID_FIELD")
    .invalid(|_| json!({ "platformUserId": "76561198000000001" }), "INVALID_FIELD")
    .invalid(|_| json!({ "note": "x".repeat(513) }), "INVALID_FIELD")
}

fn accept() -> Case {
    change("AcceptFriend", |world| {
        world.friend(FriendRelation::TheyAsked).map(|id| json!({ "friendId": id.to_string() })).boxed()
    })
}

fn remove() -> Case {
    change("RemoveFriend", |world| {
        world.friend(FriendRelation::Friend).map(|id| json!({ "friendId": id.to_string() })).boxed()
    })
}

fn block() -> Case {
    change("BlockFriend", |world| {
        world.friend(FriendRelation::WeAsked).map(|id| json!({ "friendId": id.to_string() })).boxed()
    })
}

fn unblock() -> Case {
    change("UnblockFriend", |world| {
        world.friend(FriendRelation::Blocked).map(|id| json!({ "friendId": id.to_string() })).boxed()
    })
}

fn refresh() -> Case {
    write("RefreshFriends", |world| world.account(1).map(|id| json!({ "accountId": id.to_string() })).boxed())
        .requires(&["workspaceId", "accountId"])
        .not_found(|_| json!({ "accountId": unknown_id() }))
}
