//! A snapshot: the inventory of a trading account as the platform showed it at one time.
//!
//! A [`Snapshot`] says when and how completely the inventory was read. Its items are [`SnapshotItem`]s, each of which belongs to all
//! snapshots that showed it unchanged. How the platform is read, and when, is not known here.

mod difference;
mod item;
mod retention;

use std::collections::BTreeSet;

use crate::asset::{AppId, ContextId};
use crate::id::{AccountId, RecordKey, SnapshotId, WorkspaceId};
use crate::names::names;
use crate::text::Description;
use crate::time::Timestamp;

pub use difference::{ChangeKind, Explanation, SnapshotDifference, TradeMove, differences};
pub use item::{Face, ItemPlace, ShownItem, SnapshotItem, Span};
pub use retention::{KEPT_DAILY_FOR, KEPT_WHOLE_FOR, outdated};

/// The status of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SnapshotStatus {
    /// It waits for the engine, or the engine reads the inventory.
    Taking = 1,
    /// The platform showed every item of every context.
    Complete = 2,
    /// The platform showed a part: that an item is not in it says nothing.
    Partial = 3,
    /// The inventory could not be read.
    Failed = 4,
}

names! { SnapshotStatus, "snapshot status":
    Taking => "TAKING",
    Complete => "COMPLETE",
    Partial => "PARTIAL",
    Failed => "FAILED",
}

/// Why a snapshot is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SnapshotTrigger {
    /// The schedule.
    Schedule = 1,
    /// A trade has moved items.
    Trade = 2,
    /// A person asked for it.
    Person = 3,
}

names! { SnapshotTrigger, "snapshot trigger":
    Schedule => "SCHEDULE",
    Trade => "TRADE",
    Person => "PERSON",
}

/// What the platform showed of one context of an inventory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotContext {
    /// The game.
    pub app_id: AppId,
    /// The context.
    pub context_id: ContextId,
    /// How many items it showed.
    pub shown: u32,
    /// Whether these are all.
    pub is_complete: bool,
}

/// The place of a snapshot among those of its account, from 1.
pub type SnapshotNumber = u32;

/// A snapshot of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Its own id.
    pub id: SnapshotId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trading account.
    pub account_id: AccountId,
    /// The current status.
    pub status: SnapshotStatus,
    /// Why it is taken.
    pub trigger: SnapshotTrigger,
    /// Its place among those of the account, once its items are recorded. One that failed has none.
    pub number: Option<SnapshotNumber>,
    /// What it showed of each context.
    pub contexts: Vec<SnapshotContext>,
    /// Whether all changes since the complete snapshot before are recorded.
    pub is_compared: bool,
    /// How many of them are recorded.
    pub change_count: u32,
    /// Why it failed.
    pub failure: Option<Description>,
    /// When the platform showed it.
    pub taken_at: Option<Timestamp>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A snapshot that was taken before does not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a snapshot that is {0} was taken before")]
pub struct AlreadyTaken(pub SnapshotStatus);

impl Snapshot {
    /// A snapshot that is to be taken.
    pub const fn asked(
        RecordKey { workspace_id, id }: RecordKey<SnapshotId>,
        account_id: AccountId,
        trigger: SnapshotTrigger,
        at: Timestamp,
    ) -> Self {
        Self {
            id,
            workspace_id,
            account_id,
            status: SnapshotStatus::Taking,
            trigger,
            number: None,
            contexts: Vec::new(),
            is_compared: false,
            change_count: 0,
            failure: None,
            taken_at: None,
            created_at: at,
            updated_at: at,
        }
    }

    /// Gives it its place: its items are recorded from now on.
    ///
    /// # Errors
    /// [`AlreadyTaken`].
    pub fn numbered(self, number: SnapshotNumber, at: Timestamp) -> Result<Self, AlreadyTaken> {
        self.require_taking()?;
        Ok(Self { number: Some(number), updated_at: at.max(self.updated_at), ..self })
    }

    /// Ends it with what the platform showed, once all of its items are recorded.
    ///
    /// # Errors
    /// [`AlreadyTaken`].
    pub fn taken(
        self,
        contexts: Vec<SnapshotContext>,
        shown_at: Timestamp,
        at: Timestamp,
    ) -> Result<Self, AlreadyTaken> {
        self.require_taking()?;
        let is_complete = !contexts.is_empty() && contexts.iter().all(|context| context.is_complete);
        let status = if is_complete { SnapshotStatus::Complete } else { SnapshotStatus::Partial };
        let updated_at = at.max(self.updated_at);
        // Nothing follows from a part.
        Ok(Self { status, contexts, is_compared: !is_complete, taken_at: Some(shown_at), updated_at, ..self })
    }

    /// Ends it without an answer of the platform.
    ///
    /// # Errors
    /// [`AlreadyTaken`].
    pub fn failed(self, why: Description, at: Timestamp) -> Result<Self, AlreadyTaken> {
        self.require_taking()?;
        let (failure, updated_at) = (Some(why), at.max(self.updated_at));
        Ok(Self { status: SnapshotStatus::Failed, number: None, is_compared: true, failure, updated_at, ..self })
    }

    /// Counts further changes that are recorded with it.
    #[must_use]
    pub fn with_changes(self, more: u32, are_all: bool, at: Timestamp) -> Self {
        let change_count = self.change_count.saturating_add(more);
        Self { change_count, is_compared: are_all, updated_at: at.max(self.updated_at), ..self }
    }

    /// How many items it showed.
    pub fn item_count(&self) -> u32 {
        self.contexts.iter().fold(0, |sum, context| sum.saturating_add(context.shown))
    }

    /// The games of which it shows everything that this later snapshot shows, too; `None` unless both are complete and of one account.
    ///
    /// That an item is missing from a part says nothing, and neither does a game that was not read.
    pub fn comparable_with(&self, later: &Self) -> Option<BTreeSet<AppId>> {
        let are_complete = [self, later].iter().all(|snapshot| snapshot.status == SnapshotStatus::Complete);
        let are_in_order = self.account_id == later.account_id && self.number < later.number;
        let apps = |snapshot: &Self| snapshot.contexts.iter().map(|context| context.app_id).collect::<BTreeSet<_>>();
        (are_complete && are_in_order).then(|| apps(self).intersection(&apps(later)).copied().collect())
    }

    const fn require_taking(&self) -> Result<(), AlreadyTaken> {
        match self.status {
            SnapshotStatus::Taking => Ok(()),
            SnapshotStatus::Complete | SnapshotStatus::Partial | SnapshotStatus::Failed => {
                Err(AlreadyTaken(self.status))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;
    use ::time::Duration;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minute))
    }

    fn asked() -> Snapshot {
        let key = RecordKey { workspace_id: WorkspaceId::from_bytes([1; 16]), id: SnapshotId::from_bytes([2; 16]) };
        Snapshot::asked(key, AccountId::from_bytes([3; 16]), SnapshotTrigger::Person, at(0))
    }

    fn context(app: u32, context_id: ContextId, is_complete: bool) -> SnapshotContext {
        SnapshotContext { app_id: AppId::new(app).unwrap(), context_id, shown: 2, is_complete }
    }

    fn taken(number: SnapshotNumber, contexts: Vec<SnapshotContext>) -> Snapshot {
        asked().numbered(number, at(1)).unwrap().taken(contexts, at(2), at(3)).unwrap()
    }

    #[test]
    fn a_snapshot_is_complete_if_every_context_is() {
        let (whole, part) = (context(730, ContextId::ORDINARY, true), context(730, ContextId::PROTECTED, false));
        assert_eq!(taken(1, vec![whole]).status, SnapshotStatus::Complete);
        assert_eq!(taken(1, vec![whole, part]).status, SnapshotStatus::Partial);
        assert_eq!(taken(1, Vec::new()).status, SnapshotStatus::Partial, "nothing was read");
        assert_eq!(taken(1, vec![whole, part]).item_count(), 4);
    }

    #[test]
    fn a_snapshot_is_taken_once() {
        let done = taken(1, vec![context(730, ContextId::ORDINARY, true)]);
        let refused = AlreadyTaken(SnapshotStatus::Complete);
        assert_eq!(done.clone().numbered(2, at(4)), Err(refused));
        assert_eq!(done.clone().taken(Vec::new(), at(4), at(4)), Err(refused));
        assert_eq!(done.failed(Text::new("no answer").unwrap(), at(4)), Err(refused));
    }

    #[test]
    fn a_failed_snapshot_has_no_place_and_is_compared_with_nothing() {
        let failed = asked().numbered(7, at(1)).unwrap().failed(Text::new("no answer").unwrap(), at(2)).unwrap();
        assert_eq!((failed.status, failed.number, failed.is_compared), (SnapshotStatus::Failed, None, true));
        assert_eq!(failed.comparable_with(&taken(8, vec![context(730, ContextId::ORDINARY, true)])), None);
    }

    #[test]
    fn only_complete_snapshots_of_one_account_are_compared_the_earlier_first() {
        let whole = || vec![context(730, ContextId::ORDINARY, true)];
        let (first, second) = (taken(1, whole()), taken(2, whole()));
        assert_eq!(first.comparable_with(&second), Some(BTreeSet::from([AppId::CS2])));
        assert_eq!(second.comparable_with(&first), None);
        assert_eq!(first.comparable_with(&first), None);
        let part = taken(2, vec![context(730, ContextId::ORDINARY, false)]);
        assert_eq!((first.comparable_with(&part), part.comparable_with(&taken(3, whole()))), (None, None));
        let other = Snapshot { account_id: AccountId::from_bytes([9; 16]), ..taken(2, whole()) };
        assert_eq!(first.comparable_with(&other), None);
    }

    #[test]
    fn games_that_one_of_two_snapshots_did_not_read_are_left_out() {
        let first = taken(1, vec![context(730, ContextId::ORDINARY, true), context(440, ContextId::ORDINARY, true)]);
        let second = taken(2, vec![context(730, ContextId::ORDINARY, true), context(570, ContextId::ORDINARY, true)]);
        assert_eq!(first.comparable_with(&second), Some(BTreeSet::from([AppId::CS2])));
    }

    #[test]
    fn changes_are_counted_until_all_are_recorded() {
        let some = taken(1, vec![context(730, ContextId::ORDINARY, true)]).with_changes(200, false, at(4));
        assert_eq!((some.change_count, some.is_compared), (200, false));
        let all = some.with_changes(3, true, at(5));
        assert_eq!((all.change_count, all.is_compared), (203, true));
    }
}
