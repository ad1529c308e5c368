//! Times and texts of samples.

use time::Duration;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;

/// Returns the first of January 2026, midnight: the time at which every sample is created.
///
/// # Panics
/// Never: the time is in range.
pub fn start() -> Timestamp {
    Timestamp::from_micros(1_767_225_600_000_000).unwrap()
}

/// Returns this many minutes after [`start`].
pub fn minute(minutes: i64) -> Timestamp {
    start().plus(Duration::minutes(minutes))
}

/// Returns a text of a record.
///
/// # Panics
/// On a text that the domain rejects.
pub fn text<const MOST: usize>(text: &str) -> Text<MOST> {
    Text::new(text).unwrap()
}

/// Returns an e-mail address.
///
/// # Panics
/// On a text that is not an e-mail address.
pub fn email(text: &str) -> EmailAddress {
    EmailAddress::new(text).unwrap()
}
