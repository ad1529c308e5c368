//! What a standby has replayed, by positions in the write-ahead log, and what its readers need to see of it. It asks no server and reads
//! no clock.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// The workspace or user that a record belongs to.
pub(super) type Home = [u8; 16];

/// What both servers said when they were asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    /// When the standby was asked, before the primary.
    pub(super) asked: Instant,
    /// When the primary was asked: every commit that was acknowledged before is in its position.
    pub(super) at: Instant,
    /// The position of the primary.
    pub(super) written: i64,
    /// The position of the standby.
    pub(super) replayed: i64,
}

/// What is known after a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// The standby has every commit that was acknowledged longer ago than this.
    Fresh(Duration),
    /// It has not been looked for long enough.
    Nothing,
    /// Longer than a reader may lag.
    Behind,
    /// It is not a standby of this primary: it is ahead of it, or the primary went back.
    Foreign,
}

/// What a standby has, and who needs to see more.
#[derive(Debug)]
pub(super) struct Freshness {
    /// By how much a reader may lag.
    within: Duration,
    /// The latest position of the primary.
    latest: i64,
    /// Its positions that the standby has not replayed, with the time of each, the oldest first.
    written: VecDeque<(Instant, i64)>,
    /// Since when it is looked.
    since: Option<Instant>,
    /// Every commit that was acknowledged before is replayed.
    fresh: Option<Instant>,
    /// The same at any earlier time, for who asks how old it is.
    newest: Instant,
    /// Until when readers have seen the primary.
    floor: Option<Instant>,
    /// When this process has written something of a home, or has shown it from the primary.
    notes: HashMap<Home, Instant>,
    /// When was last forgotten what the standby has: what was asked until then says nothing of what it has now.
    forgotten: Option<Instant>,
}

impl Freshness {
    pub(super) fn new(within: Duration, now: Instant) -> Self {
        let (written, notes) = (VecDeque::new(), HashMap::new());
        let (since, fresh, floor, forgotten) = (None, None, None, None);
        Self { within, latest: i64::MIN, written, since, fresh, newest: now, floor, notes, forgotten }
    }

    /// Takes what both servers said. Looks come one after the other.
    pub(super) fn look(&mut self, Look { asked, at, written, replayed }: Look) -> Known {
        if self.forgotten.is_some_and(|forgotten| asked <= forgotten) {
            // The standby may have failed since then, and the notes of before are forgotten.
            return Known::Nothing;
        }
        let is_foreign = written < self.latest || replayed > written;
        self.latest = written;
        if is_foreign {
            self.forget(at);
            return Known::Foreign;
        }
        let within = self.within;
        self.written.push_back((at, written));
        while let Some((asked, position)) = self.written.front().copied() {
            if position <= replayed {
                self.fresh = Some(asked);
                self.newest = asked;
            } else if at.duration_since(asked) <= within {
                break;
            }
            self.written.pop_front();
        }
        // What is fresh never becomes older again, and nothing older than this is shown.
        let fresh = self.fresh;
        self.notes.retain(|_, noted| fresh.is_none_or(|fresh| *noted >= fresh) && at.duration_since(*noted) < within);
        let lag = at.duration_since(fresh.unwrap_or(*self.since.get_or_insert(at)));
        match fresh {
            Some(_) if lag <= within => Known::Fresh(lag),
            None if lag <= within => Known::Nothing,
            Some(_) | None => Known::Behind,
        }
    }

    /// Forgets what the standby has, as far as readers are concerned. What they need by now, they see in whatever it has later.
    pub(super) fn forget(&mut self, now: Instant) {
        self.written.clear();
        self.notes.retain(|_, noted| *noted > now);
        self.forgotten = self.forgotten.max(Some(now));
        (self.since, self.fresh) = (None, None);
    }

    /// Notes that something of a home is written by this time. A later note stays.
    pub(super) fn note(&mut self, home: Home, at: Instant) {
        let noted = self.notes.entry(home).or_insert(at);
        *noted = at.max(*noted);
    }

    /// Notes that a reader of the standby was answered by the primary at this time: the next one sees nothing older.
    pub(super) fn not_before(&mut self, at: Instant) {
        self.floor = self.floor.max(Some(at));
    }

    /// Whether the standby has what the primary has answered its readers with.
    pub(super) fn reaches_floor(&self) -> bool {
        self.fresh.is_some_and(|fresh| self.floor.is_none_or(|floor| fresh > floor))
    }

    /// Whether the standby has what readers of a home need to see.
    pub(super) fn has(&self, home: &Home, now: Instant) -> bool {
        let Some(fresh) = self.fresh else { return false };
        let mut needed = self.floor.iter().chain(self.notes.get(home));
        now.duration_since(fresh) <= self.within && needed.all(|earlier| fresh > *earlier)
    }

    /// The age of the newest state that the standby is known to have had.
    pub(super) fn age(&self, now: Instant) -> Duration {
        now.duration_since(self.newest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WITHIN: Duration = Duration::from_secs(10);
    const HOME: Home = [1; 16];
    const OTHER: Home = [2; 16];

    /// A standby that is looked at, and when that began.
    struct Watched {
        freshness: Freshness,
        began: Instant,
    }

    impl Watched {
        fn new() -> Self {
            let began = Instant::now();
            Self { freshness: Freshness::new(WITHIN, began), began }
        }

        fn at(&self, milliseconds: u64) -> Instant {
            self.began + Duration::from_millis(milliseconds)
        }

        fn look(&mut self, milliseconds: u64, written: i64, replayed: i64) -> Known {
            let at = self.at(milliseconds);
            self.freshness.look(Look { asked: at, at, written, replayed })
        }

        fn has(&self, home: Home, milliseconds: u64) -> bool {
            self.freshness.has(&home, self.at(milliseconds))
        }
    }

    #[test]
    fn a_standby_is_as_fresh_as_the_latest_position_of_the_primary_that_it_has_replayed() {
        let mut watched = Watched::new();
        assert_eq!(watched.look(0, 100, 90), Known::Nothing);
        assert!(!watched.has(HOME, 0));
        assert_eq!(watched.look(1_000, 200, 150), Known::Fresh(Duration::from_secs(1)));
        assert_eq!(watched.look(2_000, 300, 200), Known::Fresh(Duration::from_secs(1)));
        assert_eq!(watched.look(3_000, 300, 300), Known::Fresh(Duration::ZERO));
        assert!(watched.has(HOME, 3_000));
        assert_eq!(watched.freshness.age(watched.at(3_500)), Duration::from_millis(500));
    }

    #[test]
    fn who_has_written_waits_for_a_position_that_the_primary_had_after_that_and_others_do_not() {
        let mut watched = Watched::new();
        watched.look(0, 100, 100);
        watched.freshness.note(HOME, watched.at(50));
        assert!(!watched.has(HOME, 60) && watched.has(OTHER, 60));
        assert_eq!(watched.look(100, 200, 150), Known::Fresh(Duration::from_millis(100)));
        assert!(!watched.has(HOME, 110) && watched.has(OTHER, 110));
        watched.look(200, 300, 200);
        assert!(watched.has(HOME, 210));
    }

    #[test]
    fn a_later_note_of_a_home_is_kept_and_one_that_no_reader_needs_is_forgotten() {
        let mut watched = Watched::new();
        watched.freshness.note(HOME, watched.at(5_000));
        watched.freshness.note(HOME, watched.at(1_000));
        watched.look(4_000, 100, 100);
        assert!(!watched.has(HOME, 4_000));
        watched.look(15_000, 100, 100);
        assert!(watched.has(HOME, 15_000) && watched.freshness.notes.is_empty());
    }

    #[test]
    fn a_standby_that_is_too_far_behind_has_nothing_for_anyone_until_it_has_caught_up() {
        let mut watched = Watched::new();
        watched.look(0, 100, 100);
        for milliseconds in (1_000..=10_000).step_by(1_000) {
            watched.look(milliseconds, 200, 100);
        }
        assert!(watched.has(HOME, 10_000) && !watched.has(HOME, 10_001));
        assert_eq!(watched.look(11_000, 300, 150), Known::Behind);
        assert_eq!(watched.look(12_000, 300, 200), Known::Fresh(Duration::from_secs(2)));
        assert!(watched.has(HOME, 12_000));
    }

    #[test]
    fn a_standby_that_never_replays_anything_is_behind_after_the_time_that_readers_may_lag() {
        let mut watched = Watched::new();
        assert_eq!(watched.look(0, 100, 50), Known::Nothing);
        assert_eq!(watched.look(10_000, 100, 50), Known::Nothing);
        assert_eq!(watched.look(10_001, 100, 50), Known::Behind);
    }

    #[test]
    fn what_is_known_ends_when_the_standby_is_ahead_or_the_primary_goes_back() {
        for (written, replayed) in [(200, 201), (99, 99)] {
            let mut watched = Watched::new();
            watched.look(0, 100, 100);
            assert_eq!(watched.look(100, written, replayed), Known::Foreign);
            assert!(!watched.has(HOME, 100));
            // It follows again once it has what the primary had since then.
            assert_eq!(watched.look(200, 300, 250), Known::Nothing);
            assert!(matches!(watched.look(300, 400, 300), Known::Fresh(_)));
            assert!(watched.has(HOME, 300));
        }
    }

    #[test]
    fn notes_do_not_accumulate_while_nothing_is_known_of_the_standby() {
        let mut watched = Watched::new();
        watched.freshness.note(HOME, watched.at(100));
        watched.freshness.note(OTHER, watched.at(300));
        watched.freshness.forget(watched.at(200));
        assert_eq!(watched.freshness.notes.keys().collect::<Vec<_>>(), [&OTHER]);
        watched.look(250, 100, 100);
        assert!(watched.has(HOME, 250) && !watched.has(OTHER, 250));
    }

    #[test]
    fn a_reader_that_the_primary_has_answered_sees_nothing_older_afterwards() {
        let mut watched = Watched::new();
        watched.look(0, 100, 100);
        watched.freshness.not_before(watched.at(150));
        watched.freshness.not_before(watched.at(50));
        watched.look(100, 100, 100);
        assert!(!watched.has(HOME, 160));
        watched.look(200, 100, 100);
        assert!(watched.has(HOME, 200));
    }

    #[test]
    fn a_call_that_the_primary_has_answered_in_part_reads_the_rest_where_that_is() {
        let mut watched = Watched::new();
        watched.look(0, 100, 100);
        assert!(watched.freshness.reaches_floor());
        watched.freshness.not_before(watched.at(50));
        assert!(!watched.freshness.reaches_floor());
        watched.look(100, 200, 200);
        assert!(watched.freshness.reaches_floor());
        watched.freshness.forget(watched.at(150));
        assert!(!watched.freshness.reaches_floor());
    }

    #[test]
    fn who_has_seen_the_primary_waits_also_when_the_look_began_before_what_is_known_was_forgotten() {
        let mut watched = Watched::new();
        watched.look(0, 100, 100);
        watched.freshness.note(HOME, watched.at(150));
        watched.freshness.forget(watched.at(200));
        for began in [100, 200] {
            assert_eq!(watched.look(began, 100, 100), Known::Nothing);
            assert!(!watched.has(HOME, 210));
        }
        watched.look(300, 200, 200);
        assert!(watched.has(HOME, 310));
    }

    #[test]
    fn what_a_standby_says_counts_for_nothing_if_it_was_asked_before_it_failed() {
        let mut watched = Watched::new();
        watched.look(0, 100, 100);
        watched.freshness.forget(watched.at(200));
        let look = Look { asked: watched.at(150), at: watched.at(300), written: 100, replayed: 100 };
        assert_eq!(watched.freshness.look(look), Known::Nothing);
        assert!(!watched.has(HOME, 310));
        assert!(matches!(watched.look(400, 100, 100), Known::Fresh(_)));
        assert!(watched.has(HOME, 410));
    }
}
