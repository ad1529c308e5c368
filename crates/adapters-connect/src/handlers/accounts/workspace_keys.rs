//! The keys under which a workspace's secrets are stored.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::accounts as operation;

use crate::convert::accounts as record;
use crate::convert::id;
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn list_workspace_keys(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListWorkspaceKeysRequest>,
) -> ServiceResult<wire::ListWorkspaceKeysResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let keys = operations.list_workspace_keys(caller, workspace_id).await.map_err(to_wire)?;
    Response::ok(wire::ListWorkspaceKeysResponse { workspace_keys: keys.iter().map(record::workspace_key).collect() })
}

pub(super) async fn rotate_workspace_key(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RotateWorkspaceKeyRequest>,
) -> ServiceResult<wire::RotateWorkspaceKeyResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::RotateWorkspaceKey { workspace_id };
    let key = operations.rotate_workspace_key(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RotateWorkspaceKeyResponse { workspace_key: record::workspace_key(&key).into() })
}

pub(super) async fn destroy_workspace_key(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DestroyWorkspaceKeyRequest>,
) -> ServiceResult<wire::DestroyWorkspaceKeyResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let workspace_key_id = id("workspaceKeyId", request.workspace_key_id)?;
    let command = operation::DestroyWorkspaceKey { workspace_id, workspace_key_id };
    let key = operations.destroy_workspace_key(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DestroyWorkspaceKeyResponse { workspace_key: record::workspace_key(&key).into() })
}
