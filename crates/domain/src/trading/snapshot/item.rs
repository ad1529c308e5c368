//! Items of snapshots: what the platform shows of an item, and which snapshots show it so.

use super::SnapshotNumber;
use crate::asset::{AppId, AssetId, ContextId, Wear};
use crate::contracts::inventory_item::Traits;
use crate::id::{AccountId, SnapshotItemId, WorkspaceId};
use crate::text::{MarketHashName, Name};
use crate::time::Timestamp;

/// What distinguishes an item from others of its name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Face {
    /// The wear.
    pub wear: Option<Wear>,
    /// The number that places the pattern.
    pub paint_seed: Option<u32>,
    /// The phase of a pattern sold under one market name.
    pub phase: Option<Name>,
}

impl From<&Traits> for Face {
    fn from(traits: &Traits) -> Self {
        Self { wear: traits.wear.clone(), paint_seed: traits.paint_seed, phase: traits.phase.clone() }
    }
}

/// Where an item is in an inventory, and until when it is locked there: all of it that can change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemPlace {
    /// Its id until the next trade.
    pub asset_id: AssetId,
    /// The context.
    pub context_id: ContextId,
    /// Until when it cannot be traded.
    pub locked_until: Option<Timestamp>,
}

/// An item as the platform shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownItem {
    /// The game.
    pub app_id: AppId,
    /// The variant.
    pub market_hash_name: MarketHashName,
    /// What distinguishes it from others of its name.
    pub face: Face,
    /// Where it is.
    pub place: ItemPlace,
}

/// The snapshots that show something: those from a number on, and before another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first snapshot that shows it.
    pub from: SnapshotNumber,
    /// The first one after it that does not; `None` while the latest one does.
    pub until: Option<SnapshotNumber>,
}

impl Span {
    /// Whether this snapshot shows it.
    pub fn has(self, number: SnapshotNumber) -> bool {
        self.from <= number && self.until.is_none_or(|until| number < until)
    }
}

/// An item together with the snapshots that show it unchanged. An item that does not change is one record, however many snapshots are
/// taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotItem {
    /// Its own id.
    pub id: SnapshotItemId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trading account.
    pub account_id: AccountId,
    /// The item.
    pub item: ShownItem,
    /// The snapshots that show it.
    pub span: Span,
}

impl SnapshotItem {
    /// Ends it with the first snapshot that does not show it so.
    #[must_use]
    pub fn ended(self, number: SnapshotNumber) -> Self {
        let span = Span { until: Some(number), ..self.span };
        Self { span, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_its_first_snapshot_and_none_from_its_end_on() {
        let ended = Span { from: 3, until: Some(5) };
        assert_eq!([2, 3, 4, 5].map(|number| ended.has(number)), [false, true, true, false]);
        let lasting = Span { from: 3, until: None };
        assert_eq!([2, 3, 1_000].map(|number| lasting.has(number)), [false, true, true]);
        assert!(!Span { from: 3, until: Some(3) }.has(3), "it was seen by a reading that did not end");
    }
}
