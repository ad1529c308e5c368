//! The questions of `contracts new`: which are asked, and which answers count. They do not know the terminal.

use serde_json::{Value, json};

use super::fields::{Field, Form, Need};
use super::kinds::CONTRACTS;
use super::tree::{Data, Node};
use super::values::{self, Values};
use crate::failure::Outcome;

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

/// The fields that few contracts need: one question asks for all of them.
const FIRST_OF_BUYING: [&str; 6] =
    ["target_quantity", "max_buy_price", "budget", "daily_budget", "min_discount_bps", "max_open_purchases"];
const FIRST_OF_SELLING: [&str; 3] = ["floor_price", "min_margin_bps", "undercut"];

/// The fields of every contract, in the order of their questions: limits come before what restricts them further.
const FIRST: [&str; 6] = ["name", "buying", "selling", "filter_set", "pool", "approval"];
/// The fields that few contracts need: one question asks for all of them.
const FURTHER: [&str; 4] = ["marketplaces", "starts_at", "ends_at", "price_reference"];

/// Asks for a contract. `known` returns the names of the records of a section.
pub(super) fn contract(answers: &mut dyn Answers, known: &dyn Fn(&str) -> Vec<String>) -> Outcome<Values> {
    let mut found = Values::new();
    let kind = choose(answers, ("type", "Whether it buys or sells"), &["buying", "selling"], "buying")?;
    for field in FIRST.into_iter().filter_map(field) {
        match (&field.form, field.name) {
            (Form::Table(fields), name) if name == kind => limits(answers, &mut found, name, fields)?,
            (Form::Table(_), _) => {}
            (Form::Reference(section), name) => reference(answers, &mut found, (name, field.about), known(section))?,
            (_, name @ "approval") => {
                let modes = ["manual", "dry_run", "automatic"];
                found.insert(name.to_owned(), json!(choose(answers, (name, field.about), &modes, "manual")?));
            }
            (_, name) => one(answers, &mut found, name, field)?,
        }
    }
    let about = "Whether it is restricted to marketplaces, to a time, or to price sources";
    if choose(answers, ("restricted", about), &["no", "yes"], "no")? == "yes" {
        for field in FURTHER.into_iter().filter_map(field) {
            further(answers, &mut found, field)?;
        }
    }
    let state = choose(answers, ("state", "Whether it trades at once"), &["draft", "active"], "draft")?;
    found.insert("state".to_owned(), json!(state));
    Ok(found)
}

fn field(name: &str) -> Option<&'static Field> {
    CONTRACTS.fields.iter().find(|field| field.name == name)
}

fn further(answers: &mut dyn Answers, found: &mut Values, field: &Field) -> Outcome {
    let Form::Table(fields) = &field.form else { return one(answers, found, field.name, field) };
    if choose(answers, (field.name, field.about), &["no", "yes"], "no")? == "yes" {
        for inner in *fields {
            one(answers, found, &format!("{}.{}", field.name, inner.name), inner)?;
        }
    }
    Ok(())
}

/// Whether to go on.
pub(super) fn confirms(answers: &mut dyn Answers) -> Outcome<bool> {
    Ok(choose(answers, ("create", "Whether the contract is created as it is shown"), &["yes", "no"], "yes")? == "yes")
}

fn limits(answers: &mut dyn Answers, found: &mut Values, table: &str, fields: &[Field]) -> Outcome {
    let first = |field: &&Field| FIRST_OF_BUYING.contains(&field.name) || FIRST_OF_SELLING.contains(&field.name);
    for field in fields.iter().filter(first) {
        one(answers, found, &format!("{table}.{}", field.name), field)?;
    }
    if choose(answers, ("limits", "Whether it has further limits"), &["no", "yes"], "no")? == "yes" {
        for field in fields.iter().filter(|field| !first(field)) {
            let is_excluded = field.name == "undercut_bps" && found.contains_key("selling.undercut");
            if !is_excluded {
                one(answers, found, &format!("{table}.{}", field.name), field)?;
            }
        }
    }
    Ok(())
}

fn reference(answers: &mut dyn Answers, found: &mut Values, field: (&str, &str), known: Vec<String>) -> Outcome {
    let (name, about) = field;
    let choices: Vec<String> = std::iter::once("none".to_owned()).chain(known).collect();
    let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
    let chosen = choose(answers, (name, about), &choices, "none")?;
    if chosen != "none" {
        found.insert(name.to_owned(), json!(chosen));
    }
    Ok(())
}

fn one(answers: &mut dyn Answers, found: &mut Values, path: &str, field: &Field) -> Outcome {
    let default = match field.need {
        Need::Or(_) => field.default().map(|value| values::shown(Some(&value))),
        Need::Required | Need::Optional => None,
    };
    let check = |text: &str| read(field, text).map(drop);
    let choices = if let Form::Choice { names, .. } = &field.form { names() } else { Vec::new() };
    let need = if field.is_required() && choices.is_empty() { " (required)" } else { "" };
    let about = format!("{}{}{need}", field.about, unit(&field.form));
    let question = Question { name: path.to_owned(), about, default, choices, check: &check };
    let answer = answers.ask(&question)?;
    if let Ok(Some(value)) = read(field, &answer) {
        found.insert(path.to_owned(), value);
    }
    Ok(())
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

/// The value of a typed answer; nothing for an empty one.
fn read(field: &Field, text: &str) -> Result<Option<Value>, String> {
    let text = text.trim();
    if text.is_empty() {
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
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Answers by the name of the question, and notes what was asked.
    struct Script(Vec<(&'static str, &'static str)>, Vec<String>);

    impl Answers for Script {
        fn ask(&mut self, question: &Question<'_>) -> Outcome<String> {
            self.1.push(question.name.clone());
            let given = self.0.iter().find(|(name, _)| question.name == *name);
            let answer = given.map(|(_, answer)| (*answer).to_owned()).or(question.default.clone()).unwrap_or_default();
            assert_eq!((question.check)(&answer), Ok(()), "{}", question.name);
            assert!(question.choices.is_empty() || question.choices.contains(&answer), "{}", question.name);
            Ok(answer)
        }
    }

    #[test]
    fn defaults_and_few_answers_make_a_contract() {
        let answers = vec![
            ("name", "AKs"),
            ("pool", "Main"),
            ("restricted", "yes"),
            ("marketplaces", "csfloat, skinport"),
            ("buying.target_quantity", "3"),
            ("buying.max_buy_price", "15"),
            ("buying.budget", "45.00"),
        ];
        let mut script = Script(answers, Vec::new());
        let found = contract(&mut script, &|section| vec![format!("{section}-1"), "Main".to_owned()]).unwrap();
        let expected = json!({
            "name": "AKs", "approval": "manual", "pool": "Main", "marketplaces": ["csfloat", "skinport"], "state": "draft",
            "buying.target_quantity": 3, "buying.max_buy_price": "15.00", "buying.budget": "45.00",
        });
        assert_eq!(serde_json::to_value(&found).unwrap(), expected);
        assert_eq!(script.1.first_chunk(), Some(&["type", "name", "buying.target_quantity"].map(str::to_owned)));
        assert!(!script.1.iter().any(|name| name.starts_with("selling.")), "{:?}", script.1);
    }

    #[test]
    fn every_field_of_a_contract_has_its_question() {
        let asked: BTreeSet<&str> = FIRST.into_iter().chain(FURTHER).chain(["state"]).collect();
        assert_eq!(asked, CONTRACTS.fields.iter().map(|field| field.name).collect());
    }

    #[test]
    fn a_typed_answer_is_checked_by_the_rules_of_the_file() {
        let field = |name: &str| {
            let Some(Form::Table(fields)) =
                CONTRACTS.fields.iter().find(|field| field.name == "buying").map(|field| &field.form)
            else {
                return Err("no table".to_owned());
            };
            Ok(fields.iter().find(|field| field.name == name).unwrap())
        };
        let error = |name: &str, text: &str| read(field(name).unwrap(), text).unwrap_err();
        assert_eq!(error("budget", ""), "an answer is required");
        assert!(error("budget", "a lot").starts_with("must be an amount"));
        assert_eq!(error("min_discount_bps", "10001"), "must be a whole number from 0 to 10000");
        assert_eq!(read(field("min_discount_bps").unwrap(), " "), Ok(None));
    }
}
