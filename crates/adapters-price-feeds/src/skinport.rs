//! Skinport: the lowest price that is asked there for each kind of item. Only its public list is read, without a key.

mod list;

use std::time::Duration;

use tradepost_adapters_outside::{Route, ServiceLimits};

use crate::listed::{List, Manner, limits_of_a_list};

pub(crate) const NAME: &str = "skinport";
/// The game.
const APP_ID: &str = "730";
const ITEMS: Route = Route::get("/v1/items");

/// The calls that Skinport allows in five minutes.
const ALLOWED: u32 = 8;

pub(crate) const MANNER: Manner = Manner {
    name: NAME,
    currencies: &[
        "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "NOK", "PLN", "RUB", "SEK", "TRY", "USD",
    ],
    routes: &[ITEMS],
    asks: List {
        question: |currency| (ITEMS, vec![("app_id", APP_ID), ("currency", currency), ("tradable", "0")]),
        read: list::read,
    },
    bids: None,
};

pub(crate) const fn limits() -> ServiceLimits {
    limits_of_a_list(ALLOWED / 2, Duration::from_mins(5), Duration::ZERO)
}
