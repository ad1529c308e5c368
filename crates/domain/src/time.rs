//! Points in time, to the microsecond. The domain never asks what time it is.

use std::fmt;
use std::str::FromStr;

use ::time::format_description::well_known::Rfc3339;
use ::time::{Duration, OffsetDateTime};

/// A point in time in UTC, in whole microseconds, between the years 1 and 9999 (the range of RFC 3339).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// A day in microseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// The point in time lies outside the years 1 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a timestamp lies between the years 1 and 9999")]
pub struct InvalidTimestamp;

/// The text is not a point in time as RFC 3339 writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a time is written such as 2026-01-31T09:30:00Z")]
pub struct InvalidTimestampText;

impl Timestamp {
    /// 0001-01-01T00:00:00Z.
    pub const MIN: Self = Self(-62_135_596_800_000_000);
    /// 9999-12-31T23:59:59.999999Z.
    pub const MAX: Self = Self(253_402_300_799_999_999);

    /// The point `micros` microseconds after 1970-01-01T00:00:00Z.
    ///
    /// # Errors
    /// [`InvalidTimestamp`] outside the years 1 to 9999.
    pub const fn from_micros(micros: i64) -> Result<Self, InvalidTimestamp> {
        if micros < Self::MIN.0 || micros > Self::MAX.0 { Err(InvalidTimestamp) } else { Ok(Self(micros)) }
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// This point moved by `by`, held within the range of a timestamp.
    #[must_use]
    pub fn plus(self, by: Duration) -> Self {
        let micros =
            i64::try_from(by.whole_microseconds()).unwrap_or(if by.is_negative() { i64::MIN } else { i64::MAX });
        Self(self.0.saturating_add(micros).clamp(Self::MIN.0, Self::MAX.0))
    }

    /// The time from `earlier` to this point; negative when this point comes first.
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::microseconds(self.0.saturating_sub(earlier.0))
    }

    /// The days from `earlier` to this point, a begun one counted whole; none when this point comes first.
    pub fn days_since(self, earlier: Self) -> u32 {
        let begun = self.since(earlier).whole_microseconds().max(0) + Duration::DAY.whole_microseconds() - 1;
        u32::try_from(begun / Duration::DAY.whole_microseconds()).unwrap_or(u32::MAX)
    }

    /// Whether both points lie on one day of UTC.
    pub const fn is_same_day(self, other: Self) -> bool {
        self.0.div_euclid(DAY) == other.0.div_euclid(DAY)
    }

    /// The first point of the same day of UTC.
    #[must_use]
    pub const fn start_of_day(self) -> Self {
        Self(self.0.saturating_sub(self.0.rem_euclid(DAY)))
    }
}

impl From<OffsetDateTime> for Timestamp {
    fn from(moment: OffsetDateTime) -> Self {
        let micros = moment.unix_timestamp_nanos().div_euclid(1_000);
        Self(i64::try_from(micros).unwrap_or(i64::MAX).clamp(Self::MIN.0, Self::MAX.0))
    }
}

impl From<Timestamp> for OffsetDateTime {
    fn from(at: Timestamp) -> Self {
        // Every value in range has a calendar date; the epoch only keeps the function total.
        Self::from_unix_timestamp_nanos(i128::from(at.0).saturating_mul(1_000)).unwrap_or(Self::UNIX_EPOCH)
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTimestampText;

    /// Reads a point in time as RFC 3339 writes it, in any offset. A part of a microsecond is dropped.
    ///
    /// ```
    /// use tradepost_domain::time::{InvalidTimestampText, Timestamp};
    ///
    /// let at: Timestamp = "2026-01-31T10:30:00.5+01:00".parse()?;
    /// assert_eq!(at.to_string(), "2026-01-31T09:30:00.5Z");
    /// assert_eq!("31.01.2026".parse::<Timestamp>(), Err(InvalidTimestampText));
    /// # Ok::<(), InvalidTimestampText>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        OffsetDateTime::parse(text, &Rfc3339).map(Self::from).map_err(|_| InvalidTimestampText)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OffsetDateTime::from(*self).format(&Rfc3339).map_err(|_| fmt::Error).and_then(|text| f.write_str(&text))
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
