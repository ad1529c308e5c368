//! The account behind the key at `DMarket`: its balance in dollars, its offers, and its targets, which are buy orders.

mod shape;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use tradepost_adapters_outside::{ClientError, RequiredShape, Route, ServiceAddress, ServiceLimits};
use tradepost_domain::money::VenueCents;
use tradepost_ports::clock::Clock;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{MarketplaceResult, OwnAccount, OwnListing, OwnOrder};

use super::signed_reads::SignedReads;
use super::{ENTRIES, GAME};
use crate::amount;
use crate::answer::json;
use crate::dmarket_key::DMarketKey;
use crate::listing_fields::number;
use crate::listing_market::of_marketplace;
use crate::own_account::{
    AccountReader, ById, ReadAccount, add_listing, add_order, checked, entries, id, name, too_many, unreadable,
};

const BALANCE: Route = Route::get("/account/v1/balance");
const OFFERS: Route = Route::get("/marketplace-api/v2/user/offers");
const TARGETS: Route = Route::get("/marketplace-api/v2/user/targets");
/// The most pages of offers, and of targets. With the balance they are fewer calls than the budget has.
const MOST_PAGES: usize = 20;
const ACTIVE: &str = "TARGET_STATUS_ACTIVE";

/// The account, read with its key.
#[derive(Debug)]
pub(crate) struct DMarketAccount(SignedReads);

impl DMarketAccount {
    pub(crate) fn connect(
        address: ServiceAddress,
        limits: ServiceLimits,
        key: DMarketKey,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ClientError> {
        SignedReads::connect(address, &[BALANCE, OFFERS, TARGETS], limits, key, clock).map(Self)
    }

    async fn answer(&self, route: Route, query: &[(&str, &str)]) -> MarketplaceResult<Value> {
        json(&self.0.read(route, query).await?).map_err(of_marketplace)
    }

    /// Reads all entries of a list.
    async fn list(
        &self,
        route: Route,
        shapes: [&[RequiredShape]; 2],
        new_shapes: &mut BTreeSet<String>,
    ) -> MarketplaceResult<Vec<Value>> {
        let [needed, also_known] = shapes;
        let (mut items, mut cursor): (Vec<Value>, Option<String>) = (Vec::new(), None);
        for _ in 0..MOST_PAGES {
            let after = cursor.as_deref().map(|cursor| ("cursor", cursor));
            let query: Vec<(&str, &str)> = [("gameId", GAME), ("limit", ENTRIES)].into_iter().chain(after).collect();
            let page = self.answer(route, &query).await?;
            new_shapes.extend(checked(&page, needed, also_known)?);
            items.extend_from_slice(entries(&page, "items"));
            let next = page.get("cursor").and_then(Value::as_str).filter(|next| !next.is_empty());
            let Some(next) = next else { return Ok(items) };
            if cursor.as_deref() == Some(next) {
                return Err(ExternalError::Unknown("its pages repeat".to_owned()));
            }
            cursor = Some(next.to_owned());
        }
        Err(too_many("offers or targets"))
    }
}

#[async_trait]
impl AccountReader for DMarketAccount {
    async fn read(&self) -> MarketplaceResult<ReadAccount> {
        let answer = self.answer(BALANCE, &[]).await?;
        let mut new_shapes = checked(&answer, shape::BALANCE, shape::ALSO_OF_BALANCE)?;
        let balance = balance(&answer).ok_or_else(|| unreadable("the balance"))?;
        let mut listings = ById::new();
        for item in self.list(OFFERS, shape::OFFERS, &mut new_shapes).await? {
            add_listing(&mut listings, listing(&item))?;
        }
        let mut orders = ById::new();
        for item in self.list(TARGETS, shape::TARGETS, &mut new_shapes).await?.iter().filter(|item| is_active(item)) {
            add_order(&mut orders, order(item))?;
        }
        let (listings, orders) = (listings.into_values().collect(), orders.into_values().collect());
        Ok(ReadAccount { account: OwnAccount { balance, listings, orders }, new_shapes })
    }
}

/// The balance: cents as a text, or an object with such a text. A number may be in dollars, so that it is not read.
fn balance(answer: &Value) -> Option<VenueCents> {
    let usd = answer.get("usd")?;
    let cents = usd.get("amount").unwrap_or(usd);
    if cents.is_string() { amount::balance(cents) } else { None }
}

fn listing(item: &Value) -> Option<OwnListing> {
    Some(OwnListing {
        id: id(item.get("offerId"))?,
        market_hash_name: name(item.get("attributes")?.get("title"))?,
        price: item.get("priceCents").and_then(amount::cents)?,
    })
}

/// Whether a target buys. One whose status is not known may.
fn is_active(item: &Value) -> bool {
    item.get("status").and_then(Value::as_str).is_none_or(|status| status == ACTIVE)
}

fn order(item: &Value) -> Option<OwnOrder> {
    Some(OwnOrder {
        id: id(item.get("targetId"))?,
        market_hash_name: name(item.get("title")),
        price: item.get("priceCents").and_then(amount::cents)?,
        quantity: number(item.get("amount"))?,
    })
}
