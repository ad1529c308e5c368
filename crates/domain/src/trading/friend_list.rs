//! When the friends of a trading account were read, and when a person asked for it.

use time::Duration;

use crate::id::{AccountId, WorkspaceId};
use crate::time::Timestamp;
use crate::trading::trading_account::REFRESH_WAITS;

/// How often the friends of an account are read without anyone asking.
pub const READ_EVERY: Duration = Duration::minutes(15);

/// The reading of the friends of one account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FriendList {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trading account.
    pub account_id: AccountId,
    /// When a person last asked for it.
    pub requested_at: Option<Timestamp>,
    /// When the last reading began.
    pub read_at: Option<Timestamp>,
}

impl FriendList {
    /// Returns the list of an account whose friends were never read.
    pub const fn unread(workspace_id: WorkspaceId, account_id: AccountId) -> Self {
        Self { workspace_id, account_id, requested_at: None, read_at: None }
    }

    /// Returns whether the friends are to be read now.
    pub fn is_due(&self, at: Timestamp) -> bool {
        self.read_at.is_none_or(|read_at| {
            at.since(read_at) >= READ_EVERY || self.requested_at.is_some_and(|asked| asked > read_at)
        })
    }

    /// Returns when a request was made that no reading has answered, if it has waited for [`REFRESH_WAITS`]: an engine that does not trade with
    /// the account ends it then.
    pub fn overdue_request(&self, at: Timestamp) -> Option<Timestamp> {
        let waiting = self.requested_at.filter(|asked| self.read_at.is_none_or(|read_at| read_at < *asked));
        waiting.filter(|asked| at.since(*asked) >= REFRESH_WAITS)
    }

    /// Returns the list once the engine does not read it: no request waits.
    #[must_use]
    pub const fn refused(self) -> Self {
        Self { requested_at: None, ..self }
    }

    /// Returns the list after a person has asked for a reading.
    #[must_use]
    pub fn requested(self, at: Timestamp) -> Self {
        Self { requested_at: self.requested_at.max(Some(at)), ..self }
    }

    /// Returns the list after a reading that began at a time.
    #[must_use]
    pub fn read(self, began_at: Timestamp) -> Self {
        Self { read_at: self.read_at.max(Some(began_at)), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minute(minute: i64) -> Timestamp {
        Timestamp::MIN.plus(Duration::minutes(minute))
    }

    #[test]
    fn friends_are_read_every_15_min_and_whenever_a_person_asks() {
        let new = FriendList::unread(WorkspaceId::from_bytes([1; 16]), AccountId::from_bytes([2; 16]));
        assert!(new.is_due(minute(0)));
        let read = new.read(minute(0));
        assert_eq!((read.is_due(minute(14)), read.is_due(minute(15))), (false, true));
        let asked = read.requested(minute(3));
        assert!(asked.is_due(minute(3)));
        assert!(!asked.read(minute(4)).is_due(minute(5)));
    }

    #[test]
    fn a_request_is_overdue_after_two_minutes_without_an_answer_and_ends_without_a_reading() {
        let read = FriendList::unread(WorkspaceId::from_bytes([1; 16]), AccountId::from_bytes([2; 16])).read(minute(1));
        let asked = read.requested(minute(3));
        assert_eq!([4, 5].map(|at| asked.overdue_request(minute(at))), [None, Some(minute(3))]);
        assert_eq!(asked.read(minute(4)).overdue_request(minute(9)), None);
        assert_eq!(asked.refused(), read);
    }

    #[test]
    fn a_reading_that_began_before_the_request_does_not_answer_it() {
        let list = FriendList::unread(WorkspaceId::from_bytes([1; 16]), AccountId::from_bytes([2; 16]));
        let asked = list.requested(minute(3)).read(minute(2));
        assert!(asked.is_due(minute(3)));
    }
}
