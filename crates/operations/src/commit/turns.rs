//! Going over records so that each has its turn, also where another one fails. It knows nothing of what is done with them.

use crate::{OpError, OpResult, Reason};

/// What came of the records that a task goes over. The first failure is kept until each has had its turn.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    tried: usize,
    done: usize,
    failed: Option<OpError>,
}

impl Turns {
    /// Returns the turns of records that were changed in one commit.
    pub(crate) const fn together(many: usize) -> Self {
        Self { tried: many, done: many, failed: None }
    }

    /// Takes in what came of one record. One that another caller changed in the meantime is left to that caller.
    ///
    /// # Errors
    /// The first failure, once one concerns every record: the others would fail as well, each after a timeout perhaps.
    pub(crate) fn take(&mut self, outcome: OpResult<()>) -> OpResult<()> {
        self.tried = self.tried.saturating_add(1);
        match outcome {
            Ok(()) => self.done = self.done.saturating_add(1),
            Err(error) if error.is_conflict() => {}
            Err(error) => {
                let is_common = concerns_every_record(&error);
                let first = self.failed.take().unwrap_or(error);
                if is_common {
                    return Err(first);
                }
                self.failed = Some(first);
            }
        }
        Ok(())
    }

    /// Returns how many records were changed.
    ///
    /// # Errors
    /// The first failure.
    pub(crate) fn end(self) -> OpResult<usize> {
        self.failed.map_or(Ok(self.done), Err)
    }

    /// Returns how many records were changed, and the first failure.
    pub(crate) fn into_parts(self) -> (usize, Option<OpError>) {
        (self.done, self.failed)
    }

    /// Returns whether storage, which lists so many records at most, may have others behind those that had their turn.
    ///
    /// What failed is listed first again, so nothing more is done once nothing else was changed. With as many records that fail as a list has,
    /// those behind them wait until an operator has corrected some of these.
    pub(crate) const fn may_be_more(&self, most: u32) -> bool {
        self.done > 0 && self.tried >= most as usize
    }
}

/// Returns whether a failure concerns every record: storage is unavailable, for example, or the caller may write nothing any longer.
pub(crate) const fn concerns_every_record(error: &OpError) -> bool {
    matches!(
        error.reason,
        Reason::StorageUnavailable
            | Reason::Overloaded
            | Reason::KeyEncryptionUnavailable
            | Reason::LeaseLost
            | Reason::CallerChanged
            | Reason::Unauthenticated
    )
}

#[cfg(test)]
mod tests {
    use tradepost_ports::store::StoreError;

    use super::*;

    fn broken(row: u32) -> OpError {
        StoreError::Corrupt(format!("row {row}")).into()
    }

    #[test]
    fn each_record_has_its_turn_and_the_first_failure_is_reported_at_the_end() {
        let mut turns = Turns::default();
        for outcome in [Err(broken(1)), Ok(()), Err(StoreError::Conflict.into()), Err(broken(2)), Ok(())] {
            turns.take(outcome).unwrap();
        }
        assert_eq!((turns.done, turns.tried), (2, 5));
        assert_eq!(turns.end().unwrap_err().source, broken(1).source);
    }

    #[test]
    fn an_outage_ends_the_turns_with_the_first_failure() {
        let outage = || OpError::from(StoreError::Unavailable("a test lets it fail".to_owned()));
        let mut turns = Turns::default();
        assert_eq!(turns.take(Err(outage())).unwrap_err().source, outage().source);
        turns.take(Err(broken(1))).unwrap();
        assert_eq!(turns.take(Err(outage())).unwrap_err().source, broken(1).source);
    }

    #[test]
    fn a_full_list_may_have_more_behind_it_unless_all_of_it_failed() {
        assert!(Turns::together(3).may_be_more(3));
        assert!(!Turns::together(2).may_be_more(3));
        let mut turns = Turns::default();
        turns.take(Err(broken(1))).unwrap();
        turns.take(Err(broken(2))).unwrap();
        assert!(!turns.may_be_more(2), "these are listed first again");
        turns.take(Ok(())).unwrap();
        assert!(turns.may_be_more(3));
    }
}
