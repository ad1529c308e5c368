//! Contracts of the index that share one value.

use crate::id::ContractId;

use super::Entry;
use super::screen::ListingFeatures;

/// Contracts that share one value, those with the highest price first: expensive listings are checked by few of them.
#[derive(Debug, Default)]
pub(super) struct ContractBucket(Vec<Entry>);

impl ContractBucket {
    pub(super) fn insert(&mut self, entry: Entry) {
        let place = self.0.partition_point(|other| other.screen.most() >= entry.screen.most());
        self.0.insert(place, entry);
    }

    pub(super) fn remove(&mut self, id: ContractId) {
        self.0.retain(|entry| entry.id != id);
    }

    /// Those that may pay what the listing costs.
    pub(super) fn near(&self, listing: &ListingFeatures) -> impl Iterator<Item = &Entry> {
        self.0.iter().take_while(|entry| entry.screen.most() >= listing.price)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
