//! A page of the market: names with the lowest ask, in cents and as text for people.

use serde_json::Value;
use tradepost_adapters_outside::{JsonType, RequiredShape};
use tradepost_ports::external::ExternalError;
use tradepost_ports::price_source::PriceResult;

use super::overview::dollars;
use crate::amount;
use crate::answer::{check, json, known};
use crate::asks::{Asked, Asks};

const NUMBER: &[JsonType] = &[JsonType::Number, JsonType::String];

/// What the driver needs. Paths that are not here may come, go and change.
const NEEDED: &[RequiredShape] = &[
    RequiredShape { path: "$", types: &[JsonType::Object], is_required: true },
    RequiredShape { path: "$.success", types: &[JsonType::Bool], is_required: true },
    RequiredShape { path: "$.total_count", types: NUMBER, is_required: true },
    RequiredShape { path: "$.results", types: &[JsonType::Array], is_required: true },
    RequiredShape { path: "$.results[]", types: &[JsonType::Object], is_required: false },
    RequiredShape { path: "$.results[].hash_name", types: &[JsonType::String], is_required: true },
    RequiredShape { path: "$.results[].sell_listings", types: NUMBER, is_required: true },
    RequiredShape { path: "$.results[].sell_price", types: NUMBER, is_required: true },
    RequiredShape { path: "$.results[].sell_price_text", types: &[JsonType::String], is_required: true },
];

/// What its card has in addition.
const ALSO_KNOWN: &[RequiredShape] = &[
    known("$.start", &[JsonType::Number]),
    known("$.pagesize", &[JsonType::Number]),
    known("$.results[].asset_description", &[JsonType::Object]),
    // A description of the item, of which nothing is read.
    known("$.results[].asset_description.*", &[]),
];

/// A page.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) asks: Asks,
    /// How many entries it shows: about ten, whatever is asked for.
    pub(super) shown: usize,
    /// How many entries all pages have.
    pub(super) total: usize,
}

impl Page {
    /// Reads the page that begins after a number of entries.
    pub(super) fn read(body: &[u8], start: usize) -> PriceResult<Self> {
        let answer = json(body)?;
        let new_shapes = check(&answer, NEEDED, ALSO_KNOWN)?;
        let total = answer.get("total_count").and_then(amount::count).and_then(|total| usize::try_from(total).ok());
        let total = total.ok_or_else(|| ExternalError::Unknown("its number of entries is none".to_owned()))?;
        let mut page = Self { asks: Asks::of_answer(new_shapes), shown: 0, total };
        for entry in answer.get("results").and_then(Value::as_array).into_iter().flatten() {
            page.take(entry)?;
        }
        // The market answers an empty page when it does not want to answer. It does not prove that nothing is there.
        if page.shown == 0 && (start == 0 || start < total) {
            return Err(ExternalError::Unknown("its page is empty".to_owned()));
        }
        Ok(page)
    }

    fn take(&mut self, entry: &Value) -> PriceResult<()> {
        self.shown += 1;
        let name = entry.get("hash_name").and_then(Value::as_str);
        if entry.get("sell_listings").and_then(amount::count) == Some(0) {
            self.asks.take(name, Asked::Nothing);
            return Ok(());
        }
        let price = entry.get("sell_price").and_then(amount::cents);
        let shown = entry.get("sell_price_text").and_then(Value::as_str).map(dollars).transpose()?;
        if price != shown {
            return Err(ExternalError::Unknown("its amounts differ from what it shows people".to_owned()));
        }
        self.asks.take(name, Asked::of(price));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(name: &str, cents: i64, text: &str) -> Value {
        json!({ "hash_name": name, "sell_listings": 53, "sell_price": cents, "sell_price_text": text, "asset_description": {} })
    }

    fn page(results: &Value) -> Value {
        json!({ "success": true, "start": 0, "pagesize": 10, "total_count": 23, "results": results })
    }

    fn failed(answer: &Value) -> String {
        Page::read(answer.to_string().as_bytes(), 0).unwrap_err().to_string()
    }

    #[test]
    fn a_page_has_asks_in_cents_and_a_name_without_listings_has_none() {
        let mut none = entry("B", 0, "");
        none["sell_listings"] = json!(0);
        let answer = page(&json!([entry("A", 39, "$0.39"), none, entry("C", 123_456, "$1,234.56")]));
        let read = Page::read(answer.to_string().as_bytes(), 0).unwrap();
        let expected = [("A".to_owned(), 39), ("C".to_owned(), 123_456)];
        assert_eq!((read.asks.pairs().as_slice(), read.shown, read.total), (expected.as_slice(), 3, 23));
    }

    #[test]
    fn a_page_in_another_currency_is_not_used() {
        assert_eq!(
            failed(&page(&json!([entry("A", 39, "0,39€")]))),
            "the outcome is unknown: its prices are not in USD"
        );
        let text = "the outcome is unknown: its amounts differ from what it shows people";
        assert_eq!(failed(&page(&json!([entry("A", 3_900, "$0.39")]))), text);
    }

    #[test]
    fn an_empty_page_is_no_proof_that_nothing_is_there() {
        assert_eq!(failed(&page(&json!([]))), "the outcome is unknown: its page is empty");
        let empty = page(&json!([])).to_string();
        assert!(Page::read(empty.as_bytes(), 20).is_err());
        assert_eq!(Page::read(empty.as_bytes(), 23).unwrap().shown, 0);
    }
}
