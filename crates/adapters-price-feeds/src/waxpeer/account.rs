//! The account behind the key at Waxpeer: its wallet, its items on sale, and its buy orders, all in thousandths of a dollar.

mod shape;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use async_trait::async_trait;
use secrecy::SecretString;
use serde_json::Value;
use tradepost_adapters_outside::{
    ClientError, Question, RequiredShape, Route, ServiceAddress, ServiceClient, ServiceLimits,
};
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{MarketplaceResult, OwnAccount, OwnListing, OwnOrder};

use super::{GAME, KEY};
use crate::amount;
use crate::answer::json;
use crate::keys;
use crate::listing_fields::number;
use crate::listing_market::{allowed, ask, of_marketplace};
use crate::own_account::{
    AccountReader, ById, ReadAccount, add_listing, add_order, checked, entries, id, name, too_many, unreadable,
};

const USER: Route = Route::get("/v1/user");
const LISTINGS: Route = Route::get("/v1/list-items-steam");
const ORDERS: Route = Route::get("/v1/buy-orders");
/// It shows all listings at once. A list with more is not expected.
const MOST_LISTINGS: usize = 5_000;
/// The most pages of orders. With the two other calls they are fewer than the budget has.
const MOST_PAGES: usize = 10;

/// The account, read with its key.
#[derive(Debug)]
pub(crate) struct WaxpeerAccount {
    client: ServiceClient,
    key: SecretString,
}

impl WaxpeerAccount {
    pub(crate) fn connect(
        address: ServiceAddress,
        limits: ServiceLimits,
        key: SecretString,
    ) -> Result<Self, ClientError> {
        Ok(Self { client: ServiceClient::new(address, &[USER, LISTINGS, ORDERS], limits)?, key })
    }

    /// Asks with the key, which the service takes in the query alone. Returns the answer, and notes what of it is on no card.
    async fn answer(
        &self,
        route: Route,
        query: &[(&str, &str)],
        shapes: [&[RequiredShape]; 2],
        new_shapes: &mut BTreeSet<String>,
    ) -> MarketplaceResult<Value> {
        let query = keys::query(KEY, &self.key, query);
        let answer = ask(&self.client, Question::of(route, &query)).await?;
        let answer = json(&allowed(answer)?).map_err(of_marketplace)?;
        let [needed, also_known] = shapes;
        new_shapes.extend(checked(&answer, needed, also_known)?);
        Ok(answer)
    }

    async fn listings(&self, new_shapes: &mut BTreeSet<String>) -> MarketplaceResult<Vec<OwnListing>> {
        let answer = self.answer(LISTINGS, &[GAME], shape::LISTINGS, new_shapes).await?;
        let entries = entries(&answer, "items");
        if entries.len() > MOST_LISTINGS {
            return Err(too_many("listings"));
        }
        let mut listings = ById::new();
        for entry in entries {
            add_listing(&mut listings, listing(entry))?;
        }
        Ok(listings.into_values().collect())
    }

    async fn orders(&self, new_shapes: &mut BTreeSet<String>) -> MarketplaceResult<Vec<OwnOrder>> {
        let (mut orders, mut read) = (ById::new(), 0_usize);
        for _ in 0..MOST_PAGES {
            let skipped = read.to_string();
            let query = [("skip", skipped.as_str()), ("own", "1"), GAME];
            let answer = self.answer(ORDERS, &query, shape::ORDERS, new_shapes).await?;
            let (known, entries) = (orders.len(), entries(&answer, "offers"));
            for entry in entries {
                add_order(&mut orders, order(entry))?;
            }
            read += entries.len();
            // Its document has an answer with an order and the count 0.
            let count = number(answer.get("count")).and_then(|count| usize::try_from(count).ok());
            let is_last = entries.is_empty() || count.is_some_and(|count| count > 0 && read >= count);
            if is_last {
                return Ok(orders.into_values().filter(|order: &OwnOrder| order.quantity > 0).collect());
            }
            if orders.len() == known {
                return Err(ExternalError::Unknown("its pages repeat".to_owned()));
            }
        }
        Err(too_many("orders"))
    }
}

#[async_trait]
impl AccountReader for WaxpeerAccount {
    async fn read(&self) -> MarketplaceResult<ReadAccount> {
        let mut new_shapes = BTreeSet::new();
        let user = self.answer(USER, &[], shape::USER, &mut new_shapes).await?;
        let wallet = user.get("user").and_then(|user| user.get("wallet"));
        let balance = wallet.and_then(amount::mills_down).ok_or_else(|| unreadable("the balance"))?;
        let listings = self.listings(&mut new_shapes).await?;
        let orders = self.orders(&mut new_shapes).await?;
        Ok(ReadAccount { account: OwnAccount { balance, listings, orders }, new_shapes })
    }
}

/// A listing. The id of a listing is that of its item at the game platform. What it asks are proceeds, which are rounded down.
fn listing(entry: &Value) -> Option<OwnListing> {
    Some(OwnListing {
        id: id(entry.get("item_id"))?,
        market_hash_name: name(entry.get("name"))?,
        price: entry.get("price").and_then(amount::mills_down)?,
    })
}

/// A buy order with what it still buys. What it pays is a cost, which is rounded up.
fn order(entry: &Value) -> Option<OwnOrder> {
    let filled = entry.get("filled").map_or(Some(0), |filled| number(Some(filled)))?;
    Some(OwnOrder {
        id: id(entry.get("id"))?,
        market_hash_name: name(entry.get("name")),
        price: entry.get("price").and_then(amount::mills)?,
        quantity: number(entry.get("amount"))?.saturating_sub(filled),
    })
}
