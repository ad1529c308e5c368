//! Webhook deliveries.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::events as operation;

use crate::convert::enums::optional_enum;
use crate::convert::events::webhook_deliveries as record;
use crate::convert::{id, ids, texts, timestamp, wire_ids, wire_number};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::events::v1 as wire;

pub(super) async fn list_webhook_deliveries(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListWebhookDeliveriesRequest>,
) -> ServiceResult<wire::ListWebhookDeliveriesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListWebhookDeliveries {
        workspace_id,
        endpoint_id: id("endpointId", request.endpoint_id)?,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        state: optional_enum("state", request.state)?,
        event_type: request.r#type.to_owned(),
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
    };
    let page = operations.list_webhook_deliveries(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListWebhookDeliveriesResponse {
        delivery_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_webhook_deliveries(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetWebhookDeliveriesRequest>,
) -> ServiceResult<wire::GetWebhookDeliveriesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let delivery_ids = ids("deliveryIds", &request.delivery_ids)?;
    let command = operation::GetWebhookDeliveries { workspace_id, delivery_ids };
    let batch = operations.get_webhook_deliveries(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetWebhookDeliveriesResponse {
        deliveries: batch.found.iter().map(|found| record::delivery(&found.value)).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn resend_webhook_delivery(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ResendWebhookDeliveryRequest>,
) -> ServiceResult<wire::ResendWebhookDeliveryResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command =
        operation::ResendWebhookDelivery { workspace_id, delivery_id: id("deliveryId", request.delivery_id)? };
    let resent = operations.resend_webhook_delivery(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ResendWebhookDeliveryResponse { delivery: record::delivery(&resent.value).into() })
}

pub(super) async fn replay_webhook_events(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ReplayWebhookEventsRequest>,
) -> ServiceResult<wire::ReplayWebhookEventsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ReplayWebhookEvents {
        workspace_id,
        endpoint_id: id("endpointId", request.endpoint_id)?,
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
        types: texts(&request.types),
    };
    let enqueued = operations.replay_webhook_events(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ReplayWebhookEventsResponse { enqueued: Some(wire_number(enqueued)) })
}

pub(super) async fn send_test_event(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::SendTestEventRequest>,
) -> ServiceResult<wire::SendTestEventResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::SendTestEvent { workspace_id, endpoint_id: id("endpointId", request.endpoint_id)? };
    let tested = operations.send_test_event(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::SendTestEventResponse { delivery: record::delivery(&tested.value).into() })
}
