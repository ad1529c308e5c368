//! Names of records: finds the id behind a name, and the names behind ids.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::names_by_id::Names;
use super::records::column::{Column, Form};
use super::records::{Records, USERS, alerts::CHANNELS, contracts::CONTRACTS, members::MEMBERSHIPS, pools::POOLS};
use super::{Client, PAGE, enum_names, ids, view};
use crate::failure::{Exit, Failure, Outcome};

/// Candidates that an error message lists.
const LISTED: usize = 5;

impl Client {
    /// The id of a record that is given by its id or its name.
    pub(super) async fn id_of(&self, records: &Records, given: &str) -> Outcome<String> {
        if let Some(id) = ids::to_wire(given) {
            return Ok(id);
        }
        let Some(field) = records.name else {
            return Err(Failure::new(
                Exit::Usage,
                format!("{given:?} is not the id of {}", with_article(records.noun)),
            )
            .because("an id is UUID text, or base64 of 16 bytes")
            .with_try(records.listed_by));
        };
        let all = self.all(records).await?;
        let named = |accepts: &dyn Fn(&str) -> bool| -> Vec<&Value> {
            all.iter().filter(|record| record[field].as_str().is_some_and(accepts)).collect()
        };
        let exact = named(&|name| name == given);
        let found = if exact.is_empty() { named(&|name| name.eq_ignore_ascii_case(given)) } else { exact };
        match found.as_slice() {
            [one] => Ok(view::plain(&one["id"])),
            [] => Err(unknown(records, given, all.iter().filter_map(|record| record[field].as_str()))),
            several => Err(ambiguous(records, given, several)),
        }
    }

    /// The name of a record that is given by its id or its name.
    pub(super) async fn name_of(&self, records: &Records, given: &str) -> Outcome<String> {
        let (Some(id), Some(field)) = (ids::to_wire(given), records.name) else { return Ok(given.to_owned()) };
        let found = self.get(records, vec![json!(id)]).await?;
        let record = found.first().ok_or_else(|| unknown(records, given, std::iter::empty()))?;
        Ok(view::plain(&record[field]))
    }

    /// The user id of a member that is given by it or by name.
    pub(super) async fn user_of(&self, given: &str) -> Outcome<String> {
        if let Some(id) = ids::to_wire(given) {
            return Ok(id);
        }
        let users = self.users_of(&self.all(&MEMBERSHIPS).await?).await?;
        let named: Vec<&Value> =
            users.iter().filter(|user| user["displayName"].as_str().is_some_and(|name| name == given)).collect();
        match named.as_slice() {
            [one] => Ok(view::plain(&one["id"])),
            [] => Err(unknown(&USERS, given, users.iter().filter_map(|user| user["displayName"].as_str()))),
            several => Err(ambiguous(&USERS, given, several)),
        }
    }

    /// The users of memberships, as far as the caller sees who they are.
    pub(super) async fn users_of(&self, members: &[Value]) -> Outcome<Vec<Value>> {
        let ids: BTreeSet<String> = members.iter().map(|member| view::plain(&member["userId"])).collect();
        self.get(&USERS, ids.into_iter().filter(|id| !id.is_empty()).map(Value::from).collect()).await
    }

    /// Every record of a kind.
    pub(super) async fn all(&self, records: &Records) -> Outcome<Vec<Value>> {
        if records.get.is_empty() {
            let answer = self.ask(records.list, json!({})).await?;
            return Ok(view::many(&answer, records.found).to_vec());
        }
        let mut ids = self.pages(records.list, json!({}), records.ids, u32::MAX).await?.found;
        // The channels of the caller are in a list of their own, which not every key may read.
        if records.list == CHANNELS.list {
            match self.pages(records.list, json!({ "own": true }), records.ids, u32::MAX).await {
                Ok(own) => ids.extend(own.found),
                Err(failure) if failure.is(Exit::Denied) => {}
                Err(failure) => return Err(failure),
            }
        }
        self.get(records, ids).await
    }

    /// The records behind ids.
    pub(super) async fn get(&self, records: &Records, ids: Vec<Value>) -> Outcome<Vec<Value>> {
        self.get_many(records.get, records.ids, records.found, &ids).await
    }

    /// What an operation returns for ids, in as many calls as that takes.
    pub(super) async fn get_many(
        &self,
        operation: &str,
        field: &str,
        found_in: &str,
        ids: &[Value],
    ) -> Outcome<Vec<Value>> {
        let mut found = Vec::new();
        for ids in ids.chunks(PAGE as usize) {
            let answer = self.ask(operation, json!({ field: ids })).await?;
            found.extend_from_slice(view::many(&answer, found_in));
        }
        Ok(found)
    }

    /// The names of the records that columns name.
    pub(super) async fn names_in(&self, columns: &[Column], records: &[Value]) -> Outcome<Names> {
        let mut names = Names::default();
        for column in columns.iter().filter(|column| view::is_shown(self.output, column)) {
            if let Form::Named(of) = column.form {
                let ids = records.iter().flat_map(|record| ids_in(&view::find(record, column.field))).collect();
                self.name(of, ids, &mut names).await?;
            }
        }
        Ok(names)
    }

    /// The names of the records that a whole record names.
    pub(super) async fn names_of(&self, record: &Value) -> Outcome<Names> {
        let mut names = Names::default();
        for (field, of) in REFERENCES {
            self.name(of, ids_in(&record[field]).into_iter().collect(), &mut names).await?;
        }
        Ok(names)
    }

    /// The names of the keys that profit and loss is grouped by.
    pub(super) async fn names_of_groups(&self, by: &str, rows: &[Value]) -> Outcome<Names> {
        let mut names = Names::default();
        let of = match by {
            "contract" | "selling_contract" => &CONTRACTS,
            "pool" => &POOLS,
            _ => return Ok(names),
        };
        self.name(of, rows.iter().flat_map(|row| ids_in(&row["key"])).collect(), &mut names).await?;
        Ok(names)
    }

    async fn name(&self, of: &'static Records, ids: BTreeSet<String>, names: &mut Names) -> Outcome {
        let (Some(field), false) = (of.name, ids.is_empty()) else { return Ok(()) };
        let unknown: Vec<Value> = ids.into_iter().filter(|id| !names.has(id)).map(Value::from).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let read = if of.get.is_empty() { self.all(of).await } else { self.get(of, unknown).await };
        match read {
            Ok(found) => {
                let found = found.iter().map(|record| (view::plain(&record["id"]), view::plain(&record[field])));
                names.add(found);
                Ok(())
            }
            // A key without the right to read names sees ids.
            Err(failure) if failure.is(Exit::Denied) => Ok(()),
            Err(failure) => Err(failure),
        }
    }
}

/// The fields of records that name others, and the kind of these.
static REFERENCES: [(&str, &Records); 9] = [
    ("contractId", &CONTRACTS),
    ("sellingContractId", &CONTRACTS),
    ("poolId", &POOLS),
    ("filterSetId", &super::records::filter_sets::FILTER_SETS),
    ("accountId", &super::records::accounts::ACCOUNTS),
    ("accountIds", &super::records::accounts::ACCOUNTS),
    ("channelId", &CHANNELS),
    ("userId", &USERS),
    ("assigneeId", &USERS),
];

fn ids_in(value: &Value) -> BTreeSet<String> {
    let is_id = |text: &String| ids::to_text(text).is_some();
    match value {
        Value::Array(values) => values.iter().map(view::plain).filter(is_id).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            std::iter::once(view::plain(value)).filter(is_id).collect()
        }
    }
}

fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

pub(super) fn unknown<'a>(records: &Records, given: &str, names: impl Iterator<Item = &'a str>) -> Failure {
    let failure = Failure::new(Exit::Failed, format!("there is no {} {given:?}", records.noun));
    let alike = names
        .map(|name| (strsim::jaro_winkler(&given.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(one, _), (other, _)| one.total_cmp(other));
    let failure = match alike {
        Some((_, name)) => failure.with_try(format!("did you mean {name:?}?")),
        None => failure,
    };
    failure.with_try(records.listed_by)
}

pub(super) fn ambiguous(records: &Records, given: &str, several: &[&Value]) -> Failure {
    let failure = Failure::new(Exit::Failed, format!("there are {} {}s named {given:?}", several.len(), records.noun));
    let failure = failure.because("a name that several have does not say which is meant");
    several.iter().take(LISTED).fold(failure, |failure, record| {
        let id = view::plain(&record["id"]);
        let status = enum_names::words(&view::plain(&record["status"]));
        failure.with_try(format!("{} {status}", ids::to_text(&id).unwrap_or(id)).trim_end().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_has_the_article_of_its_sound() {
        assert_eq!(["item", "pool"].map(with_article), ["an item", "a pool"]);
    }
}
