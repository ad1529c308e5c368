//! Imports of trading accounts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![list(), get(), batch(), count(), rows(), create(), apply(), cancel(), reveal()]
}

fn workspace(world: &World) -> Value {
    json!({ "workspaceId": world.desk.workspace_id.to_string() })
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request)
        .by(Key::Reader)
        .denies(Key::Bare)
        .denies(Key::Trader)
        .denied(other_workspace, "PERMISSION_DENIED")
}

fn write(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).denies(Key::Reader).denies(Key::Trader).denied(other_workspace, "PERMISSION_DENIED")
}

fn list() -> Case {
    read("ListImports", |world| {
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "limit": 1, "status": "IMPORT_STATUS_CHECKED" })
    })
    .prepared(|world| {
        async {
            world.import(8_001).await;
            json!({})
        }
        .boxed()
    })
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    read("GetImport", workspace)
        .prepared(|world| async { json!({ "importId": world.import(8_002).await.to_string() }) }.boxed())
        .requires(&["workspaceId", "importId"])
        .not_found(|_| json!({ "importId": unknown_id() }))
}

fn batch() -> Case {
    read("GetImports", workspace)
        .prepared(|world| {
            async { json!({ "importIds": [world.import(8_003).await.to_string(), unknown_id()] }) }.boxed()
        })
        .requires(&["workspaceId", "importIds"])
        .invalid(|_| json!({ "importIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountImports", workspace).requires(&["workspaceId"])
}

fn rows() -> Case {
    read("ListImportRows", workspace)
        .prepared(|world| async { json!({ "importId": world.import(8_004).await.to_string() }) }.boxed())
        .requires(&["workspaceId", "importId"])
        .not_found(|_| json!({ "importId": unknown_id() }))
        .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

/// Two accounts as they are uploaded, of which the second has no number.
fn content() -> String {
    let accounts = json!([
        {
            "platform_user_id": "76561198000008005",
            "name": "harbour-1",
            "login_name": "lantern.of.the.harbour",
            "password": "seven lanterns above an import",
            "shared_secret": "AQIDBAUGBwgJCgsMDQ4PEBESExQ=",
        },
        { "name": "harbour-2" },
    ]);
    STANDARD.encode(accounts.to_string())
}

fn create() -> Case {
    write("CreateImport", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "kind": "IMPORT_KIND_ACCOUNTS",
            "format": "IMPORT_FORMAT_JSON",
            "content": content(),
            "passphrase": "seven lanterns of no file",
            "defaults": {
                "limits": { "maxInventory": 900 },
                "capabilities": ["ACCOUNT_CAPABILITY_BUY"],
            },
            "name": "the farm",
        })
    })
    .prepared(|world| {
        async {
            world.acknowledge_risks().await;
            json!({})
        }
        .boxed()
    })
    .needs_step_up()
    .requires(&["workspaceId", "kind", "format", "content"])
    .not_found(|_| json!({ "defaults": { "accountGroupId": unknown_id() } }))
    .invalid(|_| json!({ "kind": 5 }), "INVALID_FIELD")
    .invalid(|_| json!({ "kind": "IMPORT_KIND_HOLDINGS" }), "INVALID_FIELD")
    .invalid(|_| json!({ "kind": "IMPORT_KIND_PURCHASES" }), "INVALID_FIELD")
    .invalid(|_| json!({ "content": STANDARD.encode("{") }), "INVALID_FIELD")
    .invalid(|_| json!({ "content": STANDARD.encode("[]") }), "INVALID_FIELD")
    .invalid(|_| json!({ "content": STANDARD.encode("[{\"unknown\":1}]") }), "INVALID_FIELD")
    .invalid(|_| json!({ "passphrase": "" }), "INVALID_FIELD")
    .invalid(|_| json!({ "name": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(|_| json!({ "defaults": { "limits": { "maxInventory": -1 } } }), "INVALID_FIELD")
}

fn apply() -> Case {
    write("ApplyImport", |world| {
        let mut request = workspace(world);
        request["expectedVersion"] = json!("1");
        request
    })
    .prepared(|world| async { json!({ "importId": world.import(8_006).await.to_string() }) }.boxed())
    .needs_step_up()
    .requires(&["workspaceId", "importId", "expectedVersion"])
    .not_found(|_| json!({ "importId": unknown_id() }))
    .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
    .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn cancel() -> Case {
    write("CancelImport", workspace)
        .prepared(|world| async { json!({ "importId": world.import(8_007).await.to_string() }) }.boxed())
        .requires(&["workspaceId", "importId"])
        .not_found(|_| json!({ "importId": unknown_id() }))
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn reveal() -> Case {
    write("RevealRevocationCode", workspace)
        .prepared(|world| async { json!({ "accountId": world.imported_account(8_008).await.to_string() }) }.boxed())
        .needs_step_up()
        .requires(&["workspaceId", "accountId"])
        .not_found(|_| json!({ "accountId": unknown_id() }))
}
