//! A desk as a file: what `contracts apply` compares with a workspace and carries out, and what the questions of `new` and of `edit`
//! write.
//!
//! Reading and planning are pure; only this module, [`carry_out`] and the terminal of [`questions`] reach anything outside.

mod activation;
mod carry_out;
mod current;
mod diff;
mod document;
mod fields;
mod kinds;
mod plan;
mod questions;
mod requests;
pub(crate) mod schema;
mod terminal;
mod tree;
mod values;
mod writing;

use std::collections::BTreeSet;
use std::io::{IsTerminal as _, Read as _, stderr, stdin};
use std::path::Path;

use serde_json::{Value, json};
use time::OffsetDateTime;
use tradepost::SystemClock;
use tradepost::ports::clock::Clock as _;

use super::{Client, view};
use crate::cli::desk::Apply;
use crate::failure::{Exit, Failure, Outcome};
use crate::output_format;

use carry_out::{Workspace, carry_out};
use current::Current;
use document::{Mistake, Wanted};
use fields::Form;
use kinds::{KINDS, Kind, PROVIDERS};
use plan::Plan;
use tree::Syntax;
use values::Values;

impl Client {
    /// Makes the workspace as a file describes it, or shows what that would change.
    pub(super) async fn apply(&self, apply: &Apply) -> Outcome {
        let name = apply.file.display().to_string();
        let file = wanted(&name, &text(&apply.file)?)?;
        let current = self.current(&file).await?;
        let plan = planned(&name, &file, &current)?;
        if apply.dry_run {
            diff::print(self.output, &plan, false);
            return if plan.is_empty() || !apply.exit_code { Ok(()) } else { Err(pending(&name, &plan)) };
        }
        let is_for_reading = diff::is_for_reading(self.output);
        if is_for_reading {
            diff::print(self.output, &plan, true);
        }
        carry_out(self, &current, &plan).await?;
        if !is_for_reading {
            diff::print(self.output, &plan, true);
        } else if !plan.is_empty() {
            output_format::line("applied");
        }
        Ok(())
    }

    /// Asks for a record of a section on the terminal, and creates it or writes it to a file.
    pub(super) async fn new_record(&self, section: &str, write_to: Option<&Path>) -> Outcome {
        let unknown = || Failure::new(Exit::Failed, format!("unknown section {section}"));
        let kind = kinds::kind(section).ok_or_else(unknown)?;
        if !is_attended() {
            return Err(Failure::new(
                Exit::Usage,
                format!("{} new asks its questions on a terminal", command_of(kind)),
            )
            .because("standard input or standard error is not a terminal")
            .with_try(format!("describe the {} in a file: tradepost contracts apply -f desk.toml", kind.noun)));
        }
        let current = self.records_of(&references(kind).collect::<Vec<_>>()).await?;
        let mut terminal = terminal::Terminal;
        let values = questions::record(kind, &mut terminal, &|section| current.names_in(section), None)?;
        let text = writing::toml(kind, &values);
        output_format::line(&text);
        if let Some(file) = write_to {
            return write(file, &text);
        }
        let name = format!("the {}", kind.noun);
        let file = wanted(&name, &text)?;
        let current = self.current(&file).await?;
        let plan = planned(&name, &file, &current)?;
        if plan.count(plan::Action::Create) == 0 {
            return Err(Failure::new(Exit::Failed, format!("the workspace has a {} of this name", kind.noun))
                .with_try("write the answers to a file with --write FILE, and apply it"));
        }
        if !questions::confirms(&mut terminal, "create", &format!("Whether {name} is created as it is shown"))? {
            return Ok(());
        }
        carry_out(self, &current, &plan).await?;
        output_format::line("created");
        anstream::eprintln!("try: {}", next_step(kind, &values));
        Ok(())
    }

    /// Asks for the changes of a record on the terminal, and carries them out. `one` is the field of answers with such a record.
    pub(super) async fn change_record(&self, one: &str, id: &Value) -> Outcome {
        let Some(kind) = kind_of(one) else { return Ok(()) };
        let current = self.current_of(&[kind]).await?;
        let seen = current.by_id(kind, &view::plain(id)).ok_or_else(|| {
            Failure::new(Exit::Failed, format!("there is no {} with this id", kind.noun))
                .with_try(format!("tradepost {} list", command_of(kind)))
        })?;
        let mut terminal = terminal::Terminal;
        let values = questions::record(kind, &mut terminal, &|section| current.names_in(section), Some(seen))?;
        let name = format!("the {}", kind.noun);
        let plan = planned(&name, &wanted(&name, &writing::toml(kind, &values))?, &current)?;
        if plan.is_empty() {
            anstream::eprintln!("Nothing changes.");
            return Ok(());
        }
        diff::print(self.output, &plan, false);
        if questions::confirms(&mut terminal, "change", &format!("Whether {name} is changed as it is shown"))? {
            carry_out(self, &current, &plan).await?;
            output_format::line("changed");
        }
        Ok(())
    }

    /// The records of the sections in the file, and of those that they refer to.
    async fn current(&self, file: &[Wanted]) -> Outcome<Current> {
        let kinds: Vec<&'static Kind> = file.iter().map(|wanted| wanted.kind).collect();
        self.current_of(&kinds).await
    }

    /// The records of these kinds, and of those that they refer to.
    async fn current_of(&self, kinds: &[&'static Kind]) -> Outcome<Current> {
        let described: BTreeSet<&str> = kinds.iter().map(|kind| kind.section).collect();
        let referred = kinds.iter().flat_map(|kind| references(kind));
        let needed: Vec<&str> = referred.chain(described.iter().copied()).collect();
        let mut current = self.records_of(&needed).await?;
        if described.contains("contracts") && !described.contains(PROVIDERS.section) {
            match self.every_record(&PROVIDERS).await {
                Ok(records) => current.add(&PROVIDERS, &records),
                // A key that only trades may not read them; then the server alone checks the marketplaces of a contract.
                Err(failure) if failure.has_reason("PERMISSION_DENIED") => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(current)
    }

    async fn records_of(&self, sections: &[&str]) -> Outcome<Current> {
        let mut current = Current::default();
        for kind in KINDS.into_iter().filter(|kind| sections.contains(&kind.section)) {
            current.add(kind, &self.every_record(kind).await?);
        }
        Ok(current)
    }

    /// Every record of a kind, the newest first.
    async fn every_record(&self, kind: &Kind) -> Outcome<Vec<Value>> {
        let calls = &kind.calls;
        let list = format!("{}/{}", calls.service, calls.list);
        let Some((get, ids)) = calls.get else { return self.every(&list, calls.many).await };
        let listed = self.every(&list, ids).await?;
        self.get_many(&format!("{}/{get}", calls.service), ids, calls.many, &listed).await
    }
}

impl Workspace for Client {
    async fn read(&self, operation: &str, request: Value) -> Outcome<Value> {
        self.ask(operation, request).await
    }

    async fn write(&self, operation: &str, mut request: Value, key: &str) -> Outcome<(Value, bool)> {
        request["workspaceId"] = json!(self.workspace);
        self.server.ask_once(operation, &request, key).await
    }

    async fn every(&self, list: &str, field: &str) -> Outcome<Vec<Value>> {
        Ok(self.pages(list, json!({}), field, u32::MAX).await?.found)
    }
}

/// Whether the changes of a record can be asked for: on a terminal, and for kinds that a desk file describes.
pub(super) fn asks_for_changes(one: &str) -> bool {
    is_attended() && kind_of(one).is_some()
}

fn is_attended() -> bool {
    stdin().is_terminal() && stderr().is_terminal()
}

/// The kind of the records that answers have in this field.
fn kind_of(one: &str) -> Option<&'static Kind> {
    KINDS.into_iter().find(|kind| kind.calls.one == one)
}

/// The sections to which a kind refers.
fn references(kind: &Kind) -> impl Iterator<Item = &'static str> {
    kind.fields.iter().filter_map(|field| {
        let Form::Reference(section) = &field.form else { return None };
        Some(*section)
    })
}

/// The command of a kind of records.
fn command_of(kind: &Kind) -> String {
    kind.section.replace('_', "-")
}

/// The command that follows the creation of a record.
fn next_step(kind: &Kind, values: &Values) -> String {
    let (command, name) = (command_of(kind), values.get("name").map(view::plain).unwrap_or_default());
    let is_draft = values.get("state") == Some(&json!("draft"));
    match kind.section {
        "contracts" if is_draft => format!("tradepost contracts activate {name:?}"),
        "pools" => format!("tradepost pools fund {name:?} 100.00 --reason \"first deposit\""),
        "accounts" => format!("tradepost accounts edit {name:?} --secrets-file FILE"),
        "providers" => format!("tradepost providers test {name:?}"),
        "assignments" | "price_overrides" => format!("tradepost {command} list"),
        _ => format!("tradepost {command} show {name:?}"),
    }
}

fn now() -> OffsetDateTime {
    let nanoseconds = i128::from(SystemClock.now().as_micros()) * 1_000;
    OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

fn text(file: &Path) -> Outcome<String> {
    let unreadable = |error| {
        Failure::new(Exit::Failed, format!("cannot read {}", file.display()))
            .because(error)
            .with_try("name the desk file with -f FILE; tradepost contracts new --write FILE writes one")
    };
    if file.as_os_str() != "-" {
        return std::fs::read_to_string(file).map_err(unreadable);
    }
    let mut text = String::new();
    stdin().read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}

/// The records that a file describes.
fn wanted(name: &str, text: &str) -> Outcome<Vec<Wanted>> {
    let document = tree::read(text, Syntax::of(name, text)).map_err(|unreadable| {
        let mistake = Mistake { line: unreadable.line, what: unreadable.why, advice: None };
        refused(name, &[mistake])
    })?;
    document::check(&document).map_err(|found| refused(name, &found))
}

/// The plan of a file; what it warns of is reported.
fn planned(name: &str, file: &[Wanted], current: &Current) -> Outcome<Plan> {
    let plan = plan::plan(file, current, now()).map_err(|found| refused(name, &found))?;
    for warning in &plan.warnings {
        anstream::eprintln!("warning: {warning}");
    }
    Ok(plan)
}

fn refused(name: &str, mistakes: &[Mistake]) -> Failure {
    let what = match mistakes {
        [_] => format!("{name} has a mistake; nothing was changed"),
        several => format!("{name} has {} mistakes; nothing was changed", several.len()),
    };
    let lines: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    Failure::new(Exit::Failed, what)
        .because(lines.join("\n  why: "))
        .with_try("docs/how-to/desk-file.md describes the file, and tradepost schema has its JSON Schema")
}

fn pending(name: &str, plan: &Plan) -> Failure {
    Failure::new(Exit::Pending, format!("the workspace is not as {name} describes it: {}", diff::counts(plan)))
        .with_try(format!("tradepost contracts apply -f {name}"))
}

fn write(file: &Path, text: &str) -> Outcome {
    let written = std::fs::OpenOptions::new().append(true).create(true).open(file);
    let written = written.and_then(|mut file| std::io::Write::write_all(&mut file, format!("{text}\n").as_bytes()));
    let file = file.display();
    written.map_err(|error| {
        Failure::new(Exit::Failed, format!("cannot write {file}"))
            .because(error)
            .with_try("name a file that this user may write: --write FILE")
    })?;
    anstream::eprintln!("try: tradepost contracts apply -f {file}");
    Ok(())
}
