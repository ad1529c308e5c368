//! Errors of channels, and what an answer means at each of them.

use std::time::Duration;

use tradepost_ports::alerts::AlertError;

use crate::client::Answer;

/// The longest pause that a channel can ask for.
const LONGEST_PAUSE: Duration = Duration::from_hours(24);
/// The most bytes of a channel's own words in a reason.
const WORDS: usize = 120;

/// The channel never accepts an alert again as it is set up.
pub(super) fn never(reason: impl Into<String>) -> AlertError {
    AlertError { reason: reason.into(), retry_after: None, is_final: true }
}

/// The channel may accept it later.
pub(super) fn later(reason: impl Into<String>, retry_after: Option<Duration>) -> AlertError {
    let retry_after = retry_after.map(|pause| pause.min(LONGEST_PAUSE));
    AlertError { reason: reason.into(), retry_after, is_final: false }
}

/// What is left when a channel has no meaning of its own for a status; with its own words, if they can hold neither address nor token.
pub(super) fn unaccepted(channel: &str, answer: &Answer, said: Option<&str>) -> AlertError {
    let Answer { status, retry_after, .. } = *answer;
    let what = match status {
        300..=399 => format!("{channel} answered {status}, and no redirect is followed"),
        429 => format!("{channel} limits the rate of calls (429)"),
        _ => format!("{channel} answered {status}"),
    };
    match words(said) {
        Some(words) => later(format!("{what}: {words}"), retry_after),
        None => later(what, retry_after),
    }
}

/// A pause in seconds, as JSON has it.
pub(super) fn pause(seconds: Option<f64>) -> Option<Duration> {
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

fn words(said: Option<&str>) -> Option<&str> {
    let harmless = |c: char| c.is_ascii_alphabetic() || matches!(c, ' ' | '\'' | ':' | ',' | '.');
    said.filter(|said| !said.is_empty() && said.len() <= WORDS && said.chars().all(harmless))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16) -> Answer {
        Answer { status, retry_after: Some(Duration::from_secs(7)), body: Vec::new() }
    }

    #[test]
    fn a_status_without_a_meaning_of_its_own_is_tried_again() {
        for (status, reason) in [
            (307, "it answered 307, and no redirect is followed"),
            (429, "it limits the rate of calls (429)"),
            (502, "it answered 502"),
        ] {
            let expected = later(reason, Some(Duration::from_secs(7)));
            assert_eq!(unaccepted("it", &answer(status), None), expected);
        }
    }

    #[test]
    fn a_pause_is_a_day_at_most() {
        assert_eq!(pause(Some(0.65)), Some(Duration::from_millis(650)));
        for nonsense in [None, Some(-1.0), Some(f64::NAN), Some(f64::INFINITY), Some(1e300)] {
            assert_eq!(pause(nonsense), None, "{nonsense:?}");
        }
        assert_eq!(later("", pause(Some(1e9))).retry_after, Some(LONGEST_PAUSE));
    }

    #[test]
    fn words_of_a_channel_are_shown_unless_they_may_be_a_secret() {
        let reason = |said: &str| unaccepted("it", &answer(400), Some(said)).reason;
        assert_eq!(reason("Bad Request: message is too long"), "it answered 400: Bad Request: message is too long");
        for secret in ["", "no bot 123456789:AA", "see https://example.com/x", &"x".repeat(WORDS + 1)] {
            assert_eq!(reason(secret), "it answered 400", "{secret}");
        }
    }
}
