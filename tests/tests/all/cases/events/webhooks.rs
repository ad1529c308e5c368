//! Webhook endpoints and deliveries.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        types(),
        list(),
        get(),
        batch(),
        count(),
        deliveries(),
        several_deliveries(),
        create(),
        update(),
        enable(),
        disable(),
        delete(),
        rotate(),
        resend(),
        replay(),
        test(),
    ]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denies(Key::Trader).denied(other_workspace, "PERMISSION_DENIED")
}

fn write(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).denies(Key::Reader).denies(Key::Trader).denied(other_workspace, "PERMISSION_DENIED")
}

/// Prepares the endpoint that is disabled.
fn of_endpoint(case: Case) -> Case {
    case.prepared(|world| async { json!({ "endpointId": world.webhook_endpoint().await.to_string() }) }.boxed())
        .requires(&["workspaceId", "endpointId"])
        .not_found(|_| json!({ "endpointId": unknown_id() }))
}

/// What every change of an endpoint has in common.
fn change(case: Case) -> Case {
    case.fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn types() -> Case {
    read("ListEventTypes", workspace).requires(&["workspaceId"])
}

fn list() -> Case {
    read("ListWebhookEndpoints", |world| {
        let workspace_id = world.desk.workspace_id.to_string();
        json!({ "workspaceId": workspace_id, "limit": 1, "status": "WEBHOOK_ENDPOINT_STATUS_DISABLED" })
    })
    .prepared(|world| {
        async {
            world.webhook_endpoint().await;
            json!({})
        }
        .boxed()
    })
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    of_endpoint(read("GetWebhookEndpoint", workspace))
}

fn batch() -> Case {
    read("GetWebhookEndpoints", workspace)
        .prepared(|world| {
            async { json!({ "endpointIds": [unknown_id(), world.webhook_endpoint().await.to_string()] }) }.boxed()
        })
        .requires(&["workspaceId", "endpointIds"])
        .invalid(|_| json!({ "endpointIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountWebhookEndpoints", workspace)
        .prepared(|world| {
            async {
                world.webhook_endpoint().await;
                json!({})
            }
            .boxed()
        })
        .requires(&["workspaceId"])
}

fn deliveries() -> Case {
    read("ListWebhookDeliveries", |world| {
        let workspace_id = world.desk.workspace_id.to_string();
        json!({ "workspaceId": workspace_id, "limit": 1, "state": "WEBHOOK_DELIVERY_STATE_PENDING" })
    })
    .prepared(|world| {
        async {
            world.webhook_delivery().await;
            json!({ "endpointId": world.webhook_endpoint().await.to_string() })
        }
        .boxed()
    })
    .requires(&["workspaceId", "endpointId"])
    .not_found(|_| json!({ "endpointId": unknown_id() }))
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
    .invalid(|_| json!({ "type": "purchase.nonsense" }), "INVALID_FIELD")
    .invalid(|_| json!({ "from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z" }), "INVALID_FIELD")
}

fn several_deliveries() -> Case {
    read("GetWebhookDeliveries", workspace)
        .prepared(|world| {
            async { json!({ "deliveryIds": [unknown_id(), world.webhook_delivery().await.to_string()] }) }.boxed()
        })
        .requires(&["workspaceId", "deliveryIds"])
        .invalid(|_| json!({ "deliveryIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn create() -> Case {
    write("CreateWebhookEndpoint", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "url": "https://hook.example.com/new",
            "description": "a new receiver",
            "types": ["purchase.*", "contract.suspended"],
            "disabled": true,
        })
    })
    .needs_step_up()
    .requires(&["workspaceId", "url", "types"])
    .invalid(|_| json!({ "url": "http://hook.example.com/new" }), "INVALID_FIELD")
    .invalid(|_| json!({ "url": "x".repeat(501) }), "INVALID_FIELD")
    .invalid(|_| json!({ "description": "x".repeat(201) }), "INVALID_FIELD")
    .invalid(|_| json!({ "types": ["purchase.nonsense"] }), "INVALID_FIELD")
    .invalid(|_| json!({ "types": vec!["*"; 51] }), "INVALID_FIELD")
}

fn update() -> Case {
    let request = write("UpdateWebhookEndpoint", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "url": "https://hook.example.com/moved",
            "description": "",
            "types": ["purchase.*"],
        })
    });
    change(of_endpoint(request))
        .needs_step_up()
        .invalid(|_| json!({ "url": null, "description": null, "types": null }), "INVALID_FIELD")
        .invalid(|_| json!({ "url": "http://hook.example.com/moved" }), "INVALID_FIELD")
        .invalid(|_| json!({ "description": "x".repeat(201) }), "INVALID_FIELD")
        .invalid(|_| json!({ "types": ["nonsense"] }), "INVALID_FIELD")
}

fn enable() -> Case {
    change(of_endpoint(write("EnableWebhookEndpoint", workspace)))
}

fn disable() -> Case {
    let active = write("DisableWebhookEndpoint", workspace);
    let active = active.prepared(|world| {
        async { json!({ "endpointId": world.new_webhook_endpoint(false).await.to_string() }) }.boxed()
    });
    change(active).requires(&["workspaceId", "endpointId"]).not_found(|_| json!({ "endpointId": unknown_id() }))
}

fn delete() -> Case {
    change(of_endpoint(write("DeleteWebhookEndpoint", workspace)))
}

fn rotate() -> Case {
    of_endpoint(write("RotateWebhookSecret", workspace))
        .needs_step_up()
        .invalid(|_| json!({ "overlapSeconds": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "overlapSeconds": 86_401 }), "INVALID_FIELD")
}

fn resend() -> Case {
    write("ResendWebhookDelivery", workspace)
        .prepared(|world| {
            async {
                let endpoint_id = world.webhook_endpoint().await;
                let tested = world.tested_delivery_of(world.desk.workspace_id, endpoint_id).await;
                json!({ "deliveryId": tested.to_string() })
            }
            .boxed()
        })
        .requires(&["workspaceId", "deliveryId"])
        .not_found(|_| json!({ "deliveryId": unknown_id() }))
}

fn replay() -> Case {
    of_endpoint(write("ReplayWebhookEvents", |world| {
        use tradepost_ports::clock::Clock as _;
        let from = world.clock.now().plus(-time::Duration::DAY);
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "from": from.to_string(), "types": ["contract.*"] })
    }))
    .requires(&["workspaceId", "endpointId", "from"])
    .invalid(|_| json!({ "from": "2020-01-01T00:00:00Z" }), "INVALID_FIELD")
    .invalid(|_| json!({ "to": "2020-01-01T00:00:00Z" }), "INVALID_FIELD")
    .invalid(|_| json!({ "types": ["nonsense"] }), "INVALID_FIELD")
}

fn test() -> Case {
    of_endpoint(write("SendTestEvent", workspace))
}
