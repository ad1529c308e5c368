//! Performs the actions of the tables: the request of the flags, the call, and what is shown of the response.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::names::unknown;
use super::records::column::Column;
use super::records::command::{Given, put};
use super::records::flag::Kind;
use super::records::ledger::{ENTRIES, LEGS};
use super::records::{Records, Shows, USERS, tables};
use super::view::{self, REASONS};
use super::{Client, Page, confirmation, desk, risks, sentences};
use crate::failure::{Exit, Failure, Outcome};
use crate::output_format;

impl Client {
    /// Does what an action of a table asks.
    pub(super) async fn perform(&self, given: &Given) -> Outcome {
        self.try_perform(given).await.map_err(|failure| advised(failure, given))
    }

    async fn try_perform(&self, given: &Given) -> Outcome {
        let request = self.request(given).await?;
        let operation = given.action.operation;
        match &given.action.shows {
            Shows::List(records) => return self.list(records, request, given.limit).await,
            Shows::Pages(field, columns) => {
                let page = self.pages(operation, request, field, given.limit).await?;
                self.show(columns, &page.found, &json!({ *field: page.found })).await?;
                self.note_more(&page);
                return Ok(());
            }
            Shows::Legs => return self.legs(request, given.limit).await,
            Shows::Edited(records, merged) => return self.edit(given, request, (*records, *merged)).await,
            Shows::Asked(section) => return self.new_record(section, request["write"].as_str().map(Path::new)).await,
            Shows::Rows(..)
            | Shows::Check(_)
            | Shows::Two(_)
            | Shows::Whole(_)
            | Shows::Evaluation
            | Shows::Risks
            | Shows::One(_)
            | Shows::Done(_)
            | Shows::Secret(_)
            | Shows::Verdict(..)
            | Shows::Laws(_) => {}
        }
        if given.action.is_final() {
            confirmation::ask(given)?;
        }
        let answer = self.ask(operation, request).await?;
        self.show_answer(given, &answer).await
    }

    /// Shows the response of an action that makes one call.
    async fn show_answer(&self, given: &Given, answer: &Value) -> Outcome {
        match &given.action.shows {
            Shows::Rows(field, columns) => self.show(columns, view::many(answer, field), answer).await,
            Shows::Check(code) => {
                let check = view::many(answer, "checks").iter().find(|check| check["code"] == *code);
                let unchecked = || "the test of this provider does not check it".to_owned();
                let detail = check.map_or_else(unchecked, |check| view::plain(&check["detail"]));
                output_format::say(self.output, &detail.replace("; ", "\n"), answer);
                Ok(())
            }
            Shows::Two(parts) => self.two(parts, answer).await,
            Shows::Whole(field) => {
                let record = if field.is_empty() { answer } else { &answer[*field] };
                view::whole(self.output, record, answer, &self.names_of(record).await?);
                Ok(())
            }
            Shows::Evaluation => {
                let evaluation = &answer["evaluation"];
                if self.output.is_for_people() {
                    output_format::line(&sentences::verdict(evaluation));
                }
                view::print(self.output, &REASONS, &sentences::reasons(self.output, evaluation), answer);
                Ok(())
            }
            Shows::Risks => {
                output_format::say(self.output, &risks::shown(answer), answer);
                Ok(())
            }
            Shows::One(records) => self.show_one(records, answer).await,
            Shows::Done(sentence) => {
                let subject = given.subject();
                output_format::say(self.output, &format!("{sentence} {subject:?}"), answer);
                Ok(())
            }
            Shows::Secret(field) => {
                if self.output.is_for_people() {
                    anstream::eprintln!("The key is not shown again:");
                }
                output_format::say(self.output, &view::plain(&answer[*field]), answer);
                Ok(())
            }
            Shows::Verdict(intact, broken_at) => self.verdict(intact, &answer[*broken_at], answer),
            Shows::Laws(all_hold) => self.laws(all_hold, answer),
            Shows::List(_) | Shows::Pages(..) | Shows::Legs | Shows::Edited(..) | Shows::Asked(_) => Ok(()),
        }
    }

    /// The request of the flags, with ids where names were given.
    async fn request(&self, given: &Given) -> Outcome<Value> {
        let mut request = given.request();
        for (flag, value) in &given.fields {
            let resolved = match (flag.kind, value) {
                (Kind::Of(records), Value::String(name)) => json!(self.id_of(records, name).await?),
                (Kind::Of(records), Value::Array(names)) => {
                    let mut ids = Vec::new();
                    for name in names {
                        ids.push(self.id_of(records, &view::plain(name)).await?);
                    }
                    json!(ids)
                }
                (Kind::PartOf(records, part), Value::String(name)) => self.part_of(records, name, part).await?,
                (Kind::NameOf(records), Value::String(name)) => json!(self.name_of(records, name).await?),
                (Kind::Member, Value::String(name)) => json!(self.user_of(name).await?),
                (Kind::Membership, Value::String(name)) => json!(self.membership_of(name).await?),
                _ => continue,
            };
            put(&mut request, &flag.path(), resolved);
        }
        Ok(request)
    }

    /// A field of a record that is given by its id or its name.
    async fn part_of(&self, records: &Records, name: &str, part: &str) -> Outcome<Value> {
        let id = self.id_of(records, name).await?;
        let found = self.get(records, vec![json!(id)]).await?;
        let record = found.first().ok_or_else(|| unknown(records, name, std::iter::empty()))?;
        Ok(record[part].clone())
    }

    /// Lists records: their ids page by page, then what is behind the ids.
    pub(super) async fn list(&self, records: &Records, filter: Value, limit: u32) -> Outcome {
        let page = self.pages(records.list, filter, records.ids, limit).await?;
        let found = self.get(records, page.found.clone()).await?;
        let rows = self.with_added(records, found.clone()).await?;
        self.show(records.columns, &rows, &json!({ records.found: found })).await?;
        self.note_more(&page);
        Ok(())
    }

    /// Reports that a list was longer.
    fn note_more(&self, page: &Page) {
        if self.output.is_for_people() && page.has_more {
            anstream::eprintln!("These are the newest {}; --limit shows more.", page.found.len());
        }
    }

    async fn show(&self, columns: &[Column], records: &[Value], whole: &Value) -> Outcome {
        let names = self.names_in(columns, records).await?;
        view::sheet(self.output, columns, records, &names).print(self.output, whole);
        Ok(())
    }

    async fn show_one(&self, records: &Records, answer: &Value) -> Outcome {
        let rows = self.with_added(records, vec![answer[records.one].clone()]).await?;
        self.show(records.columns, &rows, answer).await
    }

    /// The records with what their columns need of another read.
    async fn with_added(&self, records: &Records, mut found: Vec<Value>) -> Outcome<Vec<Value>> {
        let Some((operation, field)) = records.added.filter(|_| !is_raw(self.output)) else { return Ok(found) };
        for record in &mut found {
            let answer = self.ask(operation, json!({ records.id_field(): record["id"] })).await?;
            record[field] = answer[field].clone();
        }
        Ok(found)
    }

    /// Shows a row for each leg of the entries of the ledger.
    async fn legs(&self, filter: Value, limit: u32) -> Outcome {
        let account = filter["account"].clone();
        let page = self.pages(ENTRIES.list, filter, ENTRIES.ids, limit).await?;
        let entries = self.get(&ENTRIES, page.found.clone()).await?;
        let is_asked = |leg: &&Value| account.is_null() || leg["account"] == account;
        let legs = entries.iter().flat_map(|entry| {
            let of_entry = view::many(entry, "legs").iter().filter(is_asked);
            of_entry.map(|leg| {
                let mut row = entry.clone();
                row["leg"] = leg.clone();
                row
            })
        });
        let legs: Vec<Value> = legs.collect();
        self.show(LEGS, &legs, &json!({ ENTRIES.found: entries })).await?;
        self.note_more(&page);
        Ok(())
    }

    /// Shows two lists of a response, each below its title.
    async fn two(&self, parts: &[(&str, &str, &'static [Column]); 2], answer: &Value) -> Outcome {
        if is_raw(self.output) {
            output_format::Sheet::default().print(self.output, answer);
            return Ok(());
        }
        for (at, (title, field, columns)) in parts.iter().enumerate() {
            let records = view::many(answer, field);
            if at > 0 {
                output_format::line("");
            }
            if self.output.is_for_people() {
                let none = if records.is_empty() { ": none" } else { "" };
                output_format::line(&format!("{title}{none}"));
            }
            if !records.is_empty() {
                self.show(columns, records, answer).await?;
            }
        }
        Ok(())
    }

    /// Changes a record: what flags do not name stays, also within the parts that the interface replaces as a whole.
    async fn edit(&self, given: &Given, mut request: Value, of: (&Records, &[&str])) -> Outcome {
        let (records, merged) = of;
        if given.fields.len() < 2 {
            if desk::asks_for_changes(records.one) {
                return self.change_record(records.one, &request[records.id_field()]).await;
            }
            return Err(Failure::new(Exit::Usage, "nothing to change")
                .with_try(format!("name what changes; the flags: {} --help", command_of(given))));
        }
        let current = self.get(records, vec![request[records.id_field()].clone()]).await?;
        // The server reports a record that does not exist.
        if let Some(current) = current.first() {
            for part in merged.iter().filter(|part| request[**part].is_object()).copied().collect::<Vec<_>>() {
                let mut whole = current[part].clone();
                merge(&mut whole, &request[part]);
                request[part] = whole;
            }
            request["expectedVersion"] = current["version"].clone();
        }
        let answer = self.ask(given.action.operation, request).await?;
        self.show_one(records, &answer).await
    }

    /// Reports whether a check passed.
    fn verdict(&self, intact: &str, broken_at: &Value, answer: &Value) -> Outcome {
        if answer["ok"] != true {
            return Err(Failure::new(Exit::Failed, "the check failed")
                .because(format!("the first wrong entry has the number {}", view::plain(broken_at))));
        }
        let head = view::plain(&answer["head"]["sequence"]);
        output_format::say(self.output, &format!("{intact}: {head} events"), answer);
        Ok(())
    }

    /// Reports whether laws hold, or each that is broken.
    fn laws(&self, all_hold: &str, answer: &Value) -> Outcome {
        if answer["valid"] != true {
            let broken = |law: &Value| {
                let (step, what) = (view::plain(&law["step"]), view::plain(&law["description"]));
                format!("step {step}: {what}")
            };
            let broken: Vec<String> = view::many(answer, "problems").iter().map(broken).collect();
            return Err(Failure::new(Exit::Failed, "the check failed").because(broken.join("\n  why: ")));
        }
        output_format::say(self.output, all_hold, answer);
        Ok(())
    }
}

fn is_raw(output: crate::cli::Output) -> bool {
    matches!(output, crate::cli::Output::Json | crate::cli::Output::Jsonl)
}

/// Puts changes over a record. A value that is cleared is removed.
fn merge(record: &mut Value, changes: &Value) {
    if !record.is_object() {
        *record = Value::Object(Map::new());
    }
    for (field, change) in changes.as_object().into_iter().flatten() {
        let is_cleared = change.is_null() || change.as_array().is_some_and(|values| values.iter().any(Value::is_null));
        if is_cleared {
            if let Some(fields) = record.as_object_mut() {
                fields.remove(field);
            }
        } else if change.is_object() {
            merge(&mut record[field.as_str()], change);
        } else {
            record[field.as_str()] = change.clone();
        }
    }
}

fn command_of(given: &Given) -> String {
    given
        .action
        .help
        .lines()
        .nth(1)
        .map_or_else(String::new, |line| line.trim().split(' ').take(3).collect::<Vec<_>>().join(" "))
}

/// The command that shows the record that an action is about.
fn shown_by(given: &Given) -> Option<String> {
    let command = command_of(given);
    let group = command.split(' ').nth(1)?;
    let mut actions = tables().filter(|known| known.name == group).flat_map(|known| known.actions);
    let has_show = actions.any(|action| action.name == "show");
    has_show.then(|| format!("tradepost {group} show {:?}", given.subject()))
}

/// The command that lists the records that a value of a kind names.
fn listed_by(kind: Kind) -> Option<&'static str> {
    if let Kind::Of(records) | Kind::PartOf(records, _) | Kind::NameOf(records) = kind {
        return Some(records.listed_by);
    }
    matches!(kind, Kind::Member | Kind::Membership).then_some(USERS.listed_by)
}

/// A failure with what to do about it: the flag whose value was rejected, or the list with the records that exist.
fn advised(failure: Failure, given: &Given) -> Failure {
    if failure.has_reason("NOT_FOUND") {
        return match given.fields.iter().find_map(|(flag, _)| listed_by(flag.kind)) {
            Some(listed_by) => failure.with_try(listed_by),
            None => failure,
        };
    }
    if failure.has_reason("ILLEGAL_STEP") || failure.has_reason("ITEM_LOCKED") {
        return match shown_by(given) {
            Some(shown_by) => failure.with_try(format!("see its status: {shown_by}")),
            None => failure,
        };
    }
    if failure.has_reason("INVALID_FIELD") {
        let why = failure.in_short();
        let named = given.action.flags.iter().filter(|flag| !flag.field.is_empty() && why.contains(flag.field));
        // The name of one field may begin with that of another: `platform`, `platformUserId`.
        let longest = named.max_by_key(|flag| flag.field.len());
        if let Some(flag) = longest.filter(|flag| !flag.is_argument()) {
            return failure.with_try(format!("correct --{}", flag.name));
        }
        return failure.with_try(format!("correct what is given: {} --help", command_of(given)));
    }
    failure
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_replace_values_and_cleared_ones_are_removed() {
        let mut terms = json!({ "budgetCents": "100", "cooldownSeconds": 60, "exclude": { "weapons": ["AK-47"] } });
        merge(&mut terms, &json!({ "budgetCents": "200", "cooldownSeconds": null, "exclude": { "weapons": [null] } }));
        assert_eq!(terms, json!({ "budgetCents": "200", "exclude": {} }));
    }
}
