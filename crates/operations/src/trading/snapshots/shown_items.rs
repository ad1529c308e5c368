//! The items that a snapshot shows, read whole, and the inventory items that have their asset ids.

use std::collections::BTreeMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::id::{AccountId, InventoryItemId};
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::snapshot::{SnapshotItem, SnapshotNumber};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::RecordBatch;

use crate::{OpResult, Operations};

/// Records that are read at once.
const AT_ONCE: u32 = 1_000;

/// Returns every item that the snapshot of an account with this number shows.
pub(crate) async fn shown_at(
    operations: &Operations,
    scope: WorkspaceScope,
    place: (AccountId, SnapshotNumber),
) -> OpResult<Vec<Seen<SnapshotItem>>> {
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let slice = RecordBatch { after, most: AT_ONCE };
        let batch = operations.ports.store.snapshots().list_items_at(scope, place, slice).await?;
        let is_last = batch.len() < AT_ONCE as usize;
        after = batch.last().map(|last| last.peek().id);
        found.extend(batch);
        if is_last {
            return Ok(found);
        }
    }
}

/// Returns the inventory items of an account that are not over, by the asset ids that they have now.
pub(crate) async fn items_by_asset(
    operations: &Operations,
    scope: WorkspaceScope,
    account: &AccountName,
) -> OpResult<BTreeMap<(AppId, AssetId), InventoryItemId>> {
    let (mut found, mut after) = (BTreeMap::new(), None);
    loop {
        let slice = RecordBatch { after, most: AT_ONCE };
        let batch = operations.ports.store.items().list_of_account(scope, account, slice).await?;
        after = batch.last().map(|last| last.peek().id);
        let is_last = batch.len() < AT_ONCE as usize;
        let keyed = batch.iter().map(Seen::peek).map(|item| ((item.app_id, item.current_asset_id().clone()), item.id));
        found.extend(keyed);
        if is_last {
            return Ok(found);
        }
    }
}
