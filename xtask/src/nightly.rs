//! `cargo xtask nightly`: what takes too long for every change, and the committed record of how it ended.
//!
//! The record is a table in `docs/nightly.md`, one row a check: the last commit that it ran on, the day, how long it took and how
//! it ended. `cargo xtask test` prints how old each row is, so that a check that is never run is seen.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::Context;
use clap::ValueEnum;
use time::macros::format_description;
use time::{Date, OffsetDateTime};

use crate::checks::suite::{self, Group};
use crate::checks::{build_release, run_to_outcome};
use crate::postgres::{Cluster, FOR_TESTS, URL_VARIABLE};
use crate::report::Outcome;
use crate::{books, command_of, console, mutants, package, workspace_root};

const RECORD: &str = "docs/nightly.md";
/// The line before the table.
const MARK: &str = "The record:";
/// A row that is older is marked in the report of `cargo xtask test`.
const STALE_AFTER_DAYS: i64 = 14;
/// How long each fuzz target runs, in seconds.
const FUZZED_FOR: u32 = 300;
const FUZZ_TARGETS: &str = "fuzz/fuzz_targets";
const SOAK: [&str; 6] = ["xtask", "soak", "--purchases", "20000", "--kills", "50"];

/// A check that is too long for every change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Check {
    /// 20,000 purchases with every fault and 50 kills, on SQLite and on PostgreSQL with two nodes.
    Soak,
    /// Every fuzz target for five minutes; needs `cargo-fuzz`.
    Fuzz,
    /// The measurements of docs/benchmarks.md.
    Bench,
    /// `tradepost doctor` on a million purchases, on both databases, within its time.
    Doctor,
    /// The part of the mutants that was tested longest ago; see docs/mutants.md.
    Mutants,
    /// The tutorial of an embedder, which compiles the library in a project of its own.
    Pages,
    /// The tests that are too long for every change.
    Long,
    /// The console in a browser: long stories, every state of every page, the keyboard, and how soon pages are painted.
    Console,
    /// Four servers that trade for two hundred workspaces, of which one is killed.
    Workspaces,
    /// Every part of a release.
    Package,
}

/// A row of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    check: String,
    commit: String,
    day: Date,
    minutes: u64,
    outcome: String,
}

/// Runs these checks, or all, and keeps how each ended.
///
/// # Errors
/// When a program cannot be run or the record cannot be written.
pub(crate) fn run(only: &[Check]) -> anyhow::Result<ExitCode> {
    let commit = committed()?;
    let checks = if only.is_empty() { Check::value_variants() } else { only };
    let mut all_passed = true;
    for check in checks {
        eprintln!("\n==> {}", check.name());
        let begun = Instant::now();
        let passed = check.run()?;
        all_passed &= passed;
        let outcome = if passed { "passed" } else { "FAILED" };
        let minutes = begun.elapsed().as_secs().div_ceil(60);
        let row =
            Row { check: check.name(), commit: commit.clone(), day: today(), minutes, outcome: outcome.to_owned() };
        keep(row)?;
    }
    println!("\n{}", std::fs::read_to_string(record())?);
    Ok(if all_passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The commit that is checked.
///
/// # Errors
/// When something is not committed.
pub(crate) fn committed() -> anyhow::Result<String> {
    anyhow::ensure!(
        output_of("git", &["status", "--porcelain", "--", ".", ":!docs/nightly.md", ":!docs/mutants.md"])?.is_empty(),
        "there are uncommitted changes; commit them, so that the record names what was checked"
    );
    output_of("git", &["rev-parse", "--short=10", "HEAD"])
}

/// This day, as records have it.
///
/// # Errors
/// None in practice.
pub(crate) fn day() -> anyhow::Result<String> {
    Ok(today().format(DAY)?)
}

/// A line for each check: how and when it ended last.
pub(crate) fn ages() -> Vec<String> {
    let rows = std::fs::read_to_string(record()).map(|text| rows_of(&text)).unwrap_or_default();
    let today = today();
    Check::value_variants().iter().map(|check| age(&check.name(), &rows, today)).collect()
}

fn age(check: &str, rows: &[Row], today: Date) -> String {
    let Some(row) = rows.iter().find(|row| row.check == check) else {
        return format!("nightly  {check:8} NEVER RUN: cargo xtask nightly --only {check}");
    };
    let days = (today - row.day).whole_days();
    let stale = if days > STALE_AFTER_DAYS { ", STALE" } else { "" };
    format!("nightly  {check:8} {} {days} days ago on {}{stale}", row.outcome, row.commit)
}

impl Check {
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn run(self) -> anyhow::Result<bool> {
        match self {
            Self::Soak => {
                let on_sqlite = cargo(&SOAK)?;
                Ok(cargo(&[&SOAK[..], &["--database", "postgres", "--nodes", "2"]].concat())? && on_sqlite)
            }
            Self::Bench => cargo(&["xtask", "bench"]),
            Self::Doctor => books::examine(),
            Self::Mutants => Ok(mutants::run(&[])? == ExitCode::SUCCESS),
            Self::Pages => passes(suite::only(Group::PagesWithCargo)),
            Self::Long => passes(suite::only(Group::Long)),
            Self::Console => console::long(),
            Self::Package => package::every_part(),
            Self::Workspaces => {
                let program = build_release()?;
                let mut tests = suite::only(Group::ManyWorkspaces);
                tests.env("TRADEPOST_BIN", program);
                passes(tests)
            }
            Self::Fuzz => {
                let mut all_passed = true;
                for target in fuzz_targets()? {
                    let limit = format!("-max_total_time={FUZZED_FOR}");
                    let fuzz = ["fuzz", "run", "--sanitizer", "none", &target, "--", &limit];
                    all_passed &= cargo(&fuzz)?;
                }
                Ok(all_passed)
            }
        }
    }
}

fn passes(mut tests: Command) -> anyhow::Result<bool> {
    let cluster = Cluster::start(FOR_TESTS)?;
    Ok(matches!(run_to_outcome(tests.env(URL_VARIABLE, cluster.url()))?, Outcome::Passed))
}

fn fuzz_targets() -> anyhow::Result<Vec<String>> {
    let mut targets = Vec::new();
    for entry in std::fs::read_dir(workspace_root().join(FUZZ_TARGETS))? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).context("a fuzz target has a name in UTF-8")?;
        targets.push(name.to_owned());
    }
    targets.sort();
    Ok(targets)
}

fn cargo(arguments: &[&str]) -> anyhow::Result<bool> {
    let status = command_of("cargo").args(arguments).current_dir(workspace_root()).status();
    Ok(status.context("cannot run cargo")?.success())
}

fn output_of(program: &str, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program).args(arguments).current_dir(workspace_root()).output();
    let output = output.with_context(|| format!("cannot run {program}"))?;
    anyhow::ensure!(output.status.success(), "{program} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

#[expect(clippy::disallowed_methods, reason = "a command of the project's own has no other clock")]
fn today() -> Date {
    OffsetDateTime::now_utc().date()
}

fn record() -> PathBuf {
    workspace_root().join(RECORD)
}

/// Replaces the row of a check.
fn keep(row: Row) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(record()).with_context(|| format!("cannot read {RECORD}"))?;
    let mut rows = rows_of(&text);
    rows.retain(|kept| kept.check != row.check);
    rows.push(row);
    rows.sort_by(|one, other| one.check.cmp(&other.check));
    let (head, _) = text.split_once(MARK).with_context(|| format!("{RECORD} has no line {MARK:?}"))?;
    std::fs::write(record(), format!("{head}{MARK}\n\n{}", table(&rows)?))
        .with_context(|| format!("cannot write {RECORD}"))
}

fn table(rows: &[Row]) -> anyhow::Result<String> {
    let mut table = String::from("| check | commit | day | minutes | outcome |\n|---|---|---|---|---|\n");
    for Row { check, commit, day, minutes, outcome } in rows {
        writeln!(table, "| {check} | {commit} | {} | {minutes} | {outcome} |", day.format(DAY)?)?;
    }
    Ok(table)
}

const DAY: &[time::format_description::BorrowedFormatItem<'static>] = format_description!("[year]-[month]-[day]");

/// The rows of the table; lines that are none are passed over.
fn rows_of(text: &str) -> Vec<Row> {
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let row = |line: &str| {
        let [check, commit, day, minutes, outcome] = <[String; 5]>::try_from(cells(line)).ok()?;
        Some(Row { check, commit, day: Date::parse(&day, DAY).ok()?, minutes: minutes.parse().ok()?, outcome })
    };
    text.lines().filter(|line| line.starts_with('|')).filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::date;

    fn row(check: &str, day: Date) -> Row {
        Row { check: check.to_owned(), commit: "0123456789".to_owned(), day, minutes: 17, outcome: "passed".to_owned() }
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let rows = vec![row("fuzz", date!(2026 - 11 - 23)), row("soak", date!(2026 - 01 - 02))];
        assert_eq!(rows_of(&format!("# Title\n\nText.\n\n{}", table(&rows).unwrap())), rows);
    }

    #[test]
    fn a_check_that_never_ran_or_ran_long_ago_is_marked() {
        let rows = [row("soak", date!(2026 - 11 - 01)), row("fuzz", date!(2026 - 11 - 20))];
        let age = |check| age(check, &rows, date!(2026 - 11 - 23));
        assert!(age("soak").ends_with("passed 22 days ago on 0123456789, STALE"), "{}", age("soak"));
        assert!(age("fuzz").ends_with("passed 3 days ago on 0123456789"), "{}", age("fuzz"));
        assert!(age("bench").contains("NEVER RUN"), "{}", age("bench"));
    }

    #[test]
    fn every_check_of_the_record_exists() {
        let rows = rows_of(&std::fs::read_to_string(record()).unwrap());
        let names: Vec<String> = Check::value_variants().iter().map(|check| check.name()).collect();
        assert!(rows.iter().all(|row| names.contains(&row.check)), "{rows:?}");
    }
}
