//! The committed record of mutants, `docs/mutants.md`: how each part ended last, the survivors with the reason why they are not gaps, and
//! the mutants for which there was no time. It knows the page, and not how mutants are tested.

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

/// A mutant for which there was no time when its part ran last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Untried {
    pub(super) part: String,
    /// As the tool names it at the commit of the part's row.
    pub(super) mutant: String,
}

/// What a run of a part found, but for its counts.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Mutants that no test noticed, by lasting names.
    pub(super) survivors: Vec<String>,
    /// Mutants of the part that this run did not try, by lasting names.
    pub(super) passed_over: Vec<String>,
    /// Those of them that no run has tried on this commit, as the tool names them.
    pub(super) untried: Vec<String>,
}

/// What the page records.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) rows: Vec<Row>,
    pub(super) survivors: Vec<Survivor>,
    pub(super) untried: Vec<Untried>,
}

impl Row {
    /// How many mutants were not tried.
    pub(super) fn left(&self) -> usize {
        self.mutants.saturating_sub(self.tried)
    }
}

impl Survivor {
    /// Whether a developer wrote why it is not a gap.
    pub(super) fn has_reason(&self) -> bool {
        !self.reason.is_empty() && self.reason != NO_REASON
    }
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
            page.untried.extend(untried_of(&cells));
        }
        page
    }

    /// How a part ended last.
    pub(super) fn row(&self, part: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.part == part)
    }

    /// The survivors of a part.
    pub(super) fn survivors_in(&self, part: &str) -> Vec<&Survivor> {
        self.survivors.iter().filter(|survivor| survivor.part == part).collect()
    }

    /// The mutants of a part for which there was no time.
    pub(super) fn untried_in(&self, part: &str) -> Vec<&str> {
        let of_part = self.untried.iter().filter(|untried| untried.part == part);
        of_part.map(|untried| untried.mutant.as_str()).collect()
    }

    /// Replaces what is known of a part. A mutant that survives again keeps the reason that it was given, and a survivor that was not tried
    /// again stays.
    pub(super) fn note(&mut self, row: Row, found: &Found) {
        let known: Vec<_> = self.survivors.extract_if(.., |survivor| survivor.part == row.part).collect();
        for mutant in &found.survivors {
            let reason = known.iter().find(|known| known.mutant == *mutant).map_or(NO_REASON, |known| &known.reason);
            let survivor = Survivor { part: row.part.clone(), mutant: mutant.clone(), reason: reason.to_owned() };
            self.survivors.push(survivor);
        }
        let stays =
            |known: &Survivor| found.passed_over.contains(&known.mutant) && !found.survivors.contains(&known.mutant);
        self.survivors.extend(known.into_iter().filter(stays));
        self.untried.retain(|untried| untried.part != row.part);
        let untried = found.untried.iter().map(|mutant| Untried { part: row.part.clone(), mutant: mutant.clone() });
        self.untried.extend(untried);
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
        self.untried.sort_by(|one, other| (&one.part, &one.mutant).cmp(&(&other.part, &other.mutant)));
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
        text.push_str("\n| not tried in | mutant |\n|---|---|\n");
        for Untried { part, mutant } in &self.untried {
            writeln!(text, "| {part} | `{}` |", mutant.replace('|', BAR))?;
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

fn untried_of(cells: &[String]) -> Option<Untried> {
    let [part, mutant] = cells else { return None };
    let mutant = mutant.strip_prefix('`')?.strip_suffix('`')?;
    Some(Untried { part: part.clone(), mutant: mutant.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(part: &str) -> Row {
        let (commit, day) = ("0123456789".to_owned(), "2026-11-24".to_owned());
        Row { part: part.to_owned(), commit, day, mutants: 600, tried: 590, viable: 500, killed: 480 }
    }

    fn survived(survivors: &[&str]) -> Found {
        Found { survivors: owned(survivors), ..Found::default() }
    }

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_tables_are_read_as_they_were_written() {
        let mut page = Page::default();
        let untried = owned(&["src/b.rs:7:3: replace | with & in g"]);
        page.note(row("domain/1"), &Found { untried, ..survived(&["src/a.rs: replace || with && in f"]) });
        page.note(row("engine/1"), &Found::default());
        assert_eq!(Page::of(&format!("# Title\n\nText.\n\n{}", page.tables().unwrap())), page);
    }

    #[test]
    fn a_survivor_keeps_its_reason_and_a_killed_mutant_is_removed() {
        let (stays, goes) = ("src/a.rs: stays", "src/a.rs: goes");
        let mut page = Page::default();
        page.note(row("domain/1"), &survived(&[stays, goes]));
        page.note(row("domain/2"), &survived(&[stays]));
        page.survivors[0].reason = "equal in every case".to_owned();
        page.note(row("domain/1"), &survived(&[stays]));
        let reason = |part: &str| page.survivors.iter().find(|known| known.part == part).unwrap().reason.clone();
        assert_eq!(page.survivors.len(), 2);
        assert_eq!((reason("domain/1").as_str(), reason("domain/2").as_str()), ("equal in every case", NO_REASON));
    }

    #[test]
    fn a_survivor_that_was_not_tried_again_stays_with_its_reason() {
        let (early, late) = ("src/a.rs: early", "src/a.rs: late");
        let mut page = Page::default();
        page.note(row("domain/1"), &survived(&[early]));
        page.survivors[0].reason = "equal in every case".to_owned();
        page.note(row("domain/1"), &Found { passed_over: owned(&[early]), ..survived(&[late]) });
        let known: Vec<_> =
            page.survivors_in("domain/1").into_iter().map(|known| (&*known.mutant, known.has_reason())).collect();
        assert_eq!(known, [(late, false), (early, true)]);
    }

    #[test]
    fn the_mutants_without_a_turn_are_those_of_the_latest_run() {
        let mut page = Page::default();
        let cut_off = |untried: &[&str]| Found { untried: owned(untried), ..Found::default() };
        page.note(row("domain/1"), &cut_off(&["src/a.rs:1:1: x", "src/a.rs:2:1: y"]));
        page.note(row("domain/2"), &cut_off(&["src/b.rs:1:1: z"]));
        page.note(row("domain/1"), &cut_off(&["src/a.rs:2:1: y"]));
        assert_eq!(page.untried_in("domain/1"), ["src/a.rs:2:1: y"]);
        assert_eq!(page.untried_in("domain/2"), ["src/b.rs:1:1: z"]);
    }
}
