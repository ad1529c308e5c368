//! The exports of market.csgo.com: what is asked, and what is bid. Both have the same form.

use std::collections::BTreeSet;

use serde_json::Value;
use tradepost_adapters_outside::{JsonType, RequiredShape};
use tradepost_ports::external::ExternalError;
use tradepost_ports::price_source::PriceResult;

use crate::amount;
use crate::answer::{check, json, known};
use crate::asks::{Asks, Fields};

/// What the driver needs. Paths that are not here may come, go and change.
const NEEDED: &[RequiredShape] = &[
    RequiredShape { path: "$", types: &[JsonType::Object], is_required: true },
    RequiredShape { path: "$.success", types: &[JsonType::Bool], is_required: true },
    RequiredShape { path: "$.currency", types: &[JsonType::String], is_required: true },
    RequiredShape { path: "$.items", types: &[JsonType::Array], is_required: true },
    RequiredShape { path: "$.items[]", types: &[JsonType::Object], is_required: false },
    RequiredShape { path: "$.items[].market_hash_name", types: &[JsonType::String], is_required: true },
    RequiredShape { path: "$.items[].price", types: &[JsonType::String, JsonType::Number], is_required: true },
];

/// What its card has in addition.
const ALSO_KNOWN: &[RequiredShape] =
    &[known("$.time", &[JsonType::Number]), known("$.items[].volume", &[JsonType::String])];

const ASKS: Fields = Fields { name: "market_hash_name", price: "price", count: None, amount: amount::major };
const BIDS: Fields = Fields { amount: amount::major_down, ..ASKS };

/// Reads what is asked in a currency. Prices have three decimals; a part of a cent is a whole one.
pub(super) fn asks(body: &[u8], currency: &str) -> PriceResult<Asks> {
    let (export, new_shapes) = export(body, currency)?;
    Ok(Asks::of_list(export.get("items").and_then(Value::as_array), &ASKS, new_shapes))
}

/// Reads what is bid in a currency. A part of a cent is left out.
pub(super) fn bids(body: &[u8], currency: &str) -> PriceResult<Asks> {
    let (export, new_shapes) = export(body, currency)?;
    Ok(Asks::of_bids(export.get("items").and_then(Value::as_array), &BIDS, new_shapes))
}

/// An export in a currency, with its paths and types that are on no card.
fn export(body: &[u8], currency: &str) -> PriceResult<(Value, BTreeSet<String>)> {
    let answer = json(body)?;
    let new_shapes = check(&answer, NEEDED, ALSO_KNOWN)?;
    if answer.get("currency").and_then(Value::as_str) != Some(currency) {
        return Err(ExternalError::Unknown(format!("its list is not in {currency}")));
    }
    Ok((answer, new_shapes))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn failed(answer: &Value) -> String {
        asks(answer.to_string().as_bytes(), "USD").unwrap_err().to_string()
    }

    fn of(items: &Value) -> Value {
        json!({ "success": true, "time": 1, "currency": "USD", "items": items })
    }

    #[test]
    fn prices_of_three_decimals_are_rounded_up_to_the_cent_as_texts_and_as_numbers() {
        let answer = of(&json!([
            { "market_hash_name": "A", "volume": "12", "price": "0.620" },
            { "market_hash_name": "B", "volume": 3, "price": 32.393 },
            { "market_hash_name": "C", "volume": "1", "price": "0.005" },
            { "market_hash_name": "D", "volume": "1", "price": "none" },
        ]));
        let list = asks(answer.to_string().as_bytes(), "USD").unwrap();
        let expected = [("A", 62), ("B", 3_240), ("C", 1)].map(|(name, ask)| (name.to_owned(), ask));
        assert_eq!((list.pairs().as_slice(), list.left_out), (expected.as_slice(), 1));
    }

    #[test]
    fn bids_of_three_decimals_are_rounded_down_to_the_cent() {
        let answer = of(&json!([
            { "market_hash_name": "A", "volume": "12", "price": "0.629" },
            { "market_hash_name": "B", "volume": "3", "price": "0.009" },
            { "market_hash_name": "C", "volume": "1", "price": "none" },
        ]));
        let list = bids(answer.to_string().as_bytes(), "USD").unwrap();
        assert_eq!((list.bid_pairs(), list.left_out), (vec![("A".to_owned(), 62)], 1));
        let failed = bids(answer.to_string().as_bytes(), "EUR").unwrap_err().to_string();
        assert_eq!(failed, "the outcome is unknown: its list is not in EUR");
    }

    #[test]
    fn a_list_in_another_currency_an_error_and_another_form_are_no_prices() {
        let mut roubles = of(&json!([]));
        roubles["currency"] = json!("RUB");
        assert_eq!(failed(&roubles), "the outcome is unknown: its list is not in USD");
        assert_eq!(
            failed(&json!({ "success": false, "error": "secret" })),
            "refused: it answered an error in place of its list"
        );
        let answer = of(&json!([{ "market_hash_name": "A", "price": { "usd": "secret" } }]));
        let text =
            "the outcome is unknown: SHAPE_DRIFT: $.items[].price is an object, and must be a string or a number";
        assert_eq!(failed(&answer), text);
    }
}
