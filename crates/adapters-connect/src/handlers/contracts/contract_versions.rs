//! `contracts.v1.Contracts`: versions of contracts' terms.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::contracts as record;
use crate::convert::{id, ids, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn list_contract_versions(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListContractVersionsRequest>,
) -> ServiceResult<wire::ListContractVersionsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListContractVersions {
        workspace_id,
        contract_id: id("contractId", request.contract_id)?,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
    };
    let page = operations.list_contract_versions(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListContractVersionsResponse {
        contract_version_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_contract_versions(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetContractVersionsRequest>,
) -> ServiceResult<wire::GetContractVersionsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let contract_version_ids = ids("contractVersionIds", &request.contract_version_ids)?;
    let command = operation::GetContractVersions { workspace_id, contract_version_ids };
    let found = operations.get_contract_versions(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetContractVersionsResponse {
        contract_versions: found.versions.iter().map(record::contract_version).collect(),
        missing_ids: wire_ids(found.missing),
    })
}
