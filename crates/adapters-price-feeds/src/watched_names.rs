//! The names that a service is asked for one by one or a few at once, in turn. It must not know what is asked about them.

use std::collections::{BTreeSet, VecDeque};

use tradepost_domain::text::MarketHashName;

/// Names that have turns.
#[derive(Debug, Default)]
pub(crate) struct WatchedNames {
    /// The next first.
    queue: VecDeque<MarketHashName>,
    /// Those of them that had no readable answer. They have no turn before all are woken.
    rested: BTreeSet<MarketHashName>,
}

impl WatchedNames {
    /// Replaces the names that are watched. Those that stay keep their turn.
    pub(crate) fn watch(&mut self, names: &[MarketHashName]) {
        let mut wanted: BTreeSet<&MarketHashName> = names.iter().collect();
        self.queue.retain(|known| wanted.remove(known));
        self.queue.extend(names.iter().filter(|name| wanted.remove(name)).cloned());
    }

    /// Takes in that a name had no readable answer. Without this, one such name would keep every read from the others.
    pub(crate) fn rest(&mut self, name: MarketHashName) {
        self.rested.insert(name);
    }

    /// Lets every name have its turn again.
    pub(crate) fn wake(&mut self) {
        self.rested.clear();
    }

    /// The names whose turn it is, at most this number. Each has its turn again after all others.
    pub(crate) fn due(&mut self, most: usize) -> Vec<MarketHashName> {
        let is_due = |name: &&MarketHashName| !self.rested.contains(*name);
        let due: Vec<MarketHashName> = self.queue.iter().filter(is_due).take(most).cloned().collect();
        self.queue.retain(|name| !due.contains(name));
        self.queue.extend(due.iter().cloned());
        due
    }

    /// The number of names.
    pub(crate) fn len(&self) -> usize {
        self.queue.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(of: &[&str]) -> Vec<MarketHashName> {
        of.iter().map(|name| MarketHashName::new(name).unwrap()).collect()
    }

    #[test]
    fn every_watched_name_has_its_turn_and_one_that_stays_keeps_it() {
        let mut watched = WatchedNames::default();
        watched.watch(&names(&["A", "B", "C"]));
        assert_eq!(watched.due(2), names(&["A", "B"]));
        watched.watch(&names(&["A", "C", "D"]));
        assert_eq!((watched.len(), watched.due(2)), (3, names(&["C", "A"])));
        assert_eq!(watched.due(5), names(&["D", "C", "A"]));
        watched.watch(&[]);
        assert_eq!((watched.len(), watched.due(5)), (0, names(&[])));
    }

    #[test]
    fn a_name_without_an_answer_has_no_turn_until_all_are_woken() {
        let mut watched = WatchedNames::default();
        watched.watch(&names(&["A", "B"]));
        watched.rest(names(&["A"]).remove(0));
        assert_eq!(watched.due(5), names(&["B"]));
        watched.watch(&names(&["A", "B"]));
        assert_eq!(watched.due(5), names(&["B"]));
        watched.wake();
        assert_eq!(watched.due(5), names(&["A", "B"]));
    }
}
