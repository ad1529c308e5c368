//! Remediations: problems, who handles them, and their actions.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::contracts::remediations as record;
use crate::convert::enums::{WireEnum as _, optional_enum, required_enum};
use crate::convert::{id, ids, optional_id, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn list_remediations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListRemediationsRequest>,
) -> ServiceResult<wire::ListRemediationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListRemediations {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        status: optional_enum("status", request.status)?,
        kind: optional_enum("kind", request.kind)?,
        severity: optional_enum("severity", request.severity)?,
        subject: record::subject(
            optional_enum("subjectType", request.subject_type)?,
            optional_id("subjectId", request.subject_id)?,
        )?,
    };
    let page = operations.list_remediations(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListRemediationsResponse {
        remediation_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_remediation(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetRemediationRequest>,
) -> ServiceResult<wire::GetRemediationResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let remediation_id = id("remediationId", request.remediation_id)?;
    let command = operation::GetRemediation { workspace_id, remediation_id };
    let remediation = operations.get_remediation(caller, command).await.map_err(to_wire)?;
    let remediation = record::remediation(&remediation).into();
    Response::ok(wire::GetRemediationResponse { remediation })
}

pub(super) async fn get_remediations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetRemediationsRequest>,
) -> ServiceResult<wire::GetRemediationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let remediation_ids = ids("remediationIds", &request.remediation_ids)?;
    let command = operation::GetRemediations { workspace_id, remediation_ids };
    let batch = operations.get_remediations(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetRemediationsResponse {
        remediations: batch.found.iter().map(record::remediation).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_remediations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountRemediationsRequest>,
) -> ServiceResult<wire::CountRemediationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountRemediations { workspace_id };
    let counted = operations.count_remediations(caller, command).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::RemediationCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountRemediationsResponse { counts: counts.collect() })
}

pub(super) async fn assign_remediation(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::AssignRemediationRequest>,
) -> ServiceResult<wire::AssignRemediationResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::AssignRemediation {
        workspace_id,
        remediation_id: id("remediationId", request.remediation_id)?,
        user_id: id("userId", request.user_id)?,
        expected_version: request.expected_version,
    };
    let remediation = operations.assign_remediation(caller, command).await.map_err(to_wire)?;
    let remediation = record::remediation(&remediation).into();
    Response::ok(wire::AssignRemediationResponse { remediation })
}

pub(super) async fn dismiss_remediation(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DismissRemediationRequest>,
) -> ServiceResult<wire::DismissRemediationResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::DismissRemediation {
        workspace_id,
        remediation_id: id("remediationId", request.remediation_id)?,
        reason: request.reason.to_owned(),
        expected_version: request.expected_version,
    };
    let remediation = operations.dismiss_remediation(caller, command).await.map_err(to_wire)?;
    let remediation = record::remediation(&remediation).into();
    Response::ok(wire::DismissRemediationResponse { remediation })
}

pub(super) async fn run_remediation_action(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RunRemediationActionRequest>,
) -> ServiceResult<wire::RunRemediationActionResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::RunRemediationAction {
        workspace_id,
        remediation_id: id("remediationId", request.remediation_id)?,
        action: required_enum("action", request.action)?,
        args: record::args(request.args.as_option())?,
        expected_version: request.expected_version,
    };
    let remediation = operations.run_remediation_action(caller, command).await.map_err(to_wire)?;
    let remediation = record::remediation(&remediation).into();
    Response::ok(wire::RunRemediationActionResponse { remediation })
}
