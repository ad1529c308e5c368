//! The types of events, and webhook endpoints.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use secrecy::ExposeSecret as _;
use tradepost_operations::Operations;
use tradepost_operations::events as operation;

use crate::convert::enums::{WireEnum as _, optional_enum};
use crate::convert::events::webhook_endpoints as record;
use crate::convert::{id, ids, texts, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::{enter, secret_answer};
use tradepost_proto::events::v1 as wire;

pub(super) async fn list_event_types(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListEventTypesRequest>,
) -> ServiceResult<wire::ListEventTypesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListEventTypes { workspace_id };
    let types = operations.list_event_types(caller, command).map_err(to_wire)?;
    Response::ok(wire::ListEventTypesResponse { event_types: types.into_iter().map(record::event_type).collect() })
}

pub(super) async fn create_webhook_endpoint(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateWebhookEndpointRequest>,
) -> ServiceResult<wire::CreateWebhookEndpointResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CreateWebhookEndpoint {
        workspace_id,
        url: request.url.to_owned(),
        description: request.description.to_owned(),
        types: texts(&request.types),
        disabled: request.disabled,
    };
    let created = operations.create_webhook_endpoint(caller, command).await.map_err(to_wire)?;
    Ok(secret_answer(wire::CreateWebhookEndpointResponse {
        endpoint: record::endpoint(&created.endpoint).into(),
        secret: Some(created.secret.expose_secret().to_owned()),
    }))
}

pub(super) async fn list_webhook_endpoints(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListWebhookEndpointsRequest>,
) -> ServiceResult<wire::ListWebhookEndpointsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListWebhookEndpoints {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        status: optional_enum("status", request.status)?,
    };
    let page = operations.list_webhook_endpoints(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListWebhookEndpointsResponse {
        endpoint_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_webhook_endpoint(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetWebhookEndpointRequest>,
) -> ServiceResult<wire::GetWebhookEndpointResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetWebhookEndpoint { workspace_id, endpoint_id: id("endpointId", request.endpoint_id)? };
    let shown = operations.get_webhook_endpoint(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetWebhookEndpointResponse { endpoint: record::endpoint(&shown).into() })
}

pub(super) async fn get_webhook_endpoints(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetWebhookEndpointsRequest>,
) -> ServiceResult<wire::GetWebhookEndpointsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let endpoint_ids = ids("endpointIds", &request.endpoint_ids)?;
    let command = operation::GetWebhookEndpoints { workspace_id, endpoint_ids };
    let found = operations.get_webhook_endpoints(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetWebhookEndpointsResponse {
        endpoints: found.found.iter().map(record::endpoint).collect(),
        missing_ids: wire_ids(found.missing),
    })
}

pub(super) async fn count_webhook_endpoints(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountWebhookEndpointsRequest>,
) -> ServiceResult<wire::CountWebhookEndpointsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountWebhookEndpoints { workspace_id };
    let counts = operations.count_webhook_endpoints(caller, command).await.map_err(to_wire)?;
    let counts = counts.into_iter().map(|counted| wire::WebhookEndpointCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountWebhookEndpointsResponse { counts: counts.collect() })
}

pub(super) async fn update_webhook_endpoint(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateWebhookEndpointRequest>,
) -> ServiceResult<wire::UpdateWebhookEndpointResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::UpdateWebhookEndpoint {
        workspace_id,
        endpoint_id: id("endpointId", request.endpoint_id)?,
        url: request.url.map(str::to_owned),
        description: request.description.map(str::to_owned),
        types: texts(&request.types),
        expected_version: request.expected_version,
    };
    let shown = operations.update_webhook_endpoint(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateWebhookEndpointResponse { endpoint: record::endpoint(&shown).into() })
}

pub(super) async fn enable_webhook_endpoint(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::EnableWebhookEndpointRequest>,
) -> ServiceResult<wire::EnableWebhookEndpointResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (endpoint_id, expected_version) = (id("endpointId", request.endpoint_id)?, request.expected_version);
    let command = operation::EnableWebhookEndpoint { workspace_id, endpoint_id, expected_version };
    let enabled = operations.enable_webhook_endpoint(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::EnableWebhookEndpointResponse {
        endpoint: record::endpoint(&enabled.endpoint).into(),
        begins_at_end: Some(enabled.begins_at_end),
    })
}

pub(super) async fn disable_webhook_endpoint(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DisableWebhookEndpointRequest>,
) -> ServiceResult<wire::DisableWebhookEndpointResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (endpoint_id, expected_version) = (id("endpointId", request.endpoint_id)?, request.expected_version);
    let command = operation::DisableWebhookEndpoint { workspace_id, endpoint_id, expected_version };
    let shown = operations.disable_webhook_endpoint(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DisableWebhookEndpointResponse { endpoint: record::endpoint(&shown).into() })
}

pub(super) async fn delete_webhook_endpoint(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeleteWebhookEndpointRequest>,
) -> ServiceResult<wire::DeleteWebhookEndpointResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (endpoint_id, expected_version) = (id("endpointId", request.endpoint_id)?, request.expected_version);
    let command = operation::DeleteWebhookEndpoint { workspace_id, endpoint_id, expected_version };
    operations.delete_webhook_endpoint(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeleteWebhookEndpointResponse::default())
}

pub(super) async fn rotate_webhook_secret(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RotateWebhookSecretRequest>,
) -> ServiceResult<wire::RotateWebhookSecretResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (endpoint_id, overlap_seconds) = (id("endpointId", request.endpoint_id)?, request.overlap_seconds);
    let command = operation::RotateWebhookSecret { workspace_id, endpoint_id, overlap_seconds };
    let secret = operations.rotate_webhook_secret(caller, command).await.map_err(to_wire)?;
    Ok(secret_answer(wire::RotateWebhookSecretResponse { secret: Some(secret.expose_secret().to_owned()) }))
}
