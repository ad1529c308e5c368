//! Amounts as sources write them: in units of a currency with decimals, in cents, or in thousandths. None becomes a binary fraction.

use serde_json::Value;
use tradepost_domain::money::VenueCents;

const MILLS_OF_A_CENT: i64 = 10;

/// Returns a price that is written in units of a currency, in cents. It is rounded up where it has more than two decimals. `None` if it is
/// not above zero, or not an amount.
///
/// The text is read and not the binary fraction: the shortest text of a number with at most 15 digits is the one that was sent.
pub(crate) fn major(value: &Value) -> Option<VenueCents> {
    let (cents, has_part) = major_in_cents(value)?;
    price(cents.checked_add(i64::from(has_part))?)
}

/// Returns proceeds that are written in units of a currency, in cents. They are rounded down, and may be nothing.
pub(crate) fn major_down(value: &Value) -> Option<VenueCents> {
    VenueCents::new(major_in_cents(value)?.0).ok()
}

/// Returns a price that is written in whole cents.
pub(crate) fn cents(value: &Value) -> Option<VenueCents> {
    price(whole(value)?)
}

/// Returns an amount in whole cents, which may be nothing.
pub(crate) fn balance(value: &Value) -> Option<VenueCents> {
    VenueCents::new(whole(value)?).ok()
}

/// Returns a price that is written in thousandths of a unit, in cents. A part of a cent is a whole one: costs are rounded up.
pub(crate) fn mills(value: &Value) -> Option<VenueCents> {
    let mills = whole(value)?;
    price((mills / MILLS_OF_A_CENT).checked_add(i64::from(mills % MILLS_OF_A_CENT > 0))?)
}

/// Returns proceeds that are written in thousandths of a unit, in cents. They are rounded down, and may be nothing.
pub(crate) fn mills_down(value: &Value) -> Option<VenueCents> {
    VenueCents::new(whole(value)? / MILLS_OF_A_CENT).ok()
}

/// Returns a count, as a number or as digits.
pub(crate) fn count(value: &Value) -> Option<i64> {
    whole(value)
}

/// The whole cents of an amount in units of a currency, and whether it has a part of a cent in addition.
fn major_in_cents(value: &Value) -> Option<(i64, bool)> {
    let text = digits(value)?;
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let is_plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_plain(whole) || !is_plain(fraction) {
        return None;
    }
    let (shown, rest) = fraction.split_at(fraction.len().min(2));
    let cents: i64 = format!("{whole}{shown:0<2}").parse().ok()?;
    Some((cents, rest.bytes().any(|digit| digit != b'0')))
}

fn whole(value: &Value) -> Option<i64> {
    let text = digits(value)?;
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// The text of a number, however it was sent: services write numbers as strings, and some write one both ways.
fn digits(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn price(cents: i64) -> Option<VenueCents> {
    VenueCents::new(cents).ok().filter(|price| *price > VenueCents::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(of: fn(&Value) -> Option<VenueCents>, json: &str) -> Option<i64> {
        of(&serde_json::from_str(json).unwrap()).map(VenueCents::get)
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
            ("\"0.620\"", 62),
            ("\"32.393\"", 3_240),
            ("\"7\"", 700),
        ] {
            assert_eq!(read(major, json), Some(expected), "{json}");
        }
    }

    #[test]
    fn what_is_no_price_is_none() {
        for json in [
            "0",
            "0.0",
            "-1",
            "-0.5",
            "1e300",
            "1e-9",
            "999999999999999999",
            "123456789012345678.5",
            "null",
            "\"\"",
            "\"$1\"",
            "\"1,5\"",
        ] {
            assert_eq!(read(major, json), None, "{json}");
        }
    }

    #[test]
    fn whole_cents_are_read_as_a_number_or_as_digits_and_nothing_else_is_a_price() {
        for (json, expected) in [("12", Some(12)), ("\"12\"", Some(12)), ("0", None), ("1.5", None), ("\"1.50\"", None)]
        {
            assert_eq!(read(cents, json), expected, "{json}");
        }
        assert_eq!((read(balance, "0"), read(balance, "12"), read(balance, "-1")), (Some(0), Some(12), None));
    }

    #[test]
    fn thousandths_that_are_no_whole_cents_are_rounded_up() {
        for (json, expected) in [("1000", 100), ("4999", 500), ("4990", 499), ("5", 1), ("9", 1), ("10", 1), ("11", 2)]
        {
            assert_eq!(read(mills, json), Some(expected), "{json}");
        }
        assert_eq!(read(mills, "2147483648"), Some(214_748_365));
        for json in ["0", "-5", "0.5", "null"] {
            assert_eq!(read(mills, json), None, "{json}");
        }
    }

    #[test]
    fn proceeds_are_rounded_down_and_may_be_nothing() {
        for (json, expected) in [("0.620", 62), ("\"32.399\"", 3_239), ("0.009", 0), ("0", 0), ("7", 700)] {
            assert_eq!(read(major_down, json), Some(expected), "{json}");
        }
        for (json, expected) in [("1000", 100), ("\"1009\"", 100), ("9", 0), ("0", 0)] {
            assert_eq!(read(mills_down, json), Some(expected), "{json}");
        }
        for json in ["-1", "null", "\"$1\"", "\"\""] {
            assert_eq!((read(major_down, json), read(mills_down, json)), (None, None), "{json}");
        }
    }
}
