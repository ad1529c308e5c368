//! The operations on assignments, for the table of rights.

use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_domain::trading::trading_account::AccountRole;
use tradepost_operations::contracts::{
    AssignmentLimits, CreateAssignment, DeleteAssignment, GetAssignment, GetAssignments, ListAssignments,
    ResolveAssignment, UpdateAssignment,
};
use tradepost_operations::{Caller, OpError};

use super::super::Desk;
use super::refusal_of;

pub(super) async fn of_assignments(
    desk: &Desk,
    caller: &Caller,
    workspace_id: WorkspaceId,
) -> Vec<(&'static str, Option<OpError>)> {
    let (on, pool_id, expected_version) = (desk.operations(), Id::from_bytes([9; 16]), None);
    let assignment_id = Id::from_bytes([9; 16]);
    let list =
        ListAssignments { workspace_id, limit: 0, cursor: String::new(), pool_id: Some(pool_id), account_id: None };
    let several = GetAssignments { workspace_id, assignment_ids: vec![assignment_id] };
    let create = CreateAssignment {
        workspace_id,
        pool_id,
        account_id: Some(Id::from_bytes([9; 16])),
        account_group_id: None,
        roles: vec![AccountRole::Buy],
        priority: 0,
        limits: AssignmentLimits::default(),
    };
    let update = UpdateAssignment {
        workspace_id,
        assignment_id,
        roles: Vec::new(),
        priority: Some(1),
        limits: None,
        expected_version,
    };
    let delete = DeleteAssignment { workspace_id, assignment_id, expected_version };
    let resolve = ResolveAssignment { workspace_id, pool_id, role: AccountRole::Buy };
    vec![
        refusal_of("ListAssignments", on.list_assignments(caller, list).await),
        refusal_of("GetAssignment", on.get_assignment(caller, GetAssignment { workspace_id, assignment_id }).await),
        refusal_of("GetAssignments", on.get_assignments(caller, several).await),
        refusal_of("CreateAssignment", on.create_assignment(caller, create).await),
        refusal_of("UpdateAssignment", on.update_assignment(caller, update).await),
        refusal_of("DeleteAssignment", on.delete_assignment(caller, delete).await),
        refusal_of("ResolveAssignment", on.resolve_assignment(caller, resolve).await),
    ]
}
