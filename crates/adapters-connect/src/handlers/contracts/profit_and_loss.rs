//! Profit and loss.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::contracts::equity;
use crate::convert::contracts::profit_and_loss::{file, narrowed, of_item, point, row};
use crate::convert::enums::required_enum;
use crate::convert::{id, timestamp};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn get_profit_and_loss(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetProfitAndLossRequest>,
) -> ServiceResult<wire::GetProfitAndLossResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetProfitAndLoss {
        workspace_id,
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
        group_by: required_enum("groupBy", request.group_by)?,
        of: narrowed!(request),
    };
    let report = operations.get_profit_and_loss(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetProfitAndLossResponse {
        rows: report.rows.iter().map(row).collect(),
        truncated: Some(report.truncated),
    })
}

pub(super) async fn get_profit_and_loss_series(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetProfitAndLossSeriesRequest>,
) -> ServiceResult<wire::GetProfitAndLossSeriesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetProfitAndLossSeries {
        workspace_id,
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
        span: required_enum("bucket", request.bucket)?,
        of: narrowed!(request),
    };
    let points = operations.get_profit_and_loss_series(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetProfitAndLossSeriesResponse { points: points.into_iter().map(point).collect() })
}

pub(super) async fn get_equity_series(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetEquitySeriesRequest>,
) -> ServiceResult<wire::GetEquitySeriesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetEquitySeries {
        workspace_id,
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
    };
    let series = operations.get_equity_series(caller, command).await.map_err(to_wire)?;
    Response::ok(equity::series(&series))
}

pub(super) async fn get_item_profit_and_loss(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetItemProfitAndLossRequest>,
) -> ServiceResult<wire::GetItemProfitAndLossResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let inventory_item_id = id("inventoryItemId", request.inventory_item_id)?;
    let command = operation::GetItemProfitAndLoss { workspace_id, inventory_item_id };
    let item = operations.get_item_profit_and_loss(caller, command).await.map_err(to_wire)?;
    Response::ok(of_item(&item))
}

pub(super) async fn export_profit_and_loss(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ExportProfitAndLossRequest>,
) -> ServiceResult<wire::ExportProfitAndLossResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let format = required_enum("format", request.format)?;
    let report = operation::GetProfitAndLoss {
        workspace_id,
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
        group_by: required_enum("groupBy", request.group_by)?,
        of: narrowed!(request),
    };
    let command = operation::ExportProfitAndLoss { report };
    let rows = operations.export_profit_and_loss(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ExportProfitAndLossResponse { content: Some(file(&rows, format)?) })
}
