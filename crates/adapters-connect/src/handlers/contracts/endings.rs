//! How purchases and items end by a person's word, and where an asset id stands.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::contracts as record;
use crate::convert::enums::required_enum;
use crate::convert::{id, wire_id, wire_number};
use crate::error::to_wire;
use crate::handlers::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn cancel_purchase(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CancelPurchaseRequest>,
) -> ServiceResult<wire::CancelPurchaseResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CancelPurchase {
        workspace_id,
        purchase_id: id("purchaseId", request.purchase_id)?,
        expected_version: request.expected_version,
        reason: request.reason.map(str::to_owned),
    };
    let purchase = operations.cancel_purchase(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CancelPurchaseResponse { purchase: record::purchase(&purchase).into(), ..Default::default() })
}

pub(super) async fn reconcile_purchase(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ReconcilePurchaseRequest>,
) -> ServiceResult<wire::ReconcilePurchaseResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ReconcilePurchase { workspace_id, purchase_id: id("purchaseId", request.purchase_id)? };
    let purchase = operations.reconcile_purchase(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ReconcilePurchaseResponse { purchase: record::purchase(&purchase).into(), ..Default::default() })
}

pub(super) async fn record_purchase_outcome(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RecordPurchaseOutcomeRequest>,
) -> ServiceResult<wire::RecordPurchaseOutcomeResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::RecordPurchaseOutcome {
        workspace_id,
        purchase_id: id("purchaseId", request.purchase_id)?,
        outcome: required_enum("outcome", request.outcome)?,
        evidence: request.evidence.to_owned(),
        amount_cents: request.amount_cents,
        asset_id: request.asset_id.to_owned(),
        expected_version: request.expected_version,
    };
    let purchase = operations.record_purchase_outcome(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RecordPurchaseOutcomeResponse {
        purchase: record::purchase(&purchase).into(),
        ..Default::default()
    })
}

pub(super) async fn find_inventory_item_by_asset_id(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::FindInventoryItemByAssetIDRequest>,
) -> ServiceResult<wire::FindInventoryItemByAssetIDResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::FindInventoryItemByAssetID { workspace_id, asset_id: request.asset_id.to_owned() };
    let (item, step) = operations.find_inventory_item_by_asset_id(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::FindInventoryItemByAssetIDResponse {
        inventory_item_id: Some(wire_id(item)),
        step: Some(wire_number(step)),
        ..Default::default()
    })
}

pub(super) async fn write_off_item(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::WriteOffItemRequest>,
) -> ServiceResult<wire::WriteOffItemResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::WriteOffItem {
        workspace_id,
        inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
        reason: request.reason.to_owned(),
        expected_version: request.expected_version,
    };
    let item = operations.write_off_item(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::WriteOffItemResponse {
        inventory_item: record::inventory_item(&item).into(),
        ..Default::default()
    })
}
