//! The platform's clock next to that of the market. Codes are made for the platform's time. While both differ, nothing is sent: an offer whose
//! answer is lost is found, and a confirmation is examined, by a time that one of both wrote and the other compares.

use time::Duration;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::time::Timestamp;

use crate::context::Context;
use crate::error::EngineResult;
use crate::mark::{Mark, is_due};

/// How often the platform's time is read, and how often after a reading that failed or while the clocks differ.
const BETWEEN_READINGS: Duration = Duration::minutes(10);
const BETWEEN_TRIES: Duration = Duration::MINUTE;
/// The most by which the clocks may differ. Offers and confirmations of ours may be dated 30 s before their drafts.
const MOST_APART: Duration = Duration::seconds(20);
/// A reading that took longer shows nothing.
const LONGEST_READING: Duration = Duration::seconds(5);

/// The platform's time as it was read last.
#[derive(Debug, Default)]
pub(crate) struct PlatformClock {
    asked_at: Option<Mark>,
    read: Option<(Timestamp, Mark)>,
}

impl PlatformClock {
    /// The platform's time at a moment, if it was read.
    fn time_at(&self, moment: Mark) -> Option<Timestamp> {
        self.read.map(|(time, read_at)| time.plus(moment.since(read_at)))
    }

    /// By how much a clock is ahead of the platform's, if that is too much; negative where it is behind.
    fn apart(&self, shown: Timestamp, moment: Mark) -> Option<Duration> {
        let ahead = shown.since(self.time_at(moment)?);
        (ahead.abs() > MOST_APART).then_some(ahead)
    }

    fn is_due(&self, moment: Mark, are_apart: bool) -> bool {
        let read_at = self.read.map(|(_, read_at)| read_at);
        let is_answered = read_at >= self.asked_at;
        let every = if is_answered && !are_apart { BETWEEN_READINGS } else { BETWEEN_TRIES };
        is_due(self.asked_at.as_ref(), moment, every)
    }

    /// Takes a reading in that was asked for at a moment and answered at another.
    fn take_in(&mut self, time: Timestamp, asked_at: Mark, read_at: Mark) {
        if read_at.since(asked_at) <= LONGEST_READING {
            self.read = Some((time, read_at));
        }
    }
}

impl Context {
    /// Reads the platform's time, once in a while. A simulated market has one clock for all.
    pub(crate) async fn compare_clocks(&mut self) -> EngineResult {
        let (asked_at, are_apart) = (self.mark(), self.clocks_apart().is_some());
        let is_due = self.state.platform_clock.is_due(asked_at, are_apart);
        if self.clock.kind() != MarketKind::Real || !self.holds_inventory() || !is_due {
            return Ok(());
        }
        self.state.platform_clock.asked_at = Some(asked_at);
        let time = self.desk.platform.server_time().await?;
        let read_at = self.mark();
        self.state.platform_clock.take_in(time, asked_at, read_at);
        Ok(())
    }

    /// The platform's time now; nothing where it was not read.
    pub(crate) fn platform_time(&self) -> Option<Timestamp> {
        self.state.platform_clock.time_at(self.mark())
    }

    /// By how much the market's clock is ahead of the platform's, if that is too much to send anything; negative where it is behind.
    pub(crate) fn clocks_apart(&self) -> Option<Duration> {
        self.state.platform_clock.apart(self.now(), self.mark())
    }

    /// Why nothing is sent while the clocks differ.
    pub(crate) fn clock_problem(&self) -> Option<String> {
        let ahead = self.clocks_apart()?;
        let side = if ahead.is_positive() { "ahead of" } else { "behind" };
        let seconds = ahead.whole_seconds().unsigned_abs();
        Some(format!("the clock of this server is {seconds} s {side} that of the platform: nothing is sent"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(number: i64) -> Timestamp {
        Timestamp::from_micros(number * 1_000_000).unwrap()
    }

    fn after(seconds: i64) -> Mark {
        Mark::START.plus(Duration::seconds(seconds))
    }

    fn read() -> PlatformClock {
        let mut clock = PlatformClock { asked_at: Some(Mark::START), ..PlatformClock::default() };
        clock.take_in(second(1_000), Mark::START, after(2));
        clock
    }

    #[test]
    fn the_time_goes_on_from_its_last_reading_whatever_our_clock_is_set_to() {
        assert_eq!(read().time_at(after(62)), Some(second(1_060)));
        assert_eq!(PlatformClock::default().time_at(after(62)), None);
    }

    #[test]
    fn a_difference_of_more_than_20_s_counts_in_both_directions() {
        let apart = |shown| read().apart(second(shown), after(2));
        assert_eq!([apart(980), apart(1_000), apart(1_020)], [None; 3]);
        assert_eq!((apart(979), apart(1_600)), (Some(Duration::seconds(-21)), Some(Duration::seconds(600))));
        assert_eq!(PlatformClock::default().apart(second(7), after(2)), None, "nothing was read");
    }

    #[test]
    fn a_reading_that_took_long_shows_nothing_and_is_made_again_after_a_minute() {
        let mut clock = PlatformClock { asked_at: Some(Mark::START), ..PlatformClock::default() };
        clock.take_in(second(1_000), Mark::START, after(6));
        assert_eq!(clock.time_at(after(6)), None);
        assert!(!clock.is_due(after(59), false) && clock.is_due(after(60), false));
    }

    #[test]
    fn a_reading_is_made_again_after_ten_minutes_and_sooner_while_the_clocks_differ() {
        assert!(PlatformClock::default().is_due(Mark::START, false));
        assert!(!read().is_due(after(599), false) && read().is_due(after(600), false));
        assert!(!read().is_due(after(59), true) && read().is_due(after(60), true));
    }
}
