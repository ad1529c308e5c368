//! market.csgo.com: the lowest price that is asked there for each kind of item. Only its public export is read, without a key.
//!
//! More than five requests a second delete the key of a caller. None is sent here, and the gap between two calls is kept all the same.

mod export;

use std::time::Duration;

use tradepost_adapters_outside::{Route, ServiceLimits};

use crate::listed::{Manner, limits_of_a_list};

pub(crate) const NAME: &str = "market-csgo";
const IN_DOLLARS: Route = Route::get("/api/v2/prices/USD.json");
const IN_EUROS: Route = Route::get("/api/v2/prices/EUR.json");
const IN_ROUBLES: Route = Route::get("/api/v2/prices/RUB.json");
/// The strict time between two calls.
const GAP: Duration = Duration::from_millis(300);

pub(crate) const MANNER: Manner = Manner {
    name: NAME,
    currencies: &["EUR", "RUB", "USD"],
    routes: &[IN_DOLLARS, IN_EUROS, IN_ROUBLES],
    question: |currency| {
        let route = match currency {
            "EUR" => IN_EUROS,
            "RUB" => IN_ROUBLES,
            _ => IN_DOLLARS,
        };
        (route, Vec::new())
    },
    read: export::read,
};

pub(crate) const fn limits() -> ServiceLimits {
    limits_of_a_list(4, Duration::from_mins(5), GAP)
}
