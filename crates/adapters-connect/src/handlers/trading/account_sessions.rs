//! Sessions of trading accounts.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::trading as operation;

use crate::convert::enums::{WireEnum as _, optional_enum};
use crate::convert::trading::account_sessions as record;
use crate::convert::{id, ids, optional_id, secret, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::trading::v1 as wire;

pub(super) async fn list_account_sessions(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListAccountSessionsRequest>,
) -> ServiceResult<wire::ListAccountSessionsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListAccountSessions {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        account_id: optional_id("accountId", request.account_id)?,
        status: optional_enum("status", request.status)?,
    };
    let page = operations.list_account_sessions(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListAccountSessionsResponse {
        account_session_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_account_session(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAccountSessionRequest>,
) -> ServiceResult<wire::GetAccountSessionResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let account_session_id = id("accountSessionId", request.account_session_id)?;
    let command = operation::GetAccountSession { workspace_id, account_session_id };
    let session = operations.get_account_session(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAccountSessionResponse { account_session: record::account_session(&session).into() })
}

pub(super) async fn get_account_sessions(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAccountSessionsRequest>,
) -> ServiceResult<wire::GetAccountSessionsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let account_session_ids = ids("accountSessionIds", &request.account_session_ids)?;
    let command = operation::GetAccountSessions { workspace_id, account_session_ids };
    let batch = operations.get_account_sessions(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAccountSessionsResponse {
        account_sessions: batch.found.iter().map(record::account_session).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_account_sessions(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountAccountSessionsRequest>,
) -> ServiceResult<wire::CountAccountSessionsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountAccountSessions { workspace_id };
    let counted = operations.count_account_sessions(caller, command).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::AccountSessionCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountAccountSessionsResponse { counts: counts.collect() })
}

pub(super) async fn start_account_session(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::StartAccountSessionRequest>,
) -> ServiceResult<wire::StartAccountSessionResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::StartAccountSession {
        workspace_id,
        account_id: id("accountId", request.account_id)?,
        uses_stored_code: request.use_stored_code.unwrap_or(true),
    };
    let session = operations.start_account_session(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::StartAccountSessionResponse { account_session: record::account_session(&session).into() })
}

pub(super) async fn submit_account_session_code(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::SubmitAccountSessionCodeRequest>,
) -> ServiceResult<wire::SubmitAccountSessionCodeResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::SubmitAccountSessionCode {
        workspace_id,
        account_session_id: id("accountSessionId", request.account_session_id)?,
        code: secret(request.code),
        expected_version: request.expected_version,
    };
    let session = operations.submit_account_session_code(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::SubmitAccountSessionCodeResponse { account_session: record::account_session(&session).into() })
}

pub(super) async fn end_account_session(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::EndAccountSessionRequest>,
) -> ServiceResult<wire::EndAccountSessionResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::EndAccountSession {
        workspace_id,
        account_session_id: id("accountSessionId", request.account_session_id)?,
        revoke: request.revoke,
        expected_version: request.expected_version,
    };
    let session = operations.end_account_session(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::EndAccountSessionResponse { account_session: record::account_session(&session).into() })
}
