//! The requests that create and change a record.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::current::Seen;
use super::document::below;
use super::fields::{Field, Form};
use super::kinds::Kind;
use super::plan::Change;
use super::values::{self, Values};

/// The ids of records by section and name.
pub(super) type Ids = BTreeMap<(&'static str, String), String>;

/// Secrets that were read, by their paths.
pub(super) type Secrets = BTreeMap<String, String>;

/// The request that creates a record.
pub(super) fn create(kind: &Kind, values: &Values, secrets: &Secrets, ids: &Ids) -> Value {
    let mut request = message(kind.fields, "", values, ids);
    request.extend(with_secrets(kind, secrets));
    Value::Object(request)
}

/// The request that changes a record: each changed field as a whole, as the interface takes it.
pub(super) fn update(kind: &Kind, seen: &Seen, to: (&Values, &Secrets), changes: &[Change], ids: &Ids) -> Value {
    let (values, secrets) = to;
    let top = |path: &str| path.split('.').next().unwrap_or(path).to_owned();
    let touched: BTreeSet<String> = changes.iter().map(|change| top(&change.path)).collect();
    let mut request = Map::new();
    for field in kind.fields.iter().filter(|field| !field.wire.is_empty()) {
        // A price override is set as a whole.
        if !touched.contains(field.name) && !kind.calls.id.is_empty() {
            continue;
        }
        match (value(field, field.name, values, ids), &field.form) {
            (Some(value), _) => drop(request.insert(field.wire.to_owned(), value)),
            (None, _) if !field.cleared_by.is_empty() => drop(request.insert(field.cleared_by.to_owned(), json!(true))),
            (None, Form::Reference(_)) => drop(request.insert(field.wire.to_owned(), json!(""))),
            (None, Form::Table(_)) => drop(request.insert(field.wire.to_owned(), json!({}))),
            (None, _) => {}
        }
    }
    request.extend(with_secrets(kind, secrets));
    if !kind.calls.id.is_empty() {
        request.insert(kind.calls.id.to_owned(), json!(seen.id));
    }
    request.insert("expectedVersion".to_owned(), json!(seen.version.to_string()));
    Value::Object(request)
}

fn message(fields: &[Field], path: &str, values: &Values, ids: &Ids) -> Map<String, Value> {
    let given = fields.iter().filter(|field| !field.wire.is_empty());
    let given = given.filter_map(|field| Some((field, value(field, &below(path, field.name), values, ids)?)));
    given.map(|(field, value)| (field.wire.to_owned(), value)).collect()
}

/// The value of a field; nothing if the record has none.
fn value(field: &Field, path: &str, values: &Values, ids: &Ids) -> Option<Value> {
    match &field.form {
        Form::Table(fields) => {
            let found = message(fields, path, values, ids);
            (!found.is_empty()).then_some(Value::Object(found))
        }
        Form::Entries => {
            let prefix = format!("{path}.");
            let entry =
                |(path, value): (&String, &Value)| Some(json!({ "name": path.strip_prefix(&prefix)?, "value": value }));
            let entries: Vec<Value> = values.iter().filter_map(entry).collect();
            (!entries.is_empty()).then_some(Value::Array(entries))
        }
        Form::Reference(section) => {
            let name = values.get(path)?.as_str()?.to_owned();
            ids.get(&(*section, name)).map(|id| json!(id))
        }
        Form::Secrets => None,
        form @ (Form::Text { .. }
        | Form::Digits
        | Form::Amount { .. }
        | Form::Whole { .. }
        | Form::Decimal
        | Form::Choice { .. }
        | Form::Moment
        | Form::Flag
        | Form::List { .. }) => values.get(path).map(|value| values::to_wire(form, value)),
    }
}

/// Credentials are a list by the names of the driver, secrets of an account a message.
fn with_secrets(kind: &Kind, secrets: &Secrets) -> Option<(String, Value)> {
    let field = kind.fields.iter().find(|field| matches!(field.form, Form::Secrets))?;
    let prefix = format!("{}.", field.name);
    let named: Vec<(&str, &String)> =
        secrets.iter().filter_map(|(path, secret)| Some((path.strip_prefix(&prefix)?, secret))).collect();
    let value = match kind.section {
        "providers" => named.iter().map(|(name, secret)| json!({ "name": name, "secret": secret })).collect(),
        _ => Value::Object(named.iter().map(|(name, secret)| (camel(name), json!(secret))).collect()),
    };
    (!named.is_empty()).then(|| (field.wire.to_owned(), value))
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |joined, part| {
        let (head, tail) = part.split_at(part.chars().next().map_or(0, char::len_utf8));
        joined + &head.to_ascii_uppercase() + tail
    })
}

#[cfg(test)]
mod tests {
    use super::super::kinds::kind;
    use super::*;

    fn values(given: &Value) -> Values {
        given.as_object().unwrap().iter().map(|(path, value)| (path.clone(), value.clone())).collect()
    }

    fn seen() -> Seen {
        Seen {
            id: "c1".to_owned(),
            version: 4,
            values: Values::new(),
            status: "ACTIVE".to_owned(),
            is_over: false,
            has_secrets: false,
        }
    }

    fn change(path: &str) -> Change {
        Change { path: path.to_owned(), old: None, new: None }
    }

    #[test]
    fn a_contract_is_created_with_ids_for_names_and_without_its_state() {
        let ids = Ids::from([(("pools", "Main".to_owned()), "p1".to_owned())]);
        let given = json!({
            "name": "AKs", "approval": "dry_run", "pool": "Main", "state": "active", "buying.target_quantity": 3,
            "buying.budget": "45.00", "ends_at": "2026-12-31T00:00:00Z",
        });
        let request = create(kind("contracts").unwrap(), &values(&given), &Secrets::new(), &ids);
        assert_eq!(
            request,
            json!({
                "name": "AKs", "approvalMode": "APPROVAL_MODE_DRY_RUN", "poolId": "p1", "endsAt": "2026-12-31T00:00:00Z",
                "buying": { "targetQuantity": 3, "budgetCents": "4500" },
            })
        );
    }

    #[test]
    fn a_change_sends_changed_fields_as_a_whole_and_removes_what_the_file_lacks() {
        let contracts = kind("contracts").unwrap();
        let given = values(&json!({ "name": "AKs", "buying.target_quantity": 3, "buying.budget": "45.00" }));
        let paths = ["buying.budget", "marketplaces", "filter_set", "ends_at"].map(change);
        let request = update(contracts, &seen(), (&given, &Secrets::new()), &paths, &Ids::new());
        assert_eq!(
            request,
            json!({
                "contractId": "c1", "expectedVersion": "4", "buying": { "targetQuantity": 3, "budgetCents": "4500" },
                "everyMarketplace": true, "filterSetId": "", "neverEnds": true,
            })
        );
    }

    #[test]
    fn a_price_override_is_set_as_a_whole_and_has_no_id() {
        let given =
            values(&json!({ "market_hash_name": "Gallery Case", "app_id": 730, "price": "5.00", "reason": "sale" }));
        let paths = [change("price")];
        let request = update(kind("price_overrides").unwrap(), &seen(), (&given, &Secrets::new()), &paths, &Ids::new());
        assert_eq!(
            request,
            json!({
                "marketHashName": "Gallery Case", "appId": 730, "priceCents": "500", "reason": "sale", "expectedVersion": "4",
            })
        );
    }

    #[test]
    fn secrets_have_the_form_of_their_message() {
        let account = Secrets::from([("secrets.shared_secret".to_owned(), "s".to_owned())]);
        let request = create(kind("accounts").unwrap(), &Values::new(), &account, &Ids::new());
        assert_eq!(request, json!({ "secrets": { "sharedSecret": "s" } }));
        let provider = Secrets::from([("credentials.api_key".to_owned(), "k".to_owned())]);
        let given = values(&json!({ "settings.url": "https://example.com" }));
        let request = create(kind("providers").unwrap(), &given, &provider, &Ids::new());
        assert_eq!(
            request,
            json!({
                "settings": [{ "name": "url", "value": "https://example.com" }],
                "credentials": [{ "name": "api_key", "secret": "k" }],
            })
        );
    }
}
