//! How long a page may be. A longer one mixes what its readers look for, and is split.

use super::{TextFile, assert_none, text_files};

const MOST_WORDS: usize = 1_500;
/// A page of reference is searched, and not read from its beginning.
const MOST_WORDS_OF_REFERENCE: usize = 2_200;
const REFERENCE: &str = "docs/reference";
const MOST_WORDS_OF_A_DECISION: usize = 1_000;
const MOST_LINES_OF_A_DECISION: usize = 60;
const DECISIONS: &str = "docs/adr";
/// Pages that are lists as a whole: of changes, of decisions, and of what tests write.
const LISTS: [&str; 4] = ["CHANGELOG.md", "docs/adr/README.md", "docs/reference/cli.md", "docs/reference/errors.md"];
/// What begins and ends a part that a test or a command writes.
pub(super) const WRITTEN: [(&str, &str); 2] =
    [("<!-- table: ", "<!-- end of table -->"), ("<!-- figures: ", "<!-- end of figures -->")];

#[test]
fn no_page_is_longer_than_one_of_its_kind_may_be() {
    let mut offences = Vec::new();
    for page in text_files().into_iter().filter(is_page) {
        let (words, most) = (words(&page.text), most_words(&page));
        if words > most {
            offences.push(format!("{} has {words} words, {most} are allowed", page.path.display()));
        }
    }
    assert_none("a page is short enough to be read at once", &offences);
}

#[test]
fn no_decision_has_more_than_sixty_lines() {
    let decisions = text_files().into_iter().filter(|file| is_page(file) && file.is_in(DECISIONS));
    let long = decisions.filter(|page| page.text.lines().count() > MOST_LINES_OF_A_DECISION);
    assert_none("a decision is short", &long.map(|page| page.path.display().to_string()).collect::<Vec<_>>());
}

#[test]
fn code_and_parts_that_are_written_by_tests_count_for_nothing() {
    let page = "# Two words\n\n| a | `b` |\n|---|---|\n| [c](d.md) | — |\n\n```sh\ntradepost demo\n```\n\
                <!-- table: metrics -->\n\n| metric |\n\n<!-- end of table -->\nlast\n";
    assert_eq!(words(page), 6);
}

fn is_page(file: &TextFile) -> bool {
    let is_markdown = file.path.extension().is_some_and(|extension| extension == "md");
    is_markdown && !LISTS.iter().any(|list| file.path.ends_with(list))
}

fn most_words(page: &TextFile) -> usize {
    if page.is_in(DECISIONS) {
        MOST_WORDS_OF_A_DECISION
    } else if page.is_in(REFERENCE) {
        MOST_WORDS_OF_REFERENCE
    } else {
        MOST_WORDS
    }
}

fn words(page: &str) -> usize {
    let (mut is_code, mut count) = (false, 0);
    let mut ends_with: Option<&str> = None;
    for line in page.lines().map(str::trim_start) {
        if let Some(end) = ends_with {
            ends_with = (!line.starts_with(end)).then_some(end);
        } else if line.starts_with("```") {
            is_code = !is_code;
        } else if let Some((_, end)) = WRITTEN.iter().find(|(begin, _)| line.starts_with(*begin)) {
            ends_with = Some(*end);
        } else if !is_code {
            let parts = line.split(|letter: char| letter.is_whitespace() || letter == '|');
            count += parts.filter(|part| part.contains(char::is_alphanumeric)).count();
        }
    }
    count
}
