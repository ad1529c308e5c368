//! Records that break a rule of the domain: a batch or a list answers the others, and the log says once which one was left out.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use tradepost_ports::store::{StoreError, StoreResult};

/// Most findings that are remembered, so that each is logged once.
const MOST_REMEMBERED: usize = 1_000;

/// What was found to break a rule since the process started.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    logged: Mutex<BTreeSet<String>>,
}

impl LeftOut {
    /// What was read, or nothing where a stored value breaks a rule: that is logged with its table, column and row, once.
    pub(crate) fn readable<T>(&self, read: StoreResult<T>) -> StoreResult<Option<T>> {
        match read {
            Ok(found) => Ok(Some(found)),
            Err(StoreError::Corrupt(found)) => {
                if self.is_new(&found) {
                    tracing::error!(%found, "a stored record breaks a rule and is left out; run tradepost doctor");
                }
                Ok(None)
            }
            Err(failed) => Err(failed),
        }
    }

    fn is_new(&self, found: &str) -> bool {
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.len() >= MOST_REMEMBERED {
            logged.clear();
        }
        logged.insert(found.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_breaks_a_rule_is_new_once_and_what_else_fails_is_no_record() {
        let left_out = LeftOut::default();
        let broken =
            || Err::<(), _>(StoreError::Corrupt("pools.status of row (1, 2): 9 is not a known code".to_owned()));
        assert_eq!(left_out.readable(Ok(1)), Ok(Some(1)));
        assert_eq!((left_out.readable(broken()), left_out.readable(broken())), (Ok(None), Ok(None)));
        assert_eq!(left_out.logged.lock().unwrap().len(), 1);
        assert_eq!(left_out.readable::<()>(Err(StoreError::Conflict)), Err(StoreError::Conflict));
    }
}
