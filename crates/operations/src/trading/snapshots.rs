//! Snapshots of inventories: what people ask and read, and what an engine reports of them.

mod compare_snapshots;
mod create_snapshot;
mod list_snapshot_items;
mod read;
pub(crate) mod record_snapshot;
mod shown_items;
mod thin_snapshots;

pub use compare_snapshots::CompareSnapshots;
pub(crate) use compare_snapshots::both_shown;
pub use create_snapshot::{BeginSnapshot, CreateSnapshot, SnapshotsToTake};
pub use list_snapshot_items::{ListSnapshotItems, ListedItem};
pub use read::*;
pub use record_snapshot::{ContextReading, FailSnapshot, RecordSnapshot, SnapshotReading};
pub(crate) use shown_items::{items_by_asset, shown_at};
pub use thin_snapshots::ThinSnapshots;
