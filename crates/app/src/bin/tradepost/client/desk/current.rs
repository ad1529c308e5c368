//! The records of a workspace as a desk file would describe them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::document::{Wanted, below};
use super::fields::{Field, Form, Life};
use super::kinds::{CONTRACTS, Kind};
use super::values::{self, Values};

/// A record of the workspace.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seen {
    pub(super) id: String,
    pub(super) version: i64,
    pub(super) values: Values,
    /// Its status in the interface, without what all names begin with; empty for kinds without one.
    pub(super) status: String,
    /// Whether it has ended, and can never change.
    pub(super) is_over: bool,
    pub(super) has_secrets: bool,
}

impl Seen {
    /// Whether a field of this record cannot change. The pool and the beginning of a contract change in a draft only.
    pub(super) fn has_fixed(&self, kind: &Kind, field: &Field) -> bool {
        let is_of_draft = kind.section == CONTRACTS.section && ["pool", "starts_at"].contains(&field.name);
        field.life == Life::Fixed || (is_of_draft && self.status != "DRAFT")
    }
}

/// Records by section, and their names by section and id.
#[derive(Default)]
pub(super) struct Current {
    records: BTreeMap<&'static str, Vec<Seen>>,
    names: BTreeMap<(&'static str, String), String>,
}

/// What of the workspace an identity matches.
pub(super) enum Match<'a> {
    Nothing,
    One(&'a Seen),
    Several(usize),
}

impl Current {
    /// Adds the records of a section. The sections that they refer to come before.
    pub(super) fn add(&mut self, kind: &'static Kind, records: &[Value]) {
        let seen: Vec<Seen> = records.iter().map(|record| self.read(kind, record)).collect();
        for seen in &seen {
            let name = seen.values.get("name").map(|name| values::shown(Some(name))).unwrap_or_default();
            self.names.insert((kind.section, seen.id.clone()), name);
        }
        self.records.insert(kind.section, seen);
    }

    /// Finds a record. One that has ended counts only without a live one; the newest of them does.
    pub(super) fn find(&self, kind: &Kind, identity: &[String]) -> Match<'_> {
        let records = self.records.get(kind.section).map_or(&[][..], Vec::as_slice);
        let found: Vec<&Seen> = records.iter().filter(|seen| kind.identity_of(&seen.values) == identity).collect();
        let live: Vec<&Seen> = found.iter().copied().filter(|seen| !seen.is_over).collect();
        match (live.as_slice(), found.as_slice()) {
            ([one], _) | ([], [one, ..]) => Match::One(one),
            ([], []) => Match::Nothing,
            (several, _) => Match::Several(several.len()),
        }
    }

    /// The record with this id.
    pub(super) fn by_id(&self, kind: &Kind, id: &str) -> Option<&Seen> {
        self.records.get(kind.section)?.iter().find(|seen| seen.id == id)
    }

    /// The ids of live records by section and name.
    pub(super) fn ids(&self) -> BTreeMap<(&'static str, String), String> {
        let live = self.records.iter().flat_map(|(section, seen)| seen.iter().map(move |seen| (*section, seen)));
        let named = live.filter(|(_, seen)| !seen.is_over).filter_map(|(section, seen)| {
            Some(((section, values::shown(Some(seen.values.get("name")?))), seen.id.clone()))
        });
        named.collect()
    }

    /// Whether the records of a section were read.
    pub(super) fn has(&self, section: &str) -> bool {
        self.records.contains_key(section)
    }

    /// The names of live records of a section.
    pub(super) fn names_in(&self, section: &str) -> Vec<String> {
        let live = self.records.get(section).into_iter().flatten().filter(|seen| !seen.is_over);
        live.filter_map(|seen| seen.values.get("name")).map(|name| values::shown(Some(name))).collect()
    }

    /// The same, and the names that a file has there.
    pub(super) fn names_with(&self, file: &[Wanted], section: &str) -> Vec<String> {
        let described = file.iter().filter(|wanted| wanted.kind.section == section);
        let described = described.filter_map(|wanted| wanted.values.get("name")).map(|name| values::shown(Some(name)));
        self.names_in(section).into_iter().chain(described).collect()
    }

    /// Reads a record of an answer.
    pub(super) fn read(&self, kind: &Kind, record: &Value) -> Seen {
        let mut found = Values::new();
        // The variant of a price override is a message of its own in answers, and not in requests.
        let variant = record.get("variant");
        for field in kind.fields {
            let wire = record.get(field.wire).or_else(|| variant?.get(field.wire)).unwrap_or(&Value::Null);
            self.field(&mut found, field, field.name, wire);
        }
        let (status, state) = state(kind, record);
        if let Some((field, state)) = state {
            found.insert(field.to_owned(), state);
        }
        let text = |field: &str| values::shown(record.get(field).or(Some(&json!(""))));
        Seen {
            id: text("id"),
            version: text("version").parse().unwrap_or_default(),
            values: found,
            is_over: is_over(&status),
            status,
            has_secrets: record["hasSecrets"] == true || record["hasCredentials"] == true,
        }
    }

    fn field(&self, found: &mut Values, field: &Field, path: &str, wire: &Value) {
        match &field.form {
            Form::Table(fields) if wire.is_object() => {
                for field in *fields {
                    self.field(found, field, &below(path, field.name), &wire[field.wire]);
                }
            }
            Form::Entries => {
                for entry in wire.as_array().into_iter().flatten() {
                    found.insert(below(path, &values::shown(entry.get("name"))), entry["value"].clone());
                }
            }
            Form::Reference(section) => {
                if let Some(id) = wire.as_str().filter(|id| !id.is_empty()) {
                    let name = self.names.iter().find(|((of, known), _)| of == section && known == id);
                    found.insert(path.to_owned(), json!(name.map_or(id, |(_, name)| name)));
                }
            }
            Form::Secrets | Form::Table(_) => {}
            form @ (Form::Text { .. }
            | Form::Digits
            | Form::Amount { .. }
            | Form::Whole { .. }
            | Form::Decimal
            | Form::Choice { .. }
            | Form::Moment
            | Form::Flag
            | Form::List { .. }) => {
                if let Some(value) = values::from_wire(form, wire) {
                    found.insert(path.to_owned(), value);
                }
            }
        }
    }
}

/// Its status, and the field of the file with its value.
fn state(kind: &Kind, record: &Value) -> (String, Option<(&'static str, Value)>) {
    let text = record["status"].as_str().unwrap_or_default();
    let prefixes = ["CONTRACT_STATUS_", "POOL_STATUS_", "ACCOUNT_STATUS_"];
    let status = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text).to_owned();
    let state = match (kind.section, status.as_str()) {
        ("pools" | "contracts", "ACTIVE") | ("contracts", "SUSPENDED") => Some(("state", json!("active"))),
        ("pools" | "contracts", "PAUSED") => Some(("state", json!("paused"))),
        ("contracts", "DRAFT") => Some(("state", json!("draft"))),
        ("accounts", status) => Some(("enabled", json!(status != "DISABLED"))),
        ("providers", _) => Some(("enabled", json!(record["enabled"] == true))),
        _ => None,
    };
    (status, state)
}

fn is_over(status: &str) -> bool {
    ["CLOSING", "COMPLETED", "CANCELLED", "EXPIRED", "ARCHIVED", "REMOVED"].contains(&status)
}

#[cfg(test)]
mod tests {
    use super::super::kinds::kind;
    use super::*;

    fn contract(id: &str, status: &str) -> Value {
        json!({
            "id": id, "name": "AKs", "version": "3", "status": format!("CONTRACT_STATUS_{status}"), "filterSetId": "",
            "poolId": "p1", "approvalMode": "APPROVAL_MODE_MANUAL", "marketplaces": ["b", "a"],
            "buying": { "targetQuantity": 3, "maxBuyPriceCents": "1500", "budgetCents": "4500" },
        })
    }

    #[test]
    fn a_record_is_read_as_a_file_would_describe_it() {
        let mut current = Current::default();
        current.add(kind("pools").unwrap(), &[json!({ "id": "p1", "name": "Main", "version": "9" })]);
        let seen = current.read(kind("contracts").unwrap(), &contract("c1", "SUSPENDED"));
        let expected = json!({
            "name": "AKs", "pool": "Main", "approval": "manual", "marketplaces": ["a", "b"], "state": "active",
            "buying.target_quantity": 3, "buying.max_buy_price": "15.00", "buying.budget": "45.00",
        });
        assert_eq!(serde_json::to_value(&seen.values).unwrap(), expected);
        assert_eq!((seen.id.as_str(), seen.version, seen.is_over), ("c1", 3, false));
    }

    #[test]
    fn a_record_that_ended_counts_only_without_another_of_its_name() {
        let contracts = kind("contracts").unwrap();
        let found = |statuses: &[(&str, &str)]| {
            let mut current = Current::default();
            let records: Vec<Value> = statuses.iter().map(|(id, status)| contract(id, status)).collect();
            current.add(contracts, &records);
            match current.find(contracts, &["AKs".to_owned()]) {
                Match::Nothing => "none".to_owned(),
                Match::One(seen) => seen.id.clone(),
                Match::Several(count) => count.to_string(),
            }
        };
        assert_eq!(found(&[("new", "COMPLETED"), ("old", "ACTIVE")]), "old");
        assert_eq!(found(&[("new", "COMPLETED"), ("old", "CANCELLED")]), "new");
        assert_eq!(found(&[("new", "DRAFT"), ("old", "ACTIVE")]), "2");
        assert_eq!(found(&[]), "none");
    }

    #[test]
    fn settings_and_variants_are_values_of_the_record() {
        let current = Current::default();
        let provider = json!({
            "kind": "PROVIDER_KIND_MARKETPLACE", "name": "m", "enabled": false, "hasCredentials": true,
            "settings": [{ "name": "url", "value": "https://example.com" }],
        });
        let seen = current.read(kind("providers").unwrap(), &provider);
        assert_eq!(seen.values["settings.url"], "https://example.com");
        assert_eq!((&seen.values["enabled"], seen.has_secrets), (&json!(false), true));
        let price =
            json!({ "variant": { "appId": 730, "marketHashName": "Gallery Case", "phase": "" }, "priceCents": "5" });
        let seen = current.read(kind("price_overrides").unwrap(), &price);
        assert_eq!(
            serde_json::to_value(&seen.values).unwrap(),
            json!({
                "app_id": 730, "market_hash_name": "Gallery Case", "price": "0.05",
            })
        );
    }
}
