//! `CSFloat`: the lowest price that is asked there for each kind of item. Only its public list is read, without a key.

mod list;

use std::time::Duration;

use tradepost_adapters_outside::{Route, ServiceLimits};

use crate::listed::{Manner, limits_of_a_list};

pub(crate) const NAME: &str = "csfloat";
const PRICE_LIST: Route = Route::get("/api/v1/listings/price-list");

pub(crate) const MANNER: Manner = Manner {
    name: NAME,
    currencies: &["USD"],
    routes: &[PRICE_LIST],
    question: |_| (PRICE_LIST, Vec::new()),
    read: list::read,
};

/// Its limit is not documented. It shows what is left in headers, which are obeyed.
pub(crate) const fn limits() -> ServiceLimits {
    limits_of_a_list(2, Duration::from_mins(5), Duration::from_secs(1))
}
