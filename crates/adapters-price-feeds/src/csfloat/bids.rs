//! The bids of `CSFloat`. It shows the buy orders of a name to callers with a key, so that names are asked for in turn. The route is in no
//! document of the service, so that it may vanish. It reads, although it takes its question by `POST`.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use secrecy::SecretString;
use serde_json::{Value, json};
use tradepost_adapters_outside::answers::{known, needed};
use tradepost_adapters_outside::{
    ClientError, Question, RequiredShape, Route, ServiceAddress, ServiceClient, ServiceLimits,
};
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::clock::Clock;
use tradepost_ports::external::ExternalError;
use tradepost_ports::price_source::PriceResult;

use super::KEY;
use crate::amount;
use crate::answer::{self, check, failure, usable};
use crate::asks::Asks;
use crate::bids::{KnownBids, NamedBids};
use crate::keys;
use crate::listing_fields::{MAYBE_ARRAY, MAYBE_OBJECT, MAYBE_TEXT, NUMBER, OBJECT};

const ORDERS_OF_NAME: Route = Route::read_by_post("/api/v1/buy-orders/similar-orders");
/// The orders of an answer, the best first.
const LIMIT: (&str, &str) = ("limit", "10");
/// The names of a read.
const NAMES: usize = 10;

const NEEDED: &[RequiredShape] = &[
    needed("$", OBJECT),
    needed("$.data", MAYBE_ARRAY),
    known("$.data[]", OBJECT),
    needed("$.data[].price", NUMBER),
    known("$.data[].market_hash_name", MAYBE_TEXT),
];
/// What its card has in addition. Of the conditions of an order, only whether there are any is read.
const ALSO_KNOWN: &[RequiredShape] = &[
    known("$.data[].qty", NUMBER),
    known("$.data[].expression", MAYBE_TEXT),
    known("$.data[].hybrid_properties", MAYBE_OBJECT),
    known("$.data[].hybrid_properties.*", &[]),
];

/// The bids, read with a key.
pub(super) struct CsFloatBids {
    client: ServiceClient,
    key: SecretString,
    clock: Arc<dyn Clock>,
    known: Mutex<KnownBids>,
}

impl CsFloatBids {
    pub(super) fn connect(
        address: ServiceAddress,
        limits: ServiceLimits,
        key: SecretString,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ClientError> {
        let client = ServiceClient::new(address, &[ORDERS_OF_NAME], limits)?;
        Ok(Self { client, key, clock, known: Mutex::default() })
    }

    fn known(&self) -> MutexGuard<'_, KnownBids> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the highest bid for any item of a name.
    async fn look_at(&self, name: MarketHashName) -> PriceResult<()> {
        let at = self.clock.now();
        let headers = vec![keys::header(KEY, &self.key), ("content-type", "application/json".to_owned())];
        let body = json!({ "market_hash_name": name.as_str() }).to_string().into_bytes();
        let question = Question { headers, body, ..Question::of(ORDERS_OF_NAME, &[LIMIT]) };
        let answer = self.client.ask(question).await.map_err(|error| failure(&error))?;
        let (bid, new_shapes) = highest(&usable(answer)?, name.as_str())?;
        let mut known = self.known();
        known.take(name, bid, at);
        known.note(new_shapes);
        Ok(())
    }
}

#[async_trait]
impl NamedBids for CsFloatBids {
    fn watch(&self, names: &[MarketHashName]) {
        self.known().watch(names);
    }

    async fn read(&self) -> PriceResult<()> {
        let due = self.known().due(NAMES);
        let mut failed = None;
        for name in due {
            match self.look_at(name).await {
                Ok(()) => {}
                Err(error @ (ExternalError::RateLimited { .. } | ExternalError::AuthLost { .. })) => return Err(error),
                // It may be about this name alone, and must not keep the others from their turn.
                Err(error @ (ExternalError::Rejected(_) | ExternalError::Unknown(_))) => failed = Some(error),
            }
        }
        failed.map_or(Ok(()), Err)
    }

    fn recent(&self) -> Asks {
        let now = self.clock.now();
        self.known().recent(now)
    }
}

/// The highest bid of an answer for any item of a name, with the paths and types that are on no card.
fn highest(body: &[u8], name: &str) -> PriceResult<(Option<VenueCents>, BTreeSet<String>)> {
    let answer = answer::json(body)?;
    let new_shapes = check(&answer, NEEDED, ALSO_KNOWN)?;
    let orders = answer.get("data").and_then(Value::as_array).into_iter().flatten();
    let bids = orders.filter(|order| is_for_any(order, name)).filter_map(|order| amount::cents(order.get("price")?));
    Ok((bids.max(), new_shapes))
}

/// Whether an order takes any item of the name. One with conditions takes those alone that have certain traits.
fn is_for_any(order: &Value, name: &str) -> bool {
    let has = |field: &str| {
        order.get(field).is_some_and(|value| match value {
            Value::Null => false,
            Value::Object(fields) => !fields.is_empty(),
            Value::String(text) => !text.is_empty(),
            Value::Bool(_) | Value::Number(_) | Value::Array(_) => true,
        })
    };
    order.get("market_hash_name").and_then(Value::as_str) == Some(name)
        && !has("expression")
        && !has("hybrid_properties")
}
