//! `cargo xtask language`: finds the phrases that STYLE.md bans, and keeps their number per file from growing.
//!
//! It reads the working tree and `language-budget.txt`, and needs neither git nor the network.

mod passages;
mod phrases;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

use crate::report::Outcome;
use crate::workspace_root;
use passages::Prose;
use phrases::{ALLOWED, Phrases};

const BUDGET: &str = "language-budget.txt";
const FOLDERS: [&str; 10] =
    ["bench", "clients", "console", "crates", "docs", "examples", "packaging", "proto", "tests", "xtask"];
/// Folders of what is built, generated or installed, wherever they are.
const SKIPPED: [&str; 8] = ["target", "node_modules", "build", "dist", "console-dist", "gen", "_gen", "__pycache__"];
/// Where every file but these of JSON is a script or has settings.
const PACKAGING: &str = "packaging/";
const DATA: &str = "json";

/// How many banned phrases each file has; files without any are left out.
type Counts = BTreeMap<String, usize>;

/// Prints the banned phrases of the files that are over their budget, or of the paths that are named.
pub(crate) fn run(paths: &[String], write: bool) -> anyhow::Result<ExitCode> {
    let findings = findings()?;
    for path in paths {
        for (_, lines) in findings.iter().filter(|(file, _)| file.starts_with(path.as_str())) {
            println!("{}", lines.join("\n"));
        }
    }
    let outcome = compare(&findings, write)?;
    println!("{} banned phrases in {} files", findings.values().map(Vec::len).sum::<usize>(), findings.len());
    Ok(match outcome {
        Outcome::Failed(reason) => {
            println!("{reason}");
            ExitCode::FAILURE
        }
        Outcome::Passed | Outcome::Skipped(_) => ExitCode::SUCCESS,
    })
}

/// The check of `cargo xtask test`.
pub(crate) fn check() -> anyhow::Result<Outcome> {
    compare(&findings()?, false)
}

fn compare(findings: &BTreeMap<String, Vec<String>>, write: bool) -> anyhow::Result<Outcome> {
    let path = workspace_root().join(BUDGET);
    let counts: Counts = findings.iter().map(|(file, lines)| (file.clone(), lines.len())).collect();
    let stored = if path.exists() { Some(fs::read_to_string(&path)?) } else { None };
    let budget = stored.as_deref().map(parse).transpose()?.unwrap_or_else(|| counts.clone());
    if write {
        fs::write(&path, render(&lowered(&counts, &budget)))?;
    }
    let over = exceeded(&counts, &budget);
    for line in over.iter().filter_map(|file| findings.get(file)).flatten() {
        println!("{line}");
    }
    if !over.is_empty() {
        return Ok(Outcome::Failed(format!("above {BUDGET}: {}", over.join(", "))));
    }
    if !write && counts != budget {
        return Ok(Outcome::Failed(format!("below {BUDGET}: lower it with `cargo xtask language --write`")));
    }
    Ok(Outcome::Passed)
}

/// The files with more banned phrases than their budget allows.
fn exceeded(counts: &Counts, budget: &Counts) -> Vec<String> {
    let over = counts.iter().filter(|(file, count)| **count > budget.get(*file).copied().unwrap_or_default());
    over.map(|(file, _)| file.clone()).collect()
}

/// The budget, with every file that has fewer phrases now at its new count. No file's budget rises.
fn lowered(counts: &Counts, budget: &Counts) -> Counts {
    let kept = budget.iter().filter_map(|(file, allowed)| counts.get(file).map(|count| (file, *count.min(allowed))));
    kept.map(|(file, count)| (file.clone(), count)).collect()
}

fn parse(text: &str) -> anyhow::Result<Counts> {
    let mut counts = Counts::new();
    for line in text.lines() {
        let (file, count) = line.rsplit_once(' ').with_context(|| format!("{BUDGET}: {line} has no count"))?;
        let count = count.parse().with_context(|| format!("{BUDGET}: {line}"))?;
        counts.insert(file.to_owned(), count);
    }
    Ok(counts)
}

fn render(counts: &Counts) -> String {
    counts.iter().fold(String::new(), |mut text, (file, count)| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{file} {count}");
        text
    })
}

/// Every banned phrase as `file:line: phrase → replacement`, by file.
fn findings() -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    let phrases = Phrases::new()?;
    let mut found = BTreeMap::new();
    for file in files()? {
        let Some(language) = Language::of(&file) else { continue };
        let text = fs::read_to_string(workspace_root().join(&file)).with_context(|| format!("cannot read {file}"))?;
        let lines = findings_in(&phrases, &file, &language.prose(&file, &text));
        if !lines.is_empty() {
            found.insert(file, lines);
        }
    }
    Ok(found)
}

/// The languages of files with prose.
#[derive(Clone, Copy)]
enum Language {
    Markdown,
    Proto,
    Rust,
    /// JavaScript and TypeScript, which have texts between backticks.
    Script,
    /// Python, shells, and files of settings.
    Plain,
}

impl Language {
    /// The language of a file; nothing for a file without prose.
    fn of(file: &str) -> Option<Self> {
        match Path::new(file).extension().and_then(OsStr::to_str) {
            Some("md") => Some(Self::Markdown),
            Some("proto") => Some(Self::Proto),
            Some("rs") => Some(Self::Rust),
            Some("mjs" | "ts" | "tsx") => Some(Self::Script),
            Some("py") => Some(Self::Plain),
            other => (file.starts_with(PACKAGING) && other != Some(DATA)).then_some(Self::Plain),
        }
    }

    fn prose(self, file: &str, text: &str) -> Prose {
        match self {
            Self::Markdown => passages::of_markdown(text),
            Self::Proto => passages::of_proto(text),
            Self::Rust => passages::of_rust(text, is_shipped(file)),
            Self::Script => passages::of_script(text, true),
            Self::Plain => passages::of_script(text, false),
        }
    }
}

/// Whether users read the texts of a Rust file.
fn is_shipped(file: &str) -> bool {
    let parts: Vec<&str> = file.split('/').collect();
    parts.first() == Some(&"crates")
        && parts.get(2) == Some(&"src")
        && !parts.iter().any(|part| matches!(*part, "testkit" | "tests" | "tests.rs"))
}

fn findings_in(phrases: &Phrases, file: &str, prose: &Prose) -> Vec<String> {
    let in_texts = prose.passages.iter().flat_map(|passage| {
        let found = phrases.in_text(&passage.text);
        found.into_iter().map(|found| (passage.line_at(found.at), found)).collect::<Vec<_>>()
    });
    let in_names = prose.names.iter().filter_map(|(line, name)| phrases::in_name(name).map(|found| (*line, found)));
    let mut lines: Vec<_> = in_texts.chain(in_names).filter(|(_, found)| !is_allowed(file, &found.phrase)).collect();
    lines.sort_by_key(|(line, _)| *line);
    lines.iter().map(|(line, found)| format!("{file}:{line}: {} → {}", found.phrase, found.instead)).collect()
}

fn is_allowed(file: &str, phrase: &str) -> bool {
    let mut of_file = ALLOWED.iter().filter(|allowed| file.starts_with(allowed.under));
    of_file.any(|allowed| allowed.phrase.is_empty() || allowed.phrase == phrase)
}

/// The files with prose: the pages at the root, and what the folders hold.
fn files() -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(workspace_root())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            found.push(relative(&path)?);
        }
    }
    for folder in FOLDERS {
        collect(&workspace_root().join(folder), &mut found)?;
    }
    Ok(found)
}

fn relative(path: &Path) -> anyhow::Result<String> {
    Ok(path.strip_prefix(workspace_root())?.to_string_lossy().replace('\\', "/"))
}

fn collect(folder: &Path, found: &mut Vec<String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let relative = relative(&path)?;
        if SKIPPED.iter().any(|skipped| relative == *skipped || relative.ends_with(&format!("/{skipped}"))) {
            continue;
        }
        if path.is_dir() {
            collect(&path, found)?;
        } else if Language::of(&relative).is_some() {
            found.push(relative);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(of: &[(&str, usize)]) -> Counts {
        of.iter().map(|(file, count)| ((*file).to_owned(), *count)).collect()
    }

    #[test]
    fn a_file_above_its_budget_is_named_and_its_budget_is_not_raised() {
        let (now, budget) = (counts(&[("a.md", 3), ("new.md", 1)]), counts(&[("a.md", 2)]));
        assert_eq!(exceeded(&now, &budget), ["a.md", "new.md"]);
        assert_eq!(lowered(&now, &budget), budget);
    }

    #[test]
    fn the_budget_follows_a_file_that_has_fewer_phrases_and_drops_one_without() {
        let (now, budget) = (counts(&[("a.md", 1)]), counts(&[("a.md", 2), ("b.md", 1)]));
        assert!(exceeded(&now, &budget).is_empty());
        assert_eq!(lowered(&now, &budget), now);
    }

    #[test]
    fn the_budget_is_read_as_it_is_written() {
        let budget = counts(&[("docs/a b.md", 12), ("z.rs", 1)]);
        assert_eq!(parse(&render(&budget)).unwrap(), budget);
        assert!(parse("a.md many").is_err());
    }

    #[test]
    fn scripts_and_the_files_of_packages_have_prose_and_what_is_generated_has_none() {
        let files = files().unwrap();
        for part in
            ["console/src/", "console/scripts/", "clients/python/", "clients/typescript/", "examples/", PACKAGING]
        {
            assert!(files.iter().any(|file| file.starts_with(part)), "{part}");
        }
        let is_generated = |file: &&String| SKIPPED.iter().any(|folder| file.contains(&format!("/{folder}/")));
        assert_eq!(files.iter().find(is_generated), None);
        assert!(Language::of("packaging/debian/postinst").is_some() && Language::of("packaging/a.json").is_none());
    }

    #[test]
    fn the_committed_budget_is_current() {
        assert!(workspace_root().join(BUDGET).exists());
        let outcome = check().unwrap();
        assert!(matches!(outcome, Outcome::Passed), "run `cargo xtask language`");
    }
}
