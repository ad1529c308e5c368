//! The facade of `DMarket`: aggregated prices by cursor, for calls that are signed with its key and by its clock.

use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde_json::{Value, json};
use time::Duration;

use crate::callers::{Allowed, Left};
use crate::facade::{Asked, Facade, Form, Reply};
use crate::state::Fakes;
use crate::world_prices::{self, each};

const NAME: &str = "dmarket";
const AGGREGATED_PRICES: &str = "POST /marketplace-api/v1/aggregated-prices";
const ALLOWED: Allowed = Allowed { calls: 20, window: Duration::SECOND };
/// The entries of a page, whatever is asked for: fewer than it allows, so that a small world has several.
const ENTRIES: usize = 5;
const MOST_SKEW_SECONDS: i64 = 120;
/// The seed of the key that the facade knows.
const SEED: [u8; 32] = [7; 32];

pub(crate) const FACADE: Facade = Facade {
    name: NAME,
    routes: &[AGGREGATED_PRICES],
    form: |_, _| Form::Json,
    answer,
    limited: || Reply::of("dmarket.limited", 429, json!({ "code": "TooManyRequests", "message": "slow down" })),
    make_odd: |page| {
        page["total"] = json!({ "items": 12 });
        each(&mut page["aggregatedPrices"], |entry| entry["state"] = json!(97));
    },
    swap_types: |page| {
        each(&mut page["aggregatedPrices"], |entry| {
            let amount = entry["offerBestPrice"]["Amount"].as_str().and_then(|text| text.parse::<i64>().ok());
            entry["offerBestPrice"]["Amount"] = json!(amount);
            entry["offerCount"] = json!(3);
        });
    },
    drift: |page| each(&mut page["aggregatedPrices"], |entry| entry["offerBestPrice"] = json!(true)),
};

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
    if let Left::Wait(_) = fakes.callers().count(NAME, ALLOWED, fakes.now()) {
        return (FACADE.limited)();
    }
    if !is_signed(fakes, asked) {
        return error(401, "InvalidSignature");
    }
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

/// Whether the key that the facade knows has signed method, path, body and a time that is not long ago.
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
    let message = [method.as_bytes(), path.as_bytes(), &asked.body, date.as_bytes()].concat();
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
        let (pair, body) = (Ed25519KeyPair::from_seed_unchecked(&SEED).unwrap(), body.to_string());
        let date = (fakes.now().as_micros() / 1_000_000 - seconds_ago).to_string();
        let path = AGGREGATED_PRICES.trim_start_matches("POST ");
        let signature = pair.sign(["POST", path, &body, &date].concat().as_bytes());
        let signature: String = signature.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        let headers = [
            ("x-api-key", key().split_at(64).1.to_owned()),
            ("x-sign-date", date),
            ("x-request-sign", format!("dmar ed25519 {signature}")),
        ];
        let header = |(name, value): (&'static str, String)| {
            (HeaderName::from_static(name), HeaderValue::from_str(&value).unwrap())
        };
        let headers: HeaderMap = headers.into_iter().map(header).collect();
        Asked { route: AGGREGATED_PRICES, headers, body: body.into(), ..Asked::default() }
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
}
