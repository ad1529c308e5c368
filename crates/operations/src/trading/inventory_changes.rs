//! Inventory changes: what changed between complete snapshots, what explains it, and what people decided about it.

pub(crate) mod change_steps;
mod ignore_inventory_change;
mod match_inventory_change;
mod read;
mod record_inventory_changes;
mod report_orphans;

pub use ignore_inventory_change::IgnoreInventoryChange;
pub use match_inventory_change::MatchInventoryChange;
pub use read::*;
pub use record_inventory_changes::RecordInventoryChanges;
pub use report_orphans::ReportOrphans;
