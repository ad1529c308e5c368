//! When the confirmations of a trading account were last read, and whether a person asked for a reading.

use crate::id::{AccountId, WorkspaceId};
use crate::time::Timestamp;
use crate::trading::trading_account::REFRESH_WAITS;

/// The reading of an account's confirmations. An account has one record, from the first request or reading on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfirmationList {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The trading account.
    pub account_id: AccountId,
    /// When a person asked for a reading that the engine has not finished.
    pub requested_at: Option<Timestamp>,
    /// When the last finished reading began.
    pub read_at: Option<Timestamp>,
}

impl ConfirmationList {
    /// Returns the list of an account whose confirmations were never read.
    pub const fn unread(workspace_id: WorkspaceId, account_id: AccountId) -> Self {
        Self { workspace_id, account_id, requested_at: None, read_at: None }
    }

    /// Returns the list with a request. One that waits already stays.
    #[must_use]
    pub fn requested(self, at: Timestamp) -> Self {
        Self { requested_at: self.requested_at.or(Some(at)), ..self }
    }

    /// Returns when the request was made, if it has waited for [`REFRESH_WAITS`]: an engine that does not trade with the account ends it then.
    pub fn overdue_request(&self, at: Timestamp) -> Option<Timestamp> {
        self.requested_at.filter(|asked| at.since(*asked) >= REFRESH_WAITS)
    }

    /// Returns the list once the driver or the engine does not read it: no request waits.
    #[must_use]
    pub const fn refused(self) -> Self {
        Self { requested_at: None, ..self }
    }

    /// Returns the list after a reading that began then. A request that came later waits for the next one.
    #[must_use]
    pub fn read(self, began_at: Timestamp) -> Self {
        let requested_at = self.requested_at.filter(|asked| *asked > began_at);
        Self { requested_at, read_at: self.read_at.max(Some(began_at)), ..self }
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;

    #[test]
    fn a_request_for_a_list_waits_for_a_reading_that_began_after_it() {
        let at = |seconds| Timestamp::MIN.plus(Duration::seconds(seconds));
        let new = ConfirmationList::unread(WorkspaceId::from_bytes([1; 16]), AccountId::from_bytes([2; 16]));
        let asked = new.requested(at(5)).requested(at(6));
        assert_eq!(asked.requested_at, Some(at(5)));
        assert_eq!(asked.read(at(4)).requested_at, Some(at(5)));
        let read = asked.read(at(7)).read(at(6));
        assert_eq!((read.requested_at, read.read_at), (None, Some(at(7))));
        assert_eq!(asked.refused(), new, "what is never read waits for nothing");
        assert_eq!([124, 125].map(|seconds| asked.overdue_request(at(seconds))), [None, Some(at(5))]);
    }
}
