//! `CSFloat`: the lowest price that is asked there for each kind of item, and its listings. Its public list is read without a key. Its
//! listings are read with a key of the operator, and nothing is bought or listed there.

mod account;
mod list;
mod listings;
mod on_sale;

use std::time::Duration;

use tradepost_adapters_outside::{Route, ServiceLimits};

use crate::listed::{Manner, limits_of_a_list};
use crate::listing_market::ListingManner;

pub(crate) use account::CsFloatAccount;
pub(crate) use listings::CsFloatListings;

pub(crate) const NAME: &str = "csfloat";
const PRICE_LIST: Route = Route::get("/api/v1/listings/price-list");

pub(crate) const MANNER: Manner = Manner {
    name: NAME,
    currencies: &["USD"],
    routes: &[PRICE_LIST],
    question: |_| (PRICE_LIST, Vec::new()),
    read: list::read,
};

pub(crate) const LISTED: ListingManner = ListingManner {
    limits: limits_of_listings(),
    interval: Duration::from_secs(45),
    most: 50,
    fees: (0, 200),
    watches: false,
    key: "outside.keys.csfloat",
};

/// Its limit is not documented. It shows what is left in headers, which are obeyed.
pub(crate) const fn limits() -> ServiceLimits {
    limits_of_a_list(2, Duration::from_mins(5), Duration::from_secs(1))
}

/// Its listings have a limit of their own, which is tighter than those of its other routes. It shows what is left in headers.
const fn limits_of_listings() -> ServiceLimits {
    // A page of 50 listings has about 100 KiB.
    let limits = limits_of_a_list(20, Duration::from_mins(5), Duration::from_secs(1));
    ServiceLimits { answer_bytes: 1024 * 1024, ..limits }
}
