//! How fast the clock of a world runs, and the clock of a server that trades there.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::time::Timestamp;
use tradepost_ports::clock::MarketClock;

/// How long a clock runs by itself while the world does not answer. After that it stops, as the world may have.
const ON_ITS_OWN: Duration = Duration::from_secs(2);

/// A clock that began at some moment and runs at some speed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClockSpeed {
    /// The world's time then.
    from: Timestamp,
    /// When that was.
    since: Instant,
    /// Seconds of the world in a second.
    pub(crate) speed: u32,
}

impl ClockSpeed {
    pub(crate) fn new(from: Timestamp, since: Instant, speed: u32) -> Self {
        Self { from, since, speed }
    }

    /// The world's time so long after the beginning: `from` + elapsed × speed.
    fn after(&self, elapsed: Duration) -> Timestamp {
        self.from.plus(self.in_the_world(elapsed))
    }

    /// The world's time at a moment.
    pub(crate) fn at(&self, moment: Instant) -> Timestamp {
        self.after(moment.saturating_duration_since(self.since))
    }

    /// How long something takes in the world.
    pub(crate) fn in_the_world(&self, elapsed: Duration) -> time::Duration {
        let micros = elapsed.as_micros().saturating_mul(u128::from(self.speed));
        time::Duration::microseconds(i64::try_from(micros).unwrap_or(i64::MAX))
    }
}

/// The time of a served world, for a server that trades there.
///
/// It starts at the last time that the world reported, and runs as fast as the world does. It never shows a time before one that it has
/// shown: where the world is behind, because it was served again from what it had written, the clock stops
/// until the world has caught up. When the world does not answer for two seconds the clock stops as well.
#[derive(Debug)]
pub struct WorldClock {
    shown: Mutex<Shown>,
}

#[derive(Debug)]
struct Shown {
    pace: ClockSpeed,
    latest: Timestamp,
}

impl WorldClock {
    pub(crate) fn new(pace: ClockSpeed) -> Self {
        Self { shown: Mutex::new(Shown { pace, latest: pace.from }) }
    }

    /// Records the time that the world reported.
    pub(crate) fn agree(&self, pace: ClockSpeed) {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).pace = pace;
    }

    pub(crate) fn pace(&self) -> ClockSpeed {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).pace
    }

    fn at(&self, moment: Instant) -> Timestamp {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = moment.saturating_duration_since(shown.pace.since).min(ON_ITS_OWN);
        shown.latest = shown.latest.max(shown.pace.after(elapsed));
        shown.latest
    }
}

impl MarketClock for WorldClock {
    fn market_now(&self) -> Timestamp {
        self.at(Instant::now())
    }

    /// It shows no time before one that it has shown.
    fn market_elapsed(&self) -> Duration {
        elapsed(self.market_now())
    }

    fn kind(&self) -> MarketKind {
        MarketKind::Simulated
    }

    fn speed(&self) -> u32 {
        self.pace().speed
    }
}

/// How much time has passed in a world until then: its clock cannot be set.
pub(crate) fn elapsed(now: Timestamp) -> Duration {
    Duration::from_micros(now.as_micros().max(0).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn second(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[test]
    fn the_clock_runs_as_fast_as_the_world() {
        let began = Instant::now();
        let clock = WorldClock::new(ClockSpeed::new(at(100), began, 60));
        assert_eq!(clock.at(began), at(100));
        assert_eq!(clock.at(began + second(1)), at(160));
    }

    #[test]
    fn the_clock_waits_for_a_world_that_fell_behind_and_never_goes_back() {
        let began = Instant::now();
        let clock = WorldClock::new(ClockSpeed::new(at(100), began, 10));
        assert_eq!(clock.at(began + second(2)), at(120));
        clock.agree(ClockSpeed::new(at(90), began + second(2), 10));
        assert_eq!(clock.at(began + second(3)), at(120));
        clock.agree(ClockSpeed::new(at(110), began + second(4), 10));
        assert_eq!(clock.at(began + second(6)), at(130));
    }

    #[test]
    fn the_clock_stops_when_the_world_does_not_answer() {
        let began = Instant::now();
        let clock = WorldClock::new(ClockSpeed::new(at(100), began, 10));
        assert_eq!(clock.at(began + second(1_000)), at(120));
    }
}
