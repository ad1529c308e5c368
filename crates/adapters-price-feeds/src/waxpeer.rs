//! Waxpeer: the lowest price that is asked there for each kind of item. Only its public list is read, without a key.

mod list;

use std::time::Duration;

use tradepost_adapters_outside::{Route, ServiceLimits};

use crate::listed::{Manner, limits_of_a_list};

pub(crate) const NAME: &str = "waxpeer";
const PRICES: Route = Route::get("/v1/prices");

pub(crate) const MANNER: Manner = Manner {
    name: NAME,
    currencies: &["USD"],
    routes: &[PRICES],
    question: |_| (PRICES, vec![("game", "csgo"), ("minified", "0")]),
    read: list::read,
};

/// It allows 60 calls in a minute, and bans the address of a caller beyond that.
pub(crate) const fn limits() -> ServiceLimits {
    limits_of_a_list(4, Duration::from_mins(1), Duration::from_secs(1))
}
