//! Alert messages.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::alerts as operation;

use crate::convert::alerts as record;
use crate::convert::enums::optional_enum;
use crate::convert::{id, ids, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::alerts::v1 as wire;

pub(super) async fn list_alert_messages(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListAlertMessagesRequest>,
) -> ServiceResult<wire::ListAlertMessagesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListAlertMessages {
        workspace_id,
        channel_id: id("channelId", request.channel_id)?,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        state: optional_enum("state", request.state)?,
        topic: optional_enum("topic", request.topic)?,
    };
    let page = operations.list_alert_messages(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListAlertMessagesResponse {
        message_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_alert_messages(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAlertMessagesRequest>,
) -> ServiceResult<wire::GetAlertMessagesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let message_ids = ids("messageIds", &request.message_ids)?;
    let batch = operations.get_alert_messages(caller, operation::GetAlertMessages { workspace_id, message_ids }).await;
    let batch = batch.map_err(to_wire)?;
    Response::ok(wire::GetAlertMessagesResponse {
        messages: batch.found.iter().map(|found| record::message(&found.value)).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}
