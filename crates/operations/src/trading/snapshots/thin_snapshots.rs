//! [`ThinSnapshots`]: deletes the snapshots of an account that are no longer kept, with what only they showed. Not an operation of the
//! interface.

use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::trading::snapshot::{Snapshot, outdated};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::RecordBatch;

use crate::rules::WRITE_ACCOUNTS;
use crate::{OpResult, Operations};

/// The oldest snapshots that are looked at. One a day of 90 days is kept, so that each look finds others.
const LOOKED_AT: u32 = 200;
/// The most items that are deleted with them.
const MOST_ITEMS: u32 = 200;

/// A wish to delete what is no longer kept of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThinSnapshots {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

impl Operations {
    /// Deletes snapshots that are no longer kept, and items that no snapshot shows any longer, a bounded number of each. Returns how many
    /// snapshots it deleted.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn thin_snapshots(&self, caller: &Caller, command: ThinSnapshots) -> OpResult<usize> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let now = self.market_now(command.workspace_id);
        let store = &self.ports.store;
        let slice = RecordBatch { after: None, most: LOOKED_AT };
        let found = store.snapshots().list_snapshots_of(scope, command.account_id, slice).await?;
        let known: Vec<Snapshot> = found.iter().map(|seen| seen.peek().clone()).collect();
        let outdated = outdated(&known, now);
        if outdated.is_empty() {
            return Ok(0);
        }
        let mut changes = Changes::by(caller);
        for seen in found.into_iter().filter(|seen| outdated.contains(&seen.peek().id)) {
            changes.remove(seen);
        }
        self.commit(caller, changes).await?;
        let unshown = store.snapshots().list_unshown_items(scope, command.account_id, MOST_ITEMS).await?;
        if !unshown.is_empty() {
            let mut changes = Changes::by(caller);
            for seen in unshown {
                changes.remove(seen);
            }
            self.commit(caller, changes).await?;
        }
        Ok(outdated.len())
    }
}
