//! Chats of trading accounts.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, PARTNER, Preparation, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![list(), get(), batch(), count(), messages(), several_messages(), send(), mark_read()]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

/// Reading needs the same right as writing: analytics excludes chats.
fn chat(method: &'static str, prepare: Preparation) -> Case {
    case(method, workspace)
        .denies(Key::Bare)
        .denies(Key::Reader)
        .denies(Key::Trader)
        .denied(|world| json!({ "workspaceId": world.other_desk.workspace_id.to_string() }), "PERMISSION_DENIED")
        .prepared(prepare)
        .requires(&["workspaceId"])
}

fn list() -> Case {
    chat("ListConversations", |world| {
        async {
            world.conversation().await;
            json!({ "limit": 1, "accountId": world.account(1).await.to_string(), "unreadOnly": true })
        }
        .boxed()
    })
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    chat("GetConversation", |world| world.conversation().map(|id| json!({ "conversationId": id.to_string() })).boxed())
        .requires(&["workspaceId", "conversationId"])
        .not_found(|_| json!({ "conversationId": unknown_id() }))
}

fn batch() -> Case {
    chat("GetConversations", |world| {
        world.conversation().map(|id| json!({ "conversationIds": [unknown_id(), id.to_string()] })).boxed()
    })
    .requires(&["workspaceId", "conversationIds"])
    .invalid(|_| json!({ "conversationIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    chat("CountConversations", |world| world.conversation().map(|_| json!({})).boxed())
}

fn messages() -> Case {
    chat("ListMessages", |world| {
        world.conversation().map(|id| json!({ "conversationId": id.to_string(), "limit": 1 })).boxed()
    })
    .requires(&["workspaceId", "conversationId"])
    .not_found(|_| json!({ "conversationId": unknown_id() }))
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn several_messages() -> Case {
    chat("GetMessages", |world| {
        world.chat_message().map(|id| json!({ "messageIds": [unknown_id(), id.to_string()] })).boxed()
    })
    .requires(&["workspaceId", "messageIds"])
    .invalid(|_| json!({ "messageIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn send() -> Case {
    chat("SendMessage", |world| {
        async {
            world.conversation().await;
            json!({
                "accountId": world.account(1).await.to_string(),
                "partner": PARTNER.to_string(),
                "text": "[b]thanks[/b] for the trade of yesterday",
            })
        }
        .boxed()
    })
    .requires(&["workspaceId", "accountId", "partner", "text"])
    .not_found(|_| json!({ "accountId": unknown_id() }))
    .invalid(|_| json!({ "partner": "0" }), "INVALID_FIELD")
    .invalid(|_| json!({ "text": "[b][/b]" }), "INVALID_FIELD")
    .invalid(|_| json!({ "text": "x".repeat(2_001) }), "INVALID_FIELD")
}

fn mark_read() -> Case {
    chat("MarkConversationRead", |world| {
        world.conversation().map(|id| json!({ "conversationId": id.to_string() })).boxed()
    })
    .requires(&["workspaceId", "conversationId"])
    .not_found(|_| json!({ "conversationId": unknown_id() }))
    .invalid(|_| json!({ "until": "9999-01-01T00:00:00Z" }), "INVALID_FIELD")
}
