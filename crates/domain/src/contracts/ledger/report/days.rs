//! Days of a time zone: when they begin, and which entries the sums of UTC have under another day.

use std::ops::Range;

use jiff::tz::TimeZone as Clock;

use super::{day_of, midnight_of};
use crate::accounts::preferences::TimeZone;
use crate::time::Timestamp;

/// The days of a time zone. Each has the number of its date, counted from 1970-01-01, as the days of UTC have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneDays {
    zone: TimeZone,
    clock: Clock,
}

/// The beginning of a day that does not begin at the midnight of UTC of its date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayStart {
    /// The day.
    pub day: i64,
    /// When it begins.
    pub at: Timestamp,
}

impl ZoneDays {
    /// Returns the days of a zone.
    pub fn of(zone: TimeZone) -> Self {
        let clock = zone.clock();
        Self { zone, clock }
    }

    /// Returns the zone.
    pub const fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// Returns when a day begins. Where the clock skips midnight it begins behind the gap; where the clock shows midnight twice, the
    /// first time. A date that the zone never had begins and ends with the next one.
    pub fn start_of(&self, day: i64) -> Timestamp {
        let midnight = midnight_of(day);
        let shown = jiff::Timestamp::from_microsecond(midnight.as_micros()).map(|at| Clock::UTC.to_datetime(at));
        let start = shown.and_then(|shown| self.clock.to_ambiguous_timestamp(shown).compatible());
        // Within a day of either end of all time there may be no such moment.
        start.ok().and_then(|at| Timestamp::from_micros(at.as_microsecond()).ok()).unwrap_or(midnight)
    }

    /// Returns the day in which a point in time lies.
    pub fn day_of(&self, at: Timestamp) -> i64 {
        day_between(at, |day| self.start_of(day))
    }

    /// Returns the beginnings of those days that do not begin at the midnight of UTC of their date, in the given order.
    pub fn starts(&self, days: impl IntoIterator<Item = i64>) -> Vec<DayStart> {
        let start = |day| DayStart { day, at: self.start_of(day) };
        days.into_iter().map(start).filter(|start| start.at != midnight_of(start.day)).collect()
    }
}

impl DayStart {
    /// Returns the time between the midnight of UTC and the beginning of the day. The sums of UTC have its entries under another day.
    pub fn gap(self) -> Range<Timestamp> {
        let midnight = midnight_of(self.day);
        if midnight < self.at { midnight..self.at } else { self.at..midnight }
    }

    /// Returns how often the entries of the gap are added to the sums of the day before and of this day: 1 and -1, or -1 and 1.
    pub fn moves(self) -> [(i64, i64); 2] {
        let before = self.day.saturating_sub(1);
        if midnight_of(self.day) < self.at { [(before, 1), (self.day, -1)] } else { [(before, -1), (self.day, 1)] }
    }
}

/// Returns the day in which a point in time lies, by the beginnings of days. Each lies less than 24 h from the midnight of UTC of its date.
pub fn day_between(at: Timestamp, start_of: impl Fn(i64) -> Timestamp) -> i64 {
    let date = day_of(at);
    let next = date.saturating_add(1);
    if at < start_of(date) {
        date.saturating_sub(1)
    } else if at < start_of(next) {
        date
    } else {
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(zone: &str) -> ZoneDays {
        ZoneDays::of(TimeZone::new(zone).unwrap())
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn day(date: &str) -> i64 {
        day_of(at(&format!("{date}T00:00:00Z")))
    }

    #[test]
    fn a_day_begins_at_midnight_of_its_zone_and_has_23_or_25_hours_where_the_clock_is_changed() {
        for (zone, date, begins, ends) in [
            ("UTC", "2026-07-01", "2026-07-01T00:00:00Z", "2026-07-02T00:00:00Z"),
            ("Asia/Shanghai", "2026-07-01", "2026-06-30T16:00:00Z", "2026-07-01T16:00:00Z"),
            ("Pacific/Kiritimati", "2026-07-01", "2026-06-30T10:00:00Z", "2026-07-01T10:00:00Z"),
            ("America/Los_Angeles", "2026-07-01", "2026-07-01T07:00:00Z", "2026-07-02T07:00:00Z"),
            ("Europe/Zurich", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
            ("Europe/Zurich", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
        ] {
            let (days, day) = (days(zone), day(date));
            assert_eq!((days.start_of(day), days.start_of(day + 1)), (at(begins), at(ends)), "{date} in {zone}");
            assert_eq!((days.day_of(at(begins)), days.day_of(at(ends))), (day, day + 1), "{date} in {zone}");
        }
    }

    #[test]
    fn a_day_whose_midnight_is_skipped_begins_behind_the_gap_and_a_date_that_is_skipped_has_no_time() {
        assert_eq!(days("America/Santiago").start_of(day("2026-09-06")), at("2026-09-06T04:00:00Z"));
        assert_eq!(days("Asia/Beirut").start_of(day("2026-03-29")), at("2026-03-28T22:00:00Z"));
        let (apia, skipped) = (days("Pacific/Apia"), day("2011-12-30"));
        let change = at("2011-12-30T10:00:00Z");
        assert_eq!((apia.start_of(skipped), apia.start_of(skipped + 1)), (change, change));
        assert_eq!(apia.day_of(change), skipped + 1);
    }

    #[test]
    fn days_that_begin_at_midnight_of_utc_have_no_start_of_their_own() {
        let january_to_july = day("2026-01-01")..day("2026-07-01");
        assert_eq!(days("UTC").starts(january_to_july.clone()), []);
        assert_eq!(days("Africa/Abidjan").starts(january_to_july.clone()), []);
        // The clock of London is changed on 29 March, at one.
        let summer = days("Europe/London").starts(january_to_july);
        assert_eq!(summer.first().map(|start| start.day), Some(day("2026-03-30")));
    }

    #[test]
    fn entries_before_a_late_beginning_are_of_the_day_before() {
        let [start] = <[DayStart; 1]>::try_from(days("America/Los_Angeles").starts([20_635])).unwrap();
        assert_eq!(start.gap(), midnight_of(20_635)..start.at);
        assert_eq!(start.moves(), [(20_634, 1), (20_635, -1)]);
        let [start] = <[DayStart; 1]>::try_from(days("Asia/Shanghai").starts([20_635])).unwrap();
        assert_eq!(start.gap(), start.at..midnight_of(20_635));
        assert_eq!(start.moves(), [(20_634, -1), (20_635, 1)]);
    }
}
