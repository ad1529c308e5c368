//! What a variant was offered at over time: hours, and longer spans made of them. Where the prices were seen is not known
//! here.

use std::collections::BTreeMap;

use crate::money::Cents;
use crate::names::names;
use crate::time::Timestamp;

const HOUR: i64 = 3_600_000_000;

/// The resolution of a price history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bucket {
    /// By hours of UTC.
    Hour = 1,
    /// By days of UTC.
    Day = 2,
}

names! { Bucket, "bucket of a history":
    Hour => "HOUR",
    Day => "DAY",
}

/// A price at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tick {
    /// The moment.
    pub at: Timestamp,
    /// The price.
    pub price: Cents,
}

/// The prices that were seen in a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candle {
    /// The first one.
    pub open: Tick,
    /// The highest one.
    pub high: Cents,
    /// The lowest one.
    pub low: Cents,
    /// The last one.
    pub close: Tick,
    /// How many there were.
    pub count: u32,
}

impl Bucket {
    /// The hours since 1970 of one.
    pub const fn hours(self) -> i64 {
        match self {
            Self::Hour => 1,
            Self::Day => 24,
        }
    }

    /// The bucket in which an hour since 1970 lies, by its first hour.
    pub const fn of_hour(self, hour: i64) -> i64 {
        hour.div_euclid(self.hours()) * self.hours()
    }
}

/// The hour since 1970 of a moment.
pub const fn hour_of(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(HOUR)
}

/// The beginning of an hour since 1970; the last moment there is for hours that never come.
pub fn start_of(hour: i64) -> Timestamp {
    hour.checked_mul(HOUR).and_then(|micros| Timestamp::from_micros(micros).ok()).unwrap_or(Timestamp::MAX)
}

impl Candle {
    /// One price.
    pub const fn of(tick: Tick) -> Self {
        Self { open: tick, high: tick.price, low: tick.price, close: tick, count: 1 }
    }

    /// The prices of two spans, or of two sources in one, in whichever order.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let key = |tick: Tick| (tick.at, tick.price);
        Self {
            open: if key(other.open) < key(self.open) { other.open } else { self.open },
            high: self.high.max(other.high),
            low: self.low.min(other.low),
            close: if key(other.close) > key(self.close) { other.close } else { self.close },
            count: self.count.saturating_add(other.count),
        }
    }
}

/// Hours put together to buckets, by the first hour of each; those without a price are left out.
pub fn history(hours: impl IntoIterator<Item = (i64, Candle)>, bucket: Bucket) -> BTreeMap<i64, Candle> {
    let mut buckets: BTreeMap<i64, Candle> = BTreeMap::new();
    for (hour, candle) in hours {
        let start = bucket.of_hour(hour);
        let joined = buckets.get(&start).map_or(candle, |earlier| earlier.and(candle));
        buckets.insert(start, joined);
    }
    buckets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(hour: i64, price: i64) -> (i64, Candle) {
        let at = start_of(hour);
        (hour_of(at), Candle::of(Tick { at, price: Cents::new(price).unwrap() }))
    }

    #[test]
    fn candles_come_to_the_same_in_whichever_order_they_are_put_together() {
        let (a, b, c) = (tick(0, 5).1, tick(1, 9).1, tick(2, 3).1);
        let all = a.and(b).and(c);
        assert_eq!((all.open.price.get(), all.high.get(), all.low.get(), all.close.price.get()), (5, 9, 3, 3));
        assert_eq!(all.count, 3);
        for order in [c.and(b).and(a), b.and(a).and(c), a.and(c.and(b))] {
            assert_eq!(order, all);
        }
    }

    #[test]
    fn hours_are_put_together_to_days() {
        let hours = [tick(23, 5), tick(24, 7), tick(24, 7), tick(30, 8), tick(-1, 2)];
        let days = history(hours, Bucket::Day);
        let short: Vec<_> = days.iter().map(|(hour, candle)| (*hour, candle.count, candle.close.price.get())).collect();
        assert_eq!(short, [(-24, 1, 2), (0, 1, 5), (24, 3, 8)]);
        assert_eq!(history(hours, Bucket::Hour).len(), 4);
    }
}
