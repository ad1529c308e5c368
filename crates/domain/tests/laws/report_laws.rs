//! Reports by days of a time zone under random entries.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tradepost_domain::accounts::preferences::TimeZone;
use tradepost_domain::contracts::ledger::report::{Figures, ZoneDays, day_of};
use tradepost_domain::time::Timestamp;

/// Zones on both sides of UTC, with summer time, with clocks that skip midnight or show it twice, and one that skipped a date in 2011.
const ZONES: [&str; 10] = [
    "UTC",
    "Europe/London",
    "Europe/Zurich",
    "Asia/Shanghai",
    "Asia/Kathmandu",
    "Asia/Beirut",
    "America/Santiago",
    "America/St_Johns",
    "Pacific/Apia",
    "Pacific/Kiritimati",
];
/// The days in which entries lie, and those that are looked at around them.
const DAYS: i64 = 40;
const MARGIN: i64 = 3;
const MINUTES_OF_A_DAY: i64 = 24 * 60;

struct Entries(Vec<(Timestamp, Figures)>);

impl Entries {
    fn new(first_day: i64, of: Vec<(i64, i64)>) -> Self {
        let entry = |(minute, cents): (i64, i64)| {
            let micros = (first_day * MINUTES_OF_A_DAY + minute) * 60_000_000;
            let figures = Figures { realised: cents, pending: -cents / 3, sold: 1, ..Figures::default() };
            (Timestamp::from_micros(micros).unwrap(), figures)
        };
        Self(of.into_iter().map(entry).collect())
    }

    fn sum(&self, is_counted: impl Fn(Timestamp) -> bool) -> Figures {
        let counted = self.0.iter().filter(|(at, _)| is_counted(*at));
        counted.fold(Figures::default(), |sum, (_, figures)| sum.plus(*figures))
    }

    /// The sums of days of UTC, with the entries of each gap under the day to which they belong.
    fn moved(&self, zone: &ZoneDays, days: std::ops::Range<i64>) -> BTreeMap<i64, Figures> {
        let mut sums = BTreeMap::<i64, Figures>::new();
        let mut add = |day: i64, figures: Figures| {
            let sum = sums.entry(day).or_default();
            *sum = sum.plus(figures);
        };
        for (at, figures) in &self.0 {
            add(day_of(*at), *figures);
        }
        for start in zone.starts(days) {
            let (gap, moves) = (start.gap(), start.moves());
            let of_gap = self.sum(|at| gap.contains(&at));
            for (day, times) in moves {
                add(day, of_gap.times(times));
            }
        }
        sums
    }
}

proptest! {
    #[test]
    fn sums_of_days_of_utc_with_what_lies_between_two_midnights_are_those_of_the_zone(
        zone in prop::sample::select(ZONES.to_vec()),
        first in 15_000..21_000_i64,
        of in prop::collection::vec((0..DAYS * MINUTES_OF_A_DAY, -500..500_i64), 0..80),
    ) {
        let zone = ZoneDays::of(TimeZone::new(zone).unwrap());
        let entries = Entries::new(first, of);
        let days = first - MARGIN..first + DAYS + MARGIN;
        let sums = entries.moved(&zone, days.clone());
        for day in days {
            let (begins, ends) = (zone.start_of(day), zone.start_of(day + 1));
            let expected = entries.sum(|at| (begins..ends).contains(&at));
            prop_assert_eq!(sums.get(&day).copied().unwrap_or_default(), expected, "day {} of {}", day, zone.zone());
            prop_assert_eq!(entries.sum(|at| zone.day_of(at) == day), expected, "day {} of {}", day, zone.zone());
        }
        let whole = sums.into_values().fold(Figures::default(), Figures::plus);
        prop_assert_eq!(whole, entries.sum(|_| true), "money that is moved from a day to the next stays in the sum");
    }
}
