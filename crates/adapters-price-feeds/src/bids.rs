//! Bids that are read name by name, because a service has no list of them. It must not know which services there are.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

use async_trait::async_trait;
use tradepost_domain::markets::observation::ON_SALE_FOR;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;
use tradepost_ports::price_source::PriceResult;

use crate::asks::Asks;
use crate::watched_names::WatchedNames;

/// The bids of a service that are read name by name.
#[async_trait]
pub(crate) trait NamedBids: Send + Sync {
    /// Replaces the names whose bids are read.
    fn watch(&self, names: &[MarketHashName]);

    /// Reads the bids of the names whose turn it is. What was read before a failure is kept.
    async fn read(&self) -> PriceResult<()>;

    /// Returns the bids that were read recently, in a list without asks.
    fn recent(&self) -> Asks;
}

/// What is known of bids: the names that have turns, and the highest bid of each as it was read last.
#[derive(Debug, Default)]
pub(crate) struct KnownBids {
    names: WatchedNames,
    highest: BTreeMap<MarketHashName, (VenueCents, Timestamp)>,
    /// The paths and types of answers that are on no card.
    new_shapes: BTreeSet<String>,
}

impl KnownBids {
    /// Replaces the names that have turns. Those that stay keep their turn.
    pub(crate) fn watch(&mut self, names: &[MarketHashName]) {
        self.names.watch(names);
    }

    /// The names whose turn it is, at most this number.
    pub(crate) fn due(&mut self, most: usize) -> Vec<MarketHashName> {
        self.names.due(most)
    }

    /// Takes in the highest bid of a name, as of a time; `None` if nothing is bid for it.
    pub(crate) fn take(&mut self, name: MarketHashName, bid: Option<VenueCents>, at: Timestamp) {
        match bid {
            Some(bid) => {
                self.highest.insert(name, (bid, at));
            }
            None => {
                self.highest.remove(&name);
            }
        }
    }

    /// Takes in paths and types that are on no card.
    pub(crate) fn note(&mut self, shapes: BTreeSet<String>) {
        self.new_shapes.extend(shapes);
    }

    /// Returns the bids that are no older than a listing may be. Older ones are forgotten.
    pub(crate) fn recent(&mut self, now: Timestamp) -> Asks {
        self.highest.retain(|_, (_, at)| now.since(*at) <= ON_SALE_FOR);
        let mut bids = Asks::of_answer(take(&mut self.new_shapes));
        for (name, (bid, _)) in &self.highest {
            bids.take_bid(name.as_str(), *bid);
        }
        bids
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> MarketHashName {
        MarketHashName::new(text).unwrap()
    }

    #[test]
    fn a_bid_counts_for_as_long_as_a_listing_and_the_later_one_of_a_name_alone() {
        let (mut known, begin) = (KnownBids::default(), Timestamp::from_micros(1_767_225_600_000_000).unwrap());
        let cents = |cents| Some(VenueCents::new(cents).unwrap());
        known.take(name("A"), cents(100), begin);
        known.take(name("B"), cents(200), begin);
        known.take(name("C"), cents(300), begin);
        known.take(name("A"), cents(90), begin.plus(time::Duration::MINUTE));
        known.take(name("C"), None, begin.plus(time::Duration::MINUTE));
        let pairs = |known: &mut KnownBids, at| known.recent(at).bid_pairs();
        let (a, b) = (("A".to_owned(), 90), ("B".to_owned(), 200));
        assert_eq!(pairs(&mut known, begin.plus(ON_SALE_FOR)), [a.clone(), b]);
        assert_eq!(pairs(&mut known, begin.plus(ON_SALE_FOR + time::Duration::SECOND)), [a]);
    }
}
