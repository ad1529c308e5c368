//! How long a line of a page may be: a change of a long one is hard to review.

use super::page_sizes::WRITTEN;
use super::{TextFile, assert_none, text_files};

const MOST_CHARACTERS: usize = 120;
const DOCUMENTS: &str = "docs";
const OTHER_PAGES: [&str; 3] = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"];
/// Pages that commands write.
const OF_COMMANDS: [&str; 3] = ["docs/reference/cli.md", "docs/mutants.md", "docs/nightly.md"];

#[test]
fn no_line_of_prose_in_a_page_is_longer_than_120_characters() {
    let mut offences = Vec::new();
    for page in text_files().into_iter().filter(is_page_by_hand) {
        offences.extend(long_lines(&page.text).map(|at| format!("{}:{at}", page.path.display())));
    }
    assert_none("a line that can be broken has at most 120 characters", &offences);
}

#[test]
fn a_long_line_of_prose_is_found_and_what_cannot_be_broken_is_left() {
    let words = "word ".repeat(30);
    let one_word = "w".repeat(130);
    let span = format!("`{words}`");
    for begin in ["", "- ", "  ", "> ", "1. "] {
        let line = format!("{begin}{words}");
        assert_eq!(long_lines(&line).collect::<Vec<_>>(), [1], "{line}");
    }
    for line in [format!("1. a {span}"), format!("{span} a")] {
        assert_eq!(long_lines(&line).collect::<Vec<_>>(), [1], "{line}");
    }
    let left = [
        format!("| {words} |"),
        format!("## {words}"),
        format!("[name]: https://example.com {words}"),
        format!("```\n{words}\n```"),
        format!("a paragraph\n\n    {words}"),
        format!("<!-- table: metrics -->\n{words}\n<!-- end of table -->"),
        format!("- {one_word}"),
        format!("2. {span}"),
        format!("> {one_word}"),
    ];
    for page in left {
        assert_eq!(long_lines(&page).count(), 0, "{page}");
    }
}

fn is_page_by_hand(file: &TextFile) -> bool {
    let is_markdown = file.path.extension().is_some_and(|extension| extension == "md");
    let is_page = file.is_in(DOCUMENTS) || OTHER_PAGES.iter().any(|page| file.path.as_os_str() == *page);
    is_markdown && is_page && !OF_COMMANDS.iter().any(|page| file.path.ends_with(page))
}

/// The numbers of the lines that are too long and could be broken.
fn long_lines(page: &str) -> impl Iterator<Item = usize> {
    let (mut is_list, mut closes_with): (bool, Option<&str>) = (false, None);
    page.lines().zip(1..).filter_map(move |(line, at)| {
        let text = line.trim_start();
        if let Some(close) = closes_with {
            if text.starts_with(close) {
                closes_with = None;
            }
            return None;
        }
        closes_with = closing_mark(text);
        if is_item(text) {
            is_list = true;
        } else if !text.is_empty() && !line.starts_with(' ') {
            is_list = false;
        }
        let is_code = line.starts_with("    ") && !is_list;
        let is_prose = closes_with.is_none() && !is_code && !is_fixed(text);
        (is_prose && line.chars().count() > MOST_CHARACTERS && can_be_broken(text)).then_some(at)
    })
}

/// What ends the block of code, or the part that a test or a command writes, that begins with this line.
fn closing_mark(text: &str) -> Option<&'static str> {
    let fence = ["```", "~~~"].into_iter().find(|fence| text.starts_with(*fence));
    fence.or_else(|| WRITTEN.iter().find(|(begin, _)| text.starts_with(*begin)).map(|(_, end)| *end))
}

/// Whether a line cannot be broken: of a table, a heading, markup, or the target of links.
fn is_fixed(text: &str) -> bool {
    let named = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    named.is_some_and(|(_, target)| target.starts_with(':')) || text.starts_with(['|', '#', '<'])
}

fn is_item(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(mark, _)| is_mark(mark) && mark != ">")
}

/// Whether a word begins an item of a list, or a quotation.
fn is_mark(word: &str) -> bool {
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|letter| letter.is_ascii_digit());
    ["-", "*", "+", ">"].contains(&word) || word.strip_suffix(['.', ')']).is_some_and(is_number)
}

/// Whether there is a space between two words. One within code does not count.
fn can_be_broken(text: &str) -> bool {
    let text = text.split_once(' ').filter(|(mark, _)| is_mark(mark)).map_or(text, |(_, rest)| rest);
    let mut is_code = false;
    text.trim().chars().any(|letter| {
        is_code ^= letter == '`';
        !is_code && letter.is_whitespace()
    })
}
