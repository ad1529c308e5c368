//! `cargo xtask mutants`: changes the rules one by one and looks whether a test notices.
//!
//! The mutants of the files in `mutants/rules.txt` are all tried, of the rest of each crate 200 that a seed draws, in parts of at
//! most 80 minutes. How each part ended is kept in docs/mutants.md, with what there was no time for.

mod page;
mod plan;
mod tool;

use std::collections::HashSet;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use self::page::{Found, Page, Row, Survivor};
use self::plan::{Earlier, MINUTES, Mutant, Part};
use self::tool::{Fate, Tool};
use crate::postgres::{Cluster, FOR_TESTS, URL_VARIABLE};
use crate::{nightly, workspace_root};

/// How many of a hundred viable mutants are to be killed.
const SHARE: usize = 90;

/// Prints the parts and how each ended last.
///
/// # Errors
/// When the tool cannot be had, or the list of files is wrong.
pub(crate) fn list() -> anyhow::Result<ExitCode> {
    let (parts, page) = (parts()?, Page::read()?);
    for part in &parts {
        let last = page.row(&part.name).map_or("never".to_owned(), |row| {
            let (left, Row { killed, viable, day, commit, .. }) = (row.left(), row);
            format!("{killed} of {viable} viable ones killed, {left} not tried, {day} on {commit}")
        });
        println!("{:22} {:4} mutants, {last}", part.name, part.mutants.len());
    }
    Ok(ExitCode::SUCCESS)
}

/// Tests the parts of these names, `domain/1` or a crate's `domain`; the one that was tested longest ago if there is no name.
///
/// # Errors
/// When there is no such part, when changes are not committed, or when the tests fail without any mutant.
pub(crate) fn run(names: &[String]) -> anyhow::Result<ExitCode> {
    let commit = nightly::committed()?;
    let parts = parts()?;
    let chosen = if names.is_empty() { vec![longest_ago(&parts, &Page::read()?)?] } else { named(&parts, names)? };
    // Many tests want a database, whichever crate is changed.
    let cluster = Cluster::start(FOR_TESTS)?;
    let tool = Tool::provide()?.with_variable(URL_VARIABLE, &cluster.url());
    let mut all_pass = true;
    for part in chosen {
        tool::copy_of(&commit)?;
        let objections = tested(&tool, part, &commit)?;
        for objection in &objections {
            println!("{}: {objection}", part.name);
        }
        all_pass &= objections.is_empty();
    }
    Ok(if all_pass { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn parts() -> anyhow::Result<Vec<Part>> {
    plan::parts(&Tool::provide()?.list()?, workspace_root())
}

fn named<'a>(parts: &'a [Part], names: &[String]) -> anyhow::Result<Vec<&'a Part>> {
    let mut chosen = Vec::new();
    for name in names {
        let before = chosen.len();
        chosen.extend(parts.iter().filter(|part| part.name == *name || part.of.name == name));
        ensure!(chosen.len() > before, "there is no part {name}; `cargo xtask mutants --list` names them");
    }
    Ok(chosen)
}

/// The first part that was never tested, or else the one with the oldest row.
fn longest_ago<'a>(parts: &'a [Part], page: &Page) -> anyhow::Result<&'a Part> {
    let last = |part: &&Part| page.row(&part.name).map(|row| row.day.clone());
    parts.iter().min_by_key(last).context("there are no mutants")
}

/// Tests a part, records it, and returns why it does not pass.
///
/// What an earlier run had no time for comes first. If that run was on this commit, its counts are continued and nothing is tried twice.
fn tested(tool: &Tool, part: &Part, commit: &str) -> anyhow::Result<Vec<String>> {
    let page = Page::read()?;
    let begun = page.row(&part.name).filter(|row| row.commit == commit && row.left() > 0);
    let earlier = if begun.is_some() { Earlier::OnThisCommit } else { Earlier::OnAnotherCommit };
    let (first, others) = part.split(&page.untried_in(&part.name), earlier);
    let until = Instant::now() + Duration::from_mins(MINUTES);
    let mut fates = fates(tool, part.of.by, first, until)?;
    if begun.is_none() {
        fates.extend(self::fates(tool, part.of.by, others.clone(), until)?);
    }
    let row = counted(part, &fates, begun, commit)?;
    let found = found(part, &fates, begun.map(|_| others.as_slice()));
    println!(
        "{}: {} of {} viable mutants killed, {} of {} tried",
        row.part, row.killed, row.viable, row.tried, row.mutants
    );
    // Reasons may have been written in the meantime.
    let mut page = Page::read()?;
    page.note(row.clone(), &found);
    page.write()?;
    Ok(objections(&row, &page.survivors_in(&part.name)))
}

fn counted(part: &Part, fates: &[(Mutant, Fate)], begun: Option<&Row>, commit: &str) -> anyhow::Result<Row> {
    let count = |wanted: Fate| fates.iter().filter(|(_, fate)| *fate == wanted).count();
    let (tried, viable, killed) = begun.map_or((0, 0, 0), |row| (row.tried, row.viable, row.killed));
    Ok(Row {
        part: part.name.clone(),
        commit: commit.to_owned(),
        day: nightly::day()?,
        mutants: part.mutants.len(),
        tried: tried + fates.len(),
        viable: viable + fates.len() - count(Fate::Unviable),
        killed: killed + count(Fate::Killed),
    })
}

/// What a run found, where some mutants may have been tried before on the same commit.
fn found(part: &Part, fates: &[(Mutant, Fate)], tried_before: Option<&[Mutant]>) -> Found {
    let survived = fates.iter().filter(|(_, fate)| *fate == Fate::Survived);
    let tried: HashSet<&Mutant> = fates.iter().map(|(mutant, _)| mutant).collect();
    let passed_over: Vec<_> = part.mutants.iter().filter(|mutant| !tried.contains(mutant)).collect();
    let untried = passed_over.iter().filter(|mutant| !tried_before.unwrap_or_default().contains(mutant));
    Found {
        survivors: survived.map(|(mutant, _)| mutant.lasting_name()).collect(),
        untried: untried.map(|mutant| mutant.name.clone()).collect(),
        passed_over: passed_over.iter().map(|mutant| mutant.lasting_name()).collect(),
    }
}

/// Why a part does not pass.
fn objections(row: &Row, survivors: &[&Survivor]) -> Vec<String> {
    let mut objections = Vec::new();
    if row.left() > 0 {
        objections.push(format!(
            "cut off: {} of {} mutants were not tried; run the part again, they come first",
            row.left(),
            row.mutants
        ));
    }
    if row.killed * 100 < row.viable * SHARE {
        objections.push(format!("{} of {} viable mutants killed, {SHARE} % are needed", row.killed, row.viable));
    }
    let unexplained = survivors.iter().filter(|survivor| !survivor.has_reason()).count();
    if unexplained > 0 {
        objections
            .push(format!("{unexplained} survivors have no reason in docs/mutants.md: write a test or the reason"));
    }
    objections
}

/// A mutant that survives the tests of its own crate is tested by the others. One for which there is no time left has no fate.
fn fates(tool: &Tool, by: &[&[&str]], mutants: Vec<Mutant>, until: Instant) -> anyhow::Result<Vec<(Mutant, Fate)>> {
    let (mut ended, mut left) = (Vec::new(), mutants);
    for by in by {
        if left.is_empty() || Instant::now() >= until {
            return Ok(ended);
        }
        let tried = tool.test(&left, by, until)?;
        let (survived, others): (Vec<_>, Vec<_>) = tried.into_iter().partition(|(_, fate)| *fate == Fate::Survived);
        ended.extend(others);
        left = survived.into_iter().map(|(mutant, _)| mutant).collect();
    }
    ended.extend(left.into_iter().map(|mutant| (mutant, Fate::Survived)));
    Ok(ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "crates/domain/src/money.rs";

    fn row(mutants: usize, tried: usize, killed: usize) -> Row {
        let (part, commit, day) = ("domain/1".to_owned(), "0123456789".to_owned(), "2026-11-24".to_owned());
        Row { part, commit, day, mutants, tried, viable: tried, killed }
    }

    fn survivor(reason: &str) -> Survivor {
        Survivor { part: "domain/1".to_owned(), mutant: "src/a.rs: x".to_owned(), reason: reason.to_owned() }
    }

    fn mutant(line: usize) -> Mutant {
        let name = format!("{FILE}:{line}:1: change {line}");
        Mutant { package: "tradepost-domain".to_owned(), file: FILE.to_owned(), name }
    }

    fn part(mutants: usize) -> Part {
        Part { name: "domain/1".to_owned(), of: &plan::CRATES[0], mutants: (0..mutants).map(mutant).collect() }
    }

    #[test]
    fn a_whole_part_with_nine_of_ten_killed_and_reasons_passes() {
        assert_eq!(objections(&row(10, 10, 9), &[&survivor("equal in every case")]), Vec::<String>::new());
    }

    #[test]
    fn a_part_that_was_cut_off_does_not_pass_and_says_how_many_are_left() {
        let said = objections(&row(600, 590, 590), &[]);
        assert!(matches!(said.as_slice(), [said] if said.contains("10 of 600 mutants were not tried")), "{said:?}");
        assert_eq!(objections(&row(600, 0, 0), &[]).len(), 1);
    }

    #[test]
    fn a_part_with_less_than_nine_of_ten_killed_does_not_pass() {
        let said = objections(&row(100, 100, 89), &[]);
        assert!(matches!(said.as_slice(), [said] if said.contains("89 of 100")), "{said:?}");
    }

    #[test]
    fn a_part_with_a_survivor_without_a_reason_does_not_pass() {
        let survivors = ["equal in every case", "not looked at yet", ""].map(survivor);
        let said = objections(&row(100, 100, 97), &survivors.each_ref());
        assert!(matches!(said.as_slice(), [said] if said.starts_with("2 survivors")), "{said:?}");
    }

    #[test]
    fn a_second_run_on_one_commit_continues_the_counts_of_the_first() {
        let (part, begun) = (part(5), row(5, 3, 2));
        let fates = [(mutant(3), Fate::Killed), (mutant(4), Fate::Survived)];
        let counted = counted(&part, &fates, Some(&begun), &begun.commit).unwrap();
        assert_eq!((counted.tried, counted.viable, counted.killed), (5, 5, 3));
        let found = found(&part, &fates, Some(&part.mutants[..3]));
        assert_eq!((found.untried.len(), found.passed_over.len()), (0, 3));
    }

    #[test]
    fn a_run_on_another_commit_counts_and_leaves_only_what_it_had_no_time_for() {
        let part = part(3);
        let fates = [(mutant(1), Fate::Unviable), (mutant(2), Fate::Survived)];
        let counted = counted(&part, &fates, None, "0123456789").unwrap();
        assert_eq!((counted.tried, counted.viable, counted.killed), (2, 1, 0));
        let found = found(&part, &fates, None);
        assert_eq!(found.untried, [mutant(0).name]);
        assert_eq!(found.survivors, [mutant(2).lasting_name()]);
    }
}
