//! The account behind a key, as the facades show it: a part of what is on sale in the world, a balance, and buy orders for it.

use tradepost_ports::marketplace::MarketListing;

use crate::state::Fakes;

/// The balance, in cents.
pub(crate) const BALANCE: i64 = 12_345;
/// Of so many listings on sale, one is the account's.
const EVERY: u32 = 4;
/// The number of orders.
const ORDERS: usize = 7;

/// The listings of the account, the newest first.
pub(crate) fn listings(fakes: &Fakes) -> Vec<MarketListing> {
    let mut listings = fakes.simulator().world(|world| world.newest_listings(usize::MAX));
    let is_own =
        |listing: &MarketListing| listing.id.as_str().parse::<u32>().is_ok_and(|number| number.is_multiple_of(EVERY));
    listings.retain(is_own);
    listings
}

/// The names of the orders of the account, with the price and the number of items of each.
pub(crate) fn orders(fakes: &Fakes) -> Vec<(String, i64, u32)> {
    let order = |listing: &MarketListing| {
        let price = (listing.offered.price.get() / 2).max(1);
        (listing.offered.variant.market_hash_name.to_string(), price, 2)
    };
    fakes.simulator().world(|world| world.newest_listings(ORDERS)).iter().map(order).collect()
}
