//! The facade of Skinport: its price list, which is made again every five minutes, and its limit of 8 requests in 5 min.

mod answer;
mod list;

use std::collections::{BTreeMap, VecDeque};

use axum::Router;
use axum::extract::{ConnectInfo, Query, RawQuery, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;
use serde_json::{Value, json};
use time::Duration;
use tradepost_domain::time::Timestamp;

use crate::cutting::Cutter;
use crate::fault::Fault;
use crate::ledger::LedgerEntry;
use crate::state::Fakes;
use answer::Answer;

/// The name of the facade.
const FACADE: &str = "skinport";
pub(crate) const ITEMS: &str = "GET /v1/items";
const ALLOWED: usize = 8;
const WINDOW: Duration = Duration::minutes(5);
const CACHED: Duration = Duration::minutes(5);
const CURRENCIES: [&str; 16] =
    ["AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HRK", "NOK", "PLN", "RUB", "SEK", "TRY", "USD"];

/// What the facade remembers.
#[derive(Debug, Default)]
pub(crate) struct Skinport {
    called: VecDeque<Timestamp>,
    lists: BTreeMap<String, (Timestamp, Value)>,
}

#[derive(Debug, Deserialize)]
struct Asked {
    app_id: Option<String>,
    currency: Option<String>,
}

impl Skinport {
    /// Counts a call; the seconds to wait if it is one too many.
    fn limited(&mut self, now: Timestamp) -> Option<i64> {
        while self.called.front().is_some_and(|at| now.since(*at) >= WINDOW) {
            self.called.pop_front();
        }
        if self.called.len() < ALLOWED {
            self.called.push_back(now);
            return None;
        }
        self.called.front().map(|oldest| (WINDOW - now.since(*oldest)).whole_seconds().max(1))
    }

    /// The list in a currency, as it was made in the last five minutes.
    fn list(&mut self, fakes: &Fakes, currency: &str) -> Value {
        let now = fakes.now();
        if let Some((_, list)) = self.lists.get(currency).filter(|(made, _)| now.since(*made) < CACHED) {
            return list.clone();
        }
        let list = list::of_world(fakes.simulator(), currency);
        self.lists.insert(currency.to_owned(), (now, list.clone()));
        list
    }
}

/// The routes of the facade.
pub(crate) fn routes(fakes: Fakes) -> Router {
    Router::new().route("/v1/items", get(items)).with_state(fakes)
}

async fn items(
    State(fakes): State<Fakes>,
    ConnectInfo(cutter): ConnectInfo<Cutter>,
    RawQuery(query): RawQuery,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let fault = fakes.fault_of(ITEMS);
    let answer = answer(&fakes, &asked, &headers, fault.as_ref());
    let user_agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    fakes.record(LedgerEntry {
        at: fakes.now().as_micros(),
        facade: FACADE.to_owned(),
        route: ITEMS.to_owned(),
        query: query.unwrap_or_default(),
        user_agent: user_agent.to_owned(),
        status: answer.status,
        card: answer.card.map(str::to_owned),
        fault: fault.as_ref().map(|fault| format!("{fault:?}")),
    });
    answer.respond(fault.as_ref(), &cutter)
}

/// The answer, before a fault of the wire.
fn answer(fakes: &Fakes, asked: &Asked, headers: &HeaderMap, fault: Option<&Fault>) -> Answer {
    if let Some(Fault::Sample { card, number }) = fault {
        return Answer::sample(fakes.facts(), card, *number);
    }
    let mut skinport = fakes.skinport();
    if let Some(seconds) = skinport.limited(fakes.now()) {
        return Answer::error(429, "rate_limit_exceeded").retried_after(seconds);
    }
    let accepts = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !accepts.contains("br") {
        return Answer::error(406, "brotli_required");
    }
    let currency = asked.currency.as_deref().unwrap_or("EUR");
    if !CURRENCIES.contains(&currency) {
        return Answer::error(400, "bad_request");
    }
    let list = match asked.app_id.as_deref() {
        None | Some("730") => skinport.list(fakes, currency),
        Some(_) => json!([]),
    };
    Answer::list(list, fault)
}

#[cfg(test)]
mod tests;
