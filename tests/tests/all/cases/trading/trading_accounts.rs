//! Trading accounts.

use futures::future::FutureExt as _;
use serde_json::{Value, json};
use tradepost_operations::Caller;
use tradepost_operations::trading::{DisableAccount, DisableGiving, EnableGiving};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    let reads = [list(), get(), batch(), count(), login_code(), readiness()];
    let writes = [create(), update(), disable(), enable(), remove(), bulk(), acknowledge(), refresh(), renew()];
    reads.into_iter().chain(writes).chain([enable_giving(), disable_giving()]).collect()
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

/// What every change of an account has in common.
fn change(case: Case) -> Case {
    case.requires(&["workspaceId", "accountId"])
        .not_found(|_| json!({ "accountId": unknown_id() }))
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn list() -> Case {
    read("ListAccounts", |world| {
        let workspace_id = world.desk.workspace_id.to_string();
        json!({ "workspaceId": workspace_id, "limit": 1, "status": "ACCOUNT_STATUS_NEW" })
    })
    .prepared(|world| {
        async {
            world.account(1).await;
            json!({})
        }
        .boxed()
    })
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    read("GetAccount", workspace)
        .prepared(|world| async { json!({ "accountId": world.account(1).await.to_string() }) }.boxed())
        .requires(&["workspaceId", "accountId"])
        .not_found(|_| json!({ "accountId": unknown_id() }))
}

fn batch() -> Case {
    read("GetAccounts", workspace)
        .prepared(|world| {
            async {
                let ids = [world.account(2).await.to_string(), unknown_id(), world.account(1).await.to_string()];
                json!({ "accountIds": ids })
            }
            .boxed()
        })
        .requires(&["workspaceId", "accountIds"])
        .invalid(|_| json!({ "accountIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountAccounts", workspace).requires(&["workspaceId"])
}

fn secrets() -> Value {
    json!({
        "loginName": "trader.number.three",
        "password": "seven lanterns above the harbour",
        "sharedSecret": "c2hhcmVkIHNlY3JldCBvZiBhIHRlc3Q=",
        "identitySecret": "aWRlbnRpdHkgc2VjcmV0IG9mIGEgdGVzdA==",
        "apiKey": "0123456789ABCDEF0123456789ABCDEF",
    })
}

async fn acknowledged(world: &World) -> Value {
    world.acknowledge_risks().await;
    json!({})
}

fn create() -> Case {
    write("CreateAccount", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "name": "account-3",
            "platform": "steam",
            "platformUserId": "76561198000000003",
            "tradeToken": "AbCdEfGh",
            "capabilities": ["ACCOUNT_CAPABILITY_BUY", "ACCOUNT_CAPABILITY_STORE"],
            "limits": { "maxInventory": 900, "maxOpenPurchases": 10, "minBalanceCents": "5000" },
            "secrets": secrets(),
        })
    })
    .prepared(|world| acknowledged(world).boxed())
    .needs_step_up()
    .requires(&["workspaceId", "name", "platform", "platformUserId"])
    .invalid(|_| json!({ "name": "x".repeat(65) }), "INVALID_FIELD")
    .invalid(|_| json!({ "platformUserId": "0" }), "INVALID_FIELD")
    .invalid(|_| json!({ "platformUserId": "007" }), "INVALID_FIELD")
    .invalid(|_| json!({ "tradeToken": "" }), "INVALID_FIELD")
    .invalid(|_| json!({ "limits": { "maxInventory": -1 } }), "INVALID_FIELD")
    .invalid(|_| json!({ "limits": { "minBalanceCents": "-1" } }), "INVALID_FIELD")
    .invalid(|_| json!({ "givingLimits": { "maxGiveCentsPerDay": "-1" } }), "INVALID_FIELD")
    .invalid(|_| json!({ "secrets": { "password": "" } }), "INVALID_FIELD")
    .invalid(|_| json!({ "secrets": { "password": "x".repeat(1_025) } }), "INVALID_FIELD")
    .invalid(|_| json!({ "capabilities": ["ACCOUNT_CAPABILITY_UNSPECIFIED"] }), "INVALID_FIELD")
}

fn update() -> Case {
    let request = write("UpdateAccount", |world| {
        let mut request = workspace(world);
        request["tradeToken"] = json!("HgFeDcBa");
        request["capabilities"] = json!(["ACCOUNT_CAPABILITY_SELL"]);
        request["limits"] = json!({ "maxOpenPurchases": 3 });
        request
    })
    .prepared(|world| {
        async {
            let account_id = world.account(4).await;
            // With secrets, it is refused before.
            world.acknowledge_risks().await;
            json!({ "accountId": account_id.to_string() })
        }
        .boxed()
    });
    change(request)
        .refuses(
            Key::Unproven,
            |_| json!({ "secrets": secrets() }),
            tradepost_operations::Code::FailedPrecondition,
            "STEP_UP_REQUIRED",
        )
        .refuses(
            Key::Unproven,
            |_| json!({ "givingLimits": { "maxGiveCentsPerHour": "5000" } }),
            tradepost_operations::Code::FailedPrecondition,
            "STEP_UP_REQUIRED",
        )
        .invalid(|_| json!({ "tradeToken": null, "capabilities": null, "limits": null }), "INVALID_FIELD")
        .invalid(|_| json!({ "givingLimits": { "maxGiveCentsPerDay": "-1" } }), "INVALID_FIELD")
        .invalid(|_| json!({ "limits": { "maxOpenPurchases": -1 } }), "INVALID_FIELD")
}

fn disable() -> Case {
    let request = write("DisableAccount", |world| {
        let mut request = workspace(world);
        request["reason"] = json!("its phone was lost");
        request
    })
    .prepared(|world| async { json!({ "accountId": world.ready_account(5).await.to_string() }) }.boxed());
    change(request).invalid(|_| json!({ "reason": "x".repeat(513) }), "INVALID_FIELD")
}

fn enable() -> Case {
    let request = write("EnableAccount", workspace).prepared(|world| {
        async {
            let (workspace_id, account_id) = (world.desk.workspace_id, world.account(6).await);
            let command = DisableAccount { workspace_id, account_id, reason: None, expected_version: None };
            drop(world.app.operations().disable_account(&Caller::system(), command).await);
            json!({ "accountId": account_id.to_string() })
        }
        .boxed()
    });
    change(request)
}

fn remove() -> Case {
    let request = write("RemoveAccount", workspace)
        .prepared(|world| async { json!({ "accountId": world.account(7).await.to_string() }) }.boxed());
    change(request).needs_step_up()
}

fn bulk() -> Case {
    write("BulkAccounts", |world| {
        let mut request = workspace(world);
        request["action"] = json!("ACCOUNT_ACTION_DISABLE");
        request["reason"] = json!("the office moves");
        request
    })
    .prepared(|world| {
        async {
            let ids = [world.ready_account(9).await.to_string(), unknown_id()];
            // Without it no session is started.
            world.acknowledge_risks().await;
            json!({ "accountIds": ids })
        }
        .boxed()
    })
    .refuses(
        Key::Unproven,
        |_| json!({ "action": "ACCOUNT_ACTION_START_SESSION", "reason": null }),
        tradepost_operations::Code::FailedPrecondition,
        "STEP_UP_REQUIRED",
    )
    .requires(&["workspaceId", "accountIds", "action"])
    .not_found(|_| json!({ "accountIds": [], "accountGroupId": unknown_id() }))
    .invalid(|_| json!({ "accountIds": vec![unknown_id(); 101] }), "INVALID_FIELD")
    .invalid(|_| json!({ "accountGroupId": unknown_id() }), "INVALID_FIELD")
    .invalid(|_| json!({ "reason": "x".repeat(513) }), "INVALID_FIELD")
    .invalid(|_| json!({ "action": "ACCOUNT_ACTION_START_SESSION" }), "INVALID_FIELD")
}

fn acknowledge() -> Case {
    write("AcknowledgeTradeProtection", workspace)
        .prepared(|world| {
            async {
                let ids = [world.new_account(10).await.to_string(), unknown_id()];
                json!({ "accountIds": ids })
            }
            .boxed()
        })
        .needs_step_up()
        .requires(&["workspaceId", "accountIds"])
        .invalid(|_| json!({ "accountIds": vec![unknown_id(); 101] }), "INVALID_FIELD")
}

fn enable_giving() -> Case {
    let request = write("EnableGiving", workspace).prepared(|world| {
        async {
            let (workspace_id, account_id) = (world.desk.workspace_id, world.account(13).await);
            let command = DisableGiving { workspace_id, account_id, expected_version: None };
            drop(world.app.operations().disable_giving(&Caller::system(), command).await);
            json!({ "accountId": account_id.to_string() })
        }
        .boxed()
    });
    change(request).needs_step_up()
}

fn disable_giving() -> Case {
    let request = write("DisableGiving", workspace).prepared(|world| {
        async {
            let (workspace_id, account_id) = (world.desk.workspace_id, world.account(14).await);
            let command = EnableGiving { workspace_id, account_id, expected_version: None };
            drop(world.app.operations().enable_giving(&Caller::system(), command).await);
            json!({ "accountId": account_id.to_string() })
        }
        .boxed()
    });
    change(request)
}

fn refresh() -> Case {
    write("RefreshAccount", workspace)
        .prepared(|world| async { json!({ "accountId": world.account(11).await.to_string() }) }.boxed())
        .requires(&["workspaceId", "accountId"])
        .not_found(|_| json!({ "accountId": unknown_id() }))
}

fn renew() -> Case {
    write("RefreshTradeToken", |world| {
        let mut request = workspace(world);
        request["renew"] = json!(true);
        request
    })
    .prepared(|world| async { json!({ "accountId": world.account(12).await.to_string() }) }.boxed())
    .needs_step_up()
    .requires(&["workspaceId", "accountId"])
    .not_found(|_| json!({ "accountId": unknown_id() }))
}

fn login_code() -> Case {
    let request = write("GetAccountLoginCode", workspace)
        .prepared(|world| async { json!({ "accountId": world.account_with_codes().await.to_string() }) }.boxed());
    request.requires(&["workspaceId", "accountId"]).not_found(|_| json!({ "accountId": unknown_id() })).needs_step_up()
}

fn readiness() -> Case {
    read("GetAccountReadiness", workspace)
        .prepared(|world| async { json!({ "accountId": world.account(1).await.to_string() }) }.boxed())
        .requires(&["workspaceId", "accountId"])
        .not_found(|_| json!({ "accountId": unknown_id() }))
}
