//! `cargo xtask mutants`: changes the rules one by one and looks whether a test notices.
//!
//! The mutants of the files in `mutants/rules.txt` are all tried, of the rest of each crate 200 that a seed draws, in parts of at
//! most 80 minutes. How each part ended is kept in docs/mutants.md.

mod page;
mod plan;
mod tool;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use self::page::{Page, Row};
use self::plan::{MINUTES, Mutant, Part};
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
        let last = page.rows.iter().find(|row| row.part == part.name);
        let last = last.map_or("never".to_owned(), |row| {
            format!("{} of {} viable ones killed, {} on {}", row.killed, row.viable, row.day, row.commit)
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
    let mut is_enough = true;
    for part in chosen {
        tool::copy_of(&commit)?;
        let row = tested(&tool, part, &commit)?;
        println!(
            "{}: {} of {} viable mutants killed, {} of {} tried",
            row.part, row.killed, row.viable, row.tried, row.mutants
        );
        is_enough &= row.killed * 100 >= row.viable * SHARE;
    }
    Ok(if is_enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
    let last = |part: &&Part| page.rows.iter().find(|row| row.part == part.name).map(|row| row.day.clone());
    parts.iter().min_by_key(last).context("there are no mutants")
}

/// Tests a part and records it.
fn tested(tool: &Tool, part: &Part, commit: &str) -> anyhow::Result<Row> {
    let fates = fates(tool, part)?;
    let count = |wanted: Fate| fates.iter().filter(|(_, fate)| *fate == wanted).count();
    let survivors: Vec<String> =
        fates.iter().filter(|(_, fate)| *fate == Fate::Survived).map(|(mutant, _)| mutant.lasting_name()).collect();
    let row = Row {
        part: part.name.clone(),
        commit: commit.to_owned(),
        day: nightly::day()?,
        mutants: part.mutants.len(),
        tried: fates.len(),
        viable: fates.len() - count(Fate::Unviable),
        killed: count(Fate::Killed),
    };
    let mut page = Page::read()?;
    page.note(row.clone(), &survivors);
    page.write()?;
    Ok(row)
}

/// A mutant that survives the cheap tests is tested by the others, while there is time.
fn fates(tool: &Tool, part: &Part) -> anyhow::Result<Vec<(Mutant, Fate)>> {
    let until = Instant::now() + Duration::from_mins(MINUTES);
    let (mut ended, mut left) = (Vec::new(), part.mutants.clone());
    for by in part.of.by {
        if left.is_empty() || Instant::now() >= until {
            break;
        }
        let tried = tool.test(&left, by, until)?;
        let (survived, others): (Vec<_>, Vec<_>) = tried.into_iter().partition(|(_, fate)| *fate == Fate::Survived);
        ended.retain(|(mutant, _)| !survived.iter().chain(&others).any(|(tried, _)| tried == mutant));
        left = survived.iter().map(|(mutant, _)| mutant.clone()).collect();
        ended.extend(survived.into_iter().chain(others));
    }
    Ok(ended)
}
