//! Sessions of trading accounts, and the renewals of their tokens.

use futures::future::FutureExt as _;
use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    let of_sessions = [list(), get(), batch(), count(), start(), submit_code(), end()];
    let of_renewals =
        [list_renewals(), get_renewal(), batch_of_renewals(), count_renewals(), request_renewal(), cancel_renewal()];
    of_sessions.into_iter().chain(of_renewals).collect()
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
        .requires(&["workspaceId"])
}

fn write(method: &'static str) -> Case {
    case(method, workspace).denies(Key::Reader).denies(Key::Trader).denied(other_workspace, "PERMISSION_DENIED")
}

fn list() -> Case {
    read("ListAccountSessions")
        .prepared(|world| {
            async {
                world.waiting_session().await;
                world.working_session().await;
                json!({
                    "limit": 1,
                    "accountId": world.signed_in_account().await.to_string(),
                    "status": "ACCOUNT_SESSION_STATUS_ACTIVE",
                })
            }
            .boxed()
        })
        .not_found(|_| json!({ "accountId": unknown_id() }))
        .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get() -> Case {
    read("GetAccountSession")
        .prepared(|world| world.waiting_session().map(|id| json!({ "accountSessionId": id.to_string() })).boxed())
        .requires(&["workspaceId", "accountSessionId"])
        .not_found(|_| json!({ "accountSessionId": unknown_id() }))
}

fn batch() -> Case {
    read("GetAccountSessions")
        .prepared(|world| {
            async {
                let waiting = world.waiting_session().await.to_string();
                let ids = [world.working_session().await.to_string(), unknown_id(), waiting];
                json!({ "accountSessionIds": ids })
            }
            .boxed()
        })
        .requires(&["workspaceId", "accountSessionIds"])
        .invalid(|_| json!({ "accountSessionIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountAccountSessions").prepared(|world| world.waiting_session().map(|_| json!({})).boxed())
}

fn start() -> Case {
    write("StartAccountSession")
        .prepared(|world| {
            world.signed_out_account().map(|id| json!({ "accountId": id.to_string(), "useStoredCode": false })).boxed()
        })
        .needs_step_up()
        .requires(&["workspaceId", "accountId"])
        .not_found(|_| json!({ "accountId": unknown_id() }))
}

fn submit_code() -> Case {
    write("SubmitAccountSessionCode")
        .prepared(|world| {
            world
                .waiting_session()
                .map(|id| json!({ "accountSessionId": id.to_string(), "code": "F7K2Q", "expectedVersion": "2" }))
                .boxed()
        })
        .requires(&["workspaceId", "accountSessionId", "code"])
        .not_found(|_| json!({ "accountSessionId": unknown_id() }))
        .invalid(|_| json!({ "code": "F7K2" }), "INVALID_FIELD")
        .invalid(|_| json!({ "code": "F7K2QF7K2" }), "INVALID_FIELD")
        .invalid(|_| json!({ "code": "F7 K2Q" }), "INVALID_FIELD")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
}

fn end() -> Case {
    write("EndAccountSession")
        .prepared(|world| {
            world.working_session().map(|id| json!({ "accountSessionId": id.to_string(), "revoke": true })).boxed()
        })
        .requires(&["workspaceId", "accountSessionId"])
        .not_found(|_| json!({ "accountSessionId": unknown_id() }))
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
}

fn list_renewals() -> Case {
    read("ListRenewals")
        .prepared(|world| {
            async {
                json!({
                    "limit": 1,
                    "accountId": world.signed_in_account().await.to_string(),
                    "kind": "RENEWAL_KIND_ACCESS_TOKEN",
                    "status": "RENEWAL_STATUS_SCHEDULED",
                    "dueBefore": "2100-01-01T00:00:00Z",
                })
            }
            .boxed()
        })
        .not_found(|_| json!({ "accountId": unknown_id() }))
        .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
        .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
}

fn get_renewal() -> Case {
    read("GetRenewal")
        .prepared(|world| world.renewal().map(|id| json!({ "renewalId": id.to_string() })).boxed())
        .requires(&["workspaceId", "renewalId"])
        .not_found(|_| json!({ "renewalId": unknown_id() }))
}

fn batch_of_renewals() -> Case {
    read("GetRenewals")
        .prepared(|world| world.renewal().map(|id| json!({ "renewalIds": [unknown_id(), id.to_string()] })).boxed())
        .requires(&["workspaceId", "renewalIds"])
        .invalid(|_| json!({ "renewalIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count_renewals() -> Case {
    read("CountRenewals").prepared(|world| world.renewal().map(|_| json!({})).boxed())
}

fn request_renewal() -> Case {
    write("RequestRenewal")
        .prepared(|world| {
            world
                .signed_in_account()
                .map(|id| json!({ "accountId": id.to_string(), "kind": "RENEWAL_KIND_REFRESH_TOKEN" }))
                .boxed()
        })
        .requires(&["workspaceId", "accountId", "kind"])
        .not_found(|_| json!({ "accountId": unknown_id() }))
}

fn cancel_renewal() -> Case {
    write("CancelRenewal")
        .prepared(|world| world.renewal().map(|id| json!({ "renewalId": id.to_string() })).boxed())
        .requires(&["workspaceId", "renewalId"])
        .not_found(|_| json!({ "renewalId": unknown_id() }))
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
}
