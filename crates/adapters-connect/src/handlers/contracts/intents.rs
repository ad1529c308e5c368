//! Intents, and what people want done about the sale of items.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::contracts::intents as record;
use crate::convert::enums::{WireEnum as _, optional_enum, required_enum};
use crate::convert::{id, ids, optional_id, timestamp, wire_count, wire_ids, wire_time};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn list_intents(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListIntentsRequest>,
) -> ServiceResult<wire::ListIntentsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListIntents {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        contract_id: optional_id("contractId", request.contract_id)?,
        kind: optional_enum("kind", request.kind)?,
        status: optional_enum("status", request.status)?,
    };
    let page = operations.list_intents(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListIntentsResponse { intent_ids: wire_ids(page.entries), next_cursor: Some(page.next_cursor) })
}

pub(super) async fn get_intent(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetIntentRequest>,
) -> ServiceResult<wire::GetIntentResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetIntent { workspace_id, intent_id: id("intentId", request.intent_id)? };
    let intent = operations.get_intent(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetIntentResponse { intent: record::intent(&intent).into() })
}

pub(super) async fn get_intents(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetIntentsRequest>,
) -> ServiceResult<wire::GetIntentsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetIntents { workspace_id, intent_ids: ids("intentIds", &request.intent_ids)? };
    let batch = operations.get_intents(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetIntentsResponse {
        intents: batch.found.iter().map(record::intent).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_intents(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountIntentsRequest>,
) -> ServiceResult<wire::CountIntentsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command =
        operation::CountIntents { workspace_id, contract_id: optional_id("contractId", request.contract_id)? };
    let counted = operations.count_intents(caller, command).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::IntentCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountIntentsResponse { counts: counts.collect() })
}

pub(super) async fn list_would_buys(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListWouldBuysRequest>,
) -> ServiceResult<wire::ListWouldBuysResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListWouldBuys {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        contract_id: optional_id("contractId", request.contract_id)?,
    };
    let page = operations.list_would_buys(caller, command).await.map_err(to_wire)?;
    let intents = page.entries.iter().map(record::intent).collect();
    Response::ok(wire::ListWouldBuysResponse { intents, next_cursor: Some(page.next_cursor) })
}

pub(super) async fn get_would_buy_report(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetWouldBuyReportRequest>,
) -> ServiceResult<wire::GetWouldBuyReportResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetWouldBuyReport {
        workspace_id,
        contract_id: optional_id("contractId", request.contract_id)?,
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
    };
    let report = operations.get_would_buy_report(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetWouldBuyReportResponse {
        from: wire_time(report.from).into(),
        to: wire_time(report.to).into(),
        sums: report.sums.into_iter().map(record::would_buy_sum).collect(),
    })
}

pub(super) async fn create_intent(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateIntentRequest>,
) -> ServiceResult<wire::CreateIntentResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CreateIntent {
        workspace_id,
        contract_id: id("contractId", request.contract_id)?,
        kind: required_enum("kind", request.kind)?,
        act_on: record::act_on(request.listing.as_option(), request.item.as_option())?,
    };
    let intent = operations.create_intent(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CreateIntentResponse { intent: record::intent(&intent).into() })
}

pub(super) async fn approve_intent(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ApproveIntentRequest>,
) -> ServiceResult<wire::ApproveIntentResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ApproveIntent {
        workspace_id,
        intent_id: id("intentId", request.intent_id)?,
        expected_version: request.expected_version,
    };
    let intent = operations.approve_intent(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ApproveIntentResponse { intent: record::intent(&intent).into() })
}

pub(super) async fn reject_intent(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RejectIntentRequest>,
) -> ServiceResult<wire::RejectIntentResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::RejectIntent {
        workspace_id,
        intent_id: id("intentId", request.intent_id)?,
        expected_version: request.expected_version,
        reason: request.reason.map(str::to_owned),
    };
    let intent = operations.reject_intent(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RejectIntentResponse { intent: record::intent(&intent).into() })
}

pub(super) async fn cancel_intent(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CancelIntentRequest>,
) -> ServiceResult<wire::CancelIntentResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CancelIntent {
        workspace_id,
        intent_id: id("intentId", request.intent_id)?,
        expected_version: request.expected_version,
        reason: request.reason.map(str::to_owned),
    };
    let intent = operations.cancel_intent(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CancelIntentResponse { intent: record::intent(&intent).into() })
}

pub(super) async fn list_item_for_sale(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListItemForSaleRequest>,
) -> ServiceResult<wire::ListItemForSaleResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListItemForSale {
        workspace_id,
        inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
        marketplace: request.marketplace.to_owned(),
        price_cents: request.price_cents,
    };
    let intent = operations.list_item_for_sale(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListItemForSaleResponse { intent: record::intent(&intent).into() })
}

pub(super) async fn transfer_item(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::TransferItemRequest>,
) -> ServiceResult<wire::TransferItemResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::TransferItem {
        workspace_id,
        inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
        account_id: id("accountId", request.account_id)?,
        accept_hold: request.accept_hold,
    };
    let intent = operations.transfer_item(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::TransferItemResponse { intent: record::intent(&intent).into() })
}

pub(super) async fn reprice_item(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::RepriceItemRequest>,
) -> ServiceResult<wire::RepriceItemResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::RepriceItem {
        workspace_id,
        inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
        price_cents: request.price_cents,
    };
    let intent = operations.reprice_item(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::RepriceItemResponse { intent: record::intent(&intent).into() })
}

pub(super) async fn delist_item(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::DelistItemRequest>,
) -> ServiceResult<wire::DelistItemResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command =
        operation::DelistItem { workspace_id, inventory_item_id: id("inventoryItemId", request.inventory_item_id)? };
    let intent = operations.delist_item(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::DelistItemResponse { intent: record::intent(&intent).into() })
}
