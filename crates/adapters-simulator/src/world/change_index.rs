//! What changed when, so that who asks for changes is not answered from the whole past.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::external::Page;

/// Maximum number of changes on a page.
const PAGE: usize = 100;

/// A change of something at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change<T> {
    micros: i64,
    what: T,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ChangeIndex<T: Ord> {
    by_micros: BTreeMap<i64, BTreeSet<T>>,
}

impl<T: Ord> Default for ChangeIndex<T> {
    fn default() -> Self {
        Self { by_micros: BTreeMap::new() }
    }
}

impl<T: Ord + Copy> ChangeIndex<T> {
    /// Notes a change.
    pub(super) fn add(&mut self, what: T, at: Timestamp) {
        self.by_micros.entry(at.as_micros()).or_default().insert(what);
    }

    /// Forgets what was noted of a change.
    pub(super) fn remove(&mut self, what: T, at: Timestamp) {
        if let Some(changed) = self.by_micros.get_mut(&at.as_micros()) {
            changed.remove(&what);
            if changed.is_empty() {
                self.by_micros.remove(&at.as_micros());
            }
        }
    }

    /// What changed at this time or later, the oldest change first.
    pub(super) fn since(&self, at: Timestamp) -> impl Iterator<Item = Change<T>> {
        let changes = self.by_micros.range(at.as_micros()..);
        changes.flat_map(|(micros, changed)| changed.iter().map(|what| Change { micros: *micros, what: *what }))
    }
}

impl<T: Ord + Copy + Into<ExternalId>> Change<T> {
    pub(super) const fn new(what: T, at: Timestamp) -> Self {
        Self { micros: at.as_micros(), what }
    }

    /// The change that such a text names.
    pub(super) fn named(text: &ExternalId, what: fn(&ExternalId) -> Option<T>) -> Option<Self> {
        let (micros, name) = text.as_str().split_once('.')?;
        Some(Self { micros: micros.parse().ok()?, what: what(&ExternalId::new(name).ok()?)? })
    }

    fn name(self) -> Option<ExternalId> {
        ExternalId::new(&format!("{}.{}", self.micros, self.what.into())).ok()
    }

    /// The part of these changes that follows this one, or the first part.
    pub(super) fn page<S>(
        changes: impl Iterator<Item = Self>,
        after: Option<Self>,
        shown: impl Fn(T) -> Option<S>,
    ) -> Page<S> {
        let rest = changes.filter(|change| after.is_none_or(|after| *change > after));
        let mut rest = rest.filter_map(|change| Some((change, shown(change.what)?)));
        let items: Vec<_> = rest.by_ref().take(PAGE).collect();
        let next = rest.next().and(items.last()).and_then(|(last, _)| last.name());
        Page { items: items.into_iter().map(|(_, shown)| shown).collect(), next }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ids::{DealId, IdAllocator};
    use super::*;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).expect("a time")
    }

    #[test]
    fn what_changes_between_two_pages_is_on_the_last_one_and_nothing_is_left_out() {
        let (mut numbers, mut recent) = (IdAllocator::default(), ChangeIndex::default());
        let deals: Vec<DealId> = (0..150).map(|_| numbers.deal()).collect();
        deals.iter().zip(1..).for_each(|(deal, micros)| recent.add(*deal, at(micros)));
        let first = Change::page(recent.since(at(1)), None, Some);
        assert_eq!(first.items, deals[..100]);
        recent.remove(deals[99], at(100));
        recent.add(deals[99], at(200));
        let after = first.next.and_then(|name| Change::named(&name, DealId::named));
        let last = Change::page(recent.since(at(1)), after, Some);
        assert_eq!((&last.items[..50], last.items[50..].to_vec(), last.next), (&deals[100..], vec![deals[99]], None));
    }
}
