//! [`ListSnapshotItems`]: the items that a snapshot showed.

use tradepost_domain::id::{InventoryItemId, SnapshotId, SnapshotItemId, WorkspaceId};
use tradepost_domain::trading::snapshot::{ShownItem, Snapshot, SnapshotItem, SnapshotNumber, SnapshotStatus};
use tradepost_ports::changes::{Caller, Seen};
use tradepost_ports::store::RecordBatch;

use super::items_by_asset;
use super::read::snapshot_as_seen;
use crate::paging::{ListKey, page_size};
use crate::rules;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{OpResult, Operations, PageOf};

/// A request for a page of the items of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListSnapshotItems {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The snapshot.
    pub snapshot_id: SnapshotId,
    /// The maximum of items on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

/// An item of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedItem {
    /// The item as the platform showed it.
    pub item: ShownItem,
    /// The inventory item that has this asset id now.
    pub inventory_item_id: Option<InventoryItemId>,
    /// Whether it could be traded when the snapshot was taken.
    pub is_tradable: bool,
}

impl Operations {
    /// Returns a page of the items that a snapshot showed. One that is not taken yet, or failed, has none.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `invalid_argument` for a negative limit and a cursor that this list did not give out.
    pub async fn list_snapshot_items(
        &self,
        caller: &Caller,
        command: ListSnapshotItems,
    ) -> OpResult<PageOf<ListedItem>> {
        let scope = rules::LIST_SNAPSHOT_ITEMS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("snapshot items", scope).and_id(Some(command.snapshot_id));
        let (after, limit) = (self.read_cursor(&key, &command.cursor)?, page_size(command.limit)?);
        let (snapshot, _) = snapshot_as_seen(self, scope, command.snapshot_id).await?.into_display();
        let Some(number) = shown_number(&snapshot) else {
            return Ok(PageOf { entries: Vec::new(), next_cursor: String::new() });
        };
        let slice = RecordBatch { after: after.map(SnapshotItemId::from_bytes), most: limit.saturating_add(1) };
        let place = (snapshot.account_id, number);
        // Where the snapshot was read: an older answer has none of its items, or those of another one under its number.
        let mut found = self.ports.store.snapshots().list_items_at(scope, place, slice).await?;
        let has_more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let last = found.last().map(|last| last.peek().id).filter(|_| has_more);
        let account = account_as_seen(self, scope, snapshot.account_id, None).await?;
        let known = items_by_asset(self, scope, &account.peek().name).await?;
        let listed = |seen: Seen<SnapshotItem>| {
            let SnapshotItem { item, .. } = seen.into_display().0;
            let asset = (item.app_id, item.place.asset_id.clone());
            let is_locked = item.place.locked_until > snapshot.taken_at;
            ListedItem { inventory_item_id: known.get(&asset).copied(), is_tradable: !is_locked, item }
        };
        Ok(PageOf {
            entries: found.into_iter().map(listed).collect(),
            next_cursor: last.map(|id| self.write_cursor(&key, id.to_bytes())).unwrap_or_default(),
        })
    }
}

/// The number by which the items of a snapshot are found; none unless all that it showed is recorded.
fn shown_number(snapshot: &Snapshot) -> Option<SnapshotNumber> {
    match snapshot.status {
        SnapshotStatus::Complete | SnapshotStatus::Partial => snapshot.number,
        SnapshotStatus::Taking | SnapshotStatus::Failed => None,
    }
}
