//! [`CompareSnapshots`]: the differences between two complete snapshots of an account. They are calculated, and nothing is recorded.

use std::collections::BTreeSet;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::AppId;
use tradepost_domain::id::{SnapshotId, WorkspaceId};
use tradepost_domain::trading::snapshot::{ShownItem, Snapshot, SnapshotDifference, SnapshotStatus, differences};
use tradepost_ports::changes::{Caller, Seen};

use super::read::snapshot_as_seen;
use super::shown_at;
use crate::paging::{ListKey, page_size};
use crate::rules;
use crate::{OpError, OpResult, Operations, PageOf, Reason};

/// A request for a page of the differences between two snapshots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompareSnapshots {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The earlier snapshot.
    pub from: SnapshotId,
    /// The later snapshot.
    pub to: SnapshotId,
    /// The maximum of differences on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

impl Operations {
    /// Returns a page of the differences between two snapshots, by the ids that the items had.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`; `invalid_argument` for a negative limit, a cursor that this list did not give out, snapshots of
    /// two accounts, and a later snapshot that is not later; `failed_precondition` with `SNAPSHOT_NOT_COMPLETE`: of a part, nothing follows.
    pub async fn compare_snapshots(
        &self,
        caller: &Caller,
        command: CompareSnapshots,
    ) -> OpResult<PageOf<SnapshotDifference>> {
        let scope = rules::COMPARE_SNAPSHOTS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("snapshot differences", scope).and_id(Some(command.from)).and_id(Some(command.to));
        let limit = page_size(command.limit)? as usize;
        let begin = self.read_cursor(&key, &command.cursor)?.map_or(0, u128::from_be_bytes);
        let begin = usize::try_from(begin).unwrap_or(usize::MAX);
        let from = snapshot_as_seen(self, scope, command.from).await?;
        let to = snapshot_as_seen(self, scope, command.to).await?;
        let apps = comparable(from.peek(), to.peek())?;
        let [before, after] = both_shown(self, scope, from.peek(), to.peek(), &apps).await?;
        let mut found = differences(&before, &after, &[]);
        let total = found.len();
        let entries: Vec<SnapshotDifference> = found.drain(begin.min(total)..).take(limit).collect();
        let end = begin.saturating_add(entries.len());
        let next = (end < total).then(|| self.write_cursor(&key, (end as u128).to_be_bytes()));
        Ok(PageOf { entries, next_cursor: next.unwrap_or_default() })
    }
}

/// Returns the games of which both snapshots show everything.
fn comparable(from: &Snapshot, to: &Snapshot) -> OpResult<BTreeSet<AppId>> {
    if from.account_id != to.account_id {
        return Err(OpError::invalid_field("toSnapshotId", "is a snapshot of another account"));
    }
    if let Some(part) = [from, to].into_iter().find(|snapshot| snapshot.status != SnapshotStatus::Complete) {
        let message =
            format!("a snapshot that is {} does not show every item, so nothing follows from it", part.status);
        return Err(OpError::failed_precondition(Reason::SnapshotNotComplete, message));
    }
    let later = || OpError::invalid_field("toSnapshotId", "was not taken after fromSnapshotId");
    from.comparable_with(to).ok_or_else(later)
}

/// Returns what two snapshots of an account show of these games.
pub(crate) async fn both_shown(
    operations: &Operations,
    scope: WorkspaceScope,
    from: &Snapshot,
    to: &Snapshot,
    apps: &BTreeSet<AppId>,
) -> OpResult<[Vec<ShownItem>; 2]> {
    let mut both = [Vec::new(), Vec::new()];
    for (shown, snapshot) in both.iter_mut().zip([from, to]) {
        let Some(number) = snapshot.number else { continue };
        let found = shown_at(operations, scope, (snapshot.account_id, number)).await?;
        let items = found.into_iter().map(Seen::into_display).map(|(found, _)| found.item);
        shown.extend(items.filter(|item| apps.contains(&item.app_id)));
    }
    Ok(both)
}
