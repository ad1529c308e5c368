//! Usage: how many calls a workspace has had, by minute, key and operation.

use time::Duration;

use crate::id::ApiKeyId;
use crate::time::Timestamp;

/// How long counts are kept.
pub const KEPT_FOR: Duration = Duration::days(90);
/// Most points of one answer.
pub const MOST_POINTS: u32 = 10_000;

/// How finely usage is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Granularity {
    /// By minute, as it is counted.
    Minute,
    /// By hour.
    Hour,
    /// By day, in UTC.
    Day,
}

impl Granularity {
    /// How many minutes one point covers.
    pub const fn minutes(self) -> i64 {
        match self {
            Self::Minute => 1,
            Self::Hour => 60,
            Self::Day => 24 * 60,
        }
    }
}

/// The dimensions of usage, in addition to time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Grouping {
    /// By API key.
    pub by_key: bool,
    /// By operation.
    pub by_operation: bool,
}

/// How a call ended, as far as usage goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It did what was asked.
    Well,
    /// It was refused, or failed.
    InError,
    /// A rate limit was reached.
    RateLimited,
}

/// How many calls there were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Calls {
    /// All of them.
    pub requests: i64,
    /// Those that were refused or failed, but for rate limits.
    pub errors: i64,
    /// Those that were refused by a rate limit.
    pub rate_limited: i64,
}

impl Calls {
    /// One call more.
    #[must_use]
    pub const fn and(self, ended: Ended) -> Self {
        let one_more = Self { requests: self.requests.saturating_add(1), ..self };
        match ended {
            Ended::Well => one_more,
            Ended::InError => Self { errors: self.errors.saturating_add(1), ..one_more },
            Ended::RateLimited => Self { rate_limited: self.rate_limited.saturating_add(1), ..one_more },
        }
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            requests: self.requests.saturating_add(other.requests),
            errors: self.errors.saturating_add(other.errors),
            rate_limited: self.rate_limited.saturating_add(other.rate_limited),
        }
    }
}

/// The calls of one span of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsagePoint {
    /// When the span begins.
    pub time: Timestamp,
    /// The calling key; absent for sessions, and where usage is not grouped by key.
    pub key_id: Option<ApiKeyId>,
    /// The operation, such as `GetPurchase`; absent where usage is not grouped by operation.
    pub operation: Option<String>,
    /// How many calls.
    pub calls: Calls,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_a_request_and_in_error_or_limited_at_most_once() {
        let calls = [Ended::Well, Ended::InError, Ended::RateLimited].into_iter().fold(Calls::default(), Calls::and);
        assert_eq!(calls, Calls { requests: 3, errors: 1, rate_limited: 1 });
        assert_eq!(calls.plus(calls), Calls { requests: 6, errors: 2, rate_limited: 2 });
    }
}
