//! The facade of `CSFloat`: its price list in cents, bare or in an object, and headers that show what is left of a limit.

use serde_json::{Value, json};
use time::Duration;

use crate::callers::{Allowed, Left};
use crate::facade::{Asked, Facade, Reply};
use crate::state::Fakes;
use crate::world_prices::{self, each};

const NAME: &str = "csfloat";
const PRICE_LIST: &str = "GET /api/v1/listings/price-list";
/// The real limit is not known; headers show it.
const ALLOWED: Allowed = Allowed { calls: 10, window: Duration::minutes(5) };

pub(crate) const FACADE: Facade = Facade {
    name: NAME,
    routes: &[PRICE_LIST],
    answer,
    limited: || Reply::of("csfloat.limited", 429, json!({ "code": 20, "message": "too many requests" })),
    make_odd: |list| each(entries(list), |entry| entry["phases"] = json!({ "Ruby": 1 })),
    swap_types: |list| {
        each(entries(list), |entry| {
            entry["min_price"] = json!(entry["min_price"].to_string());
            entry["quantity"] = json!(entry["quantity"].to_string());
        });
    },
    drift: |list| each(entries(list), |entry| entry["min_price"] = json!(true)),
};

fn entries(list: &mut Value) -> &mut Value {
    if list.is_array() { list } else { &mut list["data"] }
}

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    let now = fakes.now();
    let (left, wait) = match fakes.callers().count(NAME, ALLOWED, now) {
        Left::Calls(left, wait) => (left, wait),
        Left::Wait(wait) => return shown((FACADE.limited)(), 0, wait, fakes),
    };
    if asked.query.contains_key("limit") {
        let error = json!({ "code": 4, "message": "limit is too high" });
        return shown(Reply::of("csfloat.error", 400, error), left, wait, fakes);
    }
    let mut list: Vec<Value> = world_prices::by_name(fakes)
        .into_iter()
        .map(|(name, best)| json!({ "market_hash_name": name, "quantity": 7, "min_price": best.ask }))
        .collect();
    list.push(json!({ "market_hash_name": "Sticker | Sold Out", "quantity": 0, "min_price": 100 }));
    // Which of the two forms it has is not known: it changes from hour to hour here.
    let is_bare = (now.as_micros() / 3_600_000_000).rem_euclid(2) == 0;
    let reply = if is_bare {
        Reply::of("csfloat.price-list.bare", 200, Value::Array(list))
    } else {
        Reply::of("csfloat.price-list.data", 200, json!({ "data": list, "cursor": "none" }))
    };
    shown(reply, left, wait, fakes)
}

/// A reply with what is left of the limit, and the time from which the whole is there again.
fn shown(reply: Reply, left: usize, wait: u64, fakes: &Fakes) -> Reply {
    let seconds = fakes.now().as_micros() / 1_000_000;
    reply
        .with("x-ratelimit-limit", ALLOWED.calls.to_string())
        .with("x-ratelimit-remaining", left.to_string())
        .with("x-ratelimit-reset", seconds.saturating_add_unsigned(wait).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facade::tests::hold_to_cards;

    #[test]
    fn every_answer_has_the_shape_of_a_card_and_headers_show_what_is_left() {
        let fakes = Fakes::of_seed(1).unwrap();
        let asked = Asked { route: PRICE_LIST, ..Asked::default() };
        let mut replies = vec![answer(&fakes, &asked)];
        fakes.advance(Duration::hours(1));
        replies.push(answer(&fakes, &asked));
        let limit = Asked { query: [("limit".to_owned(), "51".to_owned())].into(), ..Asked::default() };
        replies.push(answer(&fakes, &limit));
        replies.extend((0..9).map(|_| answer(&fakes, &asked)));
        let left =
            |reply: &Reply| reply.headers.iter().find(|(name, _)| name.ends_with("remaining")).unwrap().1.clone();
        assert_eq!(
            replies.iter().map(left).collect::<Vec<_>>(),
            ["9", "9", "8", "7", "6", "5", "4", "3", "2", "1", "0", "0"]
        );
        assert_eq!(replies.last().map(|reply| reply.status), Some(429));
        hold_to_cards(&FACADE, &fakes, replies);
    }
}
