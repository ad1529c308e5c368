//! What others ask for variants at a marketplace, while its listings are looked through page by page.

use std::collections::BTreeMap;

use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;

/// Lowest asks of other sellers for each variant at one marketplace.
///
/// While a scan runs, the asks of the scan before count as well: one page alone would make a variant seem more expensive than it is.
#[derive(Debug, Default)]
pub(crate) struct BestAsks {
    /// The last time that all listings were looked through; `None` before the first time.
    last: Option<BTreeMap<Variant, Cheapest>>,
    /// As far as they were looked through this time.
    current: BTreeMap<Variant, Cheapest>,
}

/// The two cheapest listings of a variant: one of them is another than any that is judged.
#[derive(Debug, Clone)]
struct Cheapest {
    first: (Cents, ExternalId),
    second: Option<(Cents, ExternalId)>,
}

impl Cheapest {
    fn record_ask(&mut self, listing: (Cents, ExternalId)) {
        // A listing is on two pages if the pages moved on between two reads. What was read later counts.
        if self.first.1 == listing.1 {
            self.first.0 = listing.0;
        } else if let Some(second) = self.second.as_mut().filter(|second| second.1 == listing.1) {
            second.0 = listing.0;
        } else if self.second.as_ref().is_none_or(|second| listing.0 < second.0) {
            self.second = Some(listing);
        }
        if let Some(second) = self.second.as_mut().filter(|second| second.0 < self.first.0) {
            std::mem::swap(&mut self.first, second);
        }
    }

    /// The lowest price but that of a listing.
    fn without(&self, listing: &ExternalId) -> Option<Cents> {
        if self.first.1 == *listing { self.second.as_ref().map(|second| second.0) } else { Some(self.first.0) }
    }
}

impl BestAsks {
    /// Whether all listings were looked through before.
    pub(crate) const fn is_complete(&self) -> bool {
        self.last.is_some()
    }

    /// The listings are looked through once more.
    pub(crate) fn begin_scan(&mut self) {
        self.current.clear();
    }

    pub(crate) fn record_ask(&mut self, variant: &Variant, price: Cents, listing: &ExternalId) {
        let listing = (price, listing.clone());
        match self.current.get_mut(variant) {
            Some(cheapest) => cheapest.record_ask(listing),
            None => drop(self.current.insert(variant.clone(), Cheapest { first: listing, second: None })),
        }
    }

    /// All listings were looked through.
    pub(crate) fn finish_scan(&mut self) {
        self.last = Some(std::mem::take(&mut self.current));
    }

    /// Ends a part of a scan that continues in a later pass. If nothing was known before, the part is used as it is.
    pub(crate) fn pause_scan(&mut self) {
        self.last.get_or_insert_with(|| self.current.clone());
    }

    /// The lowest price that is asked.
    pub(crate) fn lowest(&self, variant: &Variant) -> Option<Cents> {
        self.of(variant).map(|cheapest| cheapest.first.0).min()
    }

    /// The lowest price that is asked in another listing than this one.
    pub(crate) fn lowest_beyond(&self, variant: &Variant, listing: &ExternalId) -> Option<Cents> {
        self.of(variant).filter_map(|cheapest| cheapest.without(listing)).min()
    }

    fn of(&self, variant: &Variant) -> impl Iterator<Item = &Cheapest> {
        let last = self.last.as_ref().and_then(|last| last.get(variant));
        last.into_iter().chain(self.current.get(variant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_testkit::samples::variant;

    fn cents(amount: i64) -> Cents {
        Cents::new(amount).unwrap()
    }

    #[test]
    fn what_was_asked_last_time_counts_until_everything_was_looked_through() {
        let (mut asks, wanted) = (BestAsks::default(), variant("AK-47 | Redline (Field-Tested)"));
        asks.record_ask(&wanted, cents(900), &ExternalId::from(1));
        assert!(!asks.is_complete());
        asks.finish_scan();
        asks.begin_scan();
        asks.record_ask(&wanted, cents(1_000), &ExternalId::from(2));
        assert_eq!(asks.lowest(&wanted), Some(cents(900)));
        asks.record_ask(&wanted, cents(800), &ExternalId::from(3));
        assert_eq!(asks.lowest(&wanted), Some(cents(800)));
        asks.finish_scan();
        assert_eq!(asks.lowest(&wanted), Some(cents(800)));
        assert!(asks.is_complete());
    }

    #[test]
    fn a_listing_is_no_witness_of_its_own_price() {
        let (mut asks, wanted) = (BestAsks::default(), variant("AK-47 | Redline (Field-Tested)"));
        let [bargain, other, dear] = [1, 2, 3].map(ExternalId::from);
        asks.record_ask(&wanted, cents(450), &bargain);
        assert_eq!(asks.lowest_beyond(&wanted, &bargain), None, "it is the only one");
        for (price, listing) in [(1_200, &dear), (1_000, &other), (450, &bargain)] {
            asks.record_ask(&wanted, cents(price), listing);
        }
        assert_eq!(asks.lowest_beyond(&wanted, &bargain), Some(cents(1_000)));
        assert_eq!(asks.lowest_beyond(&wanted, &other), Some(cents(450)));
        asks.finish_scan();
        asks.begin_scan();
        asks.record_ask(&wanted, cents(440), &bargain);
        assert_eq!(asks.lowest_beyond(&wanted, &bargain), Some(cents(1_000)), "nor is what it cost the last time");
    }
}
