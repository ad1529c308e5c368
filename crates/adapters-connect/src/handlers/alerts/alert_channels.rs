//! Alert channels.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use secrecy::ExposeSecret as _;
use tradepost_operations::Operations;
use tradepost_operations::alerts as operation;

use crate::convert::alerts as record;
use crate::convert::enums::{WireEnum as _, optional_enum};
use crate::convert::{id, ids, secret, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::{enter, secret_answer};
use tradepost_proto::alerts::v1 as wire;

pub(super) async fn create_alert_channel(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateAlertChannelRequest>,
) -> ServiceResult<wire::CreateAlertChannelResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CreateAlertChannel {
        workspace_id,
        own: request.own,
        kind: optional_enum("kind", request.kind)?,
        name: request.name.to_owned(),
        target: request.target.to_owned(),
        secret: secret(request.secret),
    };
    let created = operations.create_alert_channel(caller, command).await.map_err(to_wire)?;
    Ok(secret_answer(wire::CreateAlertChannelResponse {
        channel: record::channel(&created.channel).into(),
        secret: Some(created.secret.map(|secret| secret.expose_secret().to_owned()).unwrap_or_default()),
    }))
}

pub(super) async fn list_alert_channels(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListAlertChannelsRequest>,
) -> ServiceResult<wire::ListAlertChannelsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListAlertChannels {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        own: request.own,
        status: optional_enum("status", request.status)?,
    };
    let page = operations.list_alert_channels(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListAlertChannelsResponse {
        channel_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_alert_channel(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAlertChannelRequest>,
) -> ServiceResult<wire::GetAlertChannelResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetAlertChannel { workspace_id, channel_id: id("channelId", request.channel_id)? };
    let shown = operations.get_alert_channel(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAlertChannelResponse { channel: record::channel(&shown).into() })
}

pub(super) async fn get_alert_channels(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAlertChannelsRequest>,
) -> ServiceResult<wire::GetAlertChannelsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let channel_ids = ids("channelIds", &request.channel_ids)?;
    let command = operation::GetAlertChannels { workspace_id, channel_ids };
    let found = operations.get_alert_channels(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAlertChannelsResponse {
        channels: found.found.iter().map(record::channel).collect(),
        missing_ids: wire_ids(found.missing),
    })
}

pub(super) async fn count_alert_channels(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountAlertChannelsRequest>,
) -> ServiceResult<wire::CountAlertChannelsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountAlertChannels { workspace_id, own: request.own };
    let counts = operations.count_alert_channels(caller, command).await.map_err(to_wire)?;
    let counts = counts.into_iter().map(|counted| wire::AlertChannelCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountAlertChannelsResponse { counts: counts.collect() })
}

pub(super) async fn update_alert_channel(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateAlertChannelRequest>,
) -> ServiceResult<wire::UpdateAlertChannelResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::UpdateAlertChannel {
        workspace_id,
        channel_id: id("channelId", request.channel_id)?,
        name: request.name.map(str::to_owned),
        target: request.target.map(str::to_owned),
        secret: request.secret.map(secret),
        new_signing_secret: request.new_signing_secret,
        expected_version: request.expected_version,
    };
    let changed = operations.update_alert_channel(caller, command).await.map_err(to_wire)?;
    Ok(secret_answer(wire::UpdateAlertChannelResponse {
        channel: record::channel(&changed.channel).into(),
        secret: Some(changed.secret.map(|secret| secret.expose_secret().to_owned()).unwrap_or_default()),
    }))
}

pub(super) async fn enable_alert_channel(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::EnableAlertChannelRequest>,
) -> ServiceResult<wire::EnableAlertChannelResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (channel_id, expected_version) = (id("channelId", request.channel_id)?, request.expected_version);
    let command = operation::EnableAlertChannel { workspace_id, channel_id, expected_version };
    let shown = operations.enable_alert_channel(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::EnableAlertChannelResponse { channel: record::channel(&shown).into() })
}

pub(super) async fn disable_alert_channel(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DisableAlertChannelRequest>,
) -> ServiceResult<wire::DisableAlertChannelResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (channel_id, expected_version) = (id("channelId", request.channel_id)?, request.expected_version);
    let command = operation::DisableAlertChannel { workspace_id, channel_id, expected_version };
    let shown = operations.disable_alert_channel(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DisableAlertChannelResponse { channel: record::channel(&shown).into() })
}

pub(super) async fn delete_alert_channel(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeleteAlertChannelRequest>,
) -> ServiceResult<wire::DeleteAlertChannelResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (channel_id, expected_version) = (id("channelId", request.channel_id)?, request.expected_version);
    let command = operation::DeleteAlertChannel { workspace_id, channel_id, expected_version };
    operations.delete_alert_channel(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeleteAlertChannelResponse::default())
}

pub(super) async fn send_test_alert(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::SendTestAlertRequest>,
) -> ServiceResult<wire::SendTestAlertResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::SendTestAlert { workspace_id, channel_id: id("channelId", request.channel_id)? };
    let tested = operations.send_test_alert(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::SendTestAlertResponse { message: record::message(&tested.value).into() })
}
