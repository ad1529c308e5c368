//! A record as TOML.

use serde_json::Value;
use toml_edit::{Array, InlineTable, value};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table};

use super::fields::{Field, Form};
use super::kinds::Kind;
use super::values::Values;

/// A section with one record.
pub(super) fn toml(kind: &Kind, values: &Values) -> String {
    let mut records = ArrayOfTables::new();
    records.push(table(kind.fields, "", values));
    let mut document = DocumentMut::new();
    document.insert(kind.section, Item::ArrayOfTables(records));
    document.to_string()
}

fn table(fields: &[Field], path: &str, values: &Values) -> Table {
    let mut table = Table::new();
    for field in fields {
        let path = super::document::below(path, field.name);
        let below = |known: &str| known.strip_prefix(&path)?.strip_prefix('.').map(str::to_owned);
        let mut names = values.iter().filter_map(|(known, value)| Some((below(known)?, value))).peekable();
        if let Form::Table(fields) = &field.form
            && names.peek().is_some()
        {
            table.insert(field.name, Item::Table(self::table(fields, &path, values)));
        } else if matches!(field.form, Form::Entries) && names.peek().is_some() {
            let entries = names.map(|(name, value)| (name, written(value)));
            table.insert(field.name, Item::Table(entries.collect()));
        } else if let Some(found) = values.get(&path) {
            table.insert(field.name, written(found));
        }
    }
    table
}

fn written(found: &Value) -> Item {
    match found {
        Value::Array(values) => {
            let array: Array = values.iter().filter_map(|value| written(value).into_value().ok()).collect();
            value(array)
        }
        Value::Object(fields) => {
            let fields = fields.iter().filter_map(|(name, value)| Some((name, written(value).into_value().ok()?)));
            value(fields.collect::<InlineTable>())
        }
        Value::Bool(flag) => value(*flag),
        Value::Number(number) => value(number.as_i64().unwrap_or_default()),
        Value::String(text) => value(text),
        Value::Null => Item::None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::document::check;
    use super::super::kinds::kind;
    use super::super::tree::{Syntax, read};
    use super::*;

    #[test]
    fn a_record_is_written_as_it_is_read() {
        let given = json!({
            "name": "AK-47 \"Redline\"", "approval": "manual", "marketplaces": ["a", "b"], "ends_at": "2026-12-31T00:00:00Z",
            "buying.target_quantity": 3, "buying.max_buy_price": "15.00", "buying.budget": "45.00",
        });
        let values: Values = given.as_object().unwrap().clone().into_iter().collect();
        let text = toml(kind("contracts").unwrap(), &values);
        let [read_back] = check(&read(&text, Syntax::Toml).unwrap()).ok().unwrap().try_into().ok().unwrap();
        assert_eq!(read_back.values, values, "{text}");
        assert!(text.contains("\n[contracts.buying]\ntarget_quantity = 3\n"), "{text}");
    }

    #[test]
    fn settings_are_written_as_they_are_read() {
        let given = json!({
            "name": "market-2", "kind": "marketplace", "driver": "simulator", "currency": "USD",
            "settings.customer": "desk", "settings.world": "main",
        });
        let values: Values = given.as_object().unwrap().clone().into_iter().collect();
        let text = toml(kind("providers").unwrap(), &values);
        let [read_back] = check(&read(&text, Syntax::Toml).unwrap()).ok().unwrap().try_into().ok().unwrap();
        assert_eq!(read_back.values, values, "{text}");
    }
}
