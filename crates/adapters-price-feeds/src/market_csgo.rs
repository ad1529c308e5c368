//! market.csgo.com: the lowest price that is asked there for each kind of item, the highest that is bid, and its listings. Its public exports
//! are read without a key. Its listings are read with a key of the operator, and nothing is bought or listed there.
//!
//! More than five requests a second delete the key of a caller. Exports need none, and the gap between two of them is kept all the same.
//! Calls with a key are a second apart.

mod export;
mod listings;
mod on_sale;

use std::time::Duration;

use tradepost_adapters_outside::{Route, ServiceLimits};

use crate::listed::{List, Manner, limits_of_a_list};
use crate::listing_market::ListingManner;

pub(crate) use listings::MarketCsgoListings;

pub(crate) const NAME: &str = "market-csgo";
const ASKS_IN_DOLLARS: Route = Route::get("/api/v2/prices/USD.json");
const ASKS_IN_EUROS: Route = Route::get("/api/v2/prices/EUR.json");
const ASKS_IN_ROUBLES: Route = Route::get("/api/v2/prices/RUB.json");
const BIDS_IN_DOLLARS: Route = Route::get("/api/v2/prices/orders/USD.json");
const BIDS_IN_EUROS: Route = Route::get("/api/v2/prices/orders/EUR.json");
const BIDS_IN_ROUBLES: Route = Route::get("/api/v2/prices/orders/RUB.json");
/// The strict time between two calls without a key.
const GAP: Duration = Duration::from_millis(300);

pub(crate) const MANNER: Manner = Manner {
    name: NAME,
    currencies: &["EUR", "RUB", "USD"],
    routes: &[ASKS_IN_DOLLARS, ASKS_IN_EUROS, ASKS_IN_ROUBLES, BIDS_IN_DOLLARS, BIDS_IN_EUROS, BIDS_IN_ROUBLES],
    asks: List {
        question: |currency| {
            let route = match currency {
                "EUR" => ASKS_IN_EUROS,
                "RUB" => ASKS_IN_ROUBLES,
                _ => ASKS_IN_DOLLARS,
            };
            (route, Vec::new())
        },
        read: export::asks,
    },
    bids: Some(List {
        question: |currency| {
            let route = match currency {
                "EUR" => BIDS_IN_EUROS,
                "RUB" => BIDS_IN_ROUBLES,
                _ => BIDS_IN_DOLLARS,
            };
            (route, Vec::new())
        },
        read: export::bids,
    }),
};

/// Its fee for sellers is a twentieth.
pub(crate) const LISTED: ListingManner = ListingManner {
    limits: limits_of_listings(),
    interval: Duration::from_secs(45),
    most: listings::NAMES * on_sale::MOST_OF_A_NAME,
    fees: (0, 500),
    watches: true,
    key: "outside.keys.market_csgo",
};

/// Of a currency, two exports are read.
pub(crate) const fn limits() -> ServiceLimits {
    limits_of_a_list(8, Duration::from_mins(5), GAP)
}

const fn limits_of_listings() -> ServiceLimits {
    // A listing has about 300 bytes, and a name up to some thousand of them.
    let limits = limits_of_a_list(20, Duration::from_mins(5), Duration::from_secs(1));
    ServiceLimits { answer_bytes: 16 * 1024 * 1024, ..limits }
}
