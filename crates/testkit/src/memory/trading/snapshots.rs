//! Reads of snapshots and of their items.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, OfSnapshot, OfSnapshotItem, SnapshotId};
use tradepost_domain::trading::snapshot::{Snapshot, SnapshotItem, SnapshotNumber, SnapshotStatus};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, RecordBatch, SnapshotFilter, Snapshots, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Snapshots for MemoryStore {
    async fn find_snapshots(&self, scope: WorkspaceScope, ids: &[SnapshotId]) -> StoreResult<Vec<Seen<Snapshot>>> {
        Ok(self.state().several(scope.workspace_id(), |snapshot: &Snapshot| ids.contains(&snapshot.id)))
    }
    async fn list_snapshots(
        &self,
        scope: WorkspaceScope,
        filter: SnapshotFilter,
        page: PageRequest<OfSnapshot>,
    ) -> StoreResult<Page<OfSnapshot>> {
        Ok(self.state().page(scope.workspace_id(), &page, |snapshot: &Snapshot| {
            filter.account_id.is_none_or(|wanted| snapshot.account_id == wanted)
                && filter.status.is_none_or(|wanted| snapshot.status == wanted)
        }))
    }
    async fn list_snapshots_in(
        &self,
        scope: WorkspaceScope,
        status: SnapshotStatus,
        slice: RecordBatch<OfSnapshot>,
    ) -> StoreResult<Vec<Seen<Snapshot>>> {
        Ok(self.batch(scope, &slice, |snapshot: &Snapshot| snapshot.status == status))
    }
    async fn list_snapshots_of(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        slice: RecordBatch<OfSnapshot>,
    ) -> StoreResult<Vec<Seen<Snapshot>>> {
        Ok(self.batch(scope, &slice, |snapshot: &Snapshot| snapshot.account_id == account))
    }
    async fn find_complete_before(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        number: SnapshotNumber,
    ) -> StoreResult<Option<Seen<Snapshot>>> {
        let is_wanted = |snapshot: &Snapshot| {
            snapshot.account_id == account
                && snapshot.status == SnapshotStatus::Complete
                && snapshot.number.is_some_and(|found| found < number)
        };
        let found = self.state().several(scope.workspace_id(), is_wanted);
        Ok(found.into_iter().max_by_key(|seen| seen.peek().number))
    }
    async fn last_snapshot_number(&self, scope: WorkspaceScope, account: AccountId) -> StoreResult<SnapshotNumber> {
        let found = self.state().several(scope.workspace_id(), |snapshot: &Snapshot| snapshot.account_id == account);
        Ok(found.iter().filter_map(|seen| seen.peek().number).max().unwrap_or(0))
    }
    async fn list_items_at(
        &self,
        scope: WorkspaceScope,
        place: (AccountId, SnapshotNumber),
        slice: RecordBatch<OfSnapshotItem>,
    ) -> StoreResult<Vec<Seen<SnapshotItem>>> {
        let (account, number) = place;
        Ok(self.batch(scope, &slice, |item: &SnapshotItem| item.account_id == account && item.span.has(number)))
    }
    async fn list_unshown_items(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        most: u32,
    ) -> StoreResult<Vec<Seen<SnapshotItem>>> {
        let state = self.state();
        let snapshots = state.several(scope.workspace_id(), |snapshot: &Snapshot| snapshot.account_id == account);
        let numbers: Vec<SnapshotNumber> = snapshots.iter().filter_map(|seen| seen.peek().number).collect();
        let is_unshown = |item: &SnapshotItem| {
            item.account_id == account
                && item.span.until.is_some()
                && !numbers.iter().any(|number| item.span.has(*number))
        };
        let mut found = state.several(scope.workspace_id(), is_unshown);
        found.truncate(most as usize);
        Ok(found)
    }
}
