//! Groups of trading accounts.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::trading as operation;

use crate::convert::trading as record;
use crate::convert::{id, ids, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::trading::v1 as wire;

pub(super) async fn list_account_groups(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListAccountGroupsRequest>,
) -> ServiceResult<wire::ListAccountGroupsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command =
        operation::ListAccountGroups { workspace_id, limit: request.limit, cursor: request.cursor.to_owned() };
    let page = operations.list_account_groups(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListAccountGroupsResponse {
        account_group_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_account_group(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAccountGroupRequest>,
) -> ServiceResult<wire::GetAccountGroupResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let account_group_id = id("accountGroupId", request.account_group_id)?;
    let command = operation::GetAccountGroup { workspace_id, account_group_id };
    let group = operations.get_account_group(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAccountGroupResponse { account_group: record::group(&group).into() })
}

pub(super) async fn get_account_groups(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetAccountGroupsRequest>,
) -> ServiceResult<wire::GetAccountGroupsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let account_group_ids = ids("accountGroupIds", &request.account_group_ids)?;
    let command = operation::GetAccountGroups { workspace_id, account_group_ids };
    let batch = operations.get_account_groups(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetAccountGroupsResponse {
        account_groups: batch.found.iter().map(record::group).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn create_account_group(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateAccountGroupRequest>,
) -> ServiceResult<wire::CreateAccountGroupResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (name, description) = (request.name.to_owned(), request.description.to_owned());
    let command = operation::CreateAccountGroup { workspace_id, name, description };
    let group = operations.create_account_group(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CreateAccountGroupResponse { account_group: record::group(&group).into() })
}

pub(super) async fn update_account_group(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdateAccountGroupRequest>,
) -> ServiceResult<wire::UpdateAccountGroupResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::UpdateAccountGroup {
        workspace_id,
        account_group_id: id("accountGroupId", request.account_group_id)?,
        name: request.name.map(str::to_owned),
        description: request.description.map(str::to_owned),
        expected_version: request.expected_version,
    };
    let group = operations.update_account_group(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdateAccountGroupResponse { account_group: record::group(&group).into() })
}

pub(super) async fn delete_account_group(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DeleteAccountGroupRequest>,
) -> ServiceResult<wire::DeleteAccountGroupResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::DeleteAccountGroup {
        workspace_id,
        account_group_id: id("accountGroupId", request.account_group_id)?,
        expected_version: request.expected_version,
    };
    operations.delete_account_group(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DeleteAccountGroupResponse::default())
}

pub(super) async fn add_accounts_to_group(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::AddAccountsToGroupRequest>,
) -> ServiceResult<wire::AddAccountsToGroupResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::AddAccountsToGroup {
        workspace_id,
        account_group_id: id("accountGroupId", request.account_group_id)?,
        account_ids: ids("accountIds", &request.account_ids)?,
        expected_version: request.expected_version,
    };
    let group = operations.add_accounts_to_group(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::AddAccountsToGroupResponse { account_group: record::group(&group).into() })
}

pub(super) async fn remove_accounts_from_group(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RemoveAccountsFromGroupRequest>,
) -> ServiceResult<wire::RemoveAccountsFromGroupResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::RemoveAccountsFromGroup {
        workspace_id,
        account_group_id: id("accountGroupId", request.account_group_id)?,
        account_ids: ids("accountIds", &request.account_ids)?,
        expected_version: request.expected_version,
    };
    let group = operations.remove_accounts_from_group(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RemoveAccountsFromGroupResponse { account_group: record::group(&group).into() })
}
