//! Waxpeer: the lowest price that is asked there for each kind of item, the highest that is bid, and its listings. Its public lists are read
//! without a key. Its listings and the account are read with a key of the operator, and nothing is bought or listed there.

mod account;
mod bids;
mod list;
mod listings;
mod on_sale;

use std::time::Duration;

use tradepost_adapters_outside::{Route, ServiceLimits};

use crate::listed::{List, Manner, limits_of_a_list};
use crate::listing_market::ListingManner;

pub(crate) use account::WaxpeerAccount;
pub(crate) use listings::WaxpeerListings;

pub(crate) const NAME: &str = "waxpeer";
const PRICES: Route = Route::get("/v1/prices");
const BIDS: Route = Route::get("/v1/buy-orders/snapshot");
/// The field of a query with the key.
const KEY: &str = "api";
/// The game.
const GAME: (&str, &str) = ("game", "csgo");

pub(crate) const MANNER: Manner = Manner {
    name: NAME,
    currencies: &["USD"],
    routes: &[PRICES, BIDS],
    asks: List { question: |_| (PRICES, vec![GAME, ("minified", "0")]), read: list::read },
    bids: Some(List { question: |_| (BIDS, vec![GAME]), read: bids::read }),
};

pub(crate) const LISTED: ListingManner = ListingManner {
    limits: limits_of_listings(),
    interval: Duration::from_secs(45),
    most: listings::NAMES * on_sale::MOST_OF_A_NAME,
    fees: (0, 600),
    watches: true,
    key: "outside.keys.waxpeer",
};

/// It allows 60 calls in a minute, and bans the address of a caller beyond that.
pub(crate) const fn limits() -> ServiceLimits {
    limits_of_a_list(4, Duration::from_mins(1), Duration::from_secs(1))
}

/// Its searches by name have a limit of 20 calls in a minute together. Of the other routes no limit is known.
const fn limits_of_listings() -> ServiceLimits {
    // The listings of 20 names have some 100 KiB to 2 MiB.
    let limits = limits_of_a_list(20, Duration::from_mins(5), Duration::from_secs(1));
    ServiceLimits { answer_bytes: 8 * 1024 * 1024, ..limits }
}
