//! The price of one name at the market, as text for people.

use std::collections::BTreeSet;

use serde_json::Value;
use tradepost_adapters_outside::{JsonType, RequiredShape};
use tradepost_domain::money::VenueCents;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::price_source::PriceResult;

use crate::amount;
use crate::answer::{check, json, known};

/// What the driver needs. Any of the prices may be missing.
const NEEDED: &[RequiredShape] = &[
    RequiredShape { path: "$", types: &[JsonType::Object], is_required: true },
    RequiredShape { path: "$.success", types: &[JsonType::Bool], is_required: true },
    RequiredShape { path: "$.lowest_price", types: &[JsonType::String], is_required: false },
];

/// What its card has in addition.
const ALSO_KNOWN: &[RequiredShape] =
    &[known("$.volume", &[JsonType::String]), known("$.median_price", &[JsonType::String])];

/// How long nothing is asked after an empty answer, which is how the market limits this call.
const PAUSE: std::time::Duration = std::time::Duration::from_mins(1);

/// The price of a name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Overview {
    /// The lowest ask; `None` if nothing is on sale.
    pub(super) ask: Option<VenueCents>,
    pub(super) new_shapes: BTreeSet<String>,
}

/// Reads the price of a name.
pub(super) fn read(body: &[u8]) -> PriceResult<Overview> {
    let answer = json(body)?;
    if answer.is_null() {
        return Err(ExternalError::RateLimited { retry_after: PAUSE, effect: Effect::Nothing });
    }
    let new_shapes = check(&answer, NEEDED, ALSO_KNOWN)?;
    let ask = answer.get("lowest_price").and_then(Value::as_str).map(dollars).transpose()?;
    Ok(Overview { ask, new_shapes })
}

/// Reads an amount such as `$1,234.56`.
///
/// # Errors
/// [`ExternalError::Unknown`] if it is not in dollars: the market chooses another currency by the address of the caller, and then all of
/// its amounts are of that.
pub(super) fn dollars(text: &str) -> PriceResult<VenueCents> {
    let other = || ExternalError::Unknown("its prices are not in USD".to_owned());
    let trimmed = text.trim();
    let amount = trimmed.strip_suffix(" USD").unwrap_or(trimmed).strip_prefix('$').ok_or_else(other)?;
    // A comma groups thousands in this form. One that is followed by two digits alone would be a decimal comma.
    let is_grouped =
        amount.split(',').skip(1).all(|group| group.split('.').next().is_some_and(|group| group.len() == 3));
    let plain = Value::String(amount.replace(',', ""));
    amount::major(&plain).filter(|_| is_grouped).ok_or_else(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cents(text: &str) -> Option<i64> {
        dollars(text).ok().map(VenueCents::get)
    }

    #[test]
    fn an_amount_in_dollars_is_read_to_the_cent() {
        for (text, expected) in
            [("$0.39", 39), ("$1,234.56", 123_456), ("$12", 1_200), ("$0.03 USD", 3), ("$1,234,567.80", 123_456_780)]
        {
            assert_eq!(cents(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn an_amount_in_another_currency_or_form_is_none() {
        for text in ["0,39€", "0.39", "CDN$ 0.39", "$0,39", "$1.234,56", "R$ 0,39", "$", "", "$free", "39 pуб."] {
            assert_eq!(cents(text), None, "{text}");
        }
    }

    #[test]
    fn a_name_without_offers_has_no_price_and_an_empty_answer_is_a_limit() {
        assert_eq!(read(br#"{"success":true}"#).unwrap().ask, None);
        assert_eq!(
            read(br#"{"success":true,"lowest_price":"$0.39","volume":"1,234"}"#).unwrap().ask.map(VenueCents::get),
            Some(39)
        );
        assert!(matches!(read(b"null"), Err(ExternalError::RateLimited { .. })));
        assert!(matches!(read(br#"{"success":false}"#), Err(ExternalError::Rejected(_))));
    }
}
