//! Whether the documents still speak of what is there.

use super::{TextFile, assert_none, repository, rust_files, text_files};

fn documents() -> Vec<TextFile> {
    text_files().into_iter().filter(|file| file.path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// What stands between `open` and `close`, each time.
fn between<'a>(text: &'a str, open: &'a str, close: char) -> impl Iterator<Item = &'a str> {
    text.split(open).skip(1).filter_map(move |rest| rest.split_once(close).map(|(inside, _)| inside))
}

#[test]
fn every_link_inside_the_repository_leads_somewhere() {
    let mut offences = Vec::new();
    for document in documents() {
        let folder = repository().join(&document.path).parent().expect("a file lies in a folder").to_owned();
        for link in between(&document.text, "](", ')') {
            let target = link.split('#').next().unwrap_or_default();
            let outside = target.is_empty() || target.contains("://") || target.starts_with("mailto:");
            if !outside && !folder.join(target).exists() {
                offences.push(format!("{} links to {target}", document.path.display()));
            }
        }
    }
    assert_none("every relative link leads to a file", &offences);
}

/// The section `Invariants` names the tests that hold each of them, one list item `Held by` each.
#[test]
fn every_invariant_is_held_by_tests_that_exist() {
    let documents = documents();
    let architecture =
        documents.iter().find(|document| document.path.ends_with("ARCHITECTURE.md")).expect("it is there");
    let invariants = architecture.text.split("\n## Invariants\n").nth(1).expect("it has a section on invariants");
    let invariants = invariants.split("\n## ").next().unwrap_or_default();
    let functions: String = rust_files().into_iter().map(|file| file.text).collect();
    let mut offences = Vec::new();
    for invariant in invariants.split("\n### ").skip(1) {
        let title = invariant.lines().next().unwrap_or_default();
        let tests: Vec<&str> =
            invariant.split("Held by").nth(1).map(|held| between_ticks(held).collect()).unwrap_or_default();
        if tests.is_empty() {
            offences.push(format!("{title}: names no test"));
        }
        let gone = tests.iter().filter(|test| !functions.contains(&format!("fn {test}(")));
        offences.extend(gone.map(|test| format!("{title}: there is no test {test}")));
    }
    assert_none("every invariant is held by a test", &offences);
}

fn between_ticks(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}
