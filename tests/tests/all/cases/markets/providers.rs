//! Providers, and what would be left of a sale there.

use futures::future::FutureExt as _;
use serde_json::{Value, json};
use tradepost_operations::markets::DisableProvider;
use tradepost_operations::{Caller, Code};

use crate::cases::{Case, case};
use crate::harness::{Key, TESTED, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        list(),
        get(),
        batch(),
        drivers(),
        create(),
        update(),
        disable(),
        enable(),
        delete(),
        test(),
        health(),
        estimate(),
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

/// What every change of a provider has in common.
fn change(case: Case) -> Case {
    case.requires(&["workspaceId", "providerId"])
        .not_found(|_| json!({ "providerId": unknown_id() }))
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

/// Prepares a provider of its own for a change.
fn of_its_own(case: Case) -> Case {
    case.prepared(|world| async { json!({ "providerId": world.provider("changed").await.to_string() }) }.boxed())
}

/// Prepares a provider of which something was seen.
fn seen(case: Case) -> Case {
    case.prepared(|world| async { json!({ "providerId": world.seen_provider("seen").await.to_string() }) }.boxed())
}

fn list() -> Case {
    read("ListProviders", |world| {
        let workspace_id = world.desk.workspace_id.to_string();
        json!({ "workspaceId": workspace_id, "limit": 1, "kind": "PROVIDER_KIND_MARKETPLACE" })
    })
    .prepared(|world| {
        async {
            world.seen_provider("seen").await;
            json!({})
        }
        .boxed()
    })
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    seen(read("GetProvider", workspace))
        .requires(&["workspaceId", "providerId"])
        .not_found(|_| json!({ "providerId": unknown_id() }))
}

fn batch() -> Case {
    read("GetProviders", workspace)
        .prepared(|world| {
            async {
                let (seen, plain) = (world.seen_provider("seen").await, world.provider("unseen").await);
                json!({ "providerIds": [plain.to_string(), unknown_id(), seen.to_string()] })
            }
            .boxed()
        })
        .requires(&["workspaceId", "providerIds"])
        .invalid(|_| json!({ "providerIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn drivers() -> Case {
    read("ListProviderDrivers", workspace).requires(&["workspaceId"])
}

fn create() -> Case {
    write("CreateProvider", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "kind": "PROVIDER_KIND_MARKETPLACE",
            "driver": "example",
            "name": "market-2",
            "currency": "EUR",
            "settings": [{ "name": "customer", "value": "desk" }, { "name": "region", "value": "north" }],
            "credentials": [{ "name": "apiKey", "secret": "nine bridges over the canal" }],
        })
    })
    .prepared(|world| {
        async {
            world.provider("market-1").await;
            world.acknowledge_risks().await;
            json!({})
        }
        .boxed()
    })
    .needs_step_up()
    .requires(&["workspaceId", "kind", "driver", "name", "currency"])
    .exists(|_| json!({ "name": "market-1" }), "PROVIDER_EXISTS")
    .fails(|_| json!({ "driver": "nobody" }), "UNKNOWN_DRIVER")
    .invalid(|_| json!({ "kind": "PROVIDER_KIND_GAME_PLATFORM" }), "INVALID_FIELD")
    .invalid(|_| json!({ "name": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(|_| json!({ "currency": "euro" }), "INVALID_FIELD")
    .invalid(|_| json!({ "settings": [{ "name": "region", "value": "north" }] }), "INVALID_FIELD")
    .invalid(|_| json!({ "settings": [{ "name": "customer", "value": "" }] }), "INVALID_FIELD")
    .invalid(|_| json!({ "credentials": [] }), "INVALID_FIELD")
    .invalid(|_| json!({ "credentials": [{ "name": "apiKey", "secret": "x".repeat(4_097) }] }), "INVALID_FIELD")
}

fn update() -> Case {
    let request = write("UpdateProvider", |world| {
        let mut request = workspace(world);
        request["settings"] = json!([{ "name": "customer", "value": "another desk" }]);
        request
    });
    change(of_its_own(request))
        .refuses(
            Key::Unproven,
            |_| json!({ "credentials": [{ "name": "apiKey", "secret": "twelve bells at midnight" }] }),
            Code::FailedPrecondition,
            "STEP_UP_REQUIRED",
        )
        .needs_step_up()
        .invalid(|_| json!({ "settings": null }), "INVALID_FIELD")
        .invalid(|_| json!({ "noSettings": true }), "INVALID_FIELD")
        .invalid(|_| json!({ "settings": null, "noSettings": true }), "INVALID_FIELD")
        .invalid(|_| json!({ "settings": [{ "name": "customer", "value": "x".repeat(513) }] }), "INVALID_FIELD")
}

fn disable() -> Case {
    let request = write("DisableProvider", |world| {
        let mut request = workspace(world);
        request["reason"] = json!("its fees went up");
        request
    });
    change(of_its_own(request)).invalid(|_| json!({ "reason": "x".repeat(513) }), "INVALID_FIELD")
}

fn enable() -> Case {
    let request = write("EnableProvider", workspace).prepared(|world| {
        async {
            let (workspace_id, provider_id) = (world.desk.workspace_id, world.provider("changed").await);
            let command = DisableProvider { workspace_id, provider_id, reason: None, expected_version: None };
            drop(world.app.operations().disable_provider(&Caller::system(), command).await);
            json!({ "providerId": provider_id.to_string() })
        }
        .boxed()
    });
    change(request)
}

fn delete() -> Case {
    change(of_its_own(write("DeleteProvider", workspace)))
}

fn test() -> Case {
    write("TestProvider", workspace)
        .prepared(|world| async { json!({ "providerId": world.provider(TESTED).await.to_string() }) }.boxed())
        .requires(&["workspaceId", "providerId"])
        .not_found(|_| json!({ "providerId": unknown_id() }))
}

fn health() -> Case {
    seen(read("GetProviderHealth", workspace))
        .requires(&["workspaceId", "providerId"])
        .not_found(|_| json!({ "providerId": unknown_id() }))
}

fn estimate() -> Case {
    read("EstimateSale", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "variant": { "marketHashName": "AK-47 | Redline (Field-Tested)" },
            "marketplace": "seen",
            "priceCents": "1234",
        })
    })
    .prepared(|world| {
        async {
            world.seen_provider("seen").await;
            world.provider("unseen").await;
            json!({})
        }
        .boxed()
    })
    .requires(&["workspaceId", "variant", "marketplace", "priceCents"])
    .not_found(|_| json!({ "marketplace": "nowhere" }))
    .not_found(|_| json!({ "variant": null, "inventoryItemId": unknown_id() }))
    .fails(|_| json!({ "marketplace": "unseen" }), "FEES_UNKNOWN")
    .invalid(|_| json!({ "variant": { "marketHashName": "" } }), "INVALID_FIELD")
    .invalid(|_| json!({ "inventoryItemId": unknown_id() }), "INVALID_FIELD")
    .invalid(|_| json!({ "priceCents": "-1" }), "INVALID_FIELD")
}
