//! How well sending to a receiver goes: of a webhook endpoint, and of an alert channel.

use ::time::Duration;

use crate::time::Timestamp;

/// A receiver of which every try fails is disabled after this time,
const FAILING_FOR: Duration = Duration::days(5);
/// and after as many tries.
const FAILED_TRIES: u32 = 20;

/// The outcome of the last tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Health {
    /// The tries that failed since the last success.
    pub consecutive_failures: u32,
    /// When the first of them failed.
    pub failing_since: Option<Timestamp>,
    /// When a receiver last accepted a message.
    pub last_success_at: Option<Timestamp>,
    /// When a try last failed.
    pub last_failure_at: Option<Timestamp>,
}

impl Health {
    /// The same once a person has enabled the receiver: what failed before does not count.
    #[must_use]
    pub const fn resumed(self) -> Self {
        Self { consecutive_failures: 0, failing_since: None, ..self }
    }

    /// The same after a success.
    #[must_use]
    pub fn succeeded(self, at: Timestamp) -> Self {
        Self { last_success_at: Some(at), ..self.resumed() }
    }

    /// Returns whether a success is recorded: after a failure, and once a minute otherwise.
    pub fn is_news(&self, at: Timestamp) -> bool {
        let is_recent = |last| at.since(last) < Duration::MINUTE;
        self.consecutive_failures > 0 || !self.last_success_at.is_some_and(is_recent)
    }

    /// The same after a failure.
    #[must_use]
    pub fn failed(self, at: Timestamp) -> Self {
        Self {
            consecutive_failures: self.consecutive_failures.saturating_add(1),
            failing_since: self.failing_since.or(Some(at)),
            last_failure_at: Some(at),
            ..self
        }
    }

    /// Returns whether the receiver has failed for so long that it is disabled.
    pub fn is_failing(&self, at: Timestamp) -> bool {
        let is_long = |since| at.since(since) >= FAILING_FOR;
        self.consecutive_failures >= FAILED_TRIES && self.failing_since.is_some_and(is_long)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(number: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::days(number))
    }

    fn failed(tries: u32) -> Health {
        (0..tries).fold(Health::default(), |health, _| health.failed(day(0)))
    }

    #[test]
    fn a_success_is_recorded_after_a_failure_and_once_a_minute() {
        let well = Health::default().succeeded(day(1));
        let is_new = Health::default().is_news(day(1));
        assert!(is_new && !well.is_news(day(1)) && well.is_news(day(1).plus(Duration::MINUTE)));
        assert!(well.failed(day(1)).is_news(day(1)));
    }

    #[test]
    fn a_receiver_fails_after_five_days_and_twenty_tries_without_a_success() {
        assert!(failed(20).is_failing(day(5)));
        assert!(!failed(19).is_failing(day(5)) && !failed(20).is_failing(day(5).plus(-Duration::SECOND)));
        let recovered = failed(20).succeeded(day(4)).failed(day(5));
        assert_eq!((recovered.consecutive_failures, recovered.failing_since), (1, Some(day(5))));
        assert!(!recovered.is_failing(day(6)) && !failed(20).resumed().failed(day(5)).is_failing(day(6)));
    }
}
