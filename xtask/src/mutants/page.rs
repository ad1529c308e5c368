//! The committed record of mutants, `docs/mutants.md`: how each part ended last, and the survivors with the reason why they are not
//! gaps. It knows the page, and not how mutants are tested.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context;

use crate::workspace_root;

const PAGE: &str = "docs/mutants.md";
/// The line before the tables.
const MARK: &str = "The record:";
/// The reason of a survivor that was not inspected.
const NO_REASON: &str = "not looked at yet";
/// A bar in a cell.
const BAR: &str = "\\|";

/// How a part ended last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) part: String,
    pub(super) commit: String,
    pub(super) day: String,
    /// How many mutants it has, and how many of them were tried in time.
    pub(super) mutants: usize,
    pub(super) tried: usize,
    pub(super) viable: usize,
    pub(super) killed: usize,
}

/// A mutant that no test noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Survivor {
    pub(super) part: String,
    pub(super) mutant: String,
    pub(super) reason: String,
}

/// What the page records.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) rows: Vec<Row>,
    pub(super) survivors: Vec<Survivor>,
}

impl Page {
    /// # Errors
    /// When the page cannot be read.
    pub(super) fn read() -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path()).with_context(|| format!("cannot read {PAGE}"))?;
        Ok(Self::of(&text))
    }

    fn of(text: &str) -> Self {
        let mut page = Self::default();
        for line in text.lines().filter(|line| line.starts_with('|')) {
            let cells = cells(line);
            page.rows.extend(row_of(&cells));
            page.survivors.extend(survivor_of(&cells));
        }
        page
    }

    /// Replaces what is known of a part. A mutant that survives again keeps the reason that it was given.
    pub(super) fn note(&mut self, row: Row, survivors: &[String]) {
        let known: Vec<_> = self.survivors.extract_if(.., |survivor| survivor.part == row.part).collect();
        for mutant in survivors {
            let reason = known.iter().find(|known| known.mutant == *mutant).map_or(NO_REASON, |known| &known.reason);
            let survivor = Survivor { part: row.part.clone(), mutant: mutant.clone(), reason: reason.to_owned() };
            self.survivors.push(survivor);
        }
        self.rows.retain(|known| known.part != row.part);
        self.rows.push(row);
    }

    /// Writes the tables behind the words of the page.
    ///
    /// # Errors
    /// When the page cannot be written.
    pub(super) fn write(&mut self) -> anyhow::Result<()> {
        let text = std::fs::read_to_string(path()).with_context(|| format!("cannot read {PAGE}"))?;
        let (head, _) = text.split_once(MARK).with_context(|| format!("{PAGE} has no line {MARK:?}"))?;
        std::fs::write(path(), format!("{head}{MARK}\n\n{}", self.tables()?))
            .with_context(|| format!("cannot write {PAGE}"))
    }

    fn tables(&mut self) -> anyhow::Result<String> {
        self.rows.sort_by(|one, other| one.part.cmp(&other.part));
        self.survivors.sort_by(|one, other| (&one.part, &one.mutant).cmp(&(&other.part, &other.mutant)));
        let mut text = String::from(
            "| part | commit | day | mutants | tried | viable | killed |\n|---|---|---|---|---|---|---|\n",
        );
        for Row { part, commit, day, mutants, tried, viable, killed } in &self.rows {
            writeln!(text, "| {part} | {commit} | {day} | {mutants} | {tried} | {viable} | {killed} |")?;
        }
        text.push_str("\n| survived in | mutant | reason |\n|---|---|---|\n");
        for Survivor { part, mutant, reason } in &self.survivors {
            writeln!(text, "| {part} | `{}` | {reason} |", mutant.replace('|', BAR))?;
        }
        Ok(text)
    }
}

fn path() -> PathBuf {
    workspace_root().join(PAGE)
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|').replace(BAR, "\0");
    inner.split('|').map(|cell| cell.trim().replace('\0', "|")).collect()
}

fn row_of(cells: &[String]) -> Option<Row> {
    let [part, commit, day, numbers @ ..] = cells else { return None };
    let numbers: Vec<usize> = numbers.iter().map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [mutants, tried, viable, killed] = numbers[..] else { return None };
    Some(Row { part: part.clone(), commit: commit.clone(), day: day.clone(), mutants, tried, viable, killed })
}

fn survivor_of(cells: &[String]) -> Option<Survivor> {
    let [part, mutant, reason] = cells else { return None };
    let mutant = mutant.strip_prefix('`')?.strip_suffix('`')?;
    Some(Survivor { part: part.clone(), mutant: mutant.to_owned(), reason: reason.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(part: &str) -> Row {
        let (commit, day) = ("0123456789".to_owned(), "2026-11-24".to_owned());
        Row { part: part.to_owned(), commit, day, mutants: 600, tried: 590, viable: 500, killed: 480 }
    }

    #[test]
    fn the_tables_are_read_as_they_were_written() {
        let mut page = Page::default();
        page.note(row("domain/1"), &["src/a.rs: replace || with && in f".to_owned()]);
        page.note(row("engine/1"), &[]);
        assert_eq!(Page::of(&format!("# Title\n\nText.\n\n{}", page.tables().unwrap())), page);
    }

    #[test]
    fn a_survivor_keeps_its_reason_and_a_killed_mutant_is_removed() {
        let (stays, goes) = ("src/a.rs: stays".to_owned(), "src/a.rs: goes".to_owned());
        let mut page = Page::default();
        page.note(row("domain/1"), &[stays.clone(), goes]);
        page.note(row("domain/2"), std::slice::from_ref(&stays));
        page.survivors[0].reason = "equal in every case".to_owned();
        page.note(row("domain/1"), std::slice::from_ref(&stays));
        let reason = |part: &str| page.survivors.iter().find(|known| known.part == part).unwrap().reason.clone();
        assert_eq!(page.survivors.len(), 2);
        assert_eq!((reason("domain/1").as_str(), reason("domain/2").as_str()), ("equal in every case", NO_REASON));
    }
}
