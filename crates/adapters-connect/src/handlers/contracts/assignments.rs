//! Assignments.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::contracts::assignments as record;
use crate::convert::{id, ids, optional_id, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn list_assignments(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListAssignmentsRequest>,
) -> ServiceResult<wire::ListAssignmentsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListAssignments {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        pool_id: optional_id("poolId", request.pool_id)?,
        account_id: optional_id("accountId", request.account_id)?,
    };
    let page = operations.list_assignments(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListAssignmentsResponse {
        assignment_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_assignment(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAssignmentRequest>,
) -> ServiceResult<wire::GetAssignmentResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetAssignment { workspace_id, assignment_id: id("assignmentId", request.assignment_id)? };
    let assignment = operations.get_assignment(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAssignmentResponse { assignment: record::assignment(&assignment).into() })
}

pub(super) async fn get_assignments(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAssignmentsRequest>,
) -> ServiceResult<wire::GetAssignmentsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let assignment_ids = ids("assignmentIds", &request.assignment_ids)?;
    let command = operation::GetAssignments { workspace_id, assignment_ids };
    let batch = operations.get_assignments(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAssignmentsResponse {
        assignments: batch.found.iter().map(record::assignment).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn create_assignment(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateAssignmentRequest>,
) -> ServiceResult<wire::CreateAssignmentResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CreateAssignment {
        workspace_id,
        pool_id: id("poolId", request.pool_id)?,
        account_id: optional_id("accountId", request.account_id)?,
        account_group_id: optional_id("accountGroupId", request.account_group_id)?,
        roles: record::roles(&request.roles)?,
        priority: request.priority.into(),
        limits: request.limits.as_option().map(record::limits).unwrap_or_default(),
    };
    let assignment = operations.create_assignment(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CreateAssignmentResponse { assignment: record::assignment(&assignment).into() })
}

pub(super) async fn update_assignment(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateAssignmentRequest>,
) -> ServiceResult<wire::UpdateAssignmentResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::UpdateAssignment {
        workspace_id,
        assignment_id: id("assignmentId", request.assignment_id)?,
        roles: record::roles(&request.roles)?,
        priority: request.priority.map(i64::from),
        limits: request.limits.as_option().map(record::limits),
        expected_version: request.expected_version,
    };
    let assignment = operations.update_assignment(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateAssignmentResponse { assignment: record::assignment(&assignment).into() })
}

pub(super) async fn delete_assignment(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeleteAssignmentRequest>,
) -> ServiceResult<wire::DeleteAssignmentResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::DeleteAssignment {
        workspace_id,
        assignment_id: id("assignmentId", request.assignment_id)?,
        expected_version: request.expected_version,
    };
    operations.delete_assignment(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeleteAssignmentResponse::default())
}

pub(super) async fn resolve_assignment(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ResolveAssignmentRequest>,
) -> ServiceResult<wire::ResolveAssignmentResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ResolveAssignment {
        workspace_id,
        pool_id: id("poolId", request.pool_id)?,
        role: record::role("role", request.role)?,
    };
    let candidates = operations.resolve_assignment(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ResolveAssignmentResponse { accounts: candidates.iter().map(record::candidate).collect() })
}
