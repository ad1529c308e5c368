//! The price list of `CSFloat`, in cents. Whether it is bare or in an object is not known for sure, so that both are read.

use serde_json::Value;
use tradepost_adapters_outside::{JsonType, RequiredShape};
use tradepost_ports::price_source::PriceResult;

use crate::amount;
use crate::answer::{check, json, known};
use crate::asks::{Asks, Fields};

/// The types of an amount and of a count.
const NUMBERS: &[JsonType] = &[JsonType::Number, JsonType::String, JsonType::Null];

/// What the driver needs of a bare list. Paths that are not here may come, go and change.
const NEEDED_BARE: &[RequiredShape] = &[
    RequiredShape { path: "$", types: &[JsonType::Array], is_required: true },
    RequiredShape { path: "$[]", types: &[JsonType::Object], is_required: false },
    RequiredShape { path: "$[].market_hash_name", types: &[JsonType::String], is_required: true },
    RequiredShape { path: "$[].min_price", types: NUMBERS, is_required: true },
    RequiredShape { path: "$[].quantity", types: NUMBERS, is_required: false },
];

/// What it needs of a list in an object.
const NEEDED_IN_OBJECT: &[RequiredShape] = &[
    RequiredShape { path: "$", types: &[JsonType::Object], is_required: true },
    RequiredShape { path: "$.data", types: &[JsonType::Array], is_required: true },
    RequiredShape { path: "$.data[]", types: &[JsonType::Object], is_required: false },
    RequiredShape { path: "$.data[].market_hash_name", types: &[JsonType::String], is_required: true },
    RequiredShape { path: "$.data[].min_price", types: NUMBERS, is_required: true },
    RequiredShape { path: "$.data[].quantity", types: NUMBERS, is_required: false },
];

/// What its card has in addition.
const ALSO_KNOWN: &[RequiredShape] = &[known("$.cursor", &[JsonType::String])];

const FIELDS: Fields =
    Fields { name: "market_hash_name", price: "min_price", count: Some("quantity"), amount: amount::cents };

/// Reads an answer, which is in dollars.
pub(super) fn read(body: &[u8], _currency: &str) -> PriceResult<Asks> {
    let answer = json(body)?;
    let needed = if answer.is_object() { NEEDED_IN_OBJECT } else { NEEDED_BARE };
    let new_shapes = check(&answer, needed, ALSO_KNOWN)?;
    let entries = answer.as_array().or_else(|| answer.get("data").and_then(Value::as_array));
    Ok(Asks::of_list(entries, &FIELDS, new_shapes))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn failed(answer: &Value) -> String {
        read(answer.to_string().as_bytes(), "USD").unwrap_err().to_string()
    }

    #[test]
    fn a_bare_list_and_one_in_an_object_have_the_same_prices() {
        let entries = json!([
            { "market_hash_name": "A", "quantity": 7, "min_price": 260_000 },
            { "market_hash_name": "B", "quantity": 0, "min_price": 100 },
            { "market_hash_name": "C", "quantity": 1, "min_price": 1.5 },
        ]);
        for answer in [entries.clone(), json!({ "data": entries, "cursor": "x" })] {
            let list = read(answer.to_string().as_bytes(), "USD").unwrap();
            assert_eq!((list.pairs(), list.left_out), (vec![("A".to_owned(), 260_000)], 1), "{answer}");
        }
    }

    #[test]
    fn an_error_and_another_form_name_the_path_and_no_value() {
        let error = json!({ "code": 4, "message": "secret" });
        assert_eq!(failed(&error), "the outcome is unknown: SHAPE_DRIFT: $.data is missing");
        let other = json!([{ "market_hash_name": "A", "min_price": ["secret"] }]);
        let text =
            "the outcome is unknown: SHAPE_DRIFT: $[].min_price is an array, and must be a number or a string or null";
        assert_eq!(failed(&other), text);
    }
}
