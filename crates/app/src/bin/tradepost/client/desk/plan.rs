//! What has to be done so that the workspace is as a desk file describes it. A pure function of the file, the records and the time.

use std::collections::BTreeSet;

use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::activation;
use super::current::{Current, Match, Seen};
use super::document::{Mistake, Wanted, nearest};
use super::fields::{Field, Form, Life};
use super::kinds::{KINDS, Kind, kind};
use super::values::{self, Values};

/// What is to be done, in the order in which it is done.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) records: Vec<Planned>,
    /// What is accepted now, and rejected once a contract becomes active.
    pub(super) warnings: Vec<Mistake>,
}

/// What is to be done with a record.
pub(super) struct Planned {
    pub(super) wanted: Wanted,
    /// The record as it is; absent if it is to be created.
    pub(super) seen: Option<Seen>,
    pub(super) changes: Vec<Change>,
    /// The operations that change its status.
    pub(super) moves: Vec<&'static str>,
    pub(super) sends_secrets: bool,
    /// Why nothing is done about it, if there is a reason.
    pub(super) note: Option<&'static str>,
}

/// A field that is to change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    pub(super) path: String,
    pub(super) old: Option<Value>,
    pub(super) new: Option<Value>,
}

/// What happens to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Create,
    Change,
    Keep,
}

impl Action {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Change => "change",
            Self::Keep => "keep",
        }
    }
}

impl Planned {
    pub(super) fn action(&self) -> Action {
        let has_work = !self.changes.is_empty() || self.sends_secrets;
        match (&self.seen, self.note.is_none() && has_work) {
            (_, false) => Action::Keep,
            (None, true) => Action::Create,
            (Some(_), true) => Action::Change,
        }
    }

    pub(super) fn title(&self) -> String {
        self.wanted.kind.title(&self.wanted.values)
    }
}

impl Plan {
    pub(super) fn count(&self, action: Action) -> usize {
        self.records.iter().filter(|planned| planned.action() == action).count()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count(Action::Keep) == self.records.len()
    }
}

/// Compares the file with the workspace; or finds everything that no operation can do.
pub(super) fn plan(file: &[Wanted], current: &Current, now: OffsetDateTime) -> Result<Plan, Vec<Mistake>> {
    let (mut plan, mut mistakes) = (Plan::default(), Vec::new());
    for kind in KINDS {
        for wanted in file.iter().filter(|wanted| wanted.kind.section == kind.section) {
            mistakes.extend(unknown_references(wanted, file, current));
            match planned(wanted, current, now) {
                Ok(planned) => {
                    // What stays as it is, such as a contract that has ended, is activated by nothing.
                    if planned.action() != Action::Keep {
                        mistakes.extend(activation::mistakes(wanted, file, current));
                    }
                    if planned.seen.as_ref().is_none_or(|seen| !seen.is_over) {
                        plan.warnings.extend(activation::warnings(wanted, file, current));
                    }
                    plan.records.push(planned);
                }
                Err(what) => mistakes.push(Mistake { line: wanted.line, what, advice: None }),
            }
        }
    }
    if mistakes.is_empty() { Ok(plan) } else { Err(mistakes) }
}

fn planned(wanted: &Wanted, current: &Current, now: OffsetDateTime) -> Result<Planned, String> {
    let (kind, title) = (wanted.kind, wanted.kind.title(&wanted.values));
    let seen = match current.find(kind, &kind.identity_of(&wanted.values)) {
        Match::Nothing => None,
        Match::One(seen) => Some(seen),
        Match::Several(count) => {
            return Err(format!("{title}: the workspace has {count} of this name; rename all but one"));
        }
    };
    let mut changes = changes(wanted, seen);
    let moves = moves(wanted, seen).map_err(|why| format!("{title}: {why}"))?;
    if moves.is_empty() {
        changes.retain(|change| !is_status(kind, &change.path));
    }
    if let Some(seen) = seen {
        allowed(kind, seen, &changes).map_err(|why| format!("{title}: {why}"))?;
    }
    let has_expired = kind.section == "price_overrides" && has_passed(wanted.values.get("expires_at"), now);
    Ok(Planned {
        sends_secrets: !wanted.secrets.is_empty() && seen.is_none_or(|seen| !seen.has_secrets),
        note: (has_expired && !changes.is_empty()).then_some("expired, so it is left as it is"),
        wanted: wanted.clone(),
        seen: seen.cloned(),
        changes,
        moves,
    })
}

fn has_passed(moment: Option<&Value>, now: OffsetDateTime) -> bool {
    let moment = moment.and_then(Value::as_str).and_then(|text| OffsetDateTime::parse(text, &Rfc3339).ok());
    moment.is_some_and(|moment| moment <= now)
}

/// The field of the record that a path is in.
fn field<'a>(kind: &'a Kind, path: &str) -> Option<&'a Field> {
    let top = path.split('.').next().unwrap_or(path);
    kind.fields.iter().find(|field| field.name == top)
}

/// Whether a file has the field, or one below it.
fn is_described(values: &Values, field: &Field) -> bool {
    values.keys().any(|path| path.split('.').next() == Some(field.name))
}

fn is_status(kind: &Kind, path: &str) -> bool {
    field(kind, path).is_some_and(|field| field.life == Life::Status)
}

fn changes(wanted: &Wanted, seen: Option<&Seen>) -> Vec<Change> {
    let nothing = Values::new();
    let old = seen.map_or(&nothing, |seen| &seen.values);
    // In the order of the fields, so that a limit is next to its neighbours.
    let place = |path: &str| wanted.kind.fields.iter().position(|field| path.split('.').next() == Some(field.name));
    let mut paths: Vec<&String> = wanted.values.keys().chain(old.keys()).collect::<BTreeSet<_>>().into_iter().collect();
    paths.sort_by_key(|path| place(path));
    let different = paths.into_iter().filter(|path| {
        let kept = field(wanted.kind, path).filter(|field| matches!(field.life, Life::Kept | Life::Status));
        let is_left = kept.is_some_and(|field| !is_described(&wanted.values, field));
        !is_left && wanted.values.get(*path) != old.get(*path)
    });
    let change = |path: &String| Change {
        path: path.clone(),
        old: old.get(path).cloned(),
        new: wanted.values.get(path).cloned(),
    };
    different.map(change).collect()
}

/// The operations that lead a record from its status to the one that the file wants.
fn moves(wanted: &Wanted, seen: Option<&Seen>) -> Result<Vec<&'static str>, String> {
    let state = |values: &Values| ["state", "enabled"].iter().find_map(|field| values.get(*field).cloned());
    let Some(to) = state(&wanted.values) else { return Ok(Vec::new()) };
    let from = seen.and_then(|seen| state(&seen.values));
    if seen.is_some_and(|seen| seen.is_over) || from.as_ref() == Some(&to) {
        return Ok(Vec::new());
    }
    let (from, to) = (from.map(|from| values::shown(Some(&from))), values::shown(Some(&to)));
    let step = match (wanted.kind.section, from.as_deref(), to.as_str()) {
        ("pools", _, "paused") => "PausePool",
        ("pools", Some(_), _) => "ResumePool",
        ("contracts", Some("draft") | None, "active") => "ActivateContract",
        ("contracts", Some("active"), "paused") => "PauseContract",
        ("contracts", Some("paused"), "active") => "ResumeContract",
        ("contracts", Some(from @ ("active" | "paused")), "draft") => {
            return Err(format!("it is {from} and cannot become a draft again; write state = \"paused\""));
        }
        ("providers", _, "false") => "DisableProvider",
        ("providers", Some(_), _) => "EnableProvider",
        ("accounts", _, "false") => "DisableAccount",
        ("accounts", Some(_), _) => "EnableAccount",
        // A draft does nothing, as a paused contract; and what was just created is active or enabled.
        _ => return Ok(Vec::new()),
    };
    Ok(vec![step])
}

/// Whether the interface can change these fields of the record.
fn allowed(kind: &Kind, seen: &Seen, changes: &[Change]) -> Result<(), String> {
    let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
    if seen.is_over && (kind.section != "contracts" || !paths.is_empty()) {
        let status = &seen.status;
        return Err(format!("it is {status} and cannot change; remove it from the file, or give it another name"));
    }
    let is_fixed = |path: &&&str| field(kind, path).is_some_and(|field| seen.has_fixed(kind, field));
    if let Some(fixed) = paths.iter().find(is_fixed) {
        let change = changes.iter().find(|change| change.path == **fixed);
        let old = values::shown(change.and_then(|change| change.old.as_ref()));
        return Err(format!("{fixed} is {old} and cannot change; give the record another name"));
    }
    let changes_type = changes.iter().any(|change| change.path == "buying.target_quantity" && change.old.is_none())
        || changes.iter().any(|change| change.path == "selling.floor_price" && change.old.is_none());
    if kind.section == "contracts" && seen.status != "DRAFT" && changes_type {
        return Err("it was activated, so it cannot change between buying and selling; give it another name".to_owned());
    }
    Ok(())
}

/// References to records that neither the file nor the workspace has.
fn unknown_references(wanted: &Wanted, file: &[Wanted], current: &Current) -> Vec<Mistake> {
    let references = wanted.kind.fields.iter().filter_map(|field| {
        let Form::Reference(section) = &field.form else { return None };
        Some((field.name, *section, wanted.values.get(field.name)?.as_str()?))
    });
    let unknown = references.filter_map(|(field, section, name)| {
        let noun = kind(section)?.noun;
        let known = current.names_with(file, section);
        let found = current.names_in(section).iter().filter(|other| *other == name).count();
        let what = match (found, known.iter().any(|other| other == name)) {
            (2.., _) => format!("{field}: the workspace has {found} records {name:?} in {section}; rename all but one"),
            (_, true) => return None,
            (_, false) => format!("{field}: no {noun} has the name {name:?}"),
        };
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let advice = nearest(name, &known).filter(|_| found < 2).map(|nearest| format!("did you mean {nearest:?}?"));
        Some(Mistake { line: wanted.line, what: format!("{}: {what}", wanted.kind.title(&wanted.values)), advice })
    });
    unknown.collect()
}

#[cfg(test)]
mod tests;
