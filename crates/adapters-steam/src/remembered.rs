//! What accounts have shown and that changes seldom: a check that comes every minute does not read it each time.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tradepost_domain::trading::trade::PlatformUserId;

/// A value of each account, for as long as it counts.
#[derive(Debug)]
pub(crate) struct Remembered<T> {
    lasts: Duration,
    seen: Mutex<BTreeMap<PlatformUserId, (Instant, T)>>,
}

impl<T: Copy> Remembered<T> {
    /// Values that count for this long.
    pub(crate) const fn for_a_time(lasts: Duration) -> Self {
        Self { lasts, seen: Mutex::new(BTreeMap::new()) }
    }

    pub(crate) fn of(&self, user: PlatformUserId) -> Option<T> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.get(&user).filter(|(at, _)| at.elapsed() < self.lasts).map(|(_, value)| *value)
    }

    /// Keeps a value, and returns it.
    pub(crate) fn keep(&self, user: PlatformUserId, value: T) -> T {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(user, (Instant::now(), value));
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_counts_for_its_account_and_for_its_time_alone() {
        let [one, other] = [1_u64, 2].map(|number| PlatformUserId::new(number.try_into().unwrap()));
        let lasting = Remembered::for_a_time(Duration::from_mins(1));
        assert_eq!((lasting.keep(one, 7), lasting.of(one), lasting.of(other)), (7, Some(7), None));
        let over = Remembered::for_a_time(Duration::ZERO);
        over.keep(one, 7);
        assert_eq!(over.of(one), None);
    }
}
