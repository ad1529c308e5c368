//! The ledger.

use connectrpc::{RequestContext, Response, ServiceRequest, ServiceResult};
use tradepost_operations::Operations;
use tradepost_operations::contracts as operation;

use crate::convert::contracts::pools::ledger_entry;
use crate::convert::enums::optional_enum;
use crate::convert::{ids, optional_id, timestamp, wire_ids};
use crate::error::to_wire;
use crate::handlers::request::enter;
use tradepost_proto::contracts::v1 as wire;

pub(super) async fn list_ledger_entries(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::ListLedgerEntriesRequest>,
) -> ServiceResult<wire::ListLedgerEntriesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let command = operation::ListLedgerEntries {
        workspace_id,
        limit: request.limit,
        cursor: request.cursor.to_owned(),
        account: optional_enum("account", request.account)?,
        pool_id: optional_id("poolId", request.pool_id)?,
        contract_id: optional_id("contractId", request.contract_id)?,
        from: timestamp("from", &request.from)?,
        to: timestamp("to", &request.to)?,
    };
    let page = operations.list_ledger_entries(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::ListLedgerEntriesResponse {
        ledger_entry_ids: wire_ids(page.entries),
        next_cursor: Some(page.next_cursor),
    })
}

pub(super) async fn get_ledger_entries(
    operations: &Operations,
    context: &RequestContext,
    request: ServiceRequest<'_, wire::GetLedgerEntriesRequest>,
) -> ServiceResult<wire::GetLedgerEntriesResponse> {
    let (caller, workspace_id) = enter(context, request.workspace_id)?;
    let ledger_entry_ids = ids("ledgerEntryIds", &request.ledger_entry_ids)?;
    let command = operation::GetLedgerEntries { workspace_id, ledger_entry_ids };
    let found = operations.get_ledger_entries(caller, command).await.map_err(to_wire)?;
    Response::ok(wire::GetLedgerEntriesResponse {
        ledger_entries: found.entries.iter().map(ledger_entry).collect(),
        missing_ids: wire_ids(found.missing),
    })
}
