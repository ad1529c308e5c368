//! How the operations on remediations, and the question for the outcome of a purchase, refuse a caller.

use tradepost_domain::contracts::remediation::{Evidence, RemediationAction, RemediationKind};
use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{
    ActionArgs, AdvanceRemediation, AssignRemediation, CountRemediations, DismissRemediation, GetRemediation,
    GetRemediations, ListRemediations, OpenRemediation, Progress, ReconcilePurchase, ResolveRemediation,
    RunRemediationAction,
};
use tradepost_operations::{Caller, OpError};

use super::super::Desk;
use super::refusal_of;

pub(super) async fn of_remediations(
    desk: &Desk,
    caller: &Caller,
    workspace_id: WorkspaceId,
) -> Vec<(&'static str, Option<OpError>)> {
    let (on, remediation_id, expected_version) = (desk.operations(), Id::from_bytes([9; 16]), None);
    let (kind, subject) = (RemediationKind::Overpaid, Subject::Purchase(Id::from_bytes([9; 16])));
    let (limit, cursor, status, severity) = (0, String::new(), None, None);
    let list = ListRemediations { workspace_id, limit, cursor, status, kind: None, severity, subject: None };
    let get = GetRemediation { workspace_id, remediation_id };
    let several = GetRemediations { workspace_id, remediation_ids: vec![remediation_id] };
    let assign = AssignRemediation { workspace_id, remediation_id, user_id: Id::from_bytes([9; 16]), expected_version };
    let dismiss = DismissRemediation { workspace_id, remediation_id, reason: "known".to_owned(), expected_version };
    let args = ActionArgs { evidence: "case-7".to_owned(), ..ActionArgs::default() };
    let action = RemediationAction::WriteOff;
    let run = RunRemediationAction { workspace_id, remediation_id, action, args, expected_version };
    let open = OpenRemediation { workspace_id, kind, subject, evidence: Evidence::default() };
    let advance = AdvanceRemediation { workspace_id, remediation_id, progress: Progress::Began };
    let purchase_id = Id::from_bytes([9; 16]);
    let ask = ReconcilePurchase { workspace_id, purchase_id };
    let resolve = ResolveRemediation { workspace_id, kind, subject };
    vec![
        refusal_of("ListRemediations", on.list_remediations(caller, list).await),
        refusal_of("GetRemediation", on.get_remediation(caller, get).await),
        refusal_of("GetRemediations", on.get_remediations(caller, several).await),
        refusal_of("CountRemediations", on.count_remediations(caller, CountRemediations { workspace_id }).await),
        refusal_of("AssignRemediation", on.assign_remediation(caller, assign).await),
        refusal_of("DismissRemediation", on.dismiss_remediation(caller, dismiss).await),
        refusal_of("RunRemediationAction", on.run_remediation_action(caller, run).await),
        refusal_of("OpenRemediation", on.open_remediation(caller, open).await),
        refusal_of("AdvanceRemediation", on.advance_remediation(caller, advance).await),
        refusal_of("ReconcilePurchase", on.reconcile_purchase(caller, ask).await),
        refusal_of("ResolveRemediation", on.resolve_remediation(caller, resolve).await),
    ]
}
