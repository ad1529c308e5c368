//! `accounts.v1.Accounts`: what was done, and whether the log of it is as it was written.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::accounts as operation;

use crate::convert::accounts::audit::{event, head};
use crate::convert::{optional_id, timestamp};
use crate::error::to_wire;
use crate::handlers::request::{caller, enter};
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn list_audit_events(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListAuditEventsRequest>,
) -> ServiceResult<wire::ListAuditEventsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListAuditEvents {
        workspace_id,
        actor_id: optional_id("actorId", request.actor_id)?,
        kind: Some(request.r#type.to_owned()).filter(|kind| !kind.is_empty()),
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
    };
    let page = operations.list_audit_events(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListAuditEventsResponse {
        events: page.entries.into_iter().map(event).collect(),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn list_my_audit_events(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListMyAuditEventsRequest>,
) -> ServiceResult<wire::ListMyAuditEventsResponse> {
    let caller = caller(context)?;
    let command = operation::ListMyAuditEvents { limit: request.limit, cursor: request.cursor.to_owned() };
    let page = operations.list_my_audit_events(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListMyAuditEventsResponse {
        events: page.entries.into_iter().map(event).collect(),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn verify_audit_chain(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::VerifyAuditChainRequest>,
) -> ServiceResult<wire::VerifyAuditChainResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::VerifyAuditChain { workspace_id };
    let verified = operations.verify_audit_chain(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::VerifyAuditChainResponse {
        ok: Some(verified.first_bad_sequence.is_none()),
        first_bad_sequence: Some(verified.first_bad_sequence.unwrap_or_default()),
        head: verified.head.map(head).into(),
        waiting: Some(verified.waiting),
    })
}
