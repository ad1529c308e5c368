//! The walk over the pages of the market: where it is, what it has found since the last read, and which names are watched.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::price_source::VariantQuote;

/// Where a walk is after a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Pages are left.
    Within,
    /// It was the last page, and the next is the first.
    Whole,
}

#[derive(Debug, Default)]
pub(super) struct Walk {
    start: usize,
    found: BTreeMap<Variant, VariantQuote>,
    /// The names that are asked for one by one, the next first.
    watched: VecDeque<MarketHashName>,
    /// Those of them that had no readable answer. They have no turn before the walk begins again.
    rested: BTreeSet<MarketHashName>,
}

impl Walk {
    /// The number of entries before the next page.
    pub(super) const fn start(&self) -> usize {
        self.start
    }

    /// Takes in that a page was read. Two reads of one page move the walk once.
    pub(super) fn passed(&mut self, start: usize, shown: usize, total: usize) -> Stage {
        let next = start.saturating_add(shown);
        let is_last = next >= total;
        if self.start == start {
            self.start = if is_last { 0 } else { next };
        }
        if !is_last {
            return Stage::Within;
        }
        self.rested.clear();
        Stage::Whole
    }

    pub(super) fn keep(&mut self, quotes: Vec<VariantQuote>) {
        self.found.extend(quotes.into_iter().map(|quote| (quote.variant.clone(), quote)));
    }

    /// What was found since this was last called.
    pub(super) fn take(&mut self) -> Vec<VariantQuote> {
        std::mem::take(&mut self.found).into_values().collect()
    }

    /// The same, which stays for the next read.
    pub(super) fn kept(&self) -> Vec<VariantQuote> {
        self.found.values().cloned().collect()
    }

    /// Replaces the names that are watched. Those that stay keep their turn.
    pub(super) fn watch(&mut self, names: &[MarketHashName]) {
        let mut wanted: BTreeSet<&MarketHashName> = names.iter().collect();
        self.watched.retain(|known| wanted.remove(known));
        self.watched.extend(names.iter().filter(|name| wanted.remove(name)).cloned());
    }

    /// Takes in that a name had no readable answer. Without this, one such name would keep every read from the pages.
    pub(super) fn rest(&mut self, name: MarketHashName) {
        self.rested.insert(name);
    }

    /// The names whose turn it is, at most this number. Each has its turn again after all others.
    pub(super) fn due(&mut self, most: usize) -> Vec<MarketHashName> {
        let is_due = |name: &&MarketHashName| !self.rested.contains(*name);
        let due: Vec<MarketHashName> = self.watched.iter().filter(is_due).take(most).cloned().collect();
        self.watched.retain(|name| !due.contains(name));
        self.watched.extend(due.iter().cloned());
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(of: &[&str]) -> Vec<MarketHashName> {
        of.iter().map(|name| MarketHashName::new(name).unwrap()).collect()
    }

    #[test]
    fn a_walk_goes_on_by_what_a_page_shows_and_begins_again_after_the_last() {
        let mut walk = Walk::default();
        assert_eq!((walk.passed(0, 10, 23), walk.start()), (Stage::Within, 10));
        assert_eq!((walk.passed(0, 10, 23), walk.start()), (Stage::Within, 10), "the same page again");
        assert_eq!((walk.passed(10, 10, 23), walk.start()), (Stage::Within, 20));
        assert_eq!((walk.passed(20, 3, 23), walk.start()), (Stage::Whole, 0));
    }

    #[test]
    fn every_watched_name_has_its_turn_and_one_that_stays_keeps_it() {
        let mut walk = Walk::default();
        walk.watch(&names(&["A", "B", "C"]));
        assert_eq!(walk.due(2), names(&["A", "B"]));
        walk.watch(&names(&["A", "C", "D"]));
        assert_eq!(walk.due(2), names(&["C", "A"]));
        assert_eq!(walk.due(5), names(&["D", "C", "A"]));
        walk.watch(&[]);
        assert_eq!(walk.due(5), names(&[]));
    }

    #[test]
    fn a_name_without_an_answer_has_no_turn_until_the_walk_begins_again() {
        let mut walk = Walk::default();
        walk.watch(&names(&["A", "B"]));
        walk.rest(names(&["A"]).remove(0));
        assert_eq!(walk.due(5), names(&["B"]));
        walk.watch(&names(&["A", "B"]));
        assert_eq!(walk.due(5), names(&["B"]));
        walk.passed(0, 3, 3);
        assert_eq!(walk.due(5), names(&["A", "B"]));
    }
}
