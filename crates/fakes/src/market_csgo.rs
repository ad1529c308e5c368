//! The facade of market.csgo.com: its price export, and what it threatens to do to callers with more than five requests a second.

use serde_json::{Value, json};
use time::Duration;

use crate::callers::{Allowed, Left};
use crate::facade::{Asked, Facade, Form, Reply};
use crate::state::Fakes;
use crate::world_prices::{self, each};

const NAME: &str = "market-csgo";
const IN_DOLLARS: &str = "GET /api/v2/prices/USD.json";
const IN_EUROS: &str = "GET /api/v2/prices/EUR.json";
const IN_ROUBLES: &str = "GET /api/v2/prices/RUB.json";
const ALLOWED: Allowed = Allowed { calls: 5, window: Duration::SECOND };

pub(crate) const FACADE: Facade = Facade {
    name: NAME,
    routes: &[IN_DOLLARS, IN_EUROS, IN_ROUBLES],
    form: |_, _| Form::Json,
    answer,
    limited: || Reply::of("market-csgo.limited", 429, json!({ "success": false, "error": "too many requests" })),
    make_odd: |list| {
        list["version"] = json!(3);
        each(&mut list["items"], |entry| entry["popularity"] = json!({ "week": null }));
    },
    swap_types: |list| {
        each(&mut list["items"], |entry| {
            entry["price"] =
                entry["price"].as_str().and_then(|price| serde_json::from_str(price).ok()).unwrap_or(Value::Null);
            entry["volume"] = json!(7);
        });
    },
    drift: |list| each(&mut list["items"], |entry| entry["price"] = json!(true)),
};

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    let mut callers = fakes.callers();
    if callers.is_banned(NAME) {
        return Reply::of(
            "market-csgo.prices.refused",
            200,
            json!({ "success": false, "error": "the key is deleted" }),
        );
    }
    if let Left::Wait(_) = callers.count(NAME, ALLOWED, fakes.now()) {
        callers.ban(NAME);
        return (FACADE.limited)();
    }
    drop(callers);
    let currency = match asked.route {
        IN_EUROS => "EUR",
        IN_ROUBLES => "RUB",
        _ => "USD",
    };
    let entry = |(name, best): (String, world_prices::Best)| {
        let price = format!("{}.{:02}0", best.ask / 100, best.ask % 100);
        json!({ "market_hash_name": name, "volume": "7", "price": price })
    };
    let items: Vec<Value> = world_prices::by_name(fakes).into_iter().map(entry).collect();
    let now = fakes.now().as_micros() / 1_000_000;
    Reply::of("market-csgo.prices", 200, json!({ "success": true, "time": now, "currency": currency, "items": items }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facade::tests::hold_to_cards;

    #[test]
    fn every_answer_has_the_shape_of_a_card_and_more_than_five_a_second_end_the_answers() {
        let fakes = Fakes::of_seed(1).unwrap();
        let asked = Asked { route: IN_DOLLARS, ..Asked::default() };
        let mut replies: Vec<Reply> = (0..6).map(|_| answer(&fakes, &asked)).collect();
        let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        assert_eq!(statuses, [200, 200, 200, 200, 200, 429]);
        fakes.advance(Duration::hours(1));
        replies.push(answer(&fakes, &asked));
        assert_eq!(replies.last().map(|reply| reply.body["success"].clone()), Some(json!(false)));
        hold_to_cards(&FACADE, &fakes, replies);
    }
}
