//! `accounts.v1.Accounts`: how much a workspace is used, and what bounds it.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_domain::accounts::usage::UsagePoint;
use tradepost_operations::Operations;
use tradepost_operations::accounts::{self as operation, KeyUsage};

use crate::convert::accounts::usage::{grouping, rate, room};
use crate::convert::enums::required_enum;
use crate::convert::{timestamp, wire_id, wire_time};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::accounts::v1 as wire;

pub(super) async fn get_usage(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetUsageRequest>,
) -> ServiceResult<wire::GetUsageResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetUsage {
        workspace_id,
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
        granularity: required_enum("granularity", request.granularity)?,
        grouping: grouping("groupBy", &request.group_by)?,
    };
    let points = operations.get_usage(caller, command).await.map_err(to_wire)?;
    let shown = |UsagePoint { time, key_id, operation, calls }: UsagePoint| wire::UsagePoint {
        time: wire_time(time).into(),
        api_key_id: Some(key_id.map(wire_id).unwrap_or_default()),
        operation: Some(operation.unwrap_or_default()),
        requests: Some(calls.requests),
        errors: Some(calls.errors),
        rate_limited: Some(calls.rate_limited),
    };
    Response::ok(wire::GetUsageResponse { points: points.into_iter().map(shown).collect() })
}

pub(super) async fn list_key_usage(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListKeyUsageRequest>,
) -> ServiceResult<wire::ListKeyUsageResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let (from, to) = (timestamp("from", &request.from)?, timestamp("to", &request.to)?);
    let command = operation::ListKeyUsage { workspace_id, from, to };
    let keys = operations.list_key_usage(caller, command).await.map_err(to_wire)?;
    let shown = |KeyUsage { key_id, calls }: KeyUsage| wire::KeyUsage {
        api_key_id: Some(key_id.map(wire_id).unwrap_or_default()),
        requests: Some(calls.requests),
        errors: Some(calls.errors),
        rate_limited: Some(calls.rate_limited),
    };
    Response::ok(wire::ListKeyUsageResponse { keys: keys.into_iter().map(shown).collect() })
}

pub(super) async fn get_quotas(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetQuotasRequest>,
) -> ServiceResult<wire::GetQuotasResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let bounds = operations.get_quotas(caller, operation::GetQuotas { workspace_id }).await.map_err(to_wire)?;
    let ((keys, most_keys), (members, most_members)) = (bounds.keys, bounds.members);
    Response::ok(wire::GetQuotasResponse {
        rates: bounds.rates.into_iter().map(|(class, quota)| rate(class, quota)).collect(),
        api_keys: room(keys, most_keys).into(),
        members: room(members, most_members).into(),
    })
}
