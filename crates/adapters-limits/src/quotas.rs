//! The quota of each rate class: the defaults, how they are changed, and which are impossible.

use std::num::NonZeroU32;
use std::time::Duration;

use tradepost_ports::limiter::{Quota, RateClass};

const MINUTE: Duration = Duration::from_mins(1);
const TEN_MINUTES: Duration = Duration::from_mins(10);
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);
/// The longest time to refill a burst. Far above any use, far below where nanoseconds overflow.
const LONGEST_REFILL: Duration = Duration::from_hours(365 * 24);

// A class finds its quota by its number.
const _: () = {
    let mut number = 0;
    while number < RateClass::ALL.len() {
        assert!(RateClass::ALL[number] as usize == number, "RateClass::ALL follows the order of declaration");
        number += 1;
    }
};

/// One quota for each rate class.
///
/// ```
/// use std::time::Duration;
/// use tradepost_adapters_limits::Quotas;
/// use tradepost_ports::limiter::{Quota, RateClass};
///
/// let tight = Quota { calls: 60, window: Duration::from_secs(60), burst: 5 };
/// let quotas = Quotas::default().with(RateClass::Read, tight);
/// assert_eq!(quotas.of(RateClass::Read), tight);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quotas([Quota; RateClass::ALL.len()]);

/// A quota that cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the quota of rate class {} {rule}", class.name())]
pub struct InvalidQuota {
    /// Whose quota it is.
    pub class: RateClass,
    /// The rule that it breaks.
    pub rule: &'static str,
}

impl Default for Quotas {
    /// Generous for programs that work, tight for callers that guess passwords and codes or have mail sent.
    fn default() -> Self {
        Self(RateClass::ALL.map(|class| match class {
            RateClass::Unauthenticated => Quota { calls: 600, window: MINUTE, burst: 120 },
            RateClass::FailedAuthentication => Quota { calls: 20, window: MINUTE, burst: 20 },
            RateClass::Read => Quota { calls: 1_200, window: MINUTE, burst: 200 },
            RateClass::List | RateClass::Write => Quota { calls: 300, window: MINUTE, burst: 60 },
            RateClass::Trade => Quota { calls: 120, window: MINUTE, burst: 30 },
            RateClass::Key => Quota { calls: 10, window: HOUR, burst: 5 },
            RateClass::Password => Quota { calls: 20, window: TEN_MINUTES, burst: 5 },
            RateClass::Code => Quota { calls: 10, window: TEN_MINUTES, burst: 5 },
            RateClass::PasswordAddress => Quota { calls: 60, window: TEN_MINUTES, burst: 10 },
            RateClass::PasswordNetwork => Quota { calls: 20, window: TEN_MINUTES, burst: 20 },
            RateClass::Mail => Quota { calls: 1, window: TEN_MINUTES, burst: 3 },
            RateClass::MailDay => Quota { calls: 10, window: DAY, burst: 10 },
            RateClass::MailAddress => Quota { calls: 1, window: HOUR, burst: 3 },
            RateClass::MailNetwork => Quota { calls: 20, window: HOUR, burst: 20 },
            RateClass::SignUp => Quota { calls: 3, window: HOUR, burst: 3 },
            RateClass::LeakReport => Quota { calls: 10, window: MINUTE, burst: 10 },
            RateClass::LoginCode => Quota { calls: 6, window: HOUR, burst: 6 },
            RateClass::Workspace => Quota { calls: 6_000, window: MINUTE, burst: 1_000 },
            RateClass::Observation => Quota { calls: 1_500_000, window: MINUTE, burst: 50_000 },
        }))
    }
}

impl Quotas {
    /// These quotas with another one for `class`.
    #[must_use]
    pub fn with(mut self, class: RateClass, quota: Quota) -> Self {
        self.0[class as usize] = quota;
        self
    }

    /// The quota of a class.
    pub fn of(&self, class: RateClass) -> Quota {
        self.0[class as usize]
    }

    /// Every quota in the form in which it is kept, in the order of [`RateClass::ALL`].
    pub(crate) fn cells(&self) -> Result<Vec<governor::Quota>, InvalidQuota> {
        let cell_of = |class| cell(self.of(class)).map_err(|rule| InvalidQuota { class, rule });
        RateClass::ALL.into_iter().map(cell_of).collect()
    }
}

fn cell(quota: Quota) -> Result<governor::Quota, &'static str> {
    let burst = NonZeroU32::new(quota.burst).ok_or("must have a burst of at least 1")?;
    let interval = quota.window.checked_div(quota.calls).ok_or("must allow at least 1 call")?;
    if interval.checked_mul(quota.burst).is_none_or(|refill| refill > LONGEST_REFILL) {
        return Err("must refill its burst within a year");
    }
    let sustained = governor::Quota::with_period(interval).ok_or("must have a window of at least 1 ns a call")?;
    Ok(sustained.allow_burst(burst))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(quota: Quota) -> InvalidQuota {
        Quotas::default().with(RateClass::Trade, quota).cells().unwrap_err()
    }

    #[test]
    fn changing_one_class_leaves_the_others() {
        let changed = Quota { calls: 7, window: MINUTE, burst: 2 };
        let quotas = Quotas::default().with(RateClass::Mail, changed);
        for class in RateClass::ALL {
            let expected = if class == RateClass::Mail { changed } else { Quotas::default().of(class) };
            assert_eq!(quotas.of(class), expected, "{class:?}");
        }
    }

    #[test]
    fn the_defaults_can_be_kept() {
        assert_eq!(Quotas::default().cells().map(|cells| cells.len()), Ok(RateClass::ALL.len()));
    }

    #[test]
    fn a_quota_that_lets_nothing_through_is_refused_by_name() {
        let no_calls = refused(Quota { calls: 0, window: MINUTE, burst: 1 });
        assert_eq!(no_calls.to_string(), "the quota of rate class trade must allow at least 1 call");
        let no_burst = refused(Quota { calls: 1, window: MINUTE, burst: 0 });
        assert_eq!(no_burst.to_string(), "the quota of rate class trade must have a burst of at least 1");
    }

    #[test]
    fn a_quota_without_time_is_refused() {
        let no_window = refused(Quota { calls: 1, window: Duration::ZERO, burst: 1 });
        assert_eq!(no_window.rule, "must have a window of at least 1 ns a call");
        let crowded = refused(Quota { calls: 2, window: Duration::from_nanos(1), burst: 1 });
        assert_eq!(crowded.rule, "must have a window of at least 1 ns a call");
    }

    #[test]
    fn a_burst_that_would_take_over_a_year_to_refill_is_refused() {
        let slow = refused(Quota { calls: 1, window: HOUR, burst: u32::MAX });
        assert_eq!(slow.rule, "must refill its burst within a year");
    }
}
