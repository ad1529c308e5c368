//! What the account behind the key of a marketplace has there. Nothing is changed: the port has no method for it.

use std::time::Duration;

use async_trait::async_trait;
use tradepost_domain::markets::provider::AccountStanding;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::{ExternalId, MarketHashName};
use tradepost_domain::time::Timestamp;

use super::MarketplaceResult;

/// The usual time between two reads.
const INTERVAL: Duration = Duration::from_mins(5);

/// A listing of the account that is on sale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnListing {
    /// The marketplace's id of it.
    pub id: ExternalId,
    /// The name of the item.
    pub market_hash_name: MarketHashName,
    /// The price without fees.
    pub price: VenueCents,
}

/// An open buy order of the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnOrder {
    /// The marketplace's id of it.
    pub id: ExternalId,
    /// The name of the items; nothing if the order describes them in another way.
    pub market_hash_name: Option<MarketHashName>,
    /// The highest price of one item.
    pub price: VenueCents,
    /// The number of items that it still buys.
    pub quantity: u32,
}

/// What an account has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnAccount {
    /// The available balance.
    pub balance: VenueCents,
    /// Its listings on sale. Those without a price, such as auctions, are left out.
    pub listings: Vec<OwnListing>,
    /// Its open buy orders.
    pub orders: Vec<OwnOrder>,
}

impl OwnAccount {
    /// Returns what is kept of it. A sum that is too large is the largest amount.
    pub fn seen(&self, seen_at: Timestamp) -> AccountStanding {
        let asked = self.listings.iter().map(|listing| listing.price.get()).fold(0, i64::saturating_add);
        let count = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
        AccountStanding {
            seen_at,
            balance: self.balance,
            listings: count(self.listings.len()),
            asked: VenueCents::new(asked).unwrap_or(VenueCents::MAX),
            orders: count(self.orders.len()),
        }
    }
}

/// A marketplace whose account can be read.
#[async_trait]
pub trait MarketStanding: Send + Sync {
    /// Returns the time between two reads.
    fn standing_interval(&self) -> Duration {
        INTERVAL
    }

    /// Reads the account behind the key: its balance, its listings and its open orders. Either all of it is read, or none of it is used.
    ///
    /// # Errors
    /// [`ExternalError`](crate::external::ExternalError); [`Unknown`](crate::external::ExternalError::Unknown) also for an account with more
    /// listings or orders than the driver reads.
    async fn own_account(&self) -> MarketplaceResult<OwnAccount>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_summed_up_as_counts_and_what_its_listings_ask() {
        let listing = |cents| OwnListing {
            id: ExternalId::from(7_u64),
            market_hash_name: MarketHashName::new("AK-47 | Redline (Field-Tested)").unwrap(),
            price: VenueCents::new(cents).unwrap(),
        };
        let listings = vec![listing(1_200), listing(34)];
        let account = OwnAccount { balance: VenueCents::ONE, listings, orders: Vec::new() };
        let seen = account.seen(Timestamp::MIN);
        assert_eq!((seen.balance, seen.listings, seen.asked.get(), seen.orders), (VenueCents::ONE, 2, 1_234, 0));
        let most = OwnAccount { listings: vec![listing(VenueCents::MAX.get()); 2], ..account };
        assert_eq!(most.seen(Timestamp::MIN).asked, VenueCents::MAX);
    }
}
