//! What others ask for variants at a marketplace, while its listings are looked through page by page.

use std::collections::BTreeMap;

use tradepost_domain::money::Cents;
use tradepost_domain::variant::Variant;

/// The lowest price that others ask for each variant at one marketplace.
///
/// As long as the listings are being looked through, what was asked the last time counts as well: a page alone would make a
/// variant seem dearer than it is.
#[derive(Debug, Default)]
pub(crate) struct Asks {
    /// The last time that all listings were looked through; `None` before the first time.
    last: Option<BTreeMap<Variant, Cents>>,
    /// As far as they were looked through this time.
    current: BTreeMap<Variant, Cents>,
}

impl Asks {
    /// Whether all listings were looked through before.
    pub(crate) const fn are_known(&self) -> bool {
        self.last.is_some()
    }

    /// The listings are looked through once more.
    pub(crate) fn begin(&mut self) {
        self.current.clear();
    }

    pub(crate) fn note(&mut self, variant: &Variant, price: Cents) {
        match self.current.get_mut(variant) {
            Some(lowest) => *lowest = price.min(*lowest),
            None => drop(self.current.insert(variant.clone(), price)),
        }
    }

    /// All listings were looked through.
    pub(crate) fn end(&mut self) {
        self.last = Some(std::mem::take(&mut self.current));
    }

    /// As many listings were looked through as are at once, and the rest is later. If nothing was known before, this is what is.
    pub(crate) fn pause(&mut self) {
        self.last.get_or_insert_with(|| self.current.clone());
    }

    /// The lowest price that is asked.
    pub(crate) fn lowest(&self, variant: &Variant) -> Option<Cents> {
        let last = self.last.as_ref().and_then(|last| last.get(variant));
        last.into_iter().chain(self.current.get(variant)).min().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_ports::testing::samples::variant;

    fn cents(amount: i64) -> Cents {
        Cents::new(amount).unwrap()
    }

    #[test]
    fn what_was_asked_last_time_counts_until_everything_was_looked_through() {
        let (mut asks, wanted) = (Asks::default(), variant("AK-47 | Redline (Field-Tested)"));
        asks.note(&wanted, cents(900));
        assert!(!asks.are_known());
        asks.end();
        asks.begin();
        asks.note(&wanted, cents(1_000));
        assert_eq!(asks.lowest(&wanted), Some(cents(900)));
        asks.note(&wanted, cents(800));
        assert_eq!(asks.lowest(&wanted), Some(cents(800)));
        asks.end();
        assert_eq!(asks.lowest(&wanted), Some(cents(800)));
        assert!(asks.are_known());
    }
}
