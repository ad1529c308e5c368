//! `contracts.v1.Contracts`: inventory items and their chains.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::contracts as record;
use crate::convert::enums::{WireEnum as _, enums, optional_enum};
use crate::convert::{id, ids, optional_id, wire_count, wire_id, wire_ids, wire_number};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn list_inventory_items(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListInventoryItemsRequest>,
) -> ServiceResult<wire::ListInventoryItemsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListInventoryItems {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        contract_id: optional_id("contractId", request.contract_id)?,
        status: optional_enum("status", request.status)?,
        market_hash_name: request.market_hash_name.to_owned(),
        account_name: request.account_name.to_owned(),
        wanted: operation::WantedItems {
            statuses: enums("statuses", &request.statuses)?,
            name_contains: request.name_contains.to_owned(),
            sale_marketplace: request.sale_marketplace.to_owned(),
            locked: request.locked,
        },
    };
    let page = operations.list_inventory_items(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListInventoryItemsResponse {
        inventory_item_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_inventory_item(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetInventoryItemRequest>,
) -> ServiceResult<wire::GetInventoryItemResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetInventoryItem {
        workspace_id,
        inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
    };
    let item = operations.get_inventory_item(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetInventoryItemResponse { inventory_item: record::inventory_item(&item).into() })
}

pub(super) async fn get_inventory_items(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetInventoryItemsRequest>,
) -> ServiceResult<wire::GetInventoryItemsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetInventoryItems {
        workspace_id,
        inventory_item_ids: ids("inventoryItemIds", &request.inventory_item_ids)?,
    };
    let batch = operations.get_inventory_items(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetInventoryItemsResponse {
        inventory_items: batch.found.iter().map(record::inventory_item).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_inventory_items(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountInventoryItemsRequest>,
) -> ServiceResult<wire::CountInventoryItemsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountInventoryItems {
        workspace_id,
        contract_id: optional_id("contractId", request.contract_id)?,
        market_hash_name: request.market_hash_name.to_owned(),
        account_name: request.account_name.to_owned(),
        wanted: operation::WantedItems {
            statuses: enums("statuses", &request.statuses)?,
            name_contains: request.name_contains.to_owned(),
            sale_marketplace: request.sale_marketplace.to_owned(),
            locked: request.locked,
        },
    };
    let counted = operations.count_inventory_items(caller, command).await.map_err(to_wire)?;
    let truncated = Some(counted.truncated);
    let counts = counted.into_iter().map(|counted| wire::InventoryItemCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountInventoryItemsResponse { counts: counts.collect(), truncated })
}

pub(super) async fn list_asset_id_links(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListAssetIDLinksRequest>,
) -> ServiceResult<wire::ListAssetIDLinksResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListAssetIDLinks {
        workspace_id,
        inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
    };
    let page = operations.list_asset_id_links(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListAssetIDLinksResponse {
        asset_id_links: page.entries.iter().map(record::asset_id_link).collect(),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn append_asset_id_link(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::AppendAssetIDLinkRequest>,
) -> ServiceResult<wire::AppendAssetIDLinkResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::AppendAssetIDLink {
        workspace_id,
        inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
        expected_step: request.expected_step.map(Into::into),
        asset_id: request.asset_id.to_owned(),
        source: request.source.to_owned(),
        source_id: request.source_id.to_owned(),
    };
    let link = operations.append_asset_id_link(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::AppendAssetIDLinkResponse { asset_id_link: record::asset_id_link(&link).into() })
}

pub(super) async fn verify_asset_id_chain(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::VerifyAssetIDChainRequest>,
) -> ServiceResult<wire::VerifyAssetIDChainResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::VerifyAssetIDChain {
        workspace_id,
        inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
    };
    let problems = operations.verify_asset_id_chain(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::VerifyAssetIDChainResponse {
        valid: Some(problems.is_empty()),
        problems: problems.iter().map(record::chain_problem).collect(),
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
    Response::ok(wire::WriteOffItemResponse { inventory_item: record::inventory_item(&item).into() })
}
