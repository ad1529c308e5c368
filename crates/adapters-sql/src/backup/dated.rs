//! Times in the names of files: they sort as they passed, and need no quotes in a shell.

use tradepost_domain::time::Timestamp;

/// A point in time to the second, such as `20260131T140507Z`.
pub(crate) fn dated(at: Timestamp) -> String {
    let text = at.to_string();
    let to_the_second: String = text.chars().take("2026-01-31T14:05:07".len()).collect();
    format!("{}Z", to_the_second.replace(['-', ':'], ""))
}

/// Whether a text has the form of [`dated`].
pub(crate) fn is_dated(text: &str) -> bool {
    text.len() == "20260131T140507Z".len()
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 => byte == b'T',
            15 => byte == b'Z',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_in_a_name_is_to_the_second_and_recognised() {
        let at = Timestamp::from_micros(1_767_225_607_123_456).unwrap();
        assert_eq!(dated(at), "20260101T000007Z");
        assert!(is_dated(&dated(at)));
        for other in ["20260101T000007", "20260101-000007Z", "2026010éT00007Z", ""] {
            assert!(!is_dated(other), "{other}");
        }
    }
}
