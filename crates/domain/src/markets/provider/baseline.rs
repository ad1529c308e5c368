//! The baseline of a marketplace's balance: its value when it last agreed with the ledger, or when a user dismissed a difference.

use time::Duration;

use crate::money::{Cents, MoneyError, SignedCents};
use crate::time::Timestamp;

/// An entry of the ledger may be committed a little later than the time that it bears.
const COMMITTED_WITHIN: Duration = Duration::minutes(1);

/// A balance, and the time from which on the entries of the ledger count on top of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Baseline {
    /// From when on entries count.
    pub since: Timestamp,
    /// The balance less what those entries had come to when it was seen.
    pub balance: SignedCents,
}

impl Baseline {
    /// From when on entries count for a balance that is seen at this time.
    pub fn counts_from(seen_at: Timestamp) -> Timestamp {
        seen_at.plus(-COMMITTED_WITHIN)
    }

    /// That of a balance, where the entries that count came to so much when it was seen.
    ///
    /// # Errors
    /// [`MoneyError`] when it does not fit.
    pub fn new(seen_at: Timestamp, balance: Cents, booked: i64) -> Result<Self, MoneyError> {
        let balance = SignedCents::new(balance.get().saturating_sub(booked))?;
        Ok(Self { since: Self::counts_from(seen_at), balance })
    }

    /// When the balance was seen.
    pub fn seen_at(self) -> Timestamp {
        self.since.plus(COMMITTED_WITHIN)
    }

    /// What should be there once the entries that count have come to so much.
    pub const fn expects(self, booked: i64) -> i64 {
        self.balance.get().saturating_add(booked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_booked_when_the_balance_was_seen_is_not_counted_twice() {
        let seen_at = Timestamp::from_micros(3_600_000_000).unwrap();
        let baseline = Baseline::new(seen_at, Cents::new(1_000).unwrap(), -250).unwrap();
        assert_eq!((baseline.seen_at(), baseline.since), (seen_at, Baseline::counts_from(seen_at)));
        assert_eq!(baseline.expects(-250), 1_000);
        assert_eq!(baseline.expects(-250 + 70), 1_070);
    }
}
