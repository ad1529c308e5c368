//! An inventory change: a difference between two complete snapshots that follow each other, and what came of it.
//!
//! One that a trade or the item itself explains is closed from the start. Of any other, a person names the inventory item that it belongs
//! to, or says that it needs none. Nothing here changes an item or moves money.

use ::time::Duration;

use crate::asset::AssetId;
use crate::id::{AccountId, InventoryChangeId, InventoryItemId, RecordKey, SnapshotId, WorkspaceId};
use crate::names::names;
use crate::text::{ExternalId, ReasonText};
use crate::time::Timestamp;
use crate::trading::snapshot::{ChangeKind, ItemPlace, ShownItem, SnapshotDifference};

/// How long an item that appeared may be unexplained before it is reported: the step that receives it may not be recorded yet.
pub const ORPHAN_AFTER: Duration = Duration::minutes(10);

/// The status of an inventory change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeStatus {
    /// Nothing explains it yet.
    Open = 1,
    /// Final: a trade, the item itself or the end of its protection explains it.
    Explained = 2,
    /// Final: a person named the inventory item that it belongs to.
    Matched = 3,
    /// Final: a person said that it needs no item.
    Ignored = 4,
}

names! { ChangeStatus, "status of an inventory change":
    Open => "OPEN",
    Explained => "EXPLAINED",
    Matched => "MATCHED",
    Ignored => "IGNORED",
}

/// The two snapshots of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Between {
    /// The earlier one.
    pub from: SnapshotId,
    /// The later one.
    pub to: SnapshotId,
}

/// A change of an inventory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InventoryChange {
    /// Its own id.
    pub id: InventoryChangeId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trading account.
    pub account_id: AccountId,
    /// What changed.
    pub kind: ChangeKind,
    /// The current status.
    pub status: ChangeStatus,
    /// The item as the earlier snapshot shows it; as the later one does if it appeared.
    pub item: ShownItem,
    /// Where the later snapshot shows it, unless it appeared or disappeared.
    pub after: Option<ItemPlace>,
    /// The snapshots.
    pub between: Between,
    /// The inventory item that it belongs to, where one is known.
    pub inventory_item_id: Option<InventoryItemId>,
    /// The trade that explains it.
    pub trade_id: Option<ExternalId>,
    /// What explains it, or why a person ignored it.
    pub reason: Option<ReasonText>,
    /// Whether it was reported as an orphan.
    pub is_reported: bool,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The change is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an inventory change that is {0} is closed")]
pub struct ChangeClosed(pub ChangeStatus);

impl InventoryChange {
    /// Records a difference.
    pub fn recorded(
        RecordKey { workspace_id, id }: RecordKey<InventoryChangeId>,
        account_id: AccountId,
        between: Between,
        difference: SnapshotDifference,
        at: Timestamp,
    ) -> Self {
        let SnapshotDifference { kind, item, after, explanation } = difference;
        let status = if explanation.is_some() { ChangeStatus::Explained } else { ChangeStatus::Open };
        Self {
            id,
            workspace_id,
            account_id,
            kind,
            status,
            item,
            after,
            between,
            inventory_item_id: None,
            trade_id: explanation.as_ref().and_then(|explained| explained.trade_id()).cloned(),
            reason: explanation.as_ref().and_then(|explained| ReasonText::new(explained.as_str()).ok()),
            is_reported: false,
            created_at: at,
            updated_at: at,
        }
    }

    /// The same of an inventory item that has one of its asset ids.
    #[must_use]
    pub fn of_item(self, inventory_item_id: Option<InventoryItemId>) -> Self {
        Self { inventory_item_id, ..self }
    }

    /// It was reported as an orphan. That is done once: a person who dismisses the report has seen it.
    #[must_use]
    pub fn reported(self, at: Timestamp) -> Self {
        Self { is_reported: true, updated_at: at.max(self.updated_at), ..self }
    }

    /// A person named the inventory item that it belongs to.
    ///
    /// # Errors
    /// [`ChangeClosed`].
    pub fn matched(self, item: InventoryItemId, at: Timestamp) -> Result<Self, ChangeClosed> {
        self.require_open()?;
        let updated_at = at.max(self.updated_at);
        Ok(Self { status: ChangeStatus::Matched, inventory_item_id: Some(item), updated_at, ..self })
    }

    /// A person said that it needs no item.
    ///
    /// # Errors
    /// [`ChangeClosed`].
    pub fn ignored(self, why: ReasonText, at: Timestamp) -> Result<Self, ChangeClosed> {
        self.require_open()?;
        Ok(Self { status: ChangeStatus::Ignored, reason: Some(why), updated_at: at.max(self.updated_at), ..self })
    }

    /// The id that the item has since; `None` of an item that disappeared.
    pub fn current_asset_id(&self) -> Option<&AssetId> {
        match (self.kind, &self.after) {
            (ChangeKind::Disappeared, _) => None,
            (_, Some(after)) => Some(&after.asset_id),
            (_, None) => Some(&self.item.place.asset_id),
        }
    }

    /// Whether it is an item that the account has, that nothing explains and that no record names.
    pub fn is_orphan(&self) -> bool {
        self.status == ChangeStatus::Open && self.kind == ChangeKind::Appeared && self.inventory_item_id.is_none()
    }

    const fn require_open(&self) -> Result<(), ChangeClosed> {
        match self.status {
            ChangeStatus::Open => Ok(()),
            ChangeStatus::Explained | ChangeStatus::Matched | ChangeStatus::Ignored => Err(ChangeClosed(self.status)),
        }
    }
}

impl ChangeStatus {
    /// The name of the step that leads here.
    pub const fn step(self) -> &'static str {
        match self {
            Self::Open => "found",
            Self::Explained => "explained",
            Self::Matched => "matched",
            Self::Ignored => "ignored",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::{AppId, ContextId};
    use crate::text::Text;
    use crate::trading::snapshot::{Explanation, Face};

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minute))
    }

    fn place(asset: &str) -> ItemPlace {
        let asset_id = AssetId::new(asset).unwrap();
        ItemPlace { asset_id, context_id: ContextId::ORDINARY, locked_until: None }
    }

    fn change(kind: ChangeKind, after: Option<ItemPlace>, explanation: Option<Explanation>) -> InventoryChange {
        let market_hash_name = Text::new("Glove Case").unwrap();
        let item = ShownItem { app_id: AppId::CS2, market_hash_name, face: Face::default(), place: place("7") };
        let difference = SnapshotDifference { kind, item, after, explanation };
        let key =
            RecordKey { workspace_id: WorkspaceId::from_bytes([1; 16]), id: InventoryChangeId::from_bytes([2; 16]) };
        let between = Between { from: SnapshotId::from_bytes([4; 16]), to: SnapshotId::from_bytes([5; 16]) };
        InventoryChange::recorded(key, AccountId::from_bytes([3; 16]), between, difference, at(0))
    }

    #[test]
    fn an_explained_difference_is_closed_from_the_start_with_its_trade() {
        let by_trade = Explanation::Trade(ExternalId::new("trade-1").unwrap());
        let explained = change(ChangeKind::Appeared, None, Some(by_trade));
        assert_eq!((explained.status, explained.is_orphan()), (ChangeStatus::Explained, false));
        assert_eq!(explained.trade_id.as_ref().map(ExternalId::as_str), Some("trade-1"));
        assert_eq!(explained.reason.as_ref().map(Text::as_str), Some("a trade moved it"));
        let item = InventoryItemId::from_bytes([6; 16]);
        assert_eq!(explained.matched(item, at(1)), Err(ChangeClosed(ChangeStatus::Explained)));
    }

    #[test]
    fn an_open_change_is_matched_or_ignored_once() {
        let (open, item) = (change(ChangeKind::Appeared, None, None), InventoryItemId::from_bytes([6; 16]));
        let why: ReasonText = Text::new("a gift").unwrap();
        let matched = open.clone().matched(item, at(1)).unwrap();
        assert_eq!((matched.status, matched.inventory_item_id), (ChangeStatus::Matched, Some(item)));
        assert_eq!(matched.ignored(why.clone(), at(2)), Err(ChangeClosed(ChangeStatus::Matched)));
        let ignored = open.ignored(why.clone(), at(1)).unwrap();
        assert_eq!((ignored.status, &ignored.reason), (ChangeStatus::Ignored, &Some(why)));
        assert_eq!(ignored.matched(item, at(2)), Err(ChangeClosed(ChangeStatus::Ignored)));
    }

    #[test]
    fn only_an_open_item_that_appeared_without_a_record_is_an_orphan() {
        let orphan = change(ChangeKind::Appeared, None, None);
        assert!(orphan.is_orphan());
        let known = InventoryChange { inventory_item_id: Some(InventoryItemId::from_bytes([6; 16])), ..orphan };
        assert!(!known.is_orphan());
        assert!(!change(ChangeKind::Disappeared, None, None).is_orphan());
    }

    #[test]
    fn the_current_id_is_the_later_one_and_an_item_that_disappeared_has_none() {
        let current = |change: &InventoryChange| change.current_asset_id().map(ToString::to_string);
        assert_eq!(current(&change(ChangeKind::Appeared, None, None)).as_deref(), Some("7"));
        let renamed = change(ChangeKind::AssetIdChanged, Some(place("9")), None);
        assert_eq!(current(&renamed).as_deref(), Some("9"));
        assert_eq!(current(&change(ChangeKind::Disappeared, None, None)), None);
    }
}
