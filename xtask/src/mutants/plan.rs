//! Which mutants are tested, in which parts and by whose tests. It knows the workspace's crates, and nothing of the tool.

use std::collections::HashSet;
use std::path::Path;

use anyhow::ensure;

/// The files whose mutants are all tested.
const RULES: &str = include_str!("rules.txt");
const RULES_AT_MOST: usize = 800;
/// How many are drawn of what is elsewhere in a crate.
const DRAWN: usize = 200;
/// What the draw begins with. Another one draws other mutants.
const SEED: u64 = 16;
/// How long a part may take.
pub(super) const MINUTES: u64 = 80;

/// A crate whose rules are mutated.
#[derive(Debug)]
pub(super) struct Tested {
    /// What its parts are called by.
    pub(super) name: &'static str,
    pub(super) package: &'static str,
    /// Whose tests are run: the first ones for every mutant, the next for those that survived.
    pub(super) by: &'static [&'static [&'static str]],
    /// About how long a mutant takes on 2 cores.
    pub(super) seconds: u64,
}

const TEST_OF_ALL: &[&str] = &["tradepost-tests"];

pub(super) const CRATES: [Tested; 17] = [
    tested("domain", "tradepost-domain", &[&["tradepost-domain"], &["tradepost-operations"]], 8),
    tested("ports", "tradepost-ports", &[&["tradepost-ports", "tradepost-testkit", "tradepost-operations"]], 60),
    tested("operations", "tradepost-operations", &[&["tradepost-operations"], TEST_OF_ALL], 60),
    tested("engine", "tradepost-engine", &[&["tradepost-engine"]], 60),
    tested("adapters-auth", "tradepost-adapters-auth", &[&["tradepost-adapters-auth"]], 20),
    tested("adapters-botcheck", "tradepost-adapters-botcheck", &[&["tradepost-adapters-botcheck"]], 20),
    tested("adapters-connect", "tradepost-adapters-connect", &[&["tradepost-adapters-connect"], TEST_OF_ALL], 120),
    tested("adapters-import", "tradepost-adapters-import", &[&["tradepost-adapters-import"]], 20),
    tested("adapters-limits", "tradepost-adapters-limits", &[&["tradepost-adapters-limits"]], 20),
    tested("adapters-linking", "tradepost-adapters-linking", &[&["tradepost-adapters-linking"]], 20),
    tested("adapters-mail", "tradepost-adapters-mail", &[&["tradepost-adapters-mail"]], 20),
    tested("adapters-outside", "tradepost-adapters-outside", &[&["tradepost-adapters-outside"]], 20),
    tested("adapters-price-feeds", "tradepost-adapters-price-feeds", &[&["tradepost-adapters-price-feeds"]], 30),
    tested("adapters-simulator", "tradepost-adapters-simulator", &[&["tradepost-adapters-simulator"]], 30),
    tested("adapters-sql", "tradepost-adapters-sql", &[&["tradepost-adapters-sql"]], 120),
    tested("adapters-steam", "tradepost-adapters-steam", &[&["tradepost-adapters-steam"]], 30),
    tested("app", "tradepost", &[&["tradepost"], TEST_OF_ALL], 120),
];

const fn tested(
    name: &'static str,
    package: &'static str,
    by: &'static [&'static [&'static str]],
    seconds: u64,
) -> Tested {
    Tested { name, package, by, seconds }
}

/// A change to the source that some test should notice.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Mutant {
    pub(super) package: String,
    pub(super) file: String,
    /// What the tool calls it: file, line, column and what is changed.
    pub(super) name: String,
}

impl Mutant {
    /// Its name without line and column, which other changes move.
    pub(super) fn lasting_name(&self) -> String {
        lasting(&self.name)
    }
}

/// `src/a.rs:12:5: replace …` without its position.
pub(super) fn lasting(name: &str) -> String {
    let mut parts = name.splitn(4, ':');
    match (parts.next(), parts.nth(2)) {
        (Some(file), Some(change)) => format!("{file}:{change}"),
        _ => name.to_owned(),
    }
}

/// What is tested in one go.
#[derive(Debug)]
pub(super) struct Part {
    /// The crate's name and a number: `domain/1`.
    pub(super) name: String,
    pub(super) of: &'static Tested,
    pub(super) mutants: Vec<Mutant>,
}

/// How much of a part an earlier run has tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Earlier {
    /// Some of it on this commit, so that the tool still names each mutant as it did.
    OnThisCommit,
    /// Nothing that counts on this commit: lines have moved.
    OnAnotherCommit,
}

impl Part {
    /// Those for which an earlier run had no time, and the others.
    pub(super) fn split(&self, untried: &[&str], earlier: Earlier) -> (Vec<Mutant>, Vec<Mutant>) {
        let moved: HashSet<String> = untried.iter().map(|name| lasting(name)).collect();
        let is_untried = |mutant: &Mutant| match earlier {
            Earlier::OnThisCommit => untried.contains(&mutant.name.as_str()),
            Earlier::OnAnotherCommit => moved.contains(&mutant.lasting_name()),
        };
        self.mutants.iter().cloned().partition(is_untried)
    }
}

/// All parts, of these mutants of the whole workspace.
///
/// # Errors
/// When a file of the list is missing or has no mutant, or when the list has too many.
pub(super) fn parts(all: &[Mutant], root: &Path) -> anyhow::Result<Vec<Part>> {
    let rules = rules(RULES);
    check(&rules, root)?;
    let with_mutants: HashSet<&str> = all.iter().map(|mutant| mutant.file.as_str()).collect();
    let idle: Vec<_> = rules.iter().filter(|file| !with_mutants.contains(*file)).collect();
    ensure!(idle.is_empty(), "the list names files without a mutant: {idle:?}");
    let listed = all.iter().filter(|mutant| rules.contains(&mutant.file.as_str())).count();
    ensure!(listed <= RULES_AT_MOST, "the list has {listed} mutants; {RULES_AT_MOST} are the most");
    Ok(CRATES.iter().flat_map(|tested| parts_of(tested, all, &rules)).collect())
}

fn rules(list: &str) -> Vec<&str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

fn check(rules: &[&str], root: &Path) -> anyhow::Result<()> {
    let missing: Vec<_> = rules.iter().filter(|file| !root.join(file).is_file()).collect();
    ensure!(missing.is_empty(), "the list names files that are not there: {missing:?}");
    Ok(())
}

fn parts_of(tested: &'static Tested, all: &[Mutant], rules: &[&str]) -> Vec<Part> {
    let own = all.iter().filter(|mutant| mutant.package == tested.package).cloned();
    let (mut mutants, others): (Vec<_>, Vec<_>) = own.partition(|mutant| rules.contains(&mutant.file.as_str()));
    mutants.extend(drawn(others));
    let at_once = usize::try_from(MINUTES * 60 / tested.seconds).unwrap_or(1);
    let part = |number: usize, mutants: &[Mutant]| Part {
        name: format!("{}/{number}", tested.name),
        of: tested,
        mutants: mutants.to_vec(),
    };
    (1..).zip(mutants.chunks(at_once)).map(|(number, mutants)| part(number, mutants)).collect()
}

/// As many as are drawn: those whose names come first once chance has mixed them, so that what is drawn stays when other files change.
fn drawn(mut others: Vec<Mutant>) -> Vec<Mutant> {
    others.sort_by_cached_key(|mutant| (mixed(&mutant.lasting_name()), mutant.name.clone()));
    others.truncate(DRAWN);
    others
}

/// FNV-1a, which is the same on every machine and in every release.
fn mixed(text: &str) -> u64 {
    let begun = 0xcbf2_9ce4_8422_2325 ^ SEED.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    text.bytes().fold(begun, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace_root;

    fn mutant(number: usize) -> Mutant {
        let file = "crates/domain/src/money.rs".to_owned();
        Mutant { package: "tradepost-domain".to_owned(), name: format!("{file}:{number}:1: change {number}"), file }
    }

    #[test]
    fn every_file_of_the_list_is_there_and_named_once() {
        let rules = rules(RULES);
        check(&rules, workspace_root()).unwrap();
        assert_eq!(rules.iter().collect::<HashSet<_>>().len(), rules.len());
    }

    #[test]
    fn a_list_with_a_file_that_is_not_there_is_refused() {
        let refused = check(&["crates/domain/src/gone.rs"], workspace_root()).unwrap_err();
        assert!(refused.to_string().contains("gone.rs"), "{refused}");
    }

    #[test]
    fn a_list_with_more_than_eight_hundred_mutants_is_refused() {
        let rules = rules(RULES);
        let of = |file: &str, number: usize| {
            let package = "tradepost-domain".to_owned();
            Mutant { package, file: file.to_owned(), name: format!("{file}:{number}:1: change") }
        };
        let mut all: Vec<_> = rules.iter().map(|file| of(file, 0)).collect();
        all.extend((1..=RULES_AT_MOST - rules.len()).map(|number| of(rules[0], number)));
        parts(&all, workspace_root()).unwrap();
        all.push(of(rules[0], RULES_AT_MOST));
        assert!(parts(&all, workspace_root()).unwrap_err().to_string().contains("has 801 mutants"));
    }

    #[test]
    fn what_is_drawn_does_not_depend_on_order_or_lines() {
        let all: Vec<_> = (0..1_000).map(mutant).collect();
        let names = |drawn: Vec<Mutant>| drawn.iter().map(Mutant::lasting_name).collect::<Vec<_>>();
        let first = names(drawn(all.clone()));
        let moved = all.into_iter().rev().map(|mutant| Mutant { name: mutant.name.replace(":1: ", ":9: "), ..mutant });
        assert_eq!(first.len(), DRAWN);
        assert_eq!(names(drawn(moved.collect())), first);
    }

    #[test]
    fn what_was_not_tried_is_found_again_where_lines_have_moved() {
        let part = Part { name: "domain/1".to_owned(), of: &CRATES[0], mutants: (0..4).map(mutant).collect() };
        let before = part.mutants[2].name.replace(":2:1:", ":7:9:");
        let names = |mutants: Vec<Mutant>| mutants.into_iter().map(|mutant| mutant.name).collect::<Vec<_>>();
        let (first, others) = part.split(&[&before], Earlier::OnAnotherCommit);
        assert_eq!(names(first), [part.mutants[2].name.as_str()]);
        assert_eq!(others.len(), 3);
    }

    /// Two mutants of one file can differ in their line alone.
    #[test]
    fn on_the_same_commit_what_was_not_tried_is_found_by_its_line() {
        let file = "crates/domain/src/money.rs";
        let at = |line: usize| {
            let name = format!("{file}:{line}:1: replace < with <= in f");
            Mutant { package: "tradepost-domain".to_owned(), file: file.to_owned(), name }
        };
        let part = Part { name: "domain/1".to_owned(), of: &CRATES[0], mutants: vec![at(1), at(2)] };
        let untried = [part.mutants[1].name.as_str()];
        assert_eq!(part.split(&untried, Earlier::OnThisCommit), (vec![at(2)], vec![at(1)]));
        assert_eq!(part.split(&untried, Earlier::OnAnotherCommit), (vec![at(1), at(2)], vec![]));
    }

    #[test]
    fn every_crate_of_the_product_has_a_row() {
        let mut folders: Vec<_> = std::fs::read_dir(workspace_root().join("crates"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            // Generated code, and the fakes and contracts of the tests.
            .filter(|name| !["fakes", "proto", "testkit"].contains(&name.as_str()))
            .collect();
        let mut names: Vec<_> = CRATES.iter().map(|tested| tested.name.to_owned()).collect();
        folders.sort();
        names.sort();
        assert_eq!(names, folders);
    }
}
