//! The list of Skinport: what the driver needs of it, and what it makes of it.

use serde_json::Value;
use tradepost_adapters_outside::{JsonType, RequiredShape};
use tradepost_ports::external::ExternalError;
use tradepost_ports::price_source::PriceResult;

use crate::amount;
use crate::answer::{check, json, known};
use crate::asks::{Asks, Fields};

/// What the driver needs. Paths that are not here may come, go and change.
const NEEDED: &[RequiredShape] = &[
    RequiredShape { path: "$", types: &[JsonType::Array], is_required: true },
    RequiredShape { path: "$[]", types: &[JsonType::Object], is_required: false },
    RequiredShape { path: "$[].market_hash_name", types: &[JsonType::String], is_required: true },
    RequiredShape { path: "$[].currency", types: &[JsonType::String], is_required: true },
    RequiredShape { path: "$[].min_price", types: &[JsonType::Number, JsonType::Null], is_required: true },
    // A count: as a number, or as some services write numbers.
    RequiredShape {
        path: "$[].quantity",
        types: &[JsonType::Number, JsonType::String, JsonType::Null],
        is_required: false,
    },
];

/// What its card has in addition.
const ALSO_KNOWN: &[RequiredShape] = &[
    known("$[].suggested_price", &[JsonType::Number, JsonType::Null]),
    known("$[].item_page", &[JsonType::String]),
    known("$[].market_page", &[JsonType::String]),
    known("$[].max_price", &[JsonType::Number, JsonType::Null]),
    known("$[].mean_price", &[JsonType::Number, JsonType::Null]),
    known("$[].median_price", &[JsonType::Number, JsonType::Null]),
    known("$[].created_at", &[JsonType::Number]),
    known("$[].updated_at", &[JsonType::Number]),
];

const FIELDS: Fields =
    Fields { name: "market_hash_name", price: "min_price", count: Some("quantity"), amount: amount::major };

/// Reads an answer in a currency.
///
/// # Errors
/// [`ExternalError`] if it is not a list of the known form, or in another currency: then nothing of it is used.
pub(super) fn read(body: &[u8], currency: &str) -> PriceResult<Asks> {
    let answer = json(body)?;
    let new_shapes = check(&answer, NEEDED, ALSO_KNOWN)?;
    let mut list = Asks::of_answer(new_shapes);
    for entry in answer.as_array().into_iter().flatten() {
        if entry.get("currency").and_then(Value::as_str).is_some_and(|of| of != currency) {
            return Err(ExternalError::Unknown(format!("its list is not in {currency} alone")));
        }
        list.take_entry(entry, &FIELDS);
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn list(answer: &Value) -> PriceResult<Asks> {
        read(answer.to_string().as_bytes(), "USD")
    }

    fn entry(name: &str, price: &Value) -> Value {
        json!({ "market_hash_name": name, "currency": "USD", "min_price": price, "quantity": 3, "suggested_price": 12.3 })
    }

    fn asks(answer: &Value) -> Vec<(String, i64)> {
        list(answer).unwrap().pairs()
    }

    fn failed(answer: &Value) -> String {
        list(answer).unwrap_err().to_string()
    }

    #[test]
    fn of_two_entries_with_one_name_the_lower_ask_counts() {
        let answer = json!([entry("A", &json!(11.5)), entry("B", &json!(7)), entry("A", &json!(11.49))]);
        assert_eq!(asks(&answer), [("A".to_owned(), 1_149), ("B".to_owned(), 700)]);
    }

    #[test]
    fn what_is_not_on_sale_has_no_price_and_is_not_left_out() {
        let mut sold_out = entry("C", &json!(3));
        sold_out["quantity"] = json!("0");
        let answer = json!([entry("A", &json!(null)), sold_out, entry("B", &json!(7))]);
        assert_eq!(asks(&answer), [("B".to_owned(), 700)]);
        assert_eq!(list(&answer).unwrap().left_out, 0);
    }

    #[test]
    fn names_and_prices_that_are_none_are_counted_and_left_out() {
        let long = "x".repeat(257);
        let answer =
            json!([entry("", &json!(1)), entry(&long, &json!(1)), entry("A", &json!(-1)), entry("B", &json!(7))]);
        let list = list(&answer).unwrap();
        assert_eq!((list.pairs().len(), list.left_out), (1, 3));
    }

    #[test]
    fn unknown_fields_and_numbers_are_ignored() {
        let mut odd = entry("A", &json!(1.5));
        odd["state"] = json!(97);
        odd["id"] = json!("12");
        assert_eq!(asks(&json!([odd])), [("A".to_owned(), 150)]);
    }

    #[test]
    fn a_list_of_another_form_is_drift_that_names_the_path_and_no_value() {
        let answer = json!([entry("A", &json!("secret"))]);
        assert_eq!(
            failed(&answer),
            "the outcome is unknown: SHAPE_DRIFT: $[].min_price is a string, and must be a number or null"
        );
        let mut without = entry("A", &json!(1));
        without.as_object_mut().unwrap().remove("min_price");
        assert_eq!(failed(&json!([without])), "the outcome is unknown: SHAPE_DRIFT: $[].min_price is missing");
    }

    #[test]
    fn an_error_and_a_page_in_place_of_the_list_are_no_prices() {
        for error in [json!({ "errors": [{ "message": "secret" }] }), json!({ "success": false })] {
            assert_eq!(failed(&error), "refused: it answered an error in place of its list");
        }
        let page = read(b"<html>maintenance</html>", "USD").unwrap_err().to_string();
        assert_eq!(page, "the outcome is unknown: its answer is not JSON at byte 1");
    }

    #[test]
    fn a_list_in_another_currency_is_not_used() {
        let mut euros = entry("A", &json!(1));
        euros["currency"] = json!("EUR");
        assert_eq!(failed(&json!([euros])), "the outcome is unknown: its list is not in USD alone");
    }
}
