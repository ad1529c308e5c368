//! What the headers of an answer say of time and of the limit of calls.

use std::time::Duration;

use reqwest::header::{DATE, HeaderMap};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;
use tradepost_domain::time::Timestamp;

use crate::client::retry_after;

/// The pairs of headers by which services show how many calls are left, and until when.
const LEFT: [(&str, &str); 3] = [
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("ratelimit-remaining", "ratelimit-reset"),
    ("x-rate-limit-remaining", "x-rate-limit-reset"),
];
/// A larger number is seconds since 1970, a smaller one is seconds to wait.
const FIRST_OF_DATES: i64 = 1_000_000_000;
/// The longest pause that a header causes. A clock that is far off must not silence a service for days.
const LONGEST: Duration = Duration::from_hours(1);

/// What an answer says with its headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Heard {
    /// The time of the service.
    pub(super) date: Option<Timestamp>,
    /// The time to wait that a limit names.
    pub(super) retry_after: Option<Duration>,
    /// How long no call is left.
    pub(super) spent_for: Option<Duration>,
}

impl Heard {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let date = date(headers);
        Self { date, retry_after: retry_after(headers), spent_for: spent_for(headers, date) }
    }
}

fn date(headers: &HeaderMap) -> Option<Timestamp> {
    let text = headers.get(DATE)?.to_str().ok()?;
    let at = OffsetDateTime::parse(text, &Rfc2822).ok()?;
    Timestamp::from_micros(at.unix_timestamp().checked_mul(1_000_000)?).ok()
}

/// How long no call is left, if the headers say that none is. Their clock is compared with the clock of the same answer, not with ours.
fn spent_for(headers: &HeaderMap, date: Option<Timestamp>) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<i64>().ok();
    let reset = LEFT.iter().find(|(left, _)| number(left) == Some(0)).and_then(|(_, reset)| number(reset))?;
    let seconds = if reset < FIRST_OF_DATES { reset } else { reset.checked_sub(date?.as_micros() / 1_000_000)? };
    let wait = Duration::from_secs(u64::try_from(seconds).ok()?);
    Some(wait.min(LONGEST)).filter(|wait| !wait.is_zero())
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn heard(headers: &[(&'static str, &'static str)]) -> Heard {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        Heard::of(&headers.iter().map(pair).collect())
    }

    const DATED: (&str, &str) = ("date", "Thu, 01 Jan 2026 00:00:00 GMT");

    #[test]
    fn the_date_of_an_answer_is_the_time_of_the_service() {
        assert_eq!(heard(&[DATED]).date.map(Timestamp::as_micros), Some(1_767_225_600_000_000));
        assert_eq!(heard(&[("date", "yesterday")]).date, None);
    }

    #[test]
    fn a_spent_limit_is_waited_for_by_the_clock_of_the_service() {
        let spent =
            |left, reset| heard(&[DATED, ("x-ratelimit-remaining", left), ("x-ratelimit-reset", reset)]).spent_for;
        assert_eq!(spent("0", "1767225690"), Some(Duration::from_secs(90)));
        assert_eq!(spent("0", "30"), Some(Duration::from_secs(30)));
        assert_eq!(spent("1", "1767225690"), None, "a call is left");
        assert_eq!(spent("0", "1767225600"), None, "the time is over");
        assert_eq!(spent("0", "1767999999"), Some(LONGEST));
        assert_eq!(heard(&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1767225690")]).spent_for, None);
    }
}
