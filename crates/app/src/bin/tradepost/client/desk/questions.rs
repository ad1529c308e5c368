//! The questions that make a record or change one: which are asked, and which answers count. They do not know the terminal.

use serde_json::{Value, json};

use super::current::Seen;
use super::document::below;
use super::fields::{Field, Form, Life};
use super::kinds::{CONTRACTS, Kind};
use super::tree::{Data, Node};
use super::values::{self, Values};
use crate::failure::{Exit, Failure, Outcome};

/// A question.
pub(super) struct Question<'a> {
    /// The field that is asked for.
    pub(super) name: String,
    /// What the field is, and how it is written.
    pub(super) about: String,
    /// What counts if nothing is typed.
    pub(super) default: Option<String>,
    /// The answers to choose from; empty if any text can be typed.
    pub(super) choices: Vec<String>,
    /// Finds the rule that a typed answer breaks.
    pub(super) check: &'a dyn Fn(&str) -> Result<(), String>,
}

/// The source of the answers.
pub(super) trait Answers {
    /// The answer to a question, which passed its check.
    fn ask(&mut self, question: &Question<'_>) -> Outcome<String>;
}

/// The answer that removes a value, or chooses no record.
const NONE: &str = "none";
/// Fields of a table that are all asked for. Of a table with more, one question asks for those that are not first.
const SMALL: usize = 5;
/// The fields that are asked for first in a table that is not small.
const FIRST_OF_TABLES: [&str; 14] = [
    "target_quantity",
    "max_buy_price",
    "budget",
    "daily_budget",
    "min_discount_bps",
    "max_open_purchases",
    "floor_price",
    "min_margin_bps",
    "undercut",
    "market_hash_names",
    "name_contains",
    "weapons",
    "exteriors",
    "float_max",
];

/// The fields of every contract, in the order of their questions: limits come before what restricts them further.
const FIRST: [&str; 6] = ["name", "buying", "selling", "filter_set", "pool", "approval"];
/// The fields that few contracts need: one question asks for all of them.
const FURTHER: [&str; 4] = ["marketplaces", "starts_at", "ends_at", "price_reference"];

/// Asks for a record, or for the changes of the present one. `known` returns the names of the records of a section.
pub(super) fn record(
    kind: &'static Kind,
    answers: &mut dyn Answers,
    known: &dyn Fn(&str) -> Vec<String>,
    present: Option<&Seen>,
) -> Outcome<Values> {
    let mut interview = Interview { kind, answers, known, present, found: Values::new() };
    if kind.section == CONTRACTS.section {
        interview.contract()?;
    } else {
        for field in kind.fields {
            interview.field(field, field.name)?;
        }
    }
    Ok(interview.found)
}

/// Whether to go on.
pub(super) fn confirms(answers: &mut dyn Answers, name: &str, about: &str) -> Outcome<bool> {
    Ok(choose(answers, (name, about), &["yes", "no"], "yes")? == "yes")
}

/// The questions about one record, and what was answered so far.
struct Interview<'a> {
    kind: &'static Kind,
    answers: &'a mut dyn Answers,
    known: &'a dyn Fn(&str) -> Vec<String>,
    /// The record that is changed; absent if one is created.
    present: Option<&'a Seen>,
    found: Values,
}

impl Interview<'_> {
    fn contract(&mut self) -> Outcome {
        let present = ["buying", "selling"].into_iter().find(|table| self.has(table));
        let table = match present {
            Some(table) => table.to_owned(),
            None => self.choose(("type", "Whether it buys or sells"), &["buying", "selling"], "buying")?,
        };
        for field in FIRST.into_iter().filter_map(field) {
            match (&field.form, field.name) {
                (Form::Table(fields), name) if name == table => self.inner(name, fields)?,
                (Form::Table(_), _) => {}
                (_, name @ "approval") => self.approval(name, field.about)?,
                (_, name) => self.field(field, name)?,
            }
        }
        let about = "Whether it is restricted to marketplaces, to a time, or to price sources";
        let is_restricted = FURTHER.iter().any(|name| self.has(name));
        let is_asked = self.says_yes("restricted", about, is_restricted)?;
        for field in FURTHER.into_iter().filter_map(field) {
            if is_asked || self.is_kept(field, field.name) {
                self.field(field, field.name)?;
            }
        }
        if self.present.is_none() {
            let state = self.choose(("state", "Whether it trades at once"), &["draft", "active"], "draft")?;
            self.found.insert("state".to_owned(), json!(state));
        }
        Ok(())
    }

    fn approval(&mut self, name: &str, about: &str) -> Outcome {
        let present = self.value(name).map_or_else(|| "manual".to_owned(), as_typed);
        let chosen = self.choose((name, about), &["manual", "dry_run", "automatic"], &present)?;
        self.found.insert(name.to_owned(), json!(chosen));
        Ok(())
    }

    fn field(&mut self, field: &Field, path: &str) -> Outcome {
        if self.is_kept(field, path) {
            self.keep(path);
            return Ok(());
        }
        match &field.form {
            // Secrets are in files, and a status is changed by commands of its own.
            Form::Secrets => Ok(()),
            _ if field.life == Life::Status => Ok(()),
            Form::Table(fields) => {
                if field.is_required() || self.says_yes(path, field.about, self.has(path))? {
                    self.inner(path, fields)?;
                }
                Ok(())
            }
            Form::Reference(section) => self.reference(field, section),
            Form::Entries => self.entries(field, path),
            Form::Text { .. }
            | Form::Digits
            | Form::Amount { .. }
            | Form::Whole { .. }
            | Form::Decimal
            | Form::Choice { .. }
            | Form::Moment
            | Form::Flag
            | Form::List { .. } => self.one(field, path),
        }
    }

    /// The fields of a table.
    fn inner(&mut self, path: &str, fields: &[Field]) -> Outcome {
        let is_first = |field: &&Field| fields.len() <= SMALL || FIRST_OF_TABLES.contains(&field.name);
        for field in fields.iter().filter(is_first) {
            self.field(field, &below(path, field.name))?;
        }
        let further: Vec<&Field> = fields.iter().filter(|field| !is_first(field)).collect();
        if further.is_empty() {
            return Ok(());
        }
        let what = if path.starts_with("rules") { "rules" } else { "limits" };
        let are_set = further.iter().any(|field| self.has(&below(path, field.name)));
        let is_asked = self.says_yes(what, &format!("Whether it has further {what}"), are_set)?;
        for field in further.into_iter().filter(|_| is_asked) {
            let is_excluded = field.name == "undercut_bps" && self.found.contains_key("selling.undercut");
            if !is_excluded {
                self.field(field, &below(path, field.name))?;
            }
        }
        Ok(())
    }

    fn one(&mut self, field: &Field, path: &str) -> Outcome {
        let present = self.value(path).map(as_typed);
        let is_clearable = present.is_some() && !field.is_required();
        let check = |text: &str| read(field, text, is_clearable).map(drop);
        let choices = if let Form::Choice { names, .. } = &field.form { names() } else { Vec::new() };
        let need = match (field.is_required() && choices.is_empty(), is_clearable) {
            (true, _) => " (required)",
            (false, true) => " (none removes it)",
            (false, false) => "",
        };
        let question = Question {
            name: path.to_owned(),
            about: format!("{}{}{need}", field.about, unit(&field.form)),
            default: present.or_else(|| field.default().as_ref().map(as_typed)),
            choices,
            check: &check,
        };
        let answer = self.answers.ask(&question)?;
        if let Ok(Some(value)) = read(field, &answer, is_clearable) {
            self.found.insert(path.to_owned(), value);
        }
        Ok(())
    }

    fn reference(&mut self, field: &Field, section: &str) -> Outcome {
        let none = (!field.is_required()).then(|| NONE.to_owned());
        let choices: Vec<String> = none.into_iter().chain((self.known)(section)).collect();
        let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
        let Some(first) = choices.first() else {
            let missing = format!("there is no record in {section} to choose from");
            let advice = format!("create one: tradepost {} new", section.replace('_', "-"));
            return Err(Failure::new(Exit::Failed, missing).with_try(advice));
        };
        let present = self.value(field.name).map(as_typed).filter(|name| choices.contains(&name.as_str()));
        let default = present.unwrap_or_else(|| (*first).to_owned());
        let chosen = self.choose((field.name, field.about), &choices, &default)?;
        if chosen != NONE {
            self.found.insert(field.name.to_owned(), json!(chosen));
        }
        Ok(())
    }

    fn entries(&mut self, field: &Field, path: &str) -> Outcome {
        let present: Vec<String> =
            self.below(path).map(|(name, value)| format!("{name}={}", as_typed(value))).collect();
        let question = Question {
            name: path.to_owned(),
            about: format!("{}, as NAME=VALUE, separated by commas", field.about),
            default: (!present.is_empty()).then(|| present.join(", ")),
            choices: Vec::new(),
            check: &|text| pairs(text).map(drop),
        };
        let answer = self.answers.ask(&question)?;
        for (name, value) in pairs(&answer).unwrap_or_default() {
            self.found.insert(below(path, &name), json!(value));
        }
        Ok(())
    }

    fn choose(&mut self, asked: (&str, &str), choices: &[&str], default: &str) -> Outcome<String> {
        choose(self.answers, asked, choices, default)
    }

    fn says_yes(&mut self, name: &str, about: &str, is_default: bool) -> Outcome<bool> {
        let default = if is_default { "yes" } else { "no" };
        Ok(self.choose((name, about), &["no", "yes"], default)? == "yes")
    }

    /// Whether a field is not asked for, and keeps the value that the record has.
    fn is_kept(&self, field: &Field, path: &str) -> bool {
        // A list of tables cannot be typed, nor a list in which a value has the comma that separates values.
        let is_untyped = matches!(field.form, Form::List { of: Form::Table(_), .. });
        let has_comma = |value: &Value| value.as_str().is_some_and(|text| text.contains(','));
        let values = self.value(path).and_then(Value::as_array);
        let has_commas = values.is_some_and(|values| values.iter().any(has_comma))
            || (matches!(field.form, Form::Entries) && self.below(path).any(|(_, value)| has_comma(value)));
        let never_changes =
            self.present.is_some_and(|seen| self.kind.identity.contains(&path) || seen.has_fixed(self.kind, field));
        // Answers cannot remove a whole table that a file keeps by not having it.
        let is_left = self.present.is_some() && field.life == Life::Kept && matches!(field.form, Form::Table(_));
        is_untyped || has_commas || never_changes || is_left
    }

    /// Takes over what the record has at a path and below it.
    fn keep(&mut self, path: &str) {
        let Some(seen) = self.present else { return };
        let kept = seen.values.iter().filter(|(known, _)| is_at(known, path));
        self.found.extend(kept.map(|(known, value)| (known.clone(), value.clone())));
    }

    fn has(&self, path: &str) -> bool {
        self.present.is_some_and(|seen| seen.values.keys().any(|known| is_at(known, path)))
    }

    /// The value that the record has at a path.
    fn value(&self, path: &str) -> Option<&Value> {
        self.present?.values.get(path)
    }

    /// The values that the record has below a path, by name.
    fn below(&self, path: &str) -> impl Iterator<Item = (&str, &Value)> {
        let values = self.present.into_iter().flat_map(|seen| &seen.values);
        values.filter_map(move |(known, value)| Some((known.strip_prefix(path)?.strip_prefix('.')?, value)))
    }
}

/// Whether a value is at a path or below it.
fn is_at(known: &str, path: &str) -> bool {
    known.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn field(name: &str) -> Option<&'static Field> {
    CONTRACTS.fields.iter().find(|field| field.name == name)
}

/// How a value is written.
const fn unit(form: &Form) -> &'static str {
    if matches!(form, Form::Amount { .. }) {
        ", such as 12.50"
    } else if matches!(form, Form::List { .. }) {
        ", separated by commas"
    } else if matches!(form, Form::Moment) {
        ", such as 2026-01-31"
    } else {
        ""
    }
}

/// A value as it would be typed.
fn as_typed(value: &Value) -> String {
    match value.as_array() {
        Some(values) => values.iter().map(|value| values::shown(Some(value))).collect::<Vec<_>>().join(", "),
        None => values::shown(Some(value)),
    }
}

/// The value of a typed answer; nothing for an empty one, and for one that removes it.
fn read(field: &Field, text: &str, is_clearable: bool) -> Result<Option<Value>, String> {
    let text = text.trim();
    if text.is_empty() || (is_clearable && text == NONE) {
        return if field.is_required() { Err("an answer is required".to_owned()) } else { Ok(None) };
    }
    values::read(&field.form, &typed(&field.form, text)).map(Some)
}

/// What a typed text is in a file.
fn typed(form: &Form, text: &str) -> Node {
    let data = if let Form::List { of, .. } = form {
        Data::List(text.split(',').map(|part| typed(of, part.trim())).collect())
    } else if let (Form::Whole { .. }, Ok(number)) = (form, text.parse()) {
        Data::Whole(number)
    } else {
        Data::Text(text.to_owned())
    };
    Node { line: 1, data }
}

/// The names and values of a typed answer.
fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty() && *part != NONE);
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("expected NAME=VALUE and not {part:?}"))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    parts.map(pair).collect()
}

fn choose(answers: &mut dyn Answers, asked: (&str, &str), choices: &[&str], default: &str) -> Outcome<String> {
    let (name, about) = asked;
    answers.ask(&Question {
        name: name.to_owned(),
        about: about.to_owned(),
        default: Some(default.to_owned()),
        choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
        check: &|_| Ok(()),
    })
}

#[cfg(test)]
mod tests;
