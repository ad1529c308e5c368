//! Amounts that a source writes as JSON numbers in units of a currency.

use serde_json::Number;
use tradepost_domain::money::VenueCents;

/// Returns a price in cents, rounded up where it has more than two decimals; `None` if it is not above zero, or the text is not an amount.
///
/// The text is read and not the binary fraction: the shortest text of a number with at most 15 digits is the one that was sent.
pub(crate) fn cost(number: &Number) -> Option<VenueCents> {
    let text = number.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let is_plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_plain(whole) || !is_plain(fraction) {
        return None;
    }
    let (shown, rest) = fraction.split_at(fraction.len().min(2));
    let cents: i64 = format!("{whole}{shown:0<2}").parse().ok()?;
    let part = i64::from(rest.bytes().any(|digit| digit != b'0'));
    VenueCents::new(cents.checked_add(part)?).ok().filter(|price| *price > VenueCents::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cents(json: &str) -> Option<i64> {
        cost(&serde_json::from_str(json).unwrap()).map(VenueCents::get)
    }

    #[test]
    fn a_price_is_read_to_the_cent_and_never_rounded_down() {
        for (json, expected) in [
            ("11", 1_100),
            ("11.5", 1_150),
            ("11.05", 1_105),
            ("0.03", 3),
            ("0.1", 10),
            ("4.35", 435),
            ("1.115", 112),
            ("1.100", 110),
            ("0.001", 1),
            ("99999999.99", 9_999_999_999),
        ] {
            assert_eq!(cents(json), Some(expected), "{json}");
        }
    }

    #[test]
    fn what_is_no_price_is_none() {
        for json in ["0", "0.0", "-1", "-0.5", "1e300", "1e-9", "999999999999999999", "123456789012345678.5"] {
            assert_eq!(cents(json), None, "{json}");
        }
    }
}
