//! The list of Skinport: what the driver needs of it, and what it makes of it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde_json::{Map, Value};
use tradepost_adapters_outside::{JsonType, RequiredShape, Shapes};
use tradepost_domain::asset::AppId;
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::{MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::external::ExternalError;
use tradepost_ports::price_source::{PriceRefusal, PriceResult, VariantQuote};

use crate::decimal;

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

/// The lowest asks by name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PriceList {
    asks: BTreeMap<MarketHashName, VenueCents>,
    /// The entries that were not understood: names that are no names, and prices that are no prices.
    pub(super) left_out: usize,
}

impl PriceList {
    /// Reads an answer in a currency.
    ///
    /// # Errors
    /// [`ExternalError`] if it is not a list of the known form, or in another currency: then nothing of it is used.
    pub(super) fn read(body: &[u8], currency: &str) -> PriceResult<Self> {
        let answer: Value = serde_json::from_slice(body)
            .map_err(|error| ExternalError::Unknown(format!("its answer is not JSON at byte {}", error.column())))?;
        if answer.get("errors").is_some() || answer.get("success") == Some(&Value::Bool(false)) {
            let text = "it answered an error in place of its list".to_owned();
            return Err(ExternalError::Rejected(PriceRefusal::Other(text)));
        }
        Shapes::of(&answer).check(NEEDED).map_err(|drift| ExternalError::Unknown(drift.to_string()))?;
        let mut list = Self { asks: BTreeMap::new(), left_out: 0 };
        for entry in answer.as_array().into_iter().flatten().filter_map(Value::as_object) {
            if entry.get("currency").and_then(Value::as_str).is_some_and(|of| of != currency) {
                return Err(ExternalError::Unknown(format!("its list is not in {currency} alone")));
            }
            list.take(entry);
        }
        Ok(list)
    }

    /// Takes an entry. Of two with one name the lower ask counts: the list has duplicates.
    fn take(&mut self, entry: &Map<String, Value>) {
        let name = entry.get("market_hash_name").and_then(Value::as_str);
        let Some(name) = name.and_then(|name| MarketHashName::new(name).ok()) else {
            self.left_out += 1;
            return;
        };
        let Some(Value::Number(price)) = entry.get("min_price").filter(|_| !is_sold_out(entry)) else {
            // Nothing of it is on sale.
            return;
        };
        let Some(price) = decimal::cost(price) else {
            self.left_out += 1;
            return;
        };
        match self.asks.entry(name) {
            Entry::Vacant(place) => {
                place.insert(price);
            }
            Entry::Occupied(mut known) => {
                let lower = price.min(*known.get());
                known.insert(lower);
            }
        }
    }

    /// Returns the quotes of a source, as of a time.
    pub(super) fn quotes(self, source: &Marketplace, at: Timestamp) -> Vec<VariantQuote> {
        let quote = |(market_hash_name, ask)| VariantQuote {
            // It lists all phases of a pattern under one name, so that a phase of its own has no price here.
            variant: Variant { app_id: AppId::CS2, market_hash_name, phase: None },
            quote: Quote {
                source: source.clone(),
                lowest_ask: Some(ask),
                highest_bid: None,
                sales: None,
                observed_at: at,
            },
        };
        self.asks.into_iter().map(quote).collect()
    }
}

fn is_sold_out(entry: &Map<String, Value>) -> bool {
    match entry.get("quantity") {
        Some(Value::Number(count)) => count.as_u64() == Some(0),
        Some(Value::String(count)) => count.trim() == "0",
        Some(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) | None => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(answer: &Value) -> PriceResult<PriceList> {
        PriceList::read(answer.to_string().as_bytes(), "USD")
    }

    fn entry(name: &str, price: &Value) -> Value {
        json!({ "market_hash_name": name, "currency": "USD", "min_price": price, "quantity": 3, "suggested_price": 12.3 })
    }

    fn asks(answer: &Value) -> Vec<(String, i64)> {
        read(answer).unwrap().asks.iter().map(|(name, ask)| (name.to_string(), ask.get())).collect()
    }

    fn failed(answer: &Value) -> String {
        read(answer).unwrap_err().to_string()
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
        assert_eq!(read(&answer).unwrap().left_out, 0);
    }

    #[test]
    fn names_and_prices_that_are_none_are_counted_and_left_out() {
        let long = "x".repeat(257);
        let answer =
            json!([entry("", &json!(1)), entry(&long, &json!(1)), entry("A", &json!(-1)), entry("B", &json!(7))]);
        let list = read(&answer).unwrap();
        assert_eq!((list.asks.len(), list.left_out), (1, 3));
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
        let page = PriceList::read(b"<html>maintenance</html>", "USD").unwrap_err().to_string();
        assert_eq!(page, "the outcome is unknown: its answer is not JSON at byte 1");
    }

    #[test]
    fn a_list_in_another_currency_is_not_used() {
        let mut euros = entry("A", &json!(1));
        euros["currency"] = json!("EUR");
        assert_eq!(failed(&json!([euros])), "the outcome is unknown: its list is not in USD alone");
    }
}
