//! What accounts have shown and that changes seldom: a check that comes every minute does not read it each time, and one that cannot read it
//! has the last value for a while.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tradepost_domain::trading::trade::PlatformUserId;

/// A value of each account, for as long as it counts.
#[derive(Debug)]
pub(crate) struct Remembered<T> {
    /// For how long it is not read again.
    lasts: Duration,
    /// For how long it replaces one that could not be read.
    kept: Duration,
    seen: Mutex<BTreeMap<PlatformUserId, (Instant, T)>>,
}

impl<T: Copy> Remembered<T> {
    /// Values that count for this long.
    pub(crate) const fn for_a_time(lasts: Duration) -> Self {
        Self::kept_for(lasts, lasts)
    }

    /// Values that count for this long, and that replace those that cannot be read for longer.
    pub(crate) const fn kept_for(kept: Duration, lasts: Duration) -> Self {
        Self { lasts, kept, seen: Mutex::new(BTreeMap::new()) }
    }

    /// Returns a value that need not be read again.
    pub(crate) fn of(&self, user: PlatformUserId) -> Option<T> {
        self.within(user, self.lasts)
    }

    /// Returns the last value, for one that cannot be read.
    pub(crate) fn last(&self, user: PlatformUserId) -> Option<T> {
        self.within(user, self.kept)
    }

    fn within(&self, user: PlatformUserId, age: Duration) -> Option<T> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.get(&user).filter(|(at, _)| at.elapsed() < age).map(|(_, value)| *value)
    }

    /// Keeps a value, and returns it.
    pub(crate) fn keep(&self, user: PlatformUserId, value: T) -> T {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(user, (Instant::now(), value));
        value
    }

    /// Forgets a value, which is read the next time.
    pub(crate) fn forget(&self, user: PlatformUserId) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).remove(&user);
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;

    #[test]
    fn a_value_counts_for_its_account_and_for_its_time_alone() {
        let [one, other] = [1_u64, 2].map(|number| PlatformUserId::new(number.try_into().unwrap()));
        let lasting = Remembered::for_a_time(Duration::from_mins(1));
        assert_eq!((lasting.keep(one, 7), lasting.of(one), lasting.of(other)), (7, Some(7), None));
        lasting.forget(one);
        assert_eq!((lasting.of(one), lasting.last(one)), (None, None));
        let over = Remembered::for_a_time(Duration::ZERO);
        over.keep(one, 7);
        assert_eq!((over.of(one), over.last(one)), (None, None));
    }

    #[test]
    fn a_value_that_is_to_be_read_again_is_the_last_one_for_a_while() {
        let one = PlatformUserId::new(NonZeroU64::MIN);
        let kept = Remembered::kept_for(Duration::from_mins(1), Duration::ZERO);
        assert_eq!(kept.last(one), None);
        kept.keep(one, 7);
        assert_eq!((kept.of(one), kept.last(one)), (None, Some(7)));
    }
}
