//! [`RecordSnapshot`] and [`FailSnapshot`]: what an engine has read of an inventory, or that it could not. No operations of the interface.
//!
//! A snapshot gets its number first. Then the items that it no longer shows end with this number, and the ones that are new begin with it:
//! in commits of a bounded size, since an inventory may change completely. A process that dies in between has recorded nothing that an
//! earlier snapshot shows; the snapshot is read again and gets the same number.

use std::collections::BTreeMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::id::{SnapshotId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::snapshot::{
    AlreadyTaken, ShownItem, Snapshot, SnapshotContext, SnapshotItem, SnapshotNumber, Span,
};
use tradepost_ports::changes::{Caller, Changes, Revised, Seen};
use tradepost_ports::store::{StoreError, Unique};

use super::read::snapshot_as_seen;
use super::shown_at;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// The most rows of a commit: others wait no longer than they do for any other write.
pub(crate) const ROWS_PER_COMMIT: usize = 200;

/// What an engine read of one context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextReading {
    /// The game.
    pub app_id: AppId,
    /// The context.
    pub context_id: ContextId,
    /// The items, all of this game and context.
    pub items: Vec<ShownItem>,
    /// Whether these are all.
    pub is_complete: bool,
}

/// What an engine read of an inventory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotReading {
    /// What it read of each context, in the order in which it did.
    pub contexts: Vec<ContextReading>,
    /// When the platform showed it.
    pub shown_at: Timestamp,
}

/// A report of what the platform showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordSnapshot {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The snapshot, which is not taken yet.
    pub snapshot_id: SnapshotId,
    /// What was read.
    pub reading: SnapshotReading,
}

/// A report that the platform showed nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailSnapshot {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The snapshot, which is not taken yet.
    pub snapshot_id: SnapshotId,
    /// Why; what is too long is cut.
    pub why: String,
}

type ByAsset = BTreeMap<(AppId, AssetId), ShownItem>;

impl SnapshotReading {
    /// Returns what was read of each context, and each item where it was seen last: one that changes its context between two reads is in
    /// both.
    fn into_parts(self) -> (Vec<SnapshotContext>, ByAsset) {
        let mut items = ByAsset::new();
        let mut complete = Vec::new();
        for ContextReading { app_id, context_id, items: shown, is_complete } in self.contexts {
            complete.push((app_id, context_id, is_complete));
            items.extend(shown.into_iter().map(|item| ((item.app_id, item.place.asset_id.clone()), item)));
        }
        let context = |(app_id, context_id, is_complete)| {
            let is_here = |item: &&ShownItem| item.app_id == app_id && item.place.context_id == context_id;
            let shown = u32::try_from(items.values().filter(is_here).count()).unwrap_or(u32::MAX);
            SnapshotContext { app_id, context_id, shown, is_complete }
        };
        (complete.into_iter().map(context).collect(), items)
    }
}

impl Operations {
    /// Records what the platform showed of an inventory.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `ILLEGAL_STEP` for a snapshot that was taken before.
    pub async fn record_snapshot(&self, caller: &Caller, command: RecordSnapshot) -> OpResult<Versioned<Snapshot>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let shown_at = command.reading.shown_at;
        let (contexts, shown) = command.reading.into_parts();
        let snapshot = self.number_snapshot(caller, scope, command.snapshot_id, at).await?;
        self.replace_shown(caller, scope, &snapshot, shown).await?;
        let mut changes = Changes::by(caller);
        let taken = changes.revise(snapshot, |snapshot| snapshot.taken(contexts, shown_at, at))?;
        self.commit(caller, changes).await?;
        Ok(taken.into())
    }

    /// Records that the platform did not show an inventory.
    ///
    /// # Errors
    /// As [`Operations::record_snapshot`].
    pub async fn fail_snapshot(&self, caller: &Caller, command: FailSnapshot) -> OpResult<Versioned<Snapshot>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let why = fields::shortened(&command.why);
        let why = why.ok_or_else(|| OpError::invalid_field("why", "is empty"))?;
        self.retrying(|| async {
            let seen = snapshot_as_seen(self, scope, command.snapshot_id).await?;
            let mut changes = Changes::by(caller);
            let failed = changes.revise(seen, |snapshot| snapshot.failed(why.clone(), at))?;
            self.commit(caller, changes).await?;
            Ok(failed.into())
        })
        .await
    }

    /// Gives a snapshot its number, unless it has one from a try that did not end.
    async fn number_snapshot(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        id: SnapshotId,
        at: Timestamp,
    ) -> OpResult<Seen<Snapshot>> {
        self.retrying(|| async {
            let seen = snapshot_as_seen(self, scope, id).await?;
            if seen.peek().number.is_some() {
                return Ok(seen);
            }
            let last = self.ports.store.snapshots().last_snapshot_number(scope, seen.peek().account_id).await?;
            let number = last.saturating_add(1);
            let mut changes = Changes::by(caller);
            let numbered: Revised<Snapshot> = changes.revise(seen, |snapshot| snapshot.numbered(number, at))?;
            match self.commit(caller, changes).await {
                Err(OpError { source: Some(StoreError::Duplicate(Unique::SnapshotNumber)), .. }) => {
                    Err(StoreError::Conflict.into())
                }
                outcome => outcome.map(|_| numbered.committed()),
            }
        })
        .await
    }

    /// Ends the items that are no longer shown as they were, and then begins the others: an asset is shown once at a time.
    async fn replace_shown(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        snapshot: &Seen<Snapshot>,
        mut shown: ByAsset,
    ) -> OpResult<()> {
        let account_id = snapshot.peek().account_id;
        let number =
            snapshot.peek().number.ok_or_else(|| OpError::internal("a snapshot is recorded without a number"))?;
        let mut ended = Vec::new();
        for seen in shown_at(self, scope, (account_id, SnapshotNumber::MAX)).await? {
            let item = &seen.peek().item;
            let key = (item.app_id, item.place.asset_id.clone());
            if shown.get(&key) == Some(item) {
                shown.remove(&key);
            } else {
                ended.push(seen);
            }
        }
        for chunk in ended.chunks(ROWS_PER_COMMIT) {
            let mut changes = Changes::by(caller);
            changes.rely_on(snapshot.clone());
            for seen in chunk {
                changes.revise(seen.clone(), |item| Ok::<_, OpError>(item.ended(number)))?;
            }
            self.commit(caller, changes).await?;
        }
        let begun: Vec<ShownItem> = shown.into_values().collect();
        for chunk in begun.chunks(ROWS_PER_COMMIT) {
            let mut changes = Changes::by(caller);
            changes.rely_on(snapshot.clone());
            for item in chunk {
                let (id, workspace_id, item) = (self.mint(), scope.workspace_id(), item.clone());
                let span = Span { from: number, until: None };
                changes.insert(SnapshotItem { id, workspace_id, account_id, item, span });
            }
            self.commit(caller, changes).await?;
        }
        Ok(())
    }
}

impl From<AlreadyTaken> for OpError {
    fn from(error: AlreadyTaken) -> Self {
        Self::failed_precondition(Reason::IllegalStep, error.to_string())
    }
}
