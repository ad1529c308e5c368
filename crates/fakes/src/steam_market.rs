//! The facade of the Steam Community Market: pages of ten entries, the price of one name as text, and a limit that names no time.

use serde_json::{Value, json};
use time::Duration;

use crate::callers::{Allowed, Left};
use crate::facade::{Asked, Facade, Form, Reply};
use crate::state::Fakes;
use crate::world_prices::{self, each};

const NAME: &str = "steam-market";
const SEARCH: &str = "GET /market/search/render/";
const OVERVIEW: &str = "GET /market/priceoverview/";
const ALLOWED: Allowed = Allowed { calls: 20, window: Duration::MINUTE };
/// The entries of a page, whatever is asked for.
const ENTRIES: usize = 10;

pub(crate) const FACADE: Facade = Facade {
    name: NAME,
    routes: &[SEARCH, OVERVIEW],
    form: |_, _| Form::Json,
    answer,
    limited: || Reply::of("steam-market.limited", 429, Value::Null),
    make_odd: |page| {
        page["searchdata"] = json!({ "query": "", "price_min": -1 });
        each(&mut page["results"], |entry| entry["app_icon"] = json!(null));
    },
    swap_types: |page| {
        page["total_count"] = json!(page["total_count"].to_string());
        each(&mut page["results"], |entry| {
            entry["sell_price"] = json!(entry["sell_price"].to_string());
            entry["sell_listings"] = json!(entry["sell_listings"].to_string());
        });
    },
    drift: |page| each(&mut page["results"], |entry| entry["sell_price"] = json!(true)),
};

fn answer(fakes: &Fakes, asked: &Asked) -> Reply {
    if let Left::Wait(_) = fakes.callers().count(NAME, ALLOWED, fakes.now()) {
        return if asked.route == OVERVIEW {
            Reply::of("steam-market.overview.limited", 200, Value::Null)
        } else {
            (FACADE.limited)()
        };
    }
    if asked.route == OVERVIEW { overview(fakes, asked) } else { page(fakes, asked) }
}

fn page(fakes: &Fakes, asked: &Asked) -> Reply {
    let all = world_prices::by_name(fakes);
    let start = asked.number("start");
    let entry = |(name, best): (&String, &world_prices::Best)| {
        json!({
            "hash_name": name, "sell_listings": 53, "sell_price": best.ask, "sell_price_text": dollars(best.ask),
            "asset_description": { "appid": 730, "market_hash_name": name, "tradable": 1 },
        })
    };
    let results: Vec<Value> = all.iter().skip(start).take(ENTRIES).map(entry).collect();
    let page = json!({
        "success": true, "start": start, "pagesize": ENTRIES, "total_count": all.len(), "results": results,
    });
    Reply::of("steam-market.search", 200, page)
}

fn overview(fakes: &Fakes, asked: &Asked) -> Reply {
    let name = asked.query.get("market_hash_name").map(String::as_str).unwrap_or_default();
    let body = world_prices::by_name(fakes).get(name).map_or(json!({ "success": true }), |best| {
        json!({ "success": true, "lowest_price": dollars(best.ask), "volume": "1,234", "median_price": dollars(best.ask) })
    });
    Reply::of("steam-market.overview", 200, body)
}

/// An amount as it is shown to people.
fn dollars(cents: i64) -> String {
    let whole = (cents / 100).to_string();
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("${grouped}.{:02}", cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facade::tests::hold_to_cards;

    fn asked(route: &'static str, name: &str, value: &str) -> Asked {
        Asked { route, query: [(name.to_owned(), value.to_owned())].into(), ..Asked::default() }
    }

    #[test]
    fn every_answer_has_the_shape_of_a_card_and_a_limit_has_two_forms() {
        let fakes = Fakes::of_seed(1).unwrap();
        let first = answer(&fakes, &asked(SEARCH, "start", "0"));
        let name = first.body["results"][0]["hash_name"].as_str().unwrap().to_owned();
        let mut replies = vec![
            first,
            answer(&fakes, &asked(SEARCH, "start", "10")),
            answer(&fakes, &asked(SEARCH, "start", "1000")),
            answer(&fakes, &asked(OVERVIEW, "market_hash_name", &name)),
            answer(&fakes, &asked(OVERVIEW, "market_hash_name", "Sticker | Sold Out")),
        ];
        replies.extend((0..16).map(|_| answer(&fakes, &asked(SEARCH, "start", "0"))));
        assert_eq!(replies.last().map(|reply| reply.status), Some(429));
        replies.push(answer(&fakes, &asked(OVERVIEW, "market_hash_name", &name)));
        assert_eq!(replies.last().map(|reply| reply.body.is_null()), Some(true));
        hold_to_cards(&FACADE, &fakes, replies);
    }

    #[test]
    fn an_amount_is_written_as_people_read_it() {
        assert_eq!([3, 39, 123_456, 123_456_789].map(dollars), ["$0.03", "$0.39", "$1,234.56", "$1,234,567.89"]);
    }
}
