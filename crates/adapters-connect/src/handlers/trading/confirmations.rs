//! Confirmations of trading accounts.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::trading as operation;

use crate::convert::enums::{WireEnum as _, optional_enum};
use crate::convert::trading::confirmations as record;
use crate::convert::{id, ids, optional_id, wire_count, wire_ids, wire_time};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::trading::v1 as wire;

pub(super) async fn list_confirmations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListConfirmationsRequest>,
) -> ServiceResult<wire::ListConfirmationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListConfirmations {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        account_id: optional_id("accountId", request.account_id)?,
        status: optional_enum("status", request.status)?,
        kind: optional_enum("kind", request.kind)?,
    };
    let page = operations.list_confirmations(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListConfirmationsResponse {
        confirmation_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_confirmation(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetConfirmationRequest>,
) -> ServiceResult<wire::GetConfirmationResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let confirmation_id = id("confirmationId", request.confirmation_id)?;
    let command = operation::GetConfirmation { workspace_id, confirmation_id };
    let confirmation = operations.get_confirmation(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetConfirmationResponse { confirmation: record::confirmation(&confirmation).into() })
}

pub(super) async fn get_confirmations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetConfirmationsRequest>,
) -> ServiceResult<wire::GetConfirmationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let confirmation_ids = ids("confirmationIds", &request.confirmation_ids)?;
    let command = operation::GetConfirmations { workspace_id, confirmation_ids };
    let batch = operations.get_confirmations(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetConfirmationsResponse {
        confirmations: batch.found.iter().map(record::confirmation).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_confirmations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountConfirmationsRequest>,
) -> ServiceResult<wire::CountConfirmationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountConfirmations { workspace_id };
    let counted = operations.count_confirmations(caller, command).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::ConfirmationCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountConfirmationsResponse { counts: counts.collect() })
}

pub(super) async fn refresh_confirmations(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RefreshConfirmationsRequest>,
) -> ServiceResult<wire::RefreshConfirmationsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::RefreshConfirmations { workspace_id, account_id: id("accountId", request.account_id)? };
    let list = operations.refresh_confirmations(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RefreshConfirmationsResponse {
        requested_at: list.requested_at.map(wire_time).into(),
        read_at: list.read_at.map(wire_time).into(),
    })
}

pub(super) async fn approve_confirmation(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ApproveConfirmationRequest>,
) -> ServiceResult<wire::ApproveConfirmationResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (confirmation_id, expected_version) =
        (id("confirmationId", request.confirmation_id)?, request.expected_version);
    let command = operation::ApproveConfirmation { workspace_id, confirmation_id, expected_version };
    let confirmation = operations.approve_confirmation(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ApproveConfirmationResponse { confirmation: record::confirmation(&confirmation).into() })
}

pub(super) async fn deny_confirmation(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DenyConfirmationRequest>,
) -> ServiceResult<wire::DenyConfirmationResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (confirmation_id, expected_version) =
        (id("confirmationId", request.confirmation_id)?, request.expected_version);
    let command = operation::DenyConfirmation { workspace_id, confirmation_id, expected_version };
    let confirmation = operations.deny_confirmation(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DenyConfirmationResponse { confirmation: record::confirmation(&confirmation).into() })
}
