//! Reminding the owner of a key that it ends.

use time::Duration;

use super::ApiKey;
use crate::time::Timestamp;

/// How long before its end the owner of a key is reminded of it: two weeks, three days, and once it has ended.
const REMINDERS: [Duration; 3] = [Duration::days(14), Duration::days(3), Duration::ZERO];

/// When the owner of a key that ends then is to be reminded of it next, after this time.
pub fn next_reminder(expires_at: Option<Timestamp>, after: Timestamp) -> Option<Timestamp> {
    let end = expires_at?;
    REMINDERS.into_iter().map(|before| end.plus(-before)).find(|reminder| *reminder > after)
}

impl ApiKey {
    /// Returns the key after its owner was reminded. Missed reminders are skipped.
    #[must_use]
    pub fn reminded(self, at: Timestamp) -> Self {
        Self { remind_at: next_reminder(self.expires_at, at), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(days: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::days(days))
    }

    #[test]
    fn an_owner_is_reminded_two_weeks_and_three_days_before_the_end_and_at_it() {
        let end = Some(day(30));
        for (after, next) in [(0, Some(16)), (15, Some(16)), (16, Some(27)), (26, Some(27)), (27, Some(30)), (30, None)]
        {
            assert_eq!(next_reminder(end, day(after)), next.map(day), "after day {after}");
        }
        assert_eq!(next_reminder(None, day(0)), None);
    }

    #[test]
    fn a_short_life_has_only_the_reminders_that_lie_ahead() {
        assert_eq!(next_reminder(Some(day(5)), day(0)), Some(day(2)));
        assert_eq!(next_reminder(Some(day(1)), day(0)), Some(day(1)));
    }
}
