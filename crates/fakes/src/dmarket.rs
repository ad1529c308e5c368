//! The facade of `DMarket`: aggregated prices by cursor and offers, for calls that are signed with its key and by its clock.

mod account;
mod offers;

use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde_json::{Value, json};
use time::Duration;

use crate::callers::{Allowed, Left};
use crate::facade::{Asked, Facade, Form, Reply};
use crate::state::Fakes;
use crate::world_prices::{self, each};

const NAME: &str = "dmarket";
const AGGREGATED_PRICES: &str = "POST /marketplace-api/v1/aggregated-prices";
const OFFERS: &str = "GET /marketplace-api/v2/offers";
const BALANCE: &str = "GET /account/v1/balance";
const USER_OFFERS: &str = "GET /marketplace-api/v2/user/offers";
const USER_TARGETS: &str = "GET /marketplace-api/v2/user/targets";
const ALLOWED: Allowed = Allowed { calls: 20, window: Duration::SECOND };
/// The calls for offers are counted separately.
const OFFERS_ALLOWED: Allowed = Allowed { calls: 10, window: Duration::SECOND };
/// The name under which they are counted.
const OFFERS_NAME: &str = "dmarket.offers";
/// The entries of a page, whatever is asked for: fewer than it allows, so that a small world has several.
const ENTRIES: usize = 5;
const MOST_SKEW_SECONDS: i64 = 120;
/// The seed of the key that the facade knows.
const SEED: [u8; 32] = [7; 32];

pub(crate) const FACADE: Facade = Facade {
    name: NAME,
    routes: &[AGGREGATED_PRICES, OFFERS, BALANCE, USER_OFFERS, USER_TARGETS],
    form: |_, _| Form::Json,
    answer,
    limited: || Reply::of("dmarket.limited", 429, json!({ "code": "TooManyRequests", "message": "slow down" })),
    make_odd: |page| {
        page["version"] = json!({ "items": 12 });
        change(page, |entry| entry["state"] = json!(97), |offer| offer["sellers"] = json!({ "first": "76561198" }));
    },
    swap_types: |page| {
        let price = |entry: &mut Value| {
            swap(&mut entry["offerBestPrice"]["Amount"]);
            entry["offerCount"] = json!(3);
        };
        change(page, price, offers::swap_types);
    },
    drift: |page| {
        change(page, |entry| entry["offerBestPrice"] = json!(true), |offer| offer["priceCents"] = json!(true));
    },
};

/// Changes every price or every offer of a page.
fn change(page: &mut Value, prices: impl Fn(&mut Value), offers: impl Fn(&mut Value)) {
    if let Some(entries) = page.get_mut("aggregatedPrices") {
        each(entries, prices);
    }
    if let Some(items) = page.get_mut("items") {
        each(items, offers);
    }
}

/// Writes a number as text, and a text of digits as a number.
fn swap(field: &mut Value) {
    if field.is_number() {
        *field = json!(field.to_string());
    } else if let Some(number) = field.as_str().and_then(|digits| digits.parse::<u64>().ok()) {
        *field = json!(number);
    }
}

/// The private key of the account that the facade knows, as `DMarket` shows keys: seed and public key in hexadecimal digits.
pub(crate) fn key() -> String {
    let public = Ed25519KeyPair::from_seed_unchecked(&SEED).map(|pair| pair.public_key().as_ref().to_vec());
    SEED.iter().chain(&public.unwrap_or_default()).map(|byte| format!("{byte:02x}")).collect()
}

fn error(status: u16, code: &str) -> Reply {
    let card = if status == 401 { "dmarket.unauthorized" } else { "dmarket.error" };
    Reply::of(card, status, json!({ "code": code, "message": "the request was not done" }))
}

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    let (name, allowed) = if asked.route == OFFERS { (OFFERS_NAME, OFFERS_ALLOWED) } else { (NAME, ALLOWED) };
    if let Left::Wait(_) = fakes.callers().count(name, allowed, fakes.now()) {
        return (FACADE.limited)();
    }
    if !is_signed(fakes, asked) {
        return error(401, "InvalidSignature");
    }
    match asked.route {
        OFFERS => offers::page(fakes, asked),
        BALANCE => account::balance(),
        USER_OFFERS => account::offers(fakes, asked),
        USER_TARGETS => account::targets(fakes, asked),
        _ => prices(fakes, asked),
    }
}

fn prices(fakes: &Fakes, asked: &Asked) -> Reply {
    let question: Value = serde_json::from_slice(&asked.body).unwrap_or(Value::Null);
    let limit = question["limit"].as_str().and_then(|limit| limit.parse::<usize>().ok());
    if question["filter"]["game"] != "a8db" || !limit.is_some_and(|limit| (1..=100).contains(&limit)) {
        return error(400, "BadRequest");
    }
    let start = question["cursor"].as_str().and_then(|cursor| cursor.strip_prefix("after-")?.parse().ok()).unwrap_or(0);
    let usd = |cents: i64| json!({ "Currency": "USD", "Amount": cents.to_string() });
    let all = world_prices::by_name(fakes);
    let entry = |(title, best): (&String, &world_prices::Best)| {
        json!({
            "title": title, "offerBestPrice": usd(best.ask), "offerCount": "3",
            "orderBestPrice": usd(best.bid), "orderCount": "1",
        })
    };
    let entries: Vec<Value> = all.iter().skip(start).take(ENTRIES).map(entry).collect();
    let end = start + entries.len();
    let next = if end < all.len() { format!("after-{end}") } else { String::new() };
    Reply::of("dmarket.aggregated-prices", 200, json!({ "aggregatedPrices": entries, "nextCursor": next }))
}

/// Whether the key that the facade knows has signed method, path, query, body and a time that is not long ago.
fn is_signed(fakes: &Fakes, asked: &Asked) -> bool {
    let key = key();
    let (date, api_key) = (asked.header("x-sign-date"), asked.header("x-api-key"));
    let Some(signature) = asked.header("x-request-sign").strip_prefix("dmar ed25519 ").and_then(from_hex) else {
        return false;
    };
    let Ok(signed_at) = date.parse::<i64>() else { return false };
    let now = fakes.now().as_micros() / 1_000_000;
    if (now - signed_at).abs() > MOST_SKEW_SECONDS || key.split_at(2 * SEED.len()).1 != api_key {
        return false;
    }
    let (method, path) = asked.route.split_once(' ').unwrap_or_default();
    let mark = if asked.raw_query.is_empty() { "" } else { "?" };
    let target = [path, mark, &asked.raw_query].concat();
    let message = [method.as_bytes(), target.as_bytes(), &asked.body, date.as_bytes()].concat();
    from_hex(api_key)
        .is_some_and(|public| UnparsedPublicKey::new(&ED25519, public).verify(&message, &signature).is_ok())
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    text.as_bytes().chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderName, HeaderValue};

    use super::*;
    use crate::facade::tests::hold_to_cards;

    /// A call that was signed some seconds ago.
    fn asked(fakes: &Fakes, body: &Value, seconds_ago: i64) -> Asked {
        let body = body.to_string();
        let date = (fakes.now().as_micros() / 1_000_000 - seconds_ago).to_string();
        let path = AGGREGATED_PRICES.trim_start_matches("POST ");
        let headers = signed(&["POST", path, &body], date);
        Asked { route: AGGREGATED_PRICES, headers, body: body.into(), ..Asked::default() }
    }

    /// A call for offers with these parameters in addition.
    fn of_offers(fakes: &Fakes, more: &[(&str, &str)]) -> Asked {
        let usual = [("gameId", "a8db"), ("orderBy", "createdAt"), ("orderDir", "desc"), ("limit", "100")];
        let query: Vec<(&str, &str)> = usual.into_iter().chain(more.iter().copied()).collect();
        let raw_query = form_urlencoded::Serializer::new(String::new()).extend_pairs(&query).finish();
        let date = (fakes.now().as_micros() / 1_000_000).to_string();
        let headers = signed(&["GET", OFFERS.trim_start_matches("GET "), "?", &raw_query], date);
        let query = query.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Asked { route: OFFERS, query, raw_query, headers, ..Asked::default() }
    }

    /// A call for a page of the account, or for its balance.
    fn of_account(fakes: &Fakes, route: &'static str) -> Asked {
        let query: &[(&str, &str)] = if route == BALANCE { &[] } else { &[("gameId", "a8db"), ("limit", "100")] };
        let raw_query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
        let date = (fakes.now().as_micros() / 1_000_000).to_string();
        let mark = if query.is_empty() { "" } else { "?" };
        let headers = signed(&["GET", route.trim_start_matches("GET "), mark, &raw_query], date);
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Asked { route, query, raw_query, headers, ..Asked::default() }
    }

    /// The headers that sign these parts and a time.
    fn signed(parts: &[&str], date: String) -> HeaderMap {
        let pair = Ed25519KeyPair::from_seed_unchecked(&SEED).unwrap();
        let signature = pair.sign(format!("{}{date}", parts.concat()).as_bytes());
        let signature: String = signature.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        let headers = [
            ("x-api-key", key().split_at(64).1.to_owned()),
            ("x-sign-date", date),
            ("x-request-sign", format!("dmar ed25519 {signature}")),
        ];
        let header = |(name, value): (&'static str, String)| {
            (HeaderName::from_static(name), HeaderValue::from_str(&value).unwrap())
        };
        headers.into_iter().map(header).collect()
    }

    #[test]
    fn every_answer_has_the_shape_of_a_card_and_unsigned_and_old_calls_are_refused() {
        let fakes = Fakes::of_seed(1).unwrap();
        let question = json!({ "filter": { "game": "a8db" }, "limit": "100" });
        let mut replies = vec![
            answer(&fakes, &asked(&fakes, &question, 119)),
            answer(&fakes, &asked(&fakes, &question, 121)),
            answer(&fakes, &Asked { headers: HeaderMap::new(), ..asked(&fakes, &question, 0) }),
            answer(&fakes, &Asked { body: "{}".into(), ..asked(&fakes, &question, 0) }),
            answer(&fakes, &asked(&fakes, &json!({ "filter": { "game": "a8db" }, "limit": "101" }), 0)),
        ];
        let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        assert_eq!(statuses, [200, 401, 401, 401, 400]);
        replies.extend((0..16).map(|_| answer(&fakes, &asked(&fakes, &question, 0))));
        assert_eq!(replies.last().map(|reply| reply.status), Some(429));
        let offers = answer(&fakes, &of_offers(&fakes, &[]));
        assert!(offers.body["items"].as_array().is_some_and(|items| items.len() > 10));
        let forged = Asked { raw_query: "gameId=a8db".to_owned(), ..of_offers(&fakes, &[]) };
        let refused = [forged, of_offers(&fakes, &[("limit", "101")])].map(|asked| answer(&fakes, &asked));
        assert_eq!(refused.each_ref().map(|reply| reply.status), [401, 400]);
        replies.push(offers);
        replies.extend(refused);
        fakes.advance(Duration::SECOND);
        replies.extend([BALANCE, USER_OFFERS, USER_TARGETS].map(|route| answer(&fakes, &of_account(&fakes, route))));
        hold_to_cards(&FACADE, &fakes, replies);
    }

    #[test]
    fn the_pages_of_a_walk_have_every_name_once() {
        let fakes = Fakes::of_seed(1).unwrap();
        let (mut names, mut cursor) = (Vec::new(), String::new());
        loop {
            let question = json!({ "filter": { "game": "a8db" }, "limit": "100", "cursor": cursor });
            let page = answer(&fakes, &asked(&fakes, &question, 0)).body;
            names.extend(
                page["aggregatedPrices"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|entry| entry["title"].as_str().unwrap().to_owned()),
            );
            page["nextCursor"].as_str().unwrap().clone_into(&mut cursor);
            if cursor.is_empty() {
                break;
            }
        }
        assert_eq!(names, world_prices::by_name(&fakes).into_keys().collect::<Vec<_>>());
    }

    #[test]
    fn offers_of_a_title_are_those_that_begin_with_it_page_by_page_the_newest_first() {
        let fakes = Fakes::of_seed(1).unwrap();
        let world = fakes.simulator().world(|world| world.newest_listings(usize::MAX));
        let name = world.first().unwrap().offered.variant.market_hash_name.as_str();
        let expected: Vec<&str> = world
            .iter()
            .filter(|listing| listing.offered.variant.market_hash_name.as_str().starts_with(name))
            .map(|listing| listing.id.as_str())
            .collect();
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let title = name.to_uppercase();
            let query = [("title", title.as_str()), ("limit", "2"), ("cursor", cursor.as_str())];
            let page = answer(&fakes, &of_offers(&fakes, &query)).body;
            found.extend(
                page["items"].as_array().unwrap().iter().map(|item| item["offerId"].as_str().unwrap().to_owned()),
            );
            assert_eq!(page["total"], expected.len().to_string());
            page["cursor"].as_str().unwrap().clone_into(&mut cursor);
            if cursor.is_empty() {
                break;
            }
        }
        assert_eq!(found, expected);
    }
}
