//! What all facades have in common: a request is counted, answered, held to a card, changed by a fault, and recorded.

mod reply;
mod wire;

use std::collections::BTreeMap;
use std::future::ready;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, Query, RawQuery, State};
use axum::http::{HeaderMap, Uri, header};
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};
use serde_json::{Value, json};

use crate::cutting::Cutter;
use crate::fault::Fault;
use crate::ledger::LedgerEntry;
use crate::state::Fakes;

pub(crate) use reply::Reply;

/// A facade: what its service does in its own way.
pub(crate) struct Facade {
    /// The name of the service.
    pub(crate) name: &'static str,
    /// Its routes: method and path.
    pub(crate) routes: &'static [&'static str],
    /// Answers a request.
    pub(crate) answer: fn(&Fakes, &Asked) -> Reply,
    /// Answers a request that is one too many.
    pub(crate) limited: fn() -> Reply,
    /// Adds fields and numbers that no one has seen before.
    pub(crate) make_odd: fn(&mut Value),
    /// Writes numbers as texts and texts as numbers, where services do.
    pub(crate) swap_types: fn(&mut Value),
    /// Gives a required field another type.
    pub(crate) drift: fn(&mut Value),
}

/// A request.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    pub(crate) route: &'static str,
    /// The last segment of the path: the id of a record, if the route is about one.
    pub(crate) segment: String,
    pub(crate) query: BTreeMap<String, String>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub(crate) fn number(&self, name: &str) -> usize {
        self.query.get(name).and_then(|text| text.parse().ok()).unwrap_or_default()
    }
}

impl Facade {
    /// The routes of the facade.
    pub(crate) fn serve(&'static self, fakes: Fakes) -> Router {
        let mut router = Router::new();
        for route in self.routes.iter().copied() {
            let path = route.split_once(' ').map_or(route, |(_, path)| path);
            router = router.route(path, self.handler(route));
        }
        router.with_state(fakes)
    }

    fn handler(&'static self, route: &'static str) -> MethodRouter<Fakes> {
        let handler = move |State(fakes): State<Fakes>,
                            ConnectInfo(cutter): ConnectInfo<Cutter>,
                            Query(query): Query<BTreeMap<String, String>>,
                            RawQuery(raw): RawQuery,
                            uri: Uri,
                            headers: HeaderMap,
                            body: Bytes| {
            let segment = uri.path().rsplit('/').next().unwrap_or_default().to_owned();
            let asked = Asked { route, segment, query, headers, body };
            ready(self.respond(&fakes, &asked, raw.unwrap_or_default(), &cutter))
        };
        if route.starts_with("POST ") { post(handler) } else { get(handler) }
    }

    fn respond(&self, fakes: &Fakes, asked: &Asked, query: String, cutter: &Cutter) -> Response {
        let fault = fakes.fault_of(asked.route);
        let reply = self.reply(fakes, asked, fault.as_ref());
        fakes.record(LedgerEntry {
            at: fakes.now().as_micros(),
            facade: self.name.to_owned(),
            route: asked.route.to_owned(),
            query,
            user_agent: asked.header(header::USER_AGENT.as_str()).to_owned(),
            status: reply.status,
            card: reply.card.clone(),
            fault: fault.as_ref().map(|fault| format!("{fault:?}")),
        });
        wire::send(reply, fakes.now(), fault.as_ref(), cutter)
    }

    /// The reply, with what a fault makes of its content.
    fn reply(&self, fakes: &Fakes, asked: &Asked, fault: Option<&Fault>) -> Reply {
        if let Some(Fault::Sample { card, number }) = fault {
            return Reply::sample(fakes.facts(), card, *number);
        }
        let reply = (self.answer)(fakes, asked);
        match fault {
            None => reply,
            Some(Fault::F01 { retry_after_seconds }) => (self.limited)().retried_after(*retry_after_seconds),
            Some(Fault::F02) => (self.limited)(),
            Some(Fault::F05 { status }) => Reply::of_no_card(*status, Value::Null),
            Some(Fault::F09 { status }) => {
                Reply::of_no_card(*status, Value::Null).with("location", "/login".to_owned())
            }
            Some(Fault::F10) => Reply::of_no_card(403, Value::Null),
            Some(Fault::F11 { message }) => {
                Reply::of_no_card(200, json!({ "success": false, "error": message, "msg": message }))
            }
            Some(Fault::F18) => reply.changed(self.make_odd),
            Some(Fault::F32) => reply.changed(self.swap_types),
            Some(Fault::RepeatedCursor { cursor }) => reply.changed(|page| page["nextCursor"] = json!(cursor)),
            Some(Fault::EmptyPage) => reply.changed(|page| page["results"] = json!([])),
            Some(Fault::Drift) => reply.changed(self.drift),
            Some(_) => Reply { card: None, ..reply },
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Holds replies to their cards, and checks that they use every card of the facade.
    pub(crate) fn hold_to_cards(facade: &Facade, fakes: &Fakes, replies: Vec<Reply>) {
        let mut used = BTreeSet::new();
        for reply in replies {
            let card = fakes.facts().card(reply.card.as_deref().unwrap()).unwrap();
            assert_eq!(card.check(&reply.body), Ok(()), "{}", card.id);
            assert_eq!(card.status, reply.status, "{}", card.id);
            assert!(facade.routes.contains(&card.route.as_str()), "{}", card.id);
            used.insert(card.id.clone());
        }
        let of_facade = |card: &&crate::facts::Card| card.id.starts_with(&format!("{}.", facade.name));
        let all: BTreeSet<String> = fakes.facts().cards().filter(of_facade).map(|card| card.id.clone()).collect();
        assert_eq!(used, all, "a card that no route uses");
    }
}
