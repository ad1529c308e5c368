//! The life of API keys, and the name of their workspace.

use futures::future::{BoxFuture, FutureExt as _};
use serde_json::{Value, json};
use tradepost_operations::Code;

use crate::cases::{Case, case, merged};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![update(), rotate(), report(), update_workspace()]
}

fn key(world: &World, key: Key) -> Value {
    json!({ "apiKeyId": world.people.keys.id(key).to_string() })
}

/// What every operation on a key of the caller's workspace has in common.
fn of_a_key(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request)
        .requires(&["apiKeyId"])
        .denies(Key::Trader)
        .not_found(|_| json!({ "apiKeyId": unknown_id() }))
        .not_found(|world| key(world, Key::Other))
        .fails(|world| key(world, Key::Revoked), "API_KEY_REVOKED")
        .fails(|world| key(world, Key::Expired), "API_KEY_EXPIRED")
        .needs_step_up()
}

fn update() -> Case {
    of_a_key("UpdateAPIKey", |world| {
        json!({
            "apiKeyId": world.people.keys.id(Key::Reader).to_string(),
            "name": "Office",
            "policies": ["analytics", "trading"],
            "expiresAt": "2026-03-01T00:00:00Z",
            "allowedCidrs": ["192.0.2.0/24", "2001:db8::7"],
        })
    })
    .denied(|_| json!({ "policies": ["identity"] }), "IDENTITY_NEEDS_SIGN_IN")
    .denied(|world| merged(key(world, Key::Member), &json!({ "policies": ["workspace"] })), "POLICIES_EXCEED_OWNER")
    .fails(|_| json!({ "expectedVersion": "7" }), "VERSION_MISMATCH")
    .fails(|_| json!({ "expiresAt": "2026-01-01T00:00:00Z" }), "EXPIRY_IN_PAST")
    .fails(|_| json!({ "expiresAt": "2096-01-01T00:00:00Z" }), "EXPIRY_TOO_FAR")
    .invalid(|_| json!({ "name": " \t" }), "INVALID_FIELD")
    .invalid(|_| json!({ "neverExpires": true }), "INVALID_FIELD")
    .invalid(|_| json!({ "noPolicies": true }), "INVALID_FIELD")
    .invalid(|_| json!({ "anyNetwork": true }), "INVALID_FIELD")
    .invalid(|_| json!({ "policies": ["omnipotence"] }), "UNKNOWN_POLICY")
    .invalid(|_| json!({ "allowedCidrs": ["the office"] }), "INVALID_FIELD")
    .invalid(|_| json!({ "allowedCidrs": ["192.0.2.7/24"] }), "INVALID_FIELD")
    .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
    .invalid(|_| json!({ "name": null, "policies": null, "expiresAt": null, "allowedCidrs": null }), "INVALID_FIELD")
}

fn rotate() -> Case {
    of_a_key(
        "RotateAPIKey",
        |world| json!({ "apiKeyId": world.people.keys.id(Key::Reader).to_string(), "overlapSeconds": 3600 }),
    )
    .denied(|world| key(world, Key::Member), "KEY_OF_ANOTHER")
    .invalid(|_| json!({ "overlapSeconds": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "overlapSeconds": 604_801 }), "INVALID_FIELD")
}

fn report() -> Case {
    case("ReportLeakedAPIKey", |world| json!({ "tokens": ["tpk_nonsense", world.token(Key::Trader)] }))
        .requires(&["tokens"])
        .invalid(|_| json!({ "tokens": vec!["tpk_nonsense"; 101] }), "INVALID_FIELD")
}

/// A limit of the life of keys is set, which only a second factor makes longer.
fn limited_life_of_keys(world: &World) -> BoxFuture<'_, Value> {
    async {
        let workspace_id = world.people.workspace_id.to_string();
        let limit = json!({ "workspaceId": workspace_id, "maxApiKeyLifetimeDays": 90 });
        world.call(Key::Unproven, "UpdateWorkspace", &limit).await.ok();
        json!({})
    }
    .boxed()
}

fn update_workspace() -> Case {
    case("UpdateWorkspace", |world| {
        json!({ "workspaceId": world.people.workspace_id.to_string(), "name": "Floor", "description": "Where we trade", "timeZone": "asia/shanghai", "maxApiKeyLifetimeDays": 90 })
    })
    .prepared(limited_life_of_keys)
    .requires(&["workspaceId"])
    .denies(Key::Reader)
    .refuses(
        Key::Unproven,
        |_| json!({ "maxApiKeyLifetimeDays": 91 }),
        Code::FailedPrecondition,
        "STEP_UP_REQUIRED",
    )
    .denied(|world| json!({ "workspaceId": world.people.other_workspace_id.to_string() }), "PERMISSION_DENIED")
    .fails(|_| json!({ "expectedVersion": "7" }), "VERSION_MISMATCH")
    .invalid(|_| json!({ "name": "" }), "INVALID_FIELD")
    .invalid(|_| json!({ "description": "x".repeat(513) }), "INVALID_FIELD")
    .invalid(|_| json!({ "timeZone": "Europe/Atlantis" }), "INVALID_FIELD")
    .fails(|_| json!({ "requireTwoFactor": true }), "MEMBERS_WITHOUT_TWO_FACTOR")
    .invalid(|_| json!({ "maxApiKeyLifetimeDays": 3651 }), "INVALID_FIELD")
    .invalid(|_| json!({ "name": null, "description": null, "timeZone": null, "maxApiKeyLifetimeDays": null }), "INVALID_FIELD")
}
