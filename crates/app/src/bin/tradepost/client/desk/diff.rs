//! A plan as readers and programs see it.

use serde_json::{Value, json};

use super::plan::{Action, Plan, Planned};
use super::values;
use crate::cli::Output;
use crate::output_format;

const HEADINGS: [&str; 6] = ["action", "section", "record", "field", "old", "new"];

/// Prints a plan.
pub(super) fn print(output: Output, plan: &Plan, is_applied: bool) {
    if output == Output::Json {
        output_format::line(&json(plan, is_applied).to_string());
    } else if output == Output::Csv {
        output_format::print(output, &HEADINGS, rows(plan), &Value::Null);
    } else {
        output_format::line(&table(plan));
    }
}

/// Whether the output is for reading, so that it can be printed bit by bit.
pub(super) fn is_for_reading(output: Output) -> bool {
    output != Output::Json && output != Output::Csv
}

/// The counts of a plan, such as `2 to create, 1 to change, 3 unchanged`.
pub(super) fn counts(plan: &Plan) -> String {
    let [create, change, keep] = [Action::Create, Action::Change, Action::Keep].map(|action| plan.count(action));
    format!("{create} to create, {change} to change, {keep} unchanged")
}

fn work(plan: &Plan) -> impl Iterator<Item = &Planned> {
    plan.records.iter().filter(|planned| planned.action() != Action::Keep)
}

fn table(plan: &Plan) -> String {
    let mut lines: Vec<String> = plan.records.iter().flat_map(lines_of).collect();
    lines.push(counts(plan));
    lines.join("\n")
}

fn lines_of(planned: &Planned) -> Vec<String> {
    let sign = match planned.action() {
        Action::Create => '+',
        Action::Change => '~',
        Action::Keep => return planned.note.iter().map(|note| format!("= {}: {note}", planned.title())).collect(),
    };
    let is_identity = |path: &str| planned.wanted.kind.identity.contains(&path);
    let changed = planned.changes.iter().filter(|change| !is_identity(&change.path)).map(|change| {
        let [old, new] = [&change.old, &change.new].map(|value| values::shown(value.as_ref()));
        let value = if planned.seen.is_none() { new } else { format!("{old} -> {new}") };
        format!("    {}: {value}", change.path)
    });
    let secrets = planned.sends_secrets.then(|| "    secrets: sent".to_owned());
    std::iter::once(format!("{sign} {}", planned.title())).chain(changed).chain(secrets).collect()
}

/// What distinguishes the record, as one text.
fn name_of(planned: &Planned) -> String {
    let identity = planned.wanted.kind.identity_of(&planned.wanted.values);
    identity.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn json(plan: &Plan, is_applied: bool) -> Value {
    let record = |planned: &Planned| {
        let changes = planned.changes.iter();
        let changes: Vec<Value> =
            changes.map(|change| json!({ "field": change.path, "old": change.old, "new": change.new })).collect();
        json!({
            "action": planned.action().as_str(),
            "section": planned.wanted.kind.section,
            "record": name_of(planned),
            "changes": changes,
            "sendsSecrets": planned.sends_secrets,
        })
    };
    json!({
        "applied": is_applied,
        "records": work(plan).map(record).collect::<Vec<_>>(),
        "unchanged": plan.count(Action::Keep),
    })
}

fn rows(plan: &Plan) -> Vec<Vec<String>> {
    let of_record = |planned: &Planned| {
        let kind = planned.wanted.kind;
        let record = name_of(planned);
        let action = planned.action().as_str();
        let cell = |value: &Option<Value>| value.as_ref().map(|value| values::shown(Some(value))).unwrap_or_default();
        let row = |field: &str, old: String, new: String| {
            vec![action.to_owned(), kind.section.to_owned(), record.clone(), field.to_owned(), old, new]
        };
        let mut rows: Vec<Vec<String>> =
            planned.changes.iter().map(|change| row(&change.path, cell(&change.old), cell(&change.new))).collect();
        rows.extend(planned.sends_secrets.then(|| row("secrets", String::new(), "sent".to_owned())));
        rows
    };
    work(plan).flat_map(of_record).collect()
}
