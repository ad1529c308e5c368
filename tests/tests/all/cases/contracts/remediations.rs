//! Remediations: problems, who handles them, and what is done about them.

use serde_json::{Value, json};

use crate::cases::{Case, case};
use crate::harness::{Key, World, unknown_id};

pub(crate) fn cases() -> Vec<Case> {
    vec![list(), get(), batch(), count(), assign(), dismiss(), run()]
}

fn other_workspace(world: &World) -> Value {
    json!({ "workspaceId": world.other_desk.workspace_id.to_string() })
}

fn remediation(world: &World) -> Value {
    json!({
        "workspaceId": world.desk.workspace_id.to_string(),
        "remediationId": world.desk.remediation.to_string(),
    })
}

fn read(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request).by(Key::Reader).denies(Key::Bare).denied(other_workspace, "PERMISSION_DENIED")
}

fn list() -> Case {
    read("ListRemediations", |world| {
        json!({
            "workspaceId": world.desk.workspace_id.to_string(),
            "status": "REMEDIATION_STATUS_WAITING",
            "kind": "REMEDIATION_KIND_TRADE_REVERSED",
            "severity": "REMEDIATION_SEVERITY_CRITICAL",
        })
    })
    .requires(&["workspaceId"])
    .invalid(|_| json!({ "limit": -1 }), "INVALID_FIELD")
    .invalid(|_| json!({ "cursor": "nonsense" }), "INVALID_CURSOR")
    .invalid(|_| json!({ "subjectId": unknown_id() }), "INVALID_FIELD")
    .invalid(|_| json!({ "subjectType": "TRANSITION_SUBJECT_TYPE_PURCHASE" }), "INVALID_FIELD")
}

fn get() -> Case {
    read("GetRemediation", remediation)
        .requires(&["workspaceId", "remediationId"])
        .not_found(|_| json!({ "remediationId": unknown_id() }))
        .not_found(|world| json!({ "remediationId": world.other_desk.remediation.to_string() }))
}

fn batch() -> Case {
    read("GetRemediations", |world| {
        let ids = [world.desk.ended_remediation.to_string(), unknown_id(), world.desk.remediation.to_string()];
        json!({ "workspaceId": world.desk.workspace_id.to_string(), "remediationIds": ids })
    })
    .requires(&["workspaceId", "remediationIds"])
    .invalid(|_| json!({ "remediationIds": vec![unknown_id(); 201] }), "INVALID_FIELD")
}

fn count() -> Case {
    read("CountRemediations", |world| json!({ "workspaceId": world.desk.workspace_id.to_string() }))
        .requires(&["workspaceId"])
}

fn change(method: &'static str, request: fn(&World) -> Value) -> Case {
    case(method, request)
        .denies(Key::Reader)
        .denied(other_workspace, "PERMISSION_DENIED")
        .not_found(|_| json!({ "remediationId": unknown_id() }))
        .not_found(|world| json!({ "remediationId": world.other_desk.remediation.to_string() }))
        .fails(|_| json!({ "expectedVersion": "99" }), "VERSION_MISMATCH")
        .fails(|world| json!({ "remediationId": world.desk.ended_remediation.to_string() }), "ILLEGAL_STEP")
        .invalid(|_| json!({ "expectedVersion": "0" }), "INVALID_FIELD")
}

fn assign() -> Case {
    change("AssignRemediation", |world| {
        let mut request = remediation(world);
        request["userId"] = json!(world.people.owner.to_string());
        request
    })
    .requires(&["workspaceId", "remediationId", "userId"])
    .fails(|_| json!({ "userId": unknown_id() }), "MEMBERSHIP_NOT_ACCEPTED")
}

fn dismiss() -> Case {
    change("DismissRemediation", |world| {
        let mut request = remediation(world);
        request["reason"] = json!("the seller paid it back by hand");
        request
    })
    .requires(&["workspaceId", "remediationId", "reason"])
    .invalid(|_| json!({ "reason": "x".repeat(201) }), "INVALID_FIELD")
}

fn run() -> Case {
    change("RunRemediationAction", |world| {
        let mut request = remediation(world);
        request["action"] = json!("REMEDIATION_ACTION_WRITE_OFF");
        request["args"] = json!({ "evidence": "case-7" });
        request
    })
    .requires(&["workspaceId", "remediationId", "action"])
    .needs_step_up()
    .fails(
        |_| {
            let args = json!({ "marketplace": "simulator", "priceCents": "1900" });
            json!({ "action": "REMEDIATION_ACTION_RELIST", "args": args })
        },
        "ACTION_NOT_ALLOWED",
    )
    .invalid(|_| json!({ "args": {} }), "INVALID_FIELD")
    .invalid(|_| json!({ "args": { "evidence": "case-7", "amountCents": "1" } }), "INVALID_FIELD")
    .invalid(
        |_| json!({ "action": "REMEDIATION_ACTION_RECORD_REFUND", "args": { "evidence": "x", "amountCents": "0" } }),
        "INVALID_FIELD",
    )
    .invalid(|_| json!({ "action": "REMEDIATION_ACTION_RELEASE_RESERVATION" }), "INVALID_FIELD")
    .invalid(
        |_| {
            let args = json!({ "evidence": "x", "absence": { "listingExplained": true } });
            json!({ "action": "REMEDIATION_ACTION_RELEASE_RESERVATION", "args": args })
        },
        "INVALID_FIELD",
    )
}
