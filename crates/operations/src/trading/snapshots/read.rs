//! Reads of snapshots.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, OfSnapshot, SnapshotId, WorkspaceId};
use tradepost_domain::trading::snapshot::{Snapshot, SnapshotStatus};
use tradepost_ports::changes::{Caller, Seen};
use tradepost_ports::record::Kind;
use tradepost_ports::store::SnapshotFilter;

use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{Batch, OpError, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetSnapshot {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The snapshot.
    pub snapshot_id: SnapshotId,
}

/// A request for several snapshots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetSnapshots {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The snapshots, 1 to 200.
    pub snapshot_ids: Vec<SnapshotId>,
}

/// A request for a page of snapshots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListSnapshots {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only in this status.
    pub status: Option<SnapshotStatus>,
}

/// A request for the number of snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountSnapshots {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// Returns a snapshot for a caller that reads or changes it.
pub(super) async fn snapshot_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: SnapshotId,
) -> OpResult<Seen<Snapshot>> {
    let found = operations.ports.store.snapshots().find_snapshots(scope, &[id]).await?;
    found.into_iter().next().ok_or_else(|| OpError::not_found("snapshot"))
}

impl Operations {
    /// Returns one snapshot.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_snapshot(&self, caller: &Caller, command: GetSnapshot) -> OpResult<Versioned<Snapshot>> {
        let scope = rules::GET_SNAPSHOT.enter(&caller.principal, command.workspace_id)?;
        Ok(snapshot_as_seen(self, scope, command.snapshot_id).await?.into())
    }

    /// Returns several snapshots in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_snapshots(&self, caller: &Caller, command: GetSnapshots) -> OpResult<Batch<Snapshot, OfSnapshot>> {
        let scope = rules::GET_SNAPSHOTS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("snapshotIds", &command.snapshot_ids)?;
        let found = self.ports.store.snapshots().find_snapshots(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of snapshots, the newest first.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a negative limit and a cursor that this list did not give out; `not_found` for an
    /// account that is not there.
    pub async fn list_snapshots(&self, caller: &Caller, command: ListSnapshots) -> OpResult<PageOf<SnapshotId>> {
        let scope = rules::LIST_SNAPSHOTS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("snapshots", scope)
            .and_id(command.account_id)
            .and_code(command.status.map(SnapshotStatus::code));
        let request = self.page_request::<OfSnapshot>(&key, command.limit, &command.cursor)?;
        if let Some(id) = command.account_id {
            drop(account_as_seen(self, scope, id, None).await?);
        }
        let filter = SnapshotFilter { account_id: command.account_id, status: command.status };
        let page = self.to_show(caller, scope).snapshots().list_snapshots(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts snapshots: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_snapshots(
        &self,
        caller: &Caller,
        command: CountSnapshots,
    ) -> OpResult<Vec<StatusCount<SnapshotStatus>>> {
        let scope = rules::COUNT_SNAPSHOTS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::Snapshot, None).await?;
        Ok(every_status(SnapshotStatus::ALL, SnapshotStatus::code, &counted))
    }
}
