//! The account behind the key at `CSFloat`: its balance, the listings of its stall and its buy orders. These routes are in no document of the
//! service, so that they may vanish.

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

use super::KEY;
use crate::amount;
use crate::answer::json;
use crate::keys;
use crate::listing_fields::{number, text};
use crate::listing_market::{allowed, ask, of_marketplace};
use crate::own_account::{
    AccountReader, ById, ReadAccount, add_listing, add_order, checked, entries, id, name, too_many, unreadable,
};

const ME: Route = Route::get("/api/v1/me");
const STALL: Route = Route::get("/api/v1/users/{id}/stall");
const ORDERS: Route = Route::get("/api/v1/me/buy-orders");
/// The entries of a page, as the service's own web site asks for them.
const ENTRIES: usize = 40;
const LIMIT: (&str, &str) = ("limit", "40");
/// The most pages of listings, and the first pages of orders. With the balance they are fewer calls than the budget has.
const LISTING_PAGES: usize = 10;
const ORDER_PAGES: [&str; 5] = ["0", "1", "2", "3", "4"];
/// What is sold at a price. All else is auctioned, and has no price yet.
const AT_A_PRICE: &str = "buy_now";
const ON_SALE: &str = "listed";

/// The account, read with its key.
#[derive(Debug)]
pub(crate) struct CsFloatAccount {
    client: ServiceClient,
    key: SecretString,
}

/// An answer, with its paths and types that are on no card.
type Checked = (Value, BTreeSet<String>);

impl CsFloatAccount {
    pub(crate) fn connect(
        address: ServiceAddress,
        limits: ServiceLimits,
        key: SecretString,
    ) -> Result<Self, ClientError> {
        Ok(Self { client: ServiceClient::new(address, &[ME, STALL, ORDERS], limits)?, key })
    }

    async fn answer(&self, question: Question<'_>, shapes: [&[RequiredShape]; 2]) -> MarketplaceResult<Checked> {
        let headers = vec![keys::header(KEY, &self.key)];
        let answer = ask(&self.client, Question { headers, ..question }).await?;
        let answer = json(&allowed(answer)?).map_err(of_marketplace)?;
        let [needed, also_known] = shapes;
        let new_shapes = checked(&answer, needed, also_known)?;
        Ok((answer, new_shapes))
    }

    async fn listings(&self, owner: &str, new_shapes: &mut BTreeSet<String>) -> MarketplaceResult<Vec<OwnListing>> {
        let (mut listings, mut cursor): (ById<OwnListing>, Option<String>) = (ById::new(), None);
        for _ in 0..LISTING_PAGES {
            let after = cursor.as_deref().map(|cursor| ("cursor", cursor));
            let query: Vec<(&str, &str)> = [LIMIT].into_iter().chain(after).collect();
            let question = Question { id: Some(owner), ..Question::of(STALL, &query) };
            let (page, found) = self.answer(question, shape::STALL).await?;
            new_shapes.extend(found);
            let entries = entries(&page, "data");
            for entry in entries.iter().filter(|entry| is_on_sale(entry)) {
                add_listing(&mut listings, listing(entry))?;
            }
            let next = page.get("cursor").and_then(Value::as_str).filter(|next| !next.is_empty());
            // The last page may name a cursor as well, of a page that is empty.
            let Some(next) = next.filter(|_| !entries.is_empty()) else {
                return Ok(listings.into_values().collect());
            };
            if cursor.as_deref() == Some(next) {
                return Err(ExternalError::Unknown("its pages repeat".to_owned()));
            }
            cursor = Some(next.to_owned());
        }
        Err(too_many("listings"))
    }

    async fn orders(&self, new_shapes: &mut BTreeSet<String>) -> MarketplaceResult<Vec<OwnOrder>> {
        let mut orders = ById::new();
        for page in ORDER_PAGES {
            let query = [("page", page), LIMIT, ("order", "desc")];
            let (page, found) = self.answer(Question::of(ORDERS, &query), shape::ORDERS).await?;
            new_shapes.extend(found);
            let entries = entries(&page, "orders");
            for entry in entries {
                add_order(&mut orders, order(entry))?;
            }
            let count = number(page.get("count")).and_then(|count| usize::try_from(count).ok());
            let is_last = count.map_or(entries.len() < ENTRIES, |count| orders.len() >= count);
            if is_last || entries.is_empty() {
                return Ok(orders.into_values().filter(|order: &OwnOrder| order.quantity > 0).collect());
            }
        }
        Err(too_many("orders"))
    }
}

#[async_trait]
impl AccountReader for CsFloatAccount {
    async fn read(&self) -> MarketplaceResult<ReadAccount> {
        let (me, mut new_shapes) = self.answer(Question::of(ME, &[]), shape::ME).await?;
        let user = me.get("user");
        let balance = user.and_then(|user| user.get("balance")).and_then(amount::balance);
        let balance = balance.ok_or_else(|| unreadable("the balance"))?;
        let owner = text(user.and_then(|user| user.get("steam_id"))).ok_or_else(|| unreadable("the id"))?;
        let listings = self.listings(&owner, &mut new_shapes).await?;
        let orders = self.orders(&mut new_shapes).await?;
        Ok(ReadAccount { account: OwnAccount { balance, listings, orders }, new_shapes })
    }
}

/// Whether an entry of a stall is on sale at a price.
fn is_on_sale(entry: &Value) -> bool {
    let is = |field: &str, wanted: &str| entry.get(field).and_then(Value::as_str) == Some(wanted);
    is("type", AT_A_PRICE) && is("state", ON_SALE)
}

fn listing(entry: &Value) -> Option<OwnListing> {
    Some(OwnListing {
        id: id(entry.get("id"))?,
        market_hash_name: name(entry.get("item")?.get("market_hash_name"))?,
        price: entry.get("price").and_then(amount::cents)?,
    })
}

/// A buy order. Those that describe items by a rule have no name. The fields of answers and of requests have different names.
fn order(entry: &Value) -> Option<OwnOrder> {
    let price = entry.get("price").or_else(|| entry.get("max_price"));
    let quantity = entry.get("qty").or_else(|| entry.get("quantity"));
    Some(OwnOrder {
        id: id(entry.get("id"))?,
        market_hash_name: name(entry.get("market_hash_name")),
        price: price.and_then(amount::cents)?,
        // An order is for one item if it does not say for how many.
        quantity: quantity.map_or(Some(1), |quantity| number(Some(quantity)))?,
    })
}
