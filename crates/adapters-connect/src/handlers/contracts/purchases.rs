//! `contracts.v1.Contracts`: purchases.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::contracts as record;
use crate::convert::enums::{WireEnum as _, enums, optional_enum, required_enum};
use crate::convert::{id, ids, optional_id, timestamp, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn list_purchases(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListPurchasesRequest>,
) -> ServiceResult<wire::ListPurchasesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListPurchases {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        contract_id: optional_id("contractId", request.contract_id)?,
        status: optional_enum("status", request.status)?,
        wanted: operation::WantedPurchases {
            statuses: enums("statuses", &request.statuses)?,
            market_hash_name: request.market_hash_name.to_owned(),
            name_contains: request.name_contains.to_owned(),
            marketplace: request.marketplace.to_owned(),
            account_name: request.account_name.to_owned(),
            from: timestamp("from", &request.from)?,
            to: timestamp("to", &request.to)?,
        },
    };
    let page = operations.list_purchases(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListPurchasesResponse {
        purchase_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_purchase(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetPurchaseRequest>,
) -> ServiceResult<wire::GetPurchaseResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetPurchase { workspace_id, purchase_id: id("purchaseId", request.purchase_id)? };
    let purchase = operations.get_purchase(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetPurchaseResponse { purchase: record::purchase(&purchase).into() })
}

pub(super) async fn get_purchases(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetPurchasesRequest>,
) -> ServiceResult<wire::GetPurchasesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetPurchases { workspace_id, purchase_ids: ids("purchaseIds", &request.purchase_ids)? };
    let batch = operations.get_purchases(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetPurchasesResponse {
        purchases: batch.found.iter().map(record::purchase).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_purchases(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountPurchasesRequest>,
) -> ServiceResult<wire::CountPurchasesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountPurchases {
        workspace_id,
        contract_id: optional_id("contractId", request.contract_id)?,
        wanted: operation::WantedPurchases {
            statuses: enums("statuses", &request.statuses)?,
            market_hash_name: request.market_hash_name.to_owned(),
            name_contains: request.name_contains.to_owned(),
            marketplace: request.marketplace.to_owned(),
            account_name: request.account_name.to_owned(),
            from: timestamp("from", &request.from)?,
            to: timestamp("to", &request.to)?,
        },
    };
    let counted = operations.count_purchases(caller, command).await.map_err(to_wire)?;
    let truncated = Some(counted.truncated);
    let counts = counted.into_iter().map(|counted| wire::PurchaseCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountPurchasesResponse { counts: counts.collect(), truncated })
}

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
    Response::ok(wire::CancelPurchaseResponse { purchase: record::purchase(&purchase).into() })
}

pub(super) async fn reconcile_purchase(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ReconcilePurchaseRequest>,
) -> ServiceResult<wire::ReconcilePurchaseResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ReconcilePurchase { workspace_id, purchase_id: id("purchaseId", request.purchase_id)? };
    let purchase = operations.reconcile_purchase(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ReconcilePurchaseResponse { purchase: record::purchase(&purchase).into() })
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
    Response::ok(wire::RecordPurchaseOutcomeResponse { purchase: record::purchase(&purchase).into() })
}
