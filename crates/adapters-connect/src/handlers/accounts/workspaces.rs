//! `accounts.v1.Accounts`: workspaces.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::accounts as operation;

use crate::convert::accounts as record;
use crate::convert::{id, wire_time};
use crate::error::to_wire;
use crate::handlers::request::{caller, enter};
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn get_workspace(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetWorkspaceRequest>,
) -> ServiceResult<wire::GetWorkspaceResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetWorkspace { workspace_id };
    let workspace = operations.get_workspace(caller, command).await.map_err(to_wire)?;
    let clock = operations.get_simulated_time(caller, command).map_err(to_wire)?;
    Response::ok(wire::GetWorkspaceResponse {
        workspace: record::workspace(&workspace).into(),
        simulated_clock: clock.map(record::simulated_clock).into(),
    })
}

pub(super) async fn get_workspace_settings(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetWorkspaceSettingsRequest>,
) -> ServiceResult<wire::GetWorkspaceSettingsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetWorkspaceSettings { workspace_id };
    let settings = operations.get_workspace_settings(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetWorkspaceSettingsResponse {
        settings: record::settings(settings.value).into(),
        version: Some(settings.version),
    })
}

pub(super) async fn update_workspace(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateWorkspaceRequest>,
) -> ServiceResult<wire::UpdateWorkspaceResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::UpdateWorkspace {
        workspace_id,
        name: request.name.map(str::to_owned),
        description: request.description.map(str::to_owned),
        time_zone: request.time_zone.map(str::to_owned),
        require_two_factor: request.require_two_factor,
        max_api_key_lifetime_days: request.max_api_key_lifetime_days,
        allow_email_step_up: request.allow_email_step_up,
        expected_version: request.expected_version,
    };
    let workspace = operations.update_workspace(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateWorkspaceResponse {
        workspace: record::workspace(&workspace.value).into(),
        version: Some(workspace.version),
        settings: record::settings(workspace.value.settings).into(),
    })
}

pub(super) async fn set_trading_halt(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::SetTradingHaltRequest>,
) -> ServiceResult<wire::SetTradingHaltResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::SetTradingHalt { workspace_id, halted: request.halted, reason: request.reason.to_owned() };
    let workspace = operations.set_trading_halt(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::SetTradingHaltResponse { workspace: record::workspace(&workspace).into() })
}

pub(super) async fn transfer_workspace_ownership(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::TransferWorkspaceOwnershipRequest>,
) -> ServiceResult<wire::TransferWorkspaceOwnershipResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let membership_id = id("membershipId", request.membership_id)?;
    let command = operation::TransferWorkspaceOwnership { workspace_id, membership_id };
    let membership = operations.transfer_workspace_ownership(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::TransferWorkspaceOwnershipResponse { membership: record::membership(&membership).into() })
}

pub(super) async fn delete_workspace(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeleteWorkspaceRequest>,
) -> ServiceResult<wire::DeleteWorkspaceResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::DeleteWorkspace { workspace_id, confirm_name: request.confirm_name.to_owned() };
    let workspace = operations.delete_workspace(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeleteWorkspaceResponse {
        workspace: record::workspace(&workspace).into(),
        restorable_until: workspace.restorable_until().map(wire_time).into(),
    })
}

/// Enters nothing before the operation does: no other one may in a workspace that is deleted.
pub(super) async fn restore_workspace(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RestoreWorkspaceRequest>,
) -> ServiceResult<wire::RestoreWorkspaceResponse> {
    let caller = caller(context)?;
    let command = operation::RestoreWorkspace { workspace_id: id("workspaceId", request.workspace_id)? };
    let workspace = operations.restore_workspace(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RestoreWorkspaceResponse { workspace: record::workspace(&workspace).into() })
}
