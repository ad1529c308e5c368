//! Inventory changes.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::trading as operation;

use crate::convert::enums::{WireEnum as _, optional_enum};
use crate::convert::trading::snapshots as record;
use crate::convert::{id, ids, optional_id, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::trading::v1 as wire;

pub(super) async fn list_inventory_changes(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListInventoryChangesRequest>,
) -> ServiceResult<wire::ListInventoryChangesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListInventoryChanges {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        account_id: optional_id("accountId", request.account_id)?,
        kind: optional_enum("kind", request.kind)?,
        status: optional_enum("status", request.status)?,
    };
    let page = operations.list_inventory_changes(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListInventoryChangesResponse {
        inventory_change_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_inventory_change(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetInventoryChangeRequest>,
) -> ServiceResult<wire::GetInventoryChangeResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetInventoryChange {
        workspace_id,
        inventory_change_id: id("inventoryChangeId", request.inventory_change_id)?,
    };
    let found = operations.get_inventory_change(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetInventoryChangeResponse { inventory_change: record::inventory_change(&found).into() })
}

pub(super) async fn get_inventory_changes(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetInventoryChangesRequest>,
) -> ServiceResult<wire::GetInventoryChangesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let inventory_change_ids = ids("inventoryChangeIds", &request.inventory_change_ids)?;
    let command = operation::GetInventoryChanges { workspace_id, inventory_change_ids };
    let batch = operations.get_inventory_changes(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetInventoryChangesResponse {
        inventory_changes: batch.found.iter().map(record::inventory_change).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_inventory_changes(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountInventoryChangesRequest>,
) -> ServiceResult<wire::CountInventoryChangesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountInventoryChanges { workspace_id };
    let counted = operations.count_inventory_changes(caller, command).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::InventoryChangeCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountInventoryChangesResponse { counts: counts.collect() })
}

pub(super) async fn match_inventory_change(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::MatchInventoryChangeRequest>,
) -> ServiceResult<wire::MatchInventoryChangeResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::MatchInventoryChange {
        workspace_id,
        inventory_change_id: id("inventoryChangeId", request.inventory_change_id)?,
        inventory_item_id: id("inventoryItemId", request.inventory_item_id)?,
        expected_version: request.expected_version,
    };
    let decided = operations.match_inventory_change(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::MatchInventoryChangeResponse { inventory_change: record::inventory_change(&decided).into() })
}

pub(super) async fn ignore_inventory_change(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::IgnoreInventoryChangeRequest>,
) -> ServiceResult<wire::IgnoreInventoryChangeResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::IgnoreInventoryChange {
        workspace_id,
        inventory_change_id: id("inventoryChangeId", request.inventory_change_id)?,
        reason: request.reason.to_owned(),
        expected_version: request.expected_version,
    };
    let decided = operations.ignore_inventory_change(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::IgnoreInventoryChangeResponse { inventory_change: record::inventory_change(&decided).into() })
}
