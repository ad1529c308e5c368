//! The values of fields in their one form: as a file has them, with amounts, decimals and times written in one way. The interface's
//! form is made of it and read into it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};
use tradepost::domain::asset::Wear;
use tradepost::domain::money::Cents;
use tradepost::domain::text::Description;

use super::fields::{Field, Form};
use super::tree::{Data, Node};
use crate::output_format;

/// The values of a record by their paths, such as `limits.budget`. A value that is not set is absent.
pub(super) type Values = BTreeMap<String, Value>;

/// Reads a value; an error is the rule that it breaks.
pub(super) fn read(form: &Form, node: &Node) -> Result<Value, String> {
    match (form, &node.data) {
        (Form::Text { most }, Data::Text(given)) => text(given, *most),
        (Form::Reference(_), Data::Text(given)) => text(given, 64),
        (Form::Digits, Data::Text(given)) => digits(given),
        (Form::Digits, Data::Whole(number)) => digits(&number.to_string()),
        (Form::Amount { least }, Data::Text(given)) => amount(given, *least),
        (Form::Amount { .. }, Data::Whole(_) | Data::Fraction(_)) => {
            Err("an amount is a text with its decimals, such as \"12.50\"".to_owned())
        }
        (Form::Whole { least, most }, Data::Whole(number)) if (*least..=*most).contains(number) => Ok(json!(number)),
        (Form::Decimal, Data::Text(given)) => decimal(given),
        (Form::Decimal, Data::Whole(_) | Data::Fraction(_)) => {
            Err("a decimal number is a text, such as \"0.07\", so that it keeps its digits".to_owned())
        }
        (Form::Choice { names, .. }, Data::Text(given)) if names().contains(given) => Ok(json!(given)),
        (Form::Moment, Data::Text(given)) => moment(given).map(Value::String).ok_or_else(|| form.rule()),
        (Form::Flag, Data::Flag(flag)) => Ok(json!(flag)),
        (Form::List { of, least, most }, Data::List(nodes)) => list(of, nodes, *least, *most),
        (Form::Table(fields), Data::Table(_)) => one_table(fields, node),
        (Form::Choice { .. }, Data::Text(given)) => Err(format!("{} and not {given:?}", form.rule())),
        _ => Err(form.rule()),
    }
}

impl Form {
    /// The values that it takes, as an error says it.
    pub(super) fn rule(&self) -> String {
        match self {
            Self::Text { most } => format!("must be a text of 1 to {most} characters"),
            Self::Reference(_) => "must be the name of a record".to_owned(),
            Self::Digits => "must be a decimal number from 1 to 18446744073709551615".to_owned(),
            Self::Amount { least } => {
                let (least, most) = (output_format::amount(*least), output_format::amount(Cents::MAX.get()));
                format!("must be an amount from {least} to {most}, such as \"12.50\"")
            }
            Self::Whole { least, most } => format!("must be a whole number from {least} to {most}"),
            Self::Decimal => "must be a decimal number from 0 to 1 as a text, such as \"0.07\"".to_owned(),
            Self::Choice { names, .. } => format!("must be one of {}", names().join(", ")),
            Self::Moment => "must be a time of UTC, such as 2026-01-31 or 2026-01-31T12:00:00Z".to_owned(),
            Self::Flag => "must be true or false".to_owned(),
            Self::List { least, most, .. } => format!("must be a list of {least} to {most} values"),
            Self::Table(_) | Self::Entries | Self::Secrets => "must be a table of keys".to_owned(),
        }
    }
}

fn text(given: &str, most: usize) -> Result<Value, String> {
    let text = Description::new(given).map_err(|error| error.to_string())?;
    if text.as_str().chars().count() > most {
        return Err(format!("must have at most {most} characters"));
    }
    Ok(json!(text.as_str()))
}

fn digits(given: &str) -> Result<Value, String> {
    let is_number = given.parse::<u64>().is_ok_and(|number| number > 0 && number.to_string() == given);
    if is_number { Ok(json!(given)) } else { Err(Form::Digits.rule()) }
}

fn amount(given: &str, least: i64) -> Result<Value, String> {
    let cents = cents(given).filter(|cents| (least..=Cents::MAX.get()).contains(cents));
    cents.map(|cents| json!(output_format::amount(cents))).ok_or_else(|| Form::Amount { least }.rule())
}

/// The cents of an amount with at most two decimals.
pub(super) fn cents(given: &str) -> Option<i64> {
    let (whole, part) = given.split_once('.').unwrap_or((given, "00"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(part) || part.len() > 2 {
        return None;
    }
    let part: i64 = format!("{part:0<2}").parse().ok()?;
    whole.parse::<i64>().ok()?.checked_mul(100)?.checked_add(part)
}

fn decimal(given: &str) -> Result<Value, String> {
    Wear::new(given).map_err(|error| error.to_string())?;
    Ok(json!(without_zeros(given)))
}

fn without_zeros(decimal: &str) -> &str {
    if decimal.contains('.') { decimal.trim_end_matches('0').trim_end_matches('.') } else { decimal }
}

fn moment(given: &str) -> Option<String> {
    let is_day = given.len() == "2026-01-31".len();
    let time = if is_day { format!("{given}T00:00:00Z") } else { given.replacen(' ', "T", 1) };
    OffsetDateTime::parse(&time, &Rfc3339).ok()?.to_offset(UtcOffset::UTC).format(&Rfc3339).ok()
}

fn list(of: &Form, nodes: &[Node], least: usize, most: usize) -> Result<Value, String> {
    if !(least..=most).contains(&nodes.len()) {
        return Err(Form::List { of: &Form::Flag, least, most }.rule());
    }
    let values: Vec<Value> = nodes.iter().map(|node| read(of, node)).collect::<Result<_, _>>()?;
    let sorted = in_order(values);
    match sorted.windows(2).find_map(|pair| (pair[0] == pair[1]).then(|| pair[0].to_string())) {
        Some(twice) => Err(format!("has {twice} twice")),
        None => Ok(Value::Array(sorted)),
    }
}

/// The values in an order of their own, because the order in a file and in an answer means nothing.
fn in_order(mut values: Vec<Value>) -> Vec<Value> {
    values.sort_by_cached_key(|value| {
        value.as_i64().map_or_else(|| (0, value.to_string()), |number| (number, String::new()))
    });
    values
}

/// A table inside of a list.
fn one_table(fields: &[Field], node: &Node) -> Result<Value, String> {
    let Data::Table(entries) = &node.data else { return Err("must be a table of keys".to_owned()) };
    if let Some(unknown) = entries.iter().find(|entry| fields.iter().all(|field| field.name != entry.key)) {
        let known: Vec<&str> = fields.iter().map(|field| field.name).collect();
        return Err(format!("has the unknown key {}; the keys are {}", unknown.key, known.join(", ")));
    }
    let mut found = Map::new();
    for field in fields {
        let given = entries.iter().find(|entry| entry.key == field.name);
        let value = given.map(|entry| read(&field.form, &entry.value)).transpose();
        let value = value.map_err(|rule| format!("{}: {rule}", field.name))?.or_else(|| field.default());
        match value {
            Some(value) => drop(found.insert(field.name.to_owned(), value)),
            None if field.is_required() => return Err(format!("{} is required", field.name)),
            None => {}
        }
    }
    Ok(Value::Object(found))
}

/// The value of a field of an answer in the form of a file; nothing where the answer has none.
pub(super) fn from_wire(form: &Form, wire: &Value) -> Option<Value> {
    if wire.is_null() || wire.as_str().is_some_and(str::is_empty) {
        return None;
    }
    let number = || wire.as_i64().or_else(|| wire.as_str()?.parse().ok());
    Some(match form {
        Form::Amount { .. } => json!(output_format::amount(number()?)),
        Form::Whole { .. } => json!(number()?),
        Form::Decimal => json!(without_zeros(wire.as_str()?)),
        Form::Choice { prefix, .. } => json!(wire.as_str()?.strip_prefix(prefix)?.to_ascii_lowercase()),
        Form::Moment => json!(moment(wire.as_str()?)?),
        Form::List { of, .. } => {
            let values: Vec<Value> = wire.as_array()?.iter().filter_map(|value| from_wire(of, value)).collect();
            if values.is_empty() {
                return None;
            }
            Value::Array(in_order(values))
        }
        Form::Table(fields) => {
            let found = fields.iter().filter_map(|field| {
                let value = from_wire(&field.form, &wire[field.wire]).or_else(|| field.default())?;
                Some((field.name.to_owned(), value))
            });
            Value::Object(found.collect())
        }
        Form::Text { .. } | Form::Digits | Form::Flag | Form::Reference(_) | Form::Entries | Form::Secrets => {
            wire.clone()
        }
    })
}

/// The value as the interface has it. References are names still.
pub(super) fn to_wire(form: &Form, value: &Value) -> Value {
    match (form, value) {
        (Form::Amount { .. }, Value::String(given)) => json!(cents(given).unwrap_or_default().to_string()),
        (Form::Choice { prefix, .. }, Value::String(name)) => json!(format!("{prefix}{}", name.to_ascii_uppercase())),
        (Form::List { of, .. }, Value::Array(values)) => values.iter().map(|value| to_wire(of, value)).collect(),
        (Form::Table(fields), Value::Object(found)) => {
            let given =
                fields.iter().filter_map(|field| Some((field.wire, to_wire(&field.form, found.get(field.name)?))));
            Value::Object(given.map(|(name, value)| (name.to_owned(), value)).collect())
        }
        _ => value.clone(),
    }
}

/// The value as readers see it.
pub(super) fn shown(value: Option<&Value>) -> String {
    match value {
        None => "none".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(values)) => {
            let shown: Vec<String> = values.iter().map(|value| shown(Some(value))).collect();
            format!("[{}]", shown.join(", "))
        }
        Some(Value::Object(fields)) => {
            let shown = fields.iter().map(|(name, value)| format!("{name} {}", shown(Some(value))));
            shown.collect::<Vec<_>>().join(" ")
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) => value.map(ToString::to_string).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(data: Data) -> Node {
        Node { line: 1, data }
    }

    fn text_of(form: &Form, text: &str) -> Result<Value, String> {
        read(form, &of(Data::Text(text.to_owned())))
    }

    #[test]
    fn an_amount_is_a_text_with_up_to_two_decimals() {
        let form = Form::Amount { least: 1 };
        for (given, read) in [("12.50", "12.50"), ("12.5", "12.50"), ("12", "12.00"), ("0.01", "0.01")] {
            assert_eq!(text_of(&form, given), Ok(json!(read)), "{given}");
        }
        for given in ["", ".5", "1.", "1.234", "1,50", "-1", "0", "1e3", "100000000000.01"] {
            assert!(text_of(&form, given).is_err(), "{given}");
        }
        assert!(read(&form, &of(Data::Whole(1250))).unwrap_err().contains("\"12.50\""));
        assert_eq!(to_wire(&form, &json!("12.50")), json!("1250"));
        assert_eq!(from_wire(&form, &json!("1250")), Some(json!("12.50")));
    }

    #[test]
    fn decimals_and_times_are_written_in_one_way() {
        assert_eq!(text_of(&Form::Decimal, "0.070"), Ok(json!("0.07")));
        assert_eq!(text_of(&Form::Decimal, "1.0"), Ok(json!("1")));
        assert!(text_of(&Form::Decimal, "1.1").is_err());
        for given in ["2026-01-31", "2026-01-31T00:00:00.000Z", "2026-01-31T02:00:00+02:00", "2026-01-31 00:00:00Z"] {
            assert_eq!(text_of(&Form::Moment, given), Ok(json!("2026-01-31T00:00:00Z")), "{given}");
        }
        assert!(text_of(&Form::Moment, "2026-01-31T12:00:00").is_err());
    }

    #[test]
    fn a_list_has_no_order_and_no_value_twice() {
        let form = Form::List { of: &Form::Whole { least: 0, most: 1000 }, least: 1, most: 3 };
        let list = |numbers: &[i64]| of(Data::List(numbers.iter().map(|number| of(Data::Whole(*number))).collect()));
        assert_eq!(read(&form, &list(&[30, 4, 500])), Ok(json!([4, 30, 500])));
        assert_eq!(from_wire(&form, &json!([500, 4, 30])), Some(json!([4, 30, 500])));
        assert_eq!(read(&form, &list(&[4, 4])), Err("has 4 twice".to_owned()));
        assert!(read(&form, &list(&[])).is_err() && read(&form, &list(&[1, 2, 3, 4])).is_err());
        assert_eq!(from_wire(&form, &json!([])), None);
    }

    #[test]
    fn a_name_of_an_enum_has_its_prefix_in_the_interface_alone() {
        let form = Form::Choice { prefix: "APPROVAL_MODE_", names: || vec!["dry_run".to_owned()] };
        assert_eq!(text_of(&form, "dry_run").map(|name| to_wire(&form, &name)), Ok(json!("APPROVAL_MODE_DRY_RUN")));
        assert_eq!(from_wire(&form, &json!("APPROVAL_MODE_DRY_RUN")), Some(json!("dry_run")));
        assert_eq!(text_of(&form, "dryrun"), Err("must be one of dry_run and not \"dryrun\"".to_owned()));
    }
}
