//! A page of the aggregated prices of `DMarket`: whole cents as text, each with its currency.

use serde_json::Value;
use tradepost_adapters_outside::{JsonType, RequiredShape};
use tradepost_domain::money::VenueCents;
use tradepost_ports::external::ExternalError;
use tradepost_ports::price_source::PriceResult;

use crate::amount;
use crate::answer::{check, json, known};
use crate::asks::{Asked, Asks};

/// The currency of its prices.
pub(super) const CURRENCY: &str = "USD";

/// Whole cents are text. A number of the same digits is read alike.
const AMOUNT: &[JsonType] = &[JsonType::String, JsonType::Number];
const MONEY: &[JsonType] = &[JsonType::Object, JsonType::Null];

/// What the driver needs. Paths that are not here may come, go and change.
const NEEDED: &[RequiredShape] = &[
    RequiredShape { path: "$", types: &[JsonType::Object], is_required: true },
    RequiredShape { path: "$.aggregatedPrices", types: &[JsonType::Array], is_required: true },
    RequiredShape { path: "$.aggregatedPrices[]", types: &[JsonType::Object], is_required: false },
    RequiredShape { path: "$.aggregatedPrices[].title", types: &[JsonType::String], is_required: true },
    RequiredShape { path: "$.aggregatedPrices[].offerBestPrice", types: MONEY, is_required: true },
    RequiredShape { path: "$.aggregatedPrices[].offerBestPrice.Amount", types: AMOUNT, is_required: true },
    RequiredShape { path: "$.aggregatedPrices[].orderBestPrice", types: MONEY, is_required: false },
    RequiredShape { path: "$.aggregatedPrices[].orderBestPrice.Amount", types: AMOUNT, is_required: true },
    RequiredShape { path: "$.nextCursor", types: &[JsonType::String, JsonType::Null], is_required: false },
];

/// What its card has in addition.
const ALSO_KNOWN: &[RequiredShape] = &[
    known("$.aggregatedPrices[].offerBestPrice.Currency", &[JsonType::String]),
    known("$.aggregatedPrices[].orderBestPrice.Currency", &[JsonType::String]),
    known("$.aggregatedPrices[].offerCount", &[JsonType::String]),
    known("$.aggregatedPrices[].orderCount", &[JsonType::String]),
];

/// A page, and the cursor of the next.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) asks: Asks,
    pub(super) next: Option<String>,
}

impl Page {
    pub(super) fn read(body: &[u8]) -> PriceResult<Self> {
        let answer = json(body)?;
        let new_shapes = check(&answer, NEEDED, ALSO_KNOWN)?;
        let mut asks = Asks::of_answer(new_shapes);
        for entry in answer.get("aggregatedPrices").and_then(Value::as_array).into_iter().flatten() {
            let title = entry.get("title").and_then(Value::as_str);
            asks.take(title, money(entry.get("offerBestPrice"))?.map_or(Asked::Nothing, Asked::Price));
            if let (Some(title), Some(bid)) = (title, money(entry.get("orderBestPrice"))?) {
                asks.take_bid(title, bid);
            }
        }
        let next = answer.get("nextCursor").and_then(Value::as_str).filter(|cursor| !cursor.is_empty());
        Ok(Self { asks, next: next.map(str::to_owned) })
    }
}

/// An amount; `None` if there is none. An amount with a fraction may be in another unit than cents, and so may all others of the
/// page: nothing of it is used then.
fn money(of: Option<&Value>) -> PriceResult<Option<VenueCents>> {
    let Some(of) = of.filter(|money| money.is_object()) else { return Ok(None) };
    if of.get("Currency").and_then(Value::as_str).is_some_and(|currency| currency != CURRENCY) {
        return Err(ExternalError::Unknown(format!("its list is not in {CURRENCY}")));
    }
    let Some(amount) = of.get("Amount").filter(|amount| amount.as_str() != Some("")) else { return Ok(None) };
    if amount::count(amount).is_none() {
        return Err(ExternalError::Unknown("its amounts are not whole cents".to_owned()));
    }
    Ok(amount::cents(amount))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(answer: &Value) -> PriceResult<Page> {
        Page::read(answer.to_string().as_bytes())
    }

    fn usd(amount: &str) -> Value {
        json!({ "Currency": "USD", "Amount": amount })
    }

    fn page(entries: &Value) -> Value {
        json!({ "aggregatedPrices": entries, "nextCursor": "" })
    }

    #[test]
    fn amounts_are_whole_cents_and_a_kind_without_offers_has_no_ask() {
        let mut answer = page(&json!([
            { "title": "A", "offerBestPrice": usd("1599"), "offerCount": "3", "orderBestPrice": usd("1500"), "orderCount": "1" },
            { "title": "B", "offerBestPrice": usd("0"), "offerCount": "0", "orderBestPrice": usd("0"), "orderCount": "0" },
            { "title": "C", "offerBestPrice": null, "orderBestPrice": null },
        ]));
        answer["nextCursor"] = json!("after-c");
        let Page { asks, next } = read(&answer).unwrap();
        assert_eq!((asks.pairs(), asks.left_out), (vec![("A".to_owned(), 1_599)], 0));
        assert_eq!(next.as_deref(), Some("after-c"));
    }

    #[test]
    fn an_amount_in_another_unit_or_currency_spoils_the_page() {
        let failed =
            |money: &Value| read(&page(&json!([{ "title": "A", "offerBestPrice": money }]))).unwrap_err().to_string();
        assert_eq!(failed(&usd("15.99")), "the outcome is unknown: its amounts are not whole cents");
        let euros = json!({ "Currency": "EUR", "Amount": "1599" });
        assert_eq!(failed(&euros), "the outcome is unknown: its list is not in USD");
        let number = json!({ "Currency": "USD", "Amount": 15.99 });
        assert_eq!(failed(&number), "the outcome is unknown: its amounts are not whole cents");
        let flag = json!({ "Currency": "USD", "Amount": true });
        let text = failed(&flag);
        assert!(text.ends_with("offerBestPrice.Amount is a boolean, and must be a string or a number"), "{text}");
    }

    #[test]
    fn the_last_page_has_no_cursor_or_an_empty_one() {
        for last in
            [json!({ "aggregatedPrices": [] }), page(&json!([])), json!({ "aggregatedPrices": [], "nextCursor": null })]
        {
            assert_eq!(read(&last).unwrap().next, None);
        }
    }
}
