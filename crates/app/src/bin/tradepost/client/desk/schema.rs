//! The JSON Schema of desk files, from the table of their fields.

use serde_json::{Map, Value, json};

use super::fields::{Field, Form};
use super::kinds::{KINDS, Kind};

/// The schema as text.
pub(crate) fn text() -> String {
    format!("{:#}", whole())
}

fn whole() -> Value {
    let mut sections: Map<String, Value> =
        KINDS.into_iter().map(|kind| (kind.section.to_owned(), section(kind))).collect();
    sections
        .insert("$schema".to_owned(), json!({ "type": "string", "description": "The schema, for editors of JSON" }));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "tradepost desk file",
        "description": "The records of a workspace, for `tradepost contracts apply`",
        "type": "object",
        "properties": sections,
        "additionalProperties": false,
    })
}

fn section(kind: &Kind) -> Value {
    let mut record = table(kind.fields);
    if kind.section == "contracts" {
        record["oneOf"] = json!([{ "required": ["buying"] }, { "required": ["selling"] }]);
    }
    json!({ "type": "array", "description": kind.about, "items": record })
}

fn table(fields: &[Field]) -> Value {
    let properties = fields.iter().map(|field| (field.name.to_owned(), property(field)));
    let required: Vec<&str> = fields.iter().filter(|field| field.is_required()).map(|field| field.name).collect();
    let mut schema = json!({
        "type": "object",
        "properties": properties.collect::<Map<_, _>>(),
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn property(field: &Field) -> Value {
    let mut schema = of(&field.form);
    schema["description"] = json!(field.about);
    if let Some(default) = field.default() {
        schema["default"] = default;
    }
    schema
}

fn of(form: &Form) -> Value {
    match form {
        Form::Text { most } => json!({ "type": "string", "minLength": 1, "maxLength": most }),
        Form::Reference(_) => json!({ "type": "string", "minLength": 1, "maxLength": 64 }),
        Form::Digits => json!({ "type": ["string", "integer"], "pattern": "^[1-9][0-9]{0,19}$", "minimum": 1 }),
        Form::Amount { .. } => {
            json!({ "type": "string", "pattern": "^[0-9]{1,12}(\\.[0-9]{1,2})?$", "examples": ["12.50"] })
        }
        Form::Whole { least, most } => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Form::Decimal => {
            json!({ "type": "string", "pattern": "^(0(\\.[0-9]{1,24})?|1(\\.0{1,24})?)$", "examples": ["0.07"] })
        }
        Form::Choice { names, .. } => json!({ "type": "string", "enum": names() }),
        // A time of TOML has no quotes, and editors check it as a text.
        Form::Moment => json!({ "type": "string", "examples": ["2026-01-31", "2026-01-31T12:00:00Z"] }),
        Form::Flag => json!({ "type": "boolean" }),
        Form::List { of: item, least, most } => {
            json!({ "type": "array", "items": of(item), "minItems": least, "maxItems": most, "uniqueItems": true })
        }
        Form::Table(fields) => table(fields),
        Form::Entries => {
            json!({ "type": "object", "additionalProperties": { "type": "string", "minLength": 1, "maxLength": 512 } })
        }
        Form::Secrets => json!({ "type": "object", "additionalProperties": secret() }),
    }
}

/// Where a secret is read.
fn secret() -> Value {
    json!({
        "type": "object",
        "properties": { "env": { "type": "string" }, "file": { "type": "string" } },
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    fn repository(file: &str) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)
    }

    /// The fields of a request, with what kind of value each takes.
    fn fields_of(interface: &Value, message: &str) -> Map<String, Value> {
        interface["components"]["schemas"][message]["properties"].as_object().unwrap().clone()
    }

    fn compare(interface: &Value, message: &str, fields: &[Field], others: &[&str]) {
        let wire = fields_of(interface, message);
        let known: BTreeSet<&str> = wire.keys().map(String::as_str).collect();
        let described: BTreeSet<&str> = fields
            .iter()
            .map(|field| field.wire)
            .filter(|wire| !wire.is_empty())
            .chain(others.iter().copied())
            .collect();
        assert_eq!(described, known, "{message}");
        for field in fields.iter().filter(|field| !field.wire.is_empty()) {
            let wire = &wire[field.wire];
            if let Form::Table(inner) = &field.form {
                compare(interface, &referred(wire), inner, &[]);
            } else if let Form::List { of: Form::Table(inner), .. } = &field.form {
                compare(interface, &referred(&wire["items"]), inner, &[]);
            } else if let Form::List { of, .. } = &field.form {
                compare_choices(interface, of, &wire["items"]);
            } else {
                compare_choices(interface, &field.form, wire);
            }
        }
    }

    fn referred(value: &Value) -> String {
        value["$ref"].as_str().unwrap().trim_start_matches("#/components/schemas/").to_owned()
    }

    fn compare_choices(interface: &Value, form: &Form, wire: &Value) {
        if let Form::Choice { prefix, names } = form {
            let wire = &interface["components"]["schemas"][referred(wire)]["enum"];
            let made: Vec<String> = std::iter::once("unspecified".to_owned())
                .chain(names())
                .map(|name| format!("{prefix}{}", name.to_ascii_uppercase()))
                .collect();
            assert_eq!(wire, &json!(made));
        }
    }

    #[test]
    fn a_file_can_say_what_the_requests_that_create_records_can() {
        let interface: Value =
            serde_json::from_str(&fs::read_to_string(repository("docs/openapi.json")).unwrap()).unwrap();
        for kind in KINDS {
            let request = format!("{}.{}Request", kind.calls.service.rsplit_once('.').unwrap().0, kind.calls.create);
            let others: &[&str] = match kind.section {
                "pools" => &["workspaceId", "currency"],
                "assignments" => &["workspaceId", "accountGroupId"],
                "price_overrides" => &["workspaceId", "expectedVersion"],
                _ => &["workspaceId"],
            };
            let has_secrets = |field: &&Field| matches!(field.form, Form::Secrets | Form::Entries);
            assert!(kind.fields.iter().filter(has_secrets).all(|field| !field.wire.is_empty()));
            compare(&interface, &request, kind.fields, others);
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "snapshots are kept by the same variable")]
    fn the_schema_in_the_repository_is_the_one_that_the_fields_make() {
        let path = repository("docs/reference/desk.schema.json");
        let made = format!("{}\n", text());
        if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
            fs::write(&path, &made).unwrap();
        }
        // Values, because the order of keys depends on the features that other crates ask of `serde_json`.
        let written: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap_or_default()).unwrap_or_default();
        assert!(written == whole(), "docs/reference/desk.schema.json: INSTA_UPDATE=always writes it");
    }
}
