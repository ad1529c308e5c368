//! The highest bids at Waxpeer, in thousandths of a dollar. Whether a buyer still has the money is not said.

use serde_json::Value;
use tradepost_adapters_outside::RequiredShape;
use tradepost_adapters_outside::answers::{known, needed};
use tradepost_ports::price_source::PriceResult;

use crate::amount;
use crate::answer::{check, json};
use crate::asks::{Asks, Fields};
use crate::listing_fields::{ARRAY, FLAG, MAYBE_NUMBER, MAYBE_TEXT, NUMBER, OBJECT, TEXT};

/// What the driver needs. Paths that are not here may come, go and change.
const NEEDED: &[RequiredShape] = &[
    needed("$", OBJECT),
    needed("$.success", FLAG),
    needed("$.offers", ARRAY),
    known("$.offers[]", OBJECT),
    needed("$.offers[].name", TEXT),
    needed("$.offers[].max", MAYBE_NUMBER),
];

/// What its card has in addition.
const ALSO_KNOWN: &[RequiredShape] = &[known("$.timestamp", NUMBER), known("$.offers[].by", MAYBE_TEXT)];

const FIELDS: Fields = Fields { name: "name", price: "max", count: None, amount: amount::mills_down };

/// Reads an answer, which is in dollars.
pub(super) fn read(body: &[u8], _currency: &str) -> PriceResult<Asks> {
    let answer = json(body)?;
    let new_shapes = check(&answer, NEEDED, ALSO_KNOWN)?;
    Ok(Asks::of_bids(answer.get("offers").and_then(Value::as_array), &FIELDS, new_shapes))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn thousandths_become_cents_and_are_rounded_down() {
        let answer = json!({ "success": true, "timestamp": 1_767_225_600, "offers": [
            { "name": "A", "max": 240_009, "by": "a-buyer" },
            { "name": "B", "max": "1000", "by": "a-buyer" },
            { "name": "C", "max": 9, "by": "a-buyer" },
        ] });
        let list = read(answer.to_string().as_bytes(), "USD").unwrap();
        let expected = [("A", 24_000), ("B", 100)].map(|(name, bid)| (name.to_owned(), bid));
        assert_eq!((list.bid_pairs().as_slice(), list.left_out), (expected.as_slice(), 0));
    }

    #[test]
    fn a_refusal_and_another_form_are_no_bids() {
        let failed = |answer: &Value| read(answer.to_string().as_bytes(), "USD").unwrap_err().to_string();
        let refusal = json!({ "success": false, "msg": "secret" });
        assert_eq!(failed(&refusal), "refused: it answered an error in place of its list");
        let other = json!({ "success": true, "offers": [{ "name": "A" }] });
        assert_eq!(failed(&other), "the outcome is unknown: SHAPE_DRIFT: $.offers[].max is missing");
    }
}
