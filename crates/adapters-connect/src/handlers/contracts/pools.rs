//! Pools.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::contracts::pools as record;
use crate::convert::enums::{WireEnum as _, optional_enum};
use crate::convert::{id, ids, invalid, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn list_pools(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListPoolsRequest>,
) -> ServiceResult<wire::ListPoolsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListPools {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        status: optional_enum("status", request.status)?,
    };
    let page = operations.list_pools(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListPoolsResponse { pool_ids: wire_ids(page.entries), next_cursor: Some(page.next_cursor) })
}

pub(super) async fn get_pool(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetPoolRequest>,
) -> ServiceResult<wire::GetPoolResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetPool { workspace_id, pool_id: id("poolId", request.pool_id)? };
    let pool = operations.get_pool(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetPoolResponse { pool: record::pool(&pool).into() })
}

pub(super) async fn get_pools(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetPoolsRequest>,
) -> ServiceResult<wire::GetPoolsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetPools { workspace_id, pool_ids: ids("poolIds", &request.pool_ids)? };
    let batch = operations.get_pools(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetPoolsResponse {
        pools: batch.found.iter().map(record::pool).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_pools(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountPoolsRequest>,
) -> ServiceResult<wire::CountPoolsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let counted = operations.count_pools(caller, operation::CountPools { workspace_id }).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::PoolCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountPoolsResponse { counts: counts.collect() })
}

pub(super) async fn create_pool(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreatePoolRequest>,
) -> ServiceResult<wire::CreatePoolResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let limits = request.limits.as_option().ok_or_else(|| invalid("limits", "are required"))?;
    let command = operation::CreatePool {
        workspace_id,
        name: request.name.to_owned(),
        currency: request.currency.to_owned(),
        limits: record::limits(limits)?,
    };
    let pool = operations.create_pool(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CreatePoolResponse { pool: record::pool(&pool).into() })
}

pub(super) async fn update_pool(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::UpdatePoolRequest>,
) -> ServiceResult<wire::UpdatePoolResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::UpdatePool {
        workspace_id,
        pool_id: id("poolId", request.pool_id)?,
        name: request.name.map(str::to_owned),
        limits: request.limits.as_option().map(record::limits).transpose()?,
        expected_version: request.expected_version,
    };
    let pool = operations.update_pool(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::UpdatePoolResponse { pool: record::pool(&pool).into() })
}

pub(super) async fn adjust_pool_funds(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::AdjustPoolFundsRequest>,
) -> ServiceResult<wire::AdjustPoolFundsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::AdjustPoolFunds {
        workspace_id,
        pool_id: id("poolId", request.pool_id)?,
        delta_cents: request.delta_cents,
        reason: request.reason.to_owned(),
        expected_version: request.expected_version,
    };
    let pool = operations.adjust_pool_funds(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::AdjustPoolFundsResponse {
        pool: record::pool(&pool).into(),
        balance: record::balance(&pool.value.balances, pool.version).into(),
    })
}

pub(super) async fn pause_pool(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::PausePoolRequest>,
) -> ServiceResult<wire::PausePoolResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::PausePool {
        workspace_id,
        pool_id: id("poolId", request.pool_id)?,
        reason: request.reason.map(str::to_owned),
        expected_version: request.expected_version,
    };
    let pool = operations.pause_pool(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::PausePoolResponse { pool: record::pool(&pool).into() })
}

pub(super) async fn resume_pool(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ResumePoolRequest>,
) -> ServiceResult<wire::ResumePoolResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (pool_id, expected_version) = (id("poolId", request.pool_id)?, request.expected_version);
    let command = operation::ResumePool { workspace_id, pool_id, expected_version };
    let pool = operations.resume_pool(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ResumePoolResponse { pool: record::pool(&pool).into() })
}

pub(super) async fn archive_pool(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ArchivePoolRequest>,
) -> ServiceResult<wire::ArchivePoolResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (pool_id, expected_version) = (id("poolId", request.pool_id)?, request.expected_version);
    let command = operation::ArchivePool { workspace_id, pool_id, expected_version };
    let pool = operations.archive_pool(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ArchivePoolResponse { pool: record::pool(&pool).into() })
}

pub(super) async fn get_pool_balance(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetPoolBalanceRequest>,
) -> ServiceResult<wire::GetPoolBalanceResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetPoolBalance { workspace_id, pool_id: id("poolId", request.pool_id)? };
    let found = operations.get_pool_balance(caller, command).await.map_err(to_wire)?;
    let balance = record::balance(&found.value, found.version);
    Response::ok(wire::GetPoolBalanceResponse { balance: balance.into() })
}

pub(super) async fn get_capital(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetCapitalRequest>,
) -> ServiceResult<wire::GetCapitalResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let found = operations.get_capital(caller, operation::GetCapital { workspace_id }).await.map_err(to_wire)?;
    Response::ok(wire::GetCapitalResponse { capital: record::capital(&found).into() })
}
