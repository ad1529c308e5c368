//! A desk as a file: what `contracts apply` compares with a workspace and carries out, and what `contracts new` writes.
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
use crate::cli::desk::{Apply, NewContract};
use crate::failure::{Exit, Failure, Outcome};
use crate::output_format;

use carry_out::{Workspace, carry_out};
use current::Current;
use document::{Mistake, Wanted};
use fields::Form;
use kinds::{KINDS, Kind, PROVIDERS};
use plan::Plan;
use tree::Syntax;

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

    /// Asks for a contract on the terminal, and creates it or writes it to a file.
    pub(super) async fn new_contract(&self, new: &NewContract) -> Outcome {
        if !stdin().is_terminal() || !stderr().is_terminal() {
            return Err(Failure::new(Exit::Usage, "contracts new asks its questions on a terminal")
                .because("standard input or standard error is not a terminal")
                .with_try("describe the contract in a file: tradepost contracts apply -f desk.toml"));
        }
        let current = self.records_of(&["filter_sets", "pools"]).await?;
        let known = |section: &str| current.names_in(section);
        let mut terminal = terminal::Terminal;
        let values = questions::contract(&mut terminal, &known)?;
        let text = writing::toml(&kinds::CONTRACTS, &values);
        output_format::line(&text);
        if let Some(file) = &new.write {
            return write(file, &text);
        }
        let file = wanted("the contract", &text)?;
        let current = self.current(&file).await?;
        let plan = planned("the contract", &file, &current)?;
        if plan.count(plan::Action::Create) == 0 {
            return Err(Failure::new(Exit::Failed, "the workspace has a contract of this name")
                .with_try("write the answers to a file with --write FILE, and apply it"));
        }
        if !questions::confirms(&mut terminal)? {
            return Ok(());
        }
        carry_out(self, &current, &plan).await?;
        output_format::line("created");
        let name = values.get("name").map(view::plain).unwrap_or_default();
        let step = if values.get("state") == Some(&json!("active")) { "show" } else { "activate" };
        anstream::eprintln!("try: tradepost contracts {step} {name:?}");
        Ok(())
    }

    /// The records of the sections in the file, and of those that they refer to.
    async fn current(&self, file: &[Wanted]) -> Outcome<Current> {
        let described: BTreeSet<&str> = file.iter().map(|wanted| wanted.kind.section).collect();
        let referred = file.iter().flat_map(|wanted| wanted.kind.fields).filter_map(|field| {
            let Form::Reference(section) = &field.form else { return None };
            Some(*section)
        });
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

fn now() -> OffsetDateTime {
    let nanoseconds = i128::from(SystemClock.now().as_micros()) * 1_000;
    OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

fn text(file: &Path) -> Outcome<String> {
    let unreadable = |error| {
        Failure::new(Exit::Failed, format!("cannot read {}", file.display()))
            .because(error)
            .with_try("name the desk file with -f FILE; tradepost contracts new --write FILE makes one")
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
