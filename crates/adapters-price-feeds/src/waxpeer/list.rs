//! The price list of Waxpeer, in thousandths of a dollar.

use serde_json::Value;
use tradepost_adapters_outside::{JsonType, RequiredShape};
use tradepost_ports::price_source::PriceResult;

use crate::amount;
use crate::answer::{check, json, known};
use crate::asks::{Asks, Fields};

/// What the driver needs. Paths that are not here may come, go and change.
const NEEDED: &[RequiredShape] = &[
    RequiredShape { path: "$", types: &[JsonType::Object], is_required: true },
    RequiredShape { path: "$.success", types: &[JsonType::Bool], is_required: true },
    RequiredShape { path: "$.items", types: &[JsonType::Array], is_required: true },
    RequiredShape { path: "$.items[]", types: &[JsonType::Object], is_required: false },
    RequiredShape { path: "$.items[].name", types: &[JsonType::String], is_required: true },
    RequiredShape {
        path: "$.items[].min",
        types: &[JsonType::Number, JsonType::String, JsonType::Null],
        is_required: true,
    },
    RequiredShape { path: "$.items[].count", types: &[JsonType::Number, JsonType::String], is_required: false },
];

/// What its card has in addition.
const ALSO_KNOWN: &[RequiredShape] = &[
    known("$.items[].img", &[JsonType::String]),
    known("$.items[].steam_price", &[JsonType::String]),
    known("$.items[].rarity_color", &[JsonType::String]),
    known("$.items[].type", &[JsonType::String]),
];

const FIELDS: Fields = Fields { name: "name", price: "min", count: Some("count"), amount: amount::mills };

/// Reads an answer, which is in dollars.
pub(super) fn read(body: &[u8], _currency: &str) -> PriceResult<Asks> {
    let answer = json(body)?;
    let new_shapes = check(&answer, NEEDED, ALSO_KNOWN)?;
    Ok(Asks::of_list(answer.get("items").and_then(Value::as_array), &FIELDS, new_shapes))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn thousandths_become_cents_and_what_is_sold_out_has_no_price() {
        let answer = json!({ "success": true, "items": [
            { "name": "A", "count": 5, "min": 937_999, "steam_price": "990000" },
            { "name": "B", "count": "2", "min": "4990" },
            { "name": "C", "count": 1, "min": 5 },
            { "name": "D", "count": 0, "min": 1_000 },
            { "name": "E", "count": 3, "min": null },
            { "name": "F", "count": 3, "min": 4.5 },
        ] });
        let list = read(answer.to_string().as_bytes(), "USD").unwrap();
        let expected = [("A", 93_800), ("B", 499), ("C", 1)].map(|(name, ask)| (name.to_owned(), ask));
        assert_eq!((list.pairs().as_slice(), list.left_out), (expected.as_slice(), 1));
    }

    #[test]
    fn a_refusal_and_another_form_are_no_prices() {
        let failed = |answer: &Value| read(answer.to_string().as_bytes(), "USD").unwrap_err().to_string();
        let refusal = json!({ "success": false, "msg": "secret" });
        assert_eq!(failed(&refusal), "refused: it answered an error in place of its list");
        let other = json!({ "success": true, "items": [{ "name": "A" }] });
        assert_eq!(failed(&other), "the outcome is unknown: SHAPE_DRIFT: $.items[].min is missing");
    }
}
