//! The log of status changes.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::contracts as operation;
use tradepost_operations::{AtWork, Operations};

use crate::convert::contracts::transitions::transition;
use crate::convert::enums::{WireEnum as _, enums, optional_enum};
use crate::convert::{id, ids, optional_id, timestamp, wire_count, wire_id, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn list_transitions(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListTransitionsRequest>,
) -> ServiceResult<wire::ListTransitionsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListTransitions {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        subject_kind: optional_enum("subjectType", request.subject_type)?,
        subject_kinds: enums("subjectTypes", &request.subject_types)?,
        subject_id: optional_id("subjectId", request.subject_id)?,
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
    };
    let page = operations.list_transitions(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListTransitionsResponse {
        transition_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_transition(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetTransitionRequest>,
) -> ServiceResult<wire::GetTransitionResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let transition_id = id("transitionId", request.transition_id)?;
    let command = operation::GetTransition { workspace_id, transition_id };
    let found = operations.get_transition(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetTransitionResponse { transition: transition(&found).into() })
}

pub(super) async fn get_transitions(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetTransitionsRequest>,
) -> ServiceResult<wire::GetTransitionsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let transition_ids = ids("transitionIds", &request.transition_ids)?;
    let command = operation::GetTransitions { workspace_id, transition_ids };
    let found = operations.get_transitions(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetTransitionsResponse {
        transitions: found.transitions.iter().map(transition).collect(),
        missing_ids: wire_ids(found.missing),
    })
}

pub(super) async fn count_transitions(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountTransitionsRequest>,
) -> ServiceResult<wire::CountTransitionsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountTransitions {
        workspace_id,
        subject_kinds: enums("subjectTypes", &request.subject_types)?,
        subject_id: optional_id("subjectId", request.subject_id)?,
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
    };
    let counted = operations.count_transitions(caller, command).await.map_err(to_wire)?;
    let truncated = Some(counted.truncated);
    let counts = counted.into_iter().map(|counted| wire::TransitionCount {
        subject_type: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountTransitionsResponse { counts: counts.collect(), truncated })
}

pub(super) async fn watch_transitions(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::WatchTransitionsRequest>,
) -> ServiceResult<wire::WatchTransitionsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::WatchTransitions {
        workspace_id,
        after: optional_id("afterTransitionId", request.after_transition_id)?,
        from_end: request.from_end,
        limit: request.limit,
        wait_seconds: request.wait_seconds,
    };
    let at_work = context.extensions().get::<AtWork>().cloned().unwrap_or_default();
    let watched = operations.watch_transitions(caller, command, at_work).await.map_err(to_wire)?;
    Response::ok(wire::WatchTransitionsResponse {
        transitions: watched.transitions.iter().map(transition).collect(),
        last_transition_id: Some(watched.last.map(wire_id).unwrap_or_default()),
    })
}
