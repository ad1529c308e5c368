//! Snapshots of inventories.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::trading as operation;

use crate::convert::enums::{WireEnum as _, optional_enum};
use crate::convert::trading::snapshots as record;
use crate::convert::{id, ids, optional_id, wire_count, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::trading::v1 as wire;

pub(super) async fn create_snapshot(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CreateSnapshotRequest>,
) -> ServiceResult<wire::CreateSnapshotResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CreateSnapshot { workspace_id, account_id: id("accountId", request.account_id)? };
    let asked = operations.create_snapshot(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CreateSnapshotResponse { snapshot: record::snapshot(&asked).into() })
}

pub(super) async fn list_snapshots(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListSnapshotsRequest>,
) -> ServiceResult<wire::ListSnapshotsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListSnapshots {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        account_id: optional_id("accountId", request.account_id)?,
        status: optional_enum("status", request.status)?,
    };
    let page = operations.list_snapshots(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListSnapshotsResponse {
        snapshot_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_snapshot(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetSnapshotRequest>,
) -> ServiceResult<wire::GetSnapshotResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::GetSnapshot { workspace_id, snapshot_id: id("snapshotId", request.snapshot_id)? };
    let found = operations.get_snapshot(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetSnapshotResponse { snapshot: record::snapshot(&found).into() })
}

pub(super) async fn get_snapshots(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetSnapshotsRequest>,
) -> ServiceResult<wire::GetSnapshotsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let snapshot_ids = ids("snapshotIds", &request.snapshot_ids)?;
    let command = operation::GetSnapshots { workspace_id, snapshot_ids };
    let batch = operations.get_snapshots(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetSnapshotsResponse {
        snapshots: batch.found.iter().map(record::snapshot).collect(),
        missing_ids: wire_ids(batch.missing),
    })
}

pub(super) async fn count_snapshots(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CountSnapshotsRequest>,
) -> ServiceResult<wire::CountSnapshotsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CountSnapshots { workspace_id };
    let counted = operations.count_snapshots(caller, command).await.map_err(to_wire)?;
    let counts = counted.into_iter().map(|counted| wire::SnapshotCount {
        status: Some(counted.status.to_wire()),
        count: Some(wire_count(counted.count)),
    });
    Response::ok(wire::CountSnapshotsResponse { counts: counts.collect() })
}

pub(super) async fn list_snapshot_items(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListSnapshotItemsRequest>,
) -> ServiceResult<wire::ListSnapshotItemsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListSnapshotItems {
        workspace_id,
        snapshot_id: id("snapshotId", request.snapshot_id)?,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
    };
    let page = operations.list_snapshot_items(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListSnapshotItemsResponse {
        items: page.entries.iter().map(record::item).collect(),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn compare_snapshots(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::CompareSnapshotsRequest>,
) -> ServiceResult<wire::CompareSnapshotsResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::CompareSnapshots {
        workspace_id,
        from: id("fromSnapshotId", request.from_snapshot_id)?,
        to: id("toSnapshotId", request.to_snapshot_id)?,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
    };
    let page = operations.compare_snapshots(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::CompareSnapshotsResponse {
        differences: page.entries.iter().map(record::difference).collect(),
        next_cursor: Some(page.next_cursor),
    })
}
