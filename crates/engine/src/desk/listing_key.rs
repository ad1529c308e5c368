//! A listing among those of all marketplaces.

use tradepost_domain::text::{ExternalId, Marketplace};

/// A listing by its marketplace and its id there: two marketplaces may use one id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ListingKey {
    pub(crate) marketplace: Marketplace,
    pub(crate) listing_id: ExternalId,
}

impl ListingKey {
    pub(crate) fn new(marketplace: &Marketplace, listing_id: &ExternalId) -> Self {
        Self { marketplace: marketplace.clone(), listing_id: listing_id.clone() }
    }
}
