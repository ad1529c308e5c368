//! The walk over the pages of the market: where it is, what it has found since the last read, and which names are watched.

use std::collections::BTreeMap;

use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::price_source::VariantQuote;

use crate::watched_names::WatchedNames;

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
    /// The names that are asked for one by one. One without a readable answer has no turn before the walk begins again.
    watched: WatchedNames,
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
        self.watched.wake();
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
        self.watched.watch(names);
    }

    /// Takes in that a name had no readable answer. Without this, one such name would keep every read from the pages.
    pub(super) fn rest(&mut self, name: MarketHashName) {
        self.watched.rest(name);
    }

    /// The names whose turn it is, at most this number. Each has its turn again after all others.
    pub(super) fn due(&mut self, most: usize) -> Vec<MarketHashName> {
        self.watched.due(most)
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
