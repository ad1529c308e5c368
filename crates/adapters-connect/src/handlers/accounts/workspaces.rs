//! `accounts.v1.Accounts`: what becomes of workspaces.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::accounts as operation;

use crate::convert::accounts as record;
use crate::error::to_wire;
use crate::handlers::enter;
use crate::proto::accounts::v1 as wire;

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
        expected_version: request.expected_version,
    };
    let workspace = operations.update_workspace(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateWorkspaceResponse {
        workspace: record::workspace(&workspace.value).into(),
        version: Some(workspace.version),
        ..Default::default()
    })
}
