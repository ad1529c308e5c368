//! When the trade offers of a trading account were last read, and whether a person asked for a reading.

use crate::id::{AccountId, WorkspaceId};
use crate::time::Timestamp;
use crate::trading::trading_account::REFRESH_WAITS;

/// The reading of an account's offers. An account has one record, from the first request or reading on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfferReading {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// When a person asked for a reading that the engine has not finished.
    pub requested_at: Option<Timestamp>,
    /// When the last finished reading began.
    pub read_at: Option<Timestamp>,
}

impl OfferReading {
    /// Returns the record of an account whose offers were never read.
    pub const fn new(workspace_id: WorkspaceId, account_id: AccountId) -> Self {
        Self { workspace_id, account_id, requested_at: None, read_at: None }
    }

    /// Returns the same with a request. One that waits already stays.
    #[must_use]
    pub fn requested(self, at: Timestamp) -> Self {
        Self { requested_at: self.requested_at.or(Some(at)), ..self }
    }

    /// Returns when the request was made, if it has waited for [`REFRESH_WAITS`]: an engine that does not trade with the account ends it then.
    pub fn overdue_request(&self, at: Timestamp) -> Option<Timestamp> {
        self.requested_at.filter(|asked| at.since(*asked) >= REFRESH_WAITS)
    }

    /// Returns the same once the engine does not read the offers: no request waits.
    #[must_use]
    pub const fn refused(self) -> Self {
        Self { requested_at: None, ..self }
    }

    /// Returns the same after a reading that began then. A request that came later waits for the next one.
    #[must_use]
    pub fn read(self, began_at: Timestamp) -> Self {
        let read_at = self.read_at.map_or(began_at, |known| known.max(began_at));
        Self { requested_at: self.requested_at.filter(|asked| *asked > began_at), read_at: Some(read_at), ..self }
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::seconds(seconds))
    }

    fn reading() -> OfferReading {
        OfferReading::new(WorkspaceId::from_bytes([1; 16]), AccountId::from_bytes([2; 16]))
    }

    #[test]
    fn a_request_waits_until_a_reading_that_began_after_it() {
        let asked = reading().requested(at(5));
        assert_eq!(asked.requested(at(6)).requested_at, Some(at(5)));
        assert_eq!(asked.read(at(4)).requested_at, Some(at(5)));
        let read = asked.read(at(5));
        assert_eq!((read.requested_at, read.read_at), (None, Some(at(5))));
    }

    #[test]
    fn a_request_is_overdue_after_two_minutes_and_ends_without_a_reading() {
        let asked = reading().read(at(1)).requested(at(5));
        assert_eq!([124, 125].map(|seconds| asked.overdue_request(at(seconds))), [None, Some(at(5))]);
        assert_eq!(asked.refused(), reading().read(at(1)));
    }

    #[test]
    fn a_reading_that_is_recorded_late_takes_nothing_back() {
        assert_eq!(reading().read(at(9)).read(at(4)).read_at, Some(at(9)));
    }
}
