//! Alert channels, rules and messages.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        list(),
        get(),
        batch(),
        count(),
        create(),
        update(),
        enable(),
        disable(),
        delete(),
        test(),
        rules(),
        rule(),
        several_rules(),
        count_rules(),
        create_rule(),
        update_rule(),
        delete_rule(),
        messages(),
        several_messages(),
    ]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denied(other_workspace, "PERMISSION_DENIED")
}

fn write(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).denies(Key::Reader).denies(Key::Trader).denied(other_workspace, "PERMISSION_DENIED")
}

/// Prepares the channel that is disabled.
fn of_channel(case: Case) -> Case {
    case.prepared(|world| async { json!({ "channelId": world.alert_channel().await.to_string() }) }.boxed())
        .requires(&["workspaceId", "channelId"])
        .not_found(|_| json!({ "channelId": unknown_id() }))
}

/// Prepares a rule of that channel.
fn of_rule(case: Case) -> Case {
    case.prepared(|world| async { json!({ "ruleId": world.alert_rule().await.to_string() }) }.boxed())
        .requires(&["workspaceId", "ruleId"])
        .not_found(|_| json!({ "ruleId": unknown_id() }))
}

/// What every change of a channel or rule has in common.
fn change(case: Case) -> Case {
    case.fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

/// What every list has in common.
fn paged(case: Case) -> Case {
    case.invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn list() -> Case {
    let listed = read("ListAlertChannels", |world| {
        let workspace_id = world.desk.workspace_id.to_string();
        json!({ "workspaceId": workspace_id, "limit": 1, "status": "ALERT_CHANNEL_STATUS_DISABLED" })
    });
    let listed = listed.prepared(|world| {
        async {
            world.alert_channel().await;
            json!({})
        }
        .boxed()
    });
    paged(listed.requires(&["workspaceId"]))
}

fn get() -> Case {
    of_channel(read("GetAlertChannel", workspace))
}

fn batch() -> Case {
    read("GetAlertChannels", workspace)
        .prepared(|world| {
            async { json!({ "channelIds": [unknown_id(), world.alert_channel().await.to_string()] }) }.boxed()
        })
        .requires(&["workspaceId", "channelIds"])
        .invalid(|_| json!({ "channelIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountAlertChannels", workspace)
        .prepared(|world| {
            async {
                world.alert_channel().await;
                json!({})
            }
            .boxed()
        })
        .requires(&["workspaceId"])
}

fn create() -> Case {
    write("CreateAlertChannel", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "kind": "ALERT_CHANNEL_KIND_TELEGRAM",
            "name": "night shift",
            "target": "-1001234",
            "secret": "42:token",
        })
    })
    .needs_step_up()
    .requires(&["workspaceId", "kind", "name", "target", "secret"])
    .invalid(|_| json!({ "name": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(|_| json!({ "kind": "ALERT_CHANNEL_KIND_MAIL" }), "INVALID_FIELD")
    .invalid(|_| json!({ "kind": "ALERT_CHANNEL_KIND_DISCORD" }), "INVALID_FIELD")
}

fn update() -> Case {
    let request = write("UpdateAlertChannel", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "name": "day shift",
            "target": "https://alert.example.com/moved",
        })
    });
    change(of_channel(request))
        .needs_step_up()
        .invalid(|_| json!({ "name": null, "target": null }), "INVALID_FIELD")
        .invalid(|_| json!({ "name": "" }), "INVALID_FIELD")
        .invalid(|_| json!({ "target": "http://alert.example.com" }), "INVALID_FIELD")
        .invalid(|_| json!({ "secret": "mine" }), "INVALID_FIELD")
}

fn enable() -> Case {
    change(of_channel(write("EnableAlertChannel", workspace)))
}

fn disable() -> Case {
    let active = write("DisableAlertChannel", workspace).prepared(|world| {
        async {
            let channel = world.alert_channel_of(world.desk.workspace_id, false).await;
            json!({ "channelId": channel.to_string() })
        }
        .boxed()
    });
    change(active).requires(&["workspaceId", "channelId"]).not_found(|_| json!({ "channelId": unknown_id() }))
}

fn delete() -> Case {
    change(of_channel(write("DeleteAlertChannel", workspace)))
}

fn test() -> Case {
    of_channel(write("SendTestAlert", workspace))
}

fn rules() -> Case {
    let listed = read("ListAlertRules", workspace).prepared(|world| {
        async {
            world.alert_rule().await;
            json!({ "channelId": world.alert_channel().await.to_string() })
        }
        .boxed()
    });
    paged(listed).requires(&["workspaceId", "channelId"]).not_found(|_| json!({ "channelId": unknown_id() }))
}

fn rule() -> Case {
    of_rule(read("GetAlertRule", workspace))
}

fn several_rules() -> Case {
    read("GetAlertRules", workspace)
        .prepared(|world| async { json!({ "ruleIds": [unknown_id(), world.alert_rule().await.to_string()] }) }.boxed())
        .requires(&["workspaceId", "ruleIds"])
        .invalid(|_| json!({ "ruleIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count_rules() -> Case {
    of_channel(read("CountAlertRules", workspace))
}

/// A rule with every field.
fn with_terms(world: &World) -> Value {
    json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "topics": ["ALERT_TOPIC_PROBLEM", "ALERT_TOPIC_HALT"],
        "urgentTopics": ["ALERT_TOPIC_HALT"],
        "problemKinds": ["REMEDIATION_KIND_MISSING_ITEM"],
        "minSeverity": "REMEDIATION_SEVERITY_CRITICAL",
        "silentMinutes": 30,
        "pace": "ALERT_PACE_HOURLY",
        "timeZone": "Europe/Zurich",
        "quietFrom": "22:00",
        "quietTo": "07:00",
        "dailyAt": "09:00",
    })
}

fn terms(case: Case) -> Case {
    case.invalid(|_| json!({ "topics": [] }), "INVALID_FIELD")
        .invalid(|_| json!({ "urgentTopics": ["ALERT_TOPIC_SOLD"] }), "INVALID_FIELD")
        .invalid(|_| json!({ "silentMinutes": 1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "timeZone": "Mars/Base" }), "INVALID_FIELD")
        .invalid(|_| json!({ "quietTo": "22:00" }), "INVALID_FIELD")
        .invalid(|_| json!({ "dailyAt": "24:00" }), "INVALID_FIELD")
}

fn create_rule() -> Case {
    terms(of_channel(write("CreateAlertRule", with_terms)))
}

fn update_rule() -> Case {
    terms(change(of_rule(write("UpdateAlertRule", with_terms))))
}

fn delete_rule() -> Case {
    change(of_rule(write("DeleteAlertRule", workspace)))
}

fn messages() -> Case {
    let listed = read("ListAlertMessages", |world| {
        let workspace_id = world.desk.workspace_id.to_string();
        json!({ "workspaceId": workspace_id, "state": "ALERT_MESSAGE_STATE_SENT", "topic": "ALERT_TOPIC_TEST" })
    });
    let listed = listed.prepared(|world| {
        async {
            world.alert_message().await;
            json!({ "channelId": world.alert_channel().await.to_string() })
        }
        .boxed()
    });
    paged(listed).requires(&["workspaceId", "channelId"]).not_found(|_| json!({ "channelId": unknown_id() }))
}

fn several_messages() -> Case {
    read("GetAlertMessages", workspace)
        .prepared(|world| {
            async { json!({ "messageIds": [unknown_id(), world.alert_message().await.to_string()] }) }.boxed()
        })
        .requires(&["workspaceId", "messageIds"])
        .invalid(|_| json!({ "messageIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}
