//! [`RecordInventoryChanges`]: what changed between the latest complete snapshot of an account and the one before it. Not an operation of
//! the interface.
//!
//! An inventory may change completely, so the changes are recorded in commits of a bounded size. The snapshot counts them in each of these
//! commits. So another process loses the race, and one that goes on after a death leaves out what is on record.

use std::collections::{BTreeMap, BTreeSet};

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::id::{AccountId, InventoryItemId, OfInventoryChange, RecordKey, SnapshotId, WorkspaceId};
use tradepost_domain::trading::inventory_change::{Between, InventoryChange};
use tradepost_domain::trading::snapshot::{
    ShownItem, Snapshot, SnapshotDifference, SnapshotNumber, TradeMove, differences,
};
use tradepost_ports::changes::{Caller, Changes, Revised, Seen};
use tradepost_ports::store::RecordBatch;

use super::change_steps::log_change;
use crate::commit::By;
use crate::rules::WRITE_ACCOUNTS;
use crate::trading::snapshots::record_snapshot::ROWS_PER_COMMIT;
use crate::trading::snapshots::{both_shown, items_by_asset};
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{OpError, OpResult, Operations};

/// A wish to record what changed between the latest two complete snapshots of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordInventoryChanges {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// How trades moved items lately.
    pub moves: Vec<TradeMove>,
}

type Known = BTreeMap<(AppId, AssetId), InventoryItemId>;

/// What two snapshots differ in, to be recorded.
struct Comparison {
    between: Between,
    found: Vec<SnapshotDifference>,
    /// The inventory items of the account.
    known: Known,
}

/// One of the differences.
#[derive(Clone, Copy)]
struct Found<'a> {
    difference: &'a SnapshotDifference,
    comparison: &'a Comparison,
}

impl Operations {
    /// Records what changed between the latest complete snapshot and the complete one before it, unless that is recorded. Returns how many
    /// changes it recorded.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn record_inventory_changes(&self, caller: &Caller, command: RecordInventoryChanges) -> OpResult<usize> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let account = command.account_id;
        let latest = self.ports.store.snapshots().find_complete_before(scope, account, SnapshotNumber::MAX).await?;
        let Some(latest) = latest.filter(|latest| !latest.peek().is_compared) else { return Ok(0) };
        let compared = self.compare_with_before(scope, latest.peek(), &command.moves).await?;
        let Some(comparison) = compared else {
            let mut changes = Changes::by(caller);
            changes.revise(latest, |snapshot| Ok::<_, OpError>(snapshot.with_changes(0, true, at)))?;
            self.commit(caller, changes).await?;
            return Ok(0);
        };
        self.keep_changes(By { caller, at }, latest, &comparison).await
    }

    /// Compares a snapshot with the complete one before it; `None` for the first one.
    async fn compare_with_before(
        &self,
        scope: WorkspaceScope,
        latest: &Snapshot,
        moves: &[TradeMove],
    ) -> OpResult<Option<Comparison>> {
        let Some(number) = latest.number else { return Ok(None) };
        let before = self.ports.store.snapshots().find_complete_before(scope, latest.account_id, number).await?;
        let Some(before) = before else { return Ok(None) };
        let Some(apps) = before.peek().comparable_with(latest) else { return Ok(None) };
        let [mut from, mut to] = both_shown(self, scope, before.peek(), latest, &apps).await?;
        let recorded = self.recorded_assets(scope, latest.id).await?;
        let is_new = |item: &ShownItem| !recorded.contains(&(item.app_id, item.place.asset_id.clone()));
        from.retain(is_new);
        to.retain(is_new);
        let account = account_as_seen(self, scope, latest.account_id, None).await?;
        let known = items_by_asset(self, scope, &account.peek().name).await?;
        let between = Between { from: before.peek().id, to: latest.id };
        Ok(Some(Comparison { between, found: differences(&from, &to, moves), known }))
    }

    /// Returns the asset ids of the changes that are on record.
    async fn recorded_assets(
        &self,
        scope: WorkspaceScope,
        snapshot: SnapshotId,
    ) -> OpResult<BTreeSet<(AppId, AssetId)>> {
        const AT_ONCE: u32 = 1_000;
        let (mut recorded, mut after) = (BTreeSet::new(), None);
        loop {
            let slice = RecordBatch::<OfInventoryChange> { after, most: AT_ONCE };
            let batch = self.ports.store.inventory_changes().list_changes_to(scope, snapshot, slice).await?;
            after = batch.last().map(|last| last.peek().id);
            let is_last = batch.len() < AT_ONCE as usize;
            for change in batch.iter().map(Seen::peek) {
                let after = change.after.as_ref().map(|after| &after.asset_id);
                let ids = std::iter::once(&change.item.place.asset_id).chain(after);
                recorded.extend(ids.map(|id| (change.item.app_id, id.clone())));
            }
            if is_last {
                return Ok(recorded);
            }
        }
    }

    /// Records the differences, some at a time.
    async fn keep_changes(&self, by: By<'_>, mut snapshot: Seen<Snapshot>, comparison: &Comparison) -> OpResult<usize> {
        let mut chunks = comparison.found.chunks(ROWS_PER_COMMIT).peekable();
        loop {
            let chunk = chunks.next().unwrap_or_default();
            let is_last = chunks.peek().is_none();
            let mut changes = Changes::by(by.caller);
            for difference in chunk {
                self.add_change(&mut changes, by, snapshot.peek(), Found { difference, comparison });
            }
            let count = u32::try_from(chunk.len()).unwrap_or(u32::MAX);
            let counted = |snapshot: Snapshot| Ok::<_, OpError>(snapshot.with_changes(count, is_last, by.at));
            let revised = changes.revise(snapshot, counted)?;
            self.commit(by.caller, changes).await?;
            if is_last {
                return Ok(comparison.found.len());
            }
            snapshot = revised.committed();
        }
    }

    fn add_change(&self, changes: &mut Changes, by: By<'_>, snapshot: &Snapshot, found: Found<'_>) {
        let Found { difference, comparison } = found;
        let app_id = difference.item.app_id;
        let item = difference.asset_ids().find_map(|id| comparison.known.get(&(app_id, id.clone()))).copied();
        let key = RecordKey { workspace_id: snapshot.workspace_id, id: self.mint() };
        let (account_id, difference) = (snapshot.account_id, difference.clone());
        let recorded = InventoryChange::recorded(key, account_id, comparison.between, difference, by.at).of_item(item);
        changes.insert(recorded.clone());
        log_change(self, changes, by, None, &Revised { value: recorded, version: 1 });
    }
}
