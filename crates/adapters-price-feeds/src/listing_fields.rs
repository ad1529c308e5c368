//! Fields of listings, as services write them: numbers as texts, and texts of digits as numbers.

use serde_json::Value;
use tradepost_adapters_outside::JsonType;
use tradepost_domain::float_value::FloatValue;
use tradepost_domain::markets::listing::Sticker;
use tradepost_domain::text::{MarketHashName, Name};

use crate::amount;

pub(crate) const ARRAY: &[JsonType] = &[JsonType::Array];
pub(crate) const OBJECT: &[JsonType] = &[JsonType::Object];
pub(crate) const TEXT: &[JsonType] = &[JsonType::String];
pub(crate) const FLAG: &[JsonType] = &[JsonType::Bool];
/// An id, an amount or a count: some services write one both ways.
pub(crate) const NUMBER: &[JsonType] = &[JsonType::Number, JsonType::String];
pub(crate) const MAYBE_NUMBER: &[JsonType] = &[JsonType::Number, JsonType::String, JsonType::Null];
pub(crate) const MAYBE_TEXT: &[JsonType] = &[JsonType::String, JsonType::Null];
pub(crate) const MAYBE_ARRAY: &[JsonType] = &[JsonType::Array, JsonType::Null];
pub(crate) const MAYBE_OBJECT: &[JsonType] = &[JsonType::Object, JsonType::Null];

/// A text, also one of digits that was written as a number.
pub(crate) fn text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => number.as_u64().map(|number| number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A whole number that is not negative.
pub(crate) fn number(value: Option<&Value>) -> Option<u32> {
    value.and_then(amount::count).and_then(|number| u32::try_from(number).ok())
}

/// A wear. Services write the shortest text of a binary number, which is made again of that number, without an exponent.
pub(crate) fn float_value(wear: &Value) -> Option<FloatValue> {
    match wear {
        Value::Number(number) => number.as_f64()?.to_string().parse().ok(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A phase, however its words are joined: services write `phase2`, `phase-2` or `Phase 2`. One that the game does not have is not said.
pub(crate) fn phase(written: &str) -> Option<Name> {
    let letters: String = written.chars().filter(char::is_ascii_alphanumeric).collect();
    let name = match letters.to_ascii_lowercase().as_str() {
        "phase1" => "Phase 1",
        "phase2" => "Phase 2",
        "phase3" => "Phase 3",
        "phase4" => "Phase 4",
        "ruby" => "Ruby",
        "sapphire" => "Sapphire",
        "blackpearl" => "Black Pearl",
        "emerald" => "Emerald",
        _ => return None,
    };
    Name::new(name).ok()
}

/// The stickers of an item; `None` if one of them has no name. Without one of them, an item would look plainer than it is.
pub(crate) fn stickers(item: &Value) -> Option<Vec<Sticker>> {
    let stuck = item.get("stickers").and_then(Value::as_array);
    stuck.into_iter().flatten().map(sticker).collect()
}

fn sticker(entry: &Value) -> Option<Sticker> {
    let name = MarketHashName::new(entry.get("name")?.as_str()?).ok()?;
    Some(Sticker { name, wear: entry.get("wear").and_then(float_value) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_wear_is_the_number_that_was_sent_to_its_last_digit_however_small() {
        for sent in ["0.02796577662229538", "0.07000000029802322", "0.5517632365226746", "0.1", "0", "1"] {
            let wear: Value = serde_json::from_str(sent).unwrap();
            assert_eq!(float_value(&wear), Some(sent.parse().unwrap()), "{sent}");
            assert_eq!(float_value(&json!(sent)), Some(sent.parse().unwrap()), "{sent} as a text");
        }
        let small: Value = serde_json::from_str("1.25e-6").unwrap();
        assert_eq!(float_value(&small), Some("0.00000125".parse().unwrap()));
        for other in [json!(""), json!(1.5), json!(null), json!([0.5])] {
            assert_eq!(float_value(&other), None, "{other}");
        }
    }

    #[test]
    fn a_phase_is_read_however_its_words_are_joined() {
        for (written, expected) in [
            ("phase2", Some("Phase 2")),
            ("phase-1", Some("Phase 1")),
            ("Phase 2", Some("Phase 2")),
            ("black-pearl", Some("Black Pearl")),
            ("ruby", Some("Ruby")),
            ("Ruby", Some("Ruby")),
            ("", None),
            ("phase", None),
            ("phase-9", None),
        ] {
            assert_eq!(phase(written).as_ref().map(Name::as_str), expected, "{written}");
        }
    }

    #[test]
    fn an_id_is_a_text_or_a_whole_number_and_a_number_is_not_negative() {
        assert_eq!(text(Some(&json!("27402864642"))).as_deref(), Some("27402864642"));
        assert_eq!(text(Some(&json!(27_402_864_642_u64))).as_deref(), Some("27402864642"));
        assert_eq!((text(Some(&json!(1.5))), text(None)), (None, None));
        assert_eq!((number(Some(&json!(7))), number(Some(&json!("7")))), (Some(7), Some(7)));
        assert_eq!((number(Some(&json!(-1))), number(Some(&json!(4_294_967_296_i64)))), (None, None));
    }
}
