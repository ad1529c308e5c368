//! When a message is due: at once or together with others, and not in quiet hours.
//!
//! Times of the day are those of the clock on the wall. A time that a change of the clock leaves out is as much later as the change is long.

use std::fmt;
use std::str::FromStr;

use ::time::Duration;
use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::TimeZone as Clock;

use crate::accounts::preferences::TimeZone;
use crate::names::names;
use crate::time::Timestamp;

/// When messages are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pace {
    /// At once.
    AtOnce = 1,
    /// Together, at the next full hour.
    Hourly = 2,
    /// Together, once a day.
    Daily = 3,
}

names! { Pace, "pace of alerts":
    AtOnce => "AT_ONCE",
    Hourly => "HOURLY",
    Daily => "DAILY",
}

/// A time of the day, to the minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DayTime {
    hour: u8,
    minute: u8,
}

/// The text is not a time of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a time of the day from 00:00 to 23:59")]
pub struct InvalidDayTime;

impl DayTime {
    /// Eight in the morning.
    pub const MORNING: Self = Self { hour: 8, minute: 0 };

    const fn minutes(self) -> u16 {
        self.hour as u16 * 60 + self.minute as u16
    }

    fn on(self, date: Date) -> DateTime {
        date.at(self.hour.cast_signed(), self.minute.cast_signed(), 0, 0)
    }
}

impl FromStr for DayTime {
    type Err = InvalidDayTime;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (hour, minute) = text.split_once(':').ok_or(InvalidDayTime)?;
        let number = |text: &str, most: u8| {
            let digits = Some(text).filter(|text| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit()));
            digits.and_then(|text| text.parse().ok()).filter(|number| *number <= most).ok_or(InvalidDayTime)
        };
        Ok(Self { hour: number(hour, 23)?, minute: number(minute, 59)? })
    }
}

impl fmt::Display for DayTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.hour, self.minute)
    }
}

/// The hours in which only what is urgent is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    from: DayTime,
    to: DayTime,
}

/// Quiet hours begin and end at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must differ from the beginning of the quiet hours")]
pub struct NoQuietHours;

impl QuietHours {
    /// Quiet hours, which may include midnight.
    ///
    /// # Errors
    /// [`NoQuietHours`] if they end when they begin.
    pub fn new(from: DayTime, to: DayTime) -> Result<Self, NoQuietHours> {
        if from == to { Err(NoQuietHours) } else { Ok(Self { from, to }) }
    }

    /// When they begin.
    pub const fn from(self) -> DayTime {
        self.from
    }

    /// When they end.
    pub const fn to(self) -> DayTime {
        self.to
    }

    fn contain(self, at: DateTime) -> bool {
        let minutes = u16::from(at.hour().unsigned_abs()) * 60 + u16::from(at.minute().unsigned_abs());
        let (begun, over) = (minutes >= self.from.minutes(), minutes >= self.to.minutes());
        if self.from < self.to { begun && !over } else { begun || !over }
    }
}

/// When the messages of a rule are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The time zone of the times of the day.
    pub zone: TimeZone,
    /// Whether at once.
    pub pace: Pace,
    /// When only what is urgent.
    pub quiet: Option<QuietHours>,
    /// When what is sent once a day.
    pub daily_at: DayTime,
}

impl Schedule {
    /// Returns when a message is due that is created now.
    pub fn due(&self, at: Timestamp) -> Timestamp {
        let due = match self.pace {
            Pace::AtOnce => at,
            Pace::Hourly => next_hour(&self.clock(), at),
            Pace::Daily => next(&self.clock(), at, self.daily_at),
        };
        self.after_quiet_hours(due)
    }

    /// Returns the end of the quiet hours if this is in them, else the same.
    pub(super) fn after_quiet_hours(&self, at: Timestamp) -> Timestamp {
        let Some(quiet) = self.quiet else { return at };
        let clock = self.clock();
        if quiet.contain(on_wall(&clock, at)) { next(&clock, at, quiet.to) } else { at }
    }

    /// Returns when the last summary of a day was due.
    pub fn last_daily(&self, at: Timestamp) -> Timestamp {
        let clock = self.clock();
        let today = on_wall(&clock, at).date();
        let due = instant(&clock, self.daily_at.on(today));
        if due <= at { due } else { instant(&clock, self.daily_at.on(today.yesterday().unwrap_or(today))) }
    }

    /// Returns when the last summary of a week was due: on Mondays.
    pub fn last_weekly(&self, at: Timestamp) -> Timestamp {
        let clock = self.clock();
        let day = on_wall(&clock, self.last_daily(at)).date();
        let monday = day.tomorrow().and_then(|next| next.nth_weekday(-1, Weekday::Monday)).unwrap_or(day);
        instant(&clock, self.daily_at.on(monday))
    }

    fn clock(&self) -> Clock {
        self.zone.clock()
    }
}

fn on_wall(clock: &Clock, at: Timestamp) -> DateTime {
    let at = jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or(jiff::Timestamp::MIN);
    clock.to_datetime(at)
}

fn instant(clock: &Clock, on_wall: DateTime) -> Timestamp {
    let at = clock.to_ambiguous_timestamp(on_wall).compatible();
    at.ok().and_then(|at| Timestamp::from_micros(at.as_microsecond()).ok()).unwrap_or(Timestamp::MAX)
}

/// The next time that the clock shows a time of the day.
fn next(clock: &Clock, after: Timestamp, time: DayTime) -> Timestamp {
    let today = on_wall(clock, after).date();
    let due = instant(clock, time.on(today));
    if after < due { due } else { instant(clock, time.on(today.tomorrow().unwrap_or(today))) }
}

/// The next time that the clock shows a full hour.
fn next_hour(clock: &Clock, after: Timestamp) -> Timestamp {
    let shown = on_wall(clock, after);
    let into = Duration::minutes(shown.minute().into())
        + Duration::seconds(shown.second().into())
        + Duration::nanoseconds(shown.subsec_nanosecond().into());
    after.plus(Duration::HOUR - into)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        let at: jiff::Timestamp = text.parse().unwrap();
        Timestamp::from_micros(at.as_microsecond()).unwrap()
    }

    fn time(text: &str) -> DayTime {
        text.parse().unwrap()
    }

    fn schedule(pace: Pace, quiet: Option<(&str, &str)>) -> Schedule {
        let quiet = quiet.map(|(from, to)| QuietHours::new(time(from), time(to)).unwrap());
        Schedule { zone: TimeZone::new("Europe/Zurich").unwrap(), pace, quiet, daily_at: DayTime::MORNING }
    }

    #[test]
    fn a_message_in_quiet_hours_is_due_at_their_end() {
        let night = schedule(Pace::AtOnce, Some(("22:00", "07:00")));
        // Zurich is an hour ahead of UTC in January, and two in July.
        assert_eq!(night.due(at("2026-01-10T20:59:59Z")), at("2026-01-10T20:59:59Z"));
        assert_eq!(night.due(at("2026-01-10T21:00:00Z")), at("2026-01-11T06:00:00Z"));
        assert_eq!(night.due(at("2026-01-11T03:00:00Z")), at("2026-01-11T06:00:00Z"));
        assert_eq!(night.due(at("2026-07-11T03:00:00Z")), at("2026-07-11T05:00:00Z"));
        assert_eq!(night.due(at("2026-01-11T06:00:00Z")), at("2026-01-11T06:00:00Z"));
        let noon = schedule(Pace::AtOnce, Some(("12:00", "13:00")));
        assert_eq!(noon.due(at("2026-01-11T11:30:00Z")), at("2026-01-11T12:00:00Z"));
        assert_eq!(noon.due(at("2026-01-11T12:30:00Z")), at("2026-01-11T12:30:00Z"));
    }

    #[test]
    fn quiet_hours_end_by_the_clock_on_the_wall_when_it_is_changed() {
        let night = schedule(Pace::AtOnce, Some(("23:00", "07:00")));
        assert_eq!(night.due(at("2026-03-28T22:30:00Z")), at("2026-03-29T05:00:00Z"));
        assert_eq!(night.due(at("2026-10-24T21:30:00Z")), at("2026-10-25T06:00:00Z"));
        // On 29 March, 02:30 is left out: quiet hours end at 03:30.
        let left_out = schedule(Pace::AtOnce, Some(("23:00", "02:30")));
        assert_eq!(left_out.due(at("2026-03-29T00:30:00Z")), at("2026-03-29T01:30:00Z"));
    }

    #[test]
    fn messages_that_are_sent_together_are_due_at_the_next_hour_or_day() {
        let hourly = schedule(Pace::Hourly, None);
        assert_eq!(hourly.due(at("2026-01-10T20:10:30.5Z")), at("2026-01-10T21:00:00Z"));
        assert_eq!(hourly.due(at("2026-01-10T20:00:00Z")), at("2026-01-10T21:00:00Z"));
        let daily = schedule(Pace::Daily, None);
        assert_eq!(daily.due(at("2026-01-10T06:59:00Z")), at("2026-01-10T07:00:00Z"));
        assert_eq!(daily.due(at("2026-01-10T07:00:00Z")), at("2026-01-11T07:00:00Z"));
        let quiet = schedule(Pace::Daily, Some(("07:00", "10:00")));
        assert_eq!(quiet.due(at("2026-01-10T05:00:00Z")), at("2026-01-10T09:00:00Z"));
    }

    #[test]
    fn a_summary_was_last_due_this_morning_or_yesterday_and_on_a_monday() {
        let schedule = schedule(Pace::AtOnce, None);
        assert_eq!(schedule.last_daily(at("2026-01-14T07:00:00Z")), at("2026-01-14T07:00:00Z"));
        assert_eq!(schedule.last_daily(at("2026-01-14T06:59:00Z")), at("2026-01-13T07:00:00Z"));
        assert_eq!(schedule.last_weekly(at("2026-01-14T12:00:00Z")), at("2026-01-12T07:00:00Z"));
        assert_eq!(schedule.last_weekly(at("2026-01-12T07:00:00Z")), at("2026-01-12T07:00:00Z"));
        assert_eq!(schedule.last_weekly(at("2026-01-12T06:59:00Z")), at("2026-01-05T07:00:00Z"));
    }

    #[test]
    fn a_time_of_the_day_has_two_digits_each() {
        assert_eq!((time("07:05").to_string().as_str(), time("23:59").minutes()), ("07:05", 1_439));
        for text in ["", "7:05", "24:00", "12:60", "12", "12:5", "+1:00", "12:00:00"] {
            assert_eq!(text.parse::<DayTime>(), Err(InvalidDayTime), "{text}");
        }
        assert_eq!(QuietHours::new(DayTime::MORNING, DayTime::MORNING), Err(NoQuietHours));
    }
}
