//! The facade of Waxpeer: its price list in thousandths of a dollar, and its limit of 60 requests a minute.

use serde_json::{Value, json};
use time::Duration;

use crate::callers::{Allowed, Left};
use crate::facade::{Asked, Facade, Form, Reply};
use crate::state::Fakes;
use crate::world_prices::{self, each};

const NAME: &str = "waxpeer";
const PRICES: &str = "GET /v1/prices";
const ALLOWED: Allowed = Allowed { calls: 60, window: Duration::MINUTE };

pub(crate) const FACADE: Facade = Facade {
    name: NAME,
    routes: &[PRICES],
    form: |_, _| Form::Json,
    answer,
    limited: || Reply::of("waxpeer.limited", 429, json!({ "msBeforeNext": 1500 })),
    make_odd: |list| {
        list["page"] = json!(null);
        each(&mut list["items"], |entry| entry["phase"] = json!(["any"]));
    },
    swap_types: |list| {
        each(&mut list["items"], |entry| {
            entry["min"] = json!(entry["min"].to_string());
            entry["count"] = json!(entry["count"].to_string());
            entry["steam_price"] = json!(990);
        });
    },
    drift: |list| each(&mut list["items"], |entry| entry["min"] = json!(true)),
};

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    if let Left::Wait(seconds) = fakes.callers().count(NAME, ALLOWED, fakes.now()) {
        return (FACADE.limited)().with("retry-after", seconds.to_string());
    }
    if asked.query.get("game").map(String::as_str) != Some("csgo") {
        return Reply::of("waxpeer.prices.refused", 200, json!({ "success": false, "msg": "wrong game" }));
    }
    let entry = |name: &str, mills: i64, count: u32| {
        let steam_price = (mills + 500).to_string();
        json!({
            "name": name, "count": count, "min": mills, "steam_price": steam_price,
            "img": "https://images.example.com/i/1", "rarity_color": "#EB4B4B", "type": "Rifle",
        })
    };
    // A price with a part of a cent, as some sellers have: the cent above is the price of the world.
    let of_name = |(number, (name, best)): (usize, (String, world_prices::Best))| {
        entry(&name, best.ask * 10 - i64::from(number.is_multiple_of(3)), 5)
    };
    let mut items: Vec<Value> = world_prices::by_name(fakes).into_iter().enumerate().map(of_name).collect();
    items.push(entry("Sticker | Sold Out", 1_000, 0));
    Reply::of("waxpeer.prices", 200, json!({ "success": true, "items": items }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facade::tests::hold_to_cards;

    #[test]
    fn every_answer_has_the_shape_of_a_card_and_sixty_a_minute_are_answered() {
        let fakes = Fakes::of_seed(1).unwrap();
        let asked = |game: &str| Asked {
            route: PRICES,
            query: [("game".to_owned(), game.to_owned())].into(),
            ..Asked::default()
        };
        let mut replies: Vec<Reply> = (0..60).map(|_| answer(&fakes, &asked("csgo"))).collect();
        assert!(replies.iter().all(|reply| reply.status == 200));
        replies.push(answer(&fakes, &asked("csgo")));
        assert_eq!(replies.last().map(|reply| reply.status), Some(429));
        fakes.advance(Duration::MINUTE);
        replies.push(answer(&fakes, &asked("dota2")));
        hold_to_cards(&FACADE, &fakes, replies);
    }
}
