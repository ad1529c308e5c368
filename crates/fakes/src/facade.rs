//! What all facades have in common: a request is counted, answered, held to a card, changed by a fault, and recorded.

mod form;
mod pages;
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
use crate::ledger::{LedgerEntry, without_secrets};
use crate::state::Fakes;

pub(crate) use form::Form;
pub(crate) use reply::Reply;

/// The number of a failure that says nothing further.
const FAILED: u32 = 2;
/// The headers that every ordinary client sends, and how browsers begin to name themselves.
const ORDINARY: [&str; 4] = ["accept", "accept-encoding", "accept-language", "user-agent"];
const BROWSER: &str = "Mozilla/5.0 ";

/// A facade: what its service does in its own way.
pub(crate) struct Facade {
    /// The name of the service.
    pub(crate) name: &'static str,
    /// Its routes: method and path.
    pub(crate) routes: &'static [&'static str],
    /// The form of the body of a route's answer that has this status.
    pub(crate) form: fn(&str, u16) -> Form,
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
    /// The segment of the path that is the id of a record, if the route is about one; else the last one.
    pub(crate) segment: String,
    pub(crate) query: BTreeMap<String, String>,
    /// The query as it was sent.
    pub(crate) raw_query: String,
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

    /// The fields of a form.
    pub(crate) fn fields(&self) -> BTreeMap<String, String> {
        form_urlencoded::parse(&self.body).into_owned().collect()
    }

    /// Whether a filter of headers admits the request.
    fn passes_filter(&self, wants_browser: bool) -> bool {
        let is_complete = ORDINARY.iter().all(|name| !self.header(name).is_empty());
        is_complete && (!wants_browser || self.header(header::USER_AGENT.as_str()).starts_with(BROWSER))
    }

    /// Whether a parameter says yes.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.query.get(name).is_some_and(|text| text == "1" || text == "true")
    }
}

/// What the path of a route has in place of the id of a record.
const ID: &str = "{id}";

fn segment_of(route: &str, path: &str) -> String {
    let found = match route.split('/').position(|part| part == ID) {
        Some(place) => path.split('/').nth(place),
        None => path.rsplit('/').next(),
    };
    found.unwrap_or_default().to_owned()
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
            let segment = segment_of(route, uri.path());
            let asked = Asked { route, segment, query, raw_query: raw.unwrap_or_default(), headers, body };
            ready(self.respond(&fakes, &asked, &cutter))
        };
        if route.starts_with("POST ") { post(handler) } else { get(handler) }
    }

    fn respond(&self, fakes: &Fakes, asked: &Asked, cutter: &Cutter) -> Response {
        let fault = fakes.fault_of(asked.route);
        let reply = self.reply(fakes, asked, fault.as_ref());
        fakes.record(LedgerEntry {
            at: fakes.now().as_micros(),
            facade: self.name.to_owned(),
            route: asked.route.to_owned(),
            query: without_secrets(&asked.raw_query),
            user_agent: asked.header(header::USER_AGENT.as_str()).to_owned(),
            status: reply.status,
            card: reply.card.clone(),
            fault: fault.as_ref().map(|fault| format!("{fault:?}")),
        });
        let form = (self.form)(asked.route, reply.status);
        let on_wire = match &fault {
            Some(Fault::Before { then }) => Some(then.as_ref()),
            Some(_) | None => fault.as_ref(),
        };
        wire::send(reply, form, fakes.now(), on_wire, cutter)
    }

    /// The reply, with what a fault makes of its content.
    fn reply(&self, fakes: &Fakes, asked: &Asked, fault: Option<&Fault>) -> Reply {
        match fault {
            Some(Fault::Sample { card, number }) => Reply::sample(fakes.facts(), card, *number),
            Some(Fault::F33 { wants_browser }) if !asked.passes_filter(*wants_browser) => (self.limited)(),
            Some(Fault::F33 { wants_browser: _ }) => (self.answer)(fakes, asked),
            Some(Fault::Before { then }) => {
                self.spoiled(asked, Reply::of_no_card(200, Value::Null), Some(then.as_ref()))
            }
            Some(_) | None => self.spoiled(asked, (self.answer)(fakes, asked), fault),
        }
    }

    /// A reply with what a fault makes of it.
    fn spoiled(&self, asked: &Asked, reply: Reply, fault: Option<&Fault>) -> Reply {
        match fault {
            None => reply,
            Some(Fault::F01 { retry_after_seconds }) => (self.limited)().retried_after(*retry_after_seconds),
            Some(Fault::F02) => (self.limited)(),
            Some(Fault::F05 { status }) => Reply::of_no_card(*status, Value::Null),
            Some(Fault::F09 { status }) => {
                Reply::of_no_card(*status, Value::Null).with("location", "/login".to_owned())
            }
            // A page in place of the answer has none of its headers.
            Some(Fault::F06) => Reply { card: None, headers: Vec::new(), ..reply },
            Some(Fault::F10) => Reply::of_no_card(403, Value::Null),
            Some(Fault::F11 { message }) => self.refusal(asked.route, message),
            Some(Fault::F12 { eresult }) => self.numbered(asked.route, reply, *eresult),
            Some(Fault::F12Words { number }) => {
                let words = format!("There was an error with your trade offer. Please try again later. ({number})");
                Reply::of_no_card(500, json!({ "strError": words }))
            }
            Some(Fault::F13) => Reply::of_no_card(200, json!({ "response": {} })),
            Some(Fault::F18) => reply.changed(self.make_odd),
            Some(Fault::F32) => reply.changed(self.swap_types),
            Some(Fault::RepeatedCursor { cursor }) => reply.changed(|page| pages::lead_to(page, cursor)),
            Some(Fault::EmptyPage) => reply.changed(pages::empty),
            Some(Fault::Drift) => reply.changed(self.drift),
            Some(_) => Reply { card: None, ..reply },
        }
    }

    /// A refusal with status 200.
    fn refusal(&self, route: &str, message: &str) -> Reply {
        match (self.form)(route, 200) {
            Form::Json => Reply::of_no_card(200, json!({ "success": false, "error": message, "msg": message })),
            Form::Protobuf(_) => Reply::of_no_card(200, Value::Null).numbered(FAILED),
            Form::Html => Reply::of_no_card(200, json!(message)),
        }
    }

    /// The reply with another number of its outcome. A message that was not answered with 1 is empty; JSON keeps its content.
    fn numbered(&self, route: &str, reply: Reply, eresult: u32) -> Reply {
        let reply = Reply { card: None, ..reply.numbered(eresult) };
        match (self.form)(route, reply.status) {
            Form::Protobuf(_) => Reply { body: Value::Null, ..reply },
            Form::Json | Form::Html => reply,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;

    use axum::http::{HeaderName, HeaderValue};

    use super::*;
    use crate::protobuf::{Field, Kind, one};

    const FIELDS: &[Field] = &[one(1, "id", Kind::Number)];
    const MESSAGE: &str = "GET /message";
    const PAGE: &str = "GET /page";

    /// A facade of a message and of a page in JSON.
    const OF_BOTH: Facade = Facade {
        name: "of-both",
        routes: &[MESSAGE, PAGE],
        form: |route, _| if route == MESSAGE { Form::Protobuf(FIELDS) } else { Form::Json },
        answer: |_, _| Reply::of("any", 200, json!({ "response": { "trades": [7], "more": false } })).numbered(1),
        limited: || Reply::of_no_card(429, Value::Null),
        make_odd: |_| {},
        swap_types: |_| {},
        drift: |_| {},
    };

    fn with_fault(route: &'static str, fault: &Fault) -> (Value, Option<u32>) {
        let fakes = Fakes::of_seed(1).unwrap();
        let reply = OF_BOTH.reply(&fakes, &Asked { route, ..Asked::default() }, Some(fault));
        assert_eq!((reply.status, &reply.card), (200, &None));
        let number = reply.eresult();
        (reply.body, number)
    }

    #[test]
    fn a_refusal_in_a_header_has_an_empty_message_and_keeps_the_content_of_json() {
        let refused = Fault::F11 { message: "no".to_owned() };
        assert_eq!(with_fault(MESSAGE, &refused), (Value::Null, Some(2)));
        assert_eq!(with_fault(PAGE, &refused), (json!({ "success": false, "error": "no", "msg": "no" }), None));
        assert_eq!(with_fault(MESSAGE, &Fault::F12 { eresult: 84 }), (Value::Null, Some(84)));
        let content = json!({ "response": { "trades": [7], "more": false } });
        assert_eq!(with_fault(PAGE, &Fault::F12 { eresult: 2 }), (content, Some(2)));
        assert_eq!(with_fault(PAGE, &Fault::F13), (json!({ "response": {} }), None));
        assert_eq!(with_fault(PAGE, &Fault::F06).1, None);
    }

    #[test]
    fn a_refusal_in_words_has_the_status_of_an_error_and_its_number_at_the_end() {
        let (fakes, asked) = (Fakes::of_seed(1).unwrap(), Asked { route: PAGE, ..Asked::default() });
        let reply = OF_BOTH.reply(&fakes, &asked, Some(&Fault::F12Words { number: 16 }));
        assert_eq!((reply.status, &reply.card), (500, &None));
        assert!(reply.body["strError"].as_str().unwrap().ends_with(" (16)"), "{}", reply.body);
    }

    #[test]
    fn a_filter_admits_complete_headers_and_one_that_wants_a_browser_no_other_program() {
        let fakes = Fakes::of_seed(1).unwrap();
        let status = |headers: HeaderMap, wants_browser| {
            let asked = Asked { route: PAGE, headers, ..Asked::default() };
            OF_BOTH.reply(&fakes, &asked, Some(&Fault::F33 { wants_browser })).status
        };
        let any = |name| (HeaderName::from_static(name), HeaderValue::from_static("any"));
        let complete: HeaderMap = ORDINARY.into_iter().map(any).collect();
        assert_eq!((status(complete.clone(), false), status(complete.clone(), true)), (200, 429));
        for name in ORDINARY {
            let mut incomplete = complete.clone();
            incomplete.remove(name);
            assert_eq!(status(incomplete, false), 429);
        }
        let mut browser = complete;
        browser.insert(header::USER_AGENT, HeaderValue::from_static("Mozilla/5.0 (X11)"));
        assert_eq!(status(browser, true), 200);
    }

    #[test]
    fn a_fault_before_the_act_leaves_the_world_as_it_is() {
        const COUNTED: Facade = Facade {
            answer: |fakes, _| {
                fakes.advance(time::Duration::SECOND);
                Reply::of("any", 200, json!({}))
            },
            ..OF_BOTH
        };
        let fakes = Fakes::of_seed(1).unwrap();
        let (begin, asked) = (fakes.now(), Asked { route: PAGE, ..Asked::default() });
        let refused = COUNTED.reply(&fakes, &asked, Some(&Fault::F05 { status: 503 }.before()));
        assert_eq!((refused.status, fakes.now()), (503, begin));
        COUNTED.reply(&fakes, &asked, Some(&Fault::F05 { status: 503 }));
        assert_eq!(fakes.now(), begin.plus(time::Duration::SECOND));
    }

    #[test]
    fn the_id_of_a_record_is_where_its_route_has_it() {
        assert_eq!(segment_of("POST /tradeoffer/{id}/accept", "/tradeoffer/77/accept"), "77");
        assert_eq!(segment_of("GET /tradeoffer/{id}/", "/tradeoffer/77/"), "77");
        assert_eq!(segment_of("GET /api/v1/listings/{id}", "/api/v1/listings/9"), "9");
        assert_eq!(segment_of("GET /dev/apikey", "/dev/apikey"), "apikey");
    }

    #[test]
    fn a_page_without_entries_keeps_what_counts_them() {
        assert_eq!(with_fault(PAGE, &Fault::EmptyPage).0, json!({ "response": { "more": false } }));
        let again = Fault::RepeatedCursor { cursor: "3".to_owned() };
        assert_eq!(with_fault(PAGE, &again).0, json!({ "response": { "trades": [7], "more": true } }));
    }

    /// Holds replies to their cards, and checks that they use every card of the facade.
    pub(crate) fn hold_to_cards(facade: &Facade, fakes: &Fakes, replies: Vec<Reply>) {
        let mut used = BTreeSet::new();
        for reply in replies {
            let card = fakes.facts().card(reply.card.as_deref().unwrap()).unwrap();
            assert_eq!(card.check(&reply.body), Ok(()), "{}", card.id);
            assert_eq!(card.status, reply.status, "{}", card.id);
            let has_number = reply.eresult().map_or(card.eresults.is_empty(), |number| card.eresults.contains(&number));
            assert!(has_number, "{}: {:?}", card.id, reply.eresult());
            assert!(facade.routes.contains(&card.route.as_str()), "{}", card.id);
            used.insert(card.id.clone());
        }
        let of_facade = |card: &&crate::facts::Card| card.id.starts_with(&format!("{}.", facade.name));
        let all: BTreeSet<String> = fakes.facts().cards().filter(of_facade).map(|card| card.id.clone()).collect();
        assert_eq!(used, all, "a card that no route uses");
    }
}
