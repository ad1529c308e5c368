//! The paths of a crate's modules that a source file names, found in its text.

use std::collections::BTreeSet;

/// A path as it is written, such as `super::money::Cents`, and the name under which it is imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) path: Vec<String>,
    pub(super) name: String,
}

/// The words before the name of an item.
const ITEMS: [&str; 7] = ["const", "enum", "fn", "static", "struct", "trait", "type"];

/// What a file names, apart from its own tests.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Imports {
    /// Paths of `use` declarations.
    pub(super) used: Vec<Import>,
    /// Paths elsewhere that begin with `crate`, `self` or `super`.
    pub(super) inline: Vec<Vec<String>>,
    /// Modules that are compiled for tests alone.
    pub(super) test_modules: Vec<String>,
    /// Names of the file's own items.
    pub(super) defined: BTreeSet<String>,
}

impl Imports {
    pub(super) fn of(text: &str) -> Self {
        let words = words(text);
        let mut imports = Self::default();
        let mut rest = words.as_slice();
        while let Some((word, after)) = rest.split_first() {
            rest = after;
            match word.as_str() {
                "#[cfg(test)]" => match after {
                    [keyword, name, end, after @ ..] if keyword == "mod" && end == ";" => {
                        imports.test_modules.push(name.clone());
                        rest = after;
                    }
                    _ => break,
                },
                "use" => {
                    let end = after.iter().position(|word| word == ";").unwrap_or(after.len());
                    tree(&after[..end], &[], &mut imports.used);
                    rest = &after[end..];
                }
                word if ITEMS.contains(&word) => imports.defined.extend(after.first().cloned()),
                "crate" | "self" | "super" if after.first().is_some_and(|word| word == "::") => {
                    let path = path(word, after);
                    rest = &after[2 * (path.len() - 1)..];
                    imports.inline.push(path);
                }
                _ => {}
            }
        }
        imports
    }
}

/// The segments of a path that begins with `first`.
fn path(first: &str, rest: &[String]) -> Vec<String> {
    let mut path = vec![first.to_owned()];
    for pair in rest.chunks(2) {
        match pair {
            [colons, name] if colons == "::" && is_name(name) => path.push(name.clone()),
            _ => break,
        }
    }
    path
}

/// Adds every path of a tree such as `a::{b, c as d}`.
fn tree(words: &[String], above: &[String], found: &mut Vec<Import>) {
    let mut depth = 0_usize;
    let branches = words.split(|word| {
        match word.as_str() {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        word == "," && depth == 0
    });
    for branch in branches.filter(|branch| !branch.is_empty()) {
        let opened = branch.iter().position(|word| word == "{");
        let stem = &branch[..opened.unwrap_or(branch.len())];
        let (stem, alias) = match stem {
            [stem @ .., keyword, alias] if keyword == "as" => (stem, Some(alias)),
            _ => (stem, None),
        };
        let mut path = above.to_vec();
        path.extend(stem.iter().filter(|word| *word != "::").cloned());
        match (opened, path.last()) {
            (Some(opened), _) => tree(&branch[opened + 1..branch.len() - 1], &path, found),
            (None, Some(last)) => found.push(Import { name: alias.unwrap_or(last).clone(), path }),
            (None, None) => {}
        }
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// The words and signs of Rust code, without comments and texts.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match rest {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if first == '"' => text_length(rest),
            _ if rest.starts_with("r\"") || rest.starts_with("r#\"") => raw_text_length(rest),
            _ if first == '\'' => quote_length(rest),
            _ => {
                let word = word_at(rest);
                if !word.trim().is_empty() {
                    words.push(word.to_owned());
                }
                word.len()
            }
        };
        rest = &rest[length..];
    }
    words
}

fn word_at(rest: &str) -> &str {
    for whole in ["#[cfg(test)]", "::"] {
        if rest.starts_with(whole) {
            return whole;
        }
    }
    let name = rest.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(rest.len());
    &rest[..name.max(rest.chars().next().map_or(0, char::len_utf8))]
}

fn text_length(rest: &str) -> usize {
    let mut escaped = false;
    let end = rest[1..].find(|next: char| {
        let ends = next == '"' && !escaped;
        escaped = next == '\\' && !escaped;
        ends
    });
    end.map_or(rest.len(), |end| end + 2)
}

fn raw_text_length(rest: &str) -> usize {
    let hashes = rest[1..].chars().take_while(|next| *next == '#').count();
    let closing = format!("\"{}", "#".repeat(hashes));
    let body = &rest[hashes + 2..];
    body.find(&closing).map_or(rest.len(), |end| hashes + 2 + end + closing.len())
}

/// The length of a character in quotes, and 1 for the quote of a lifetime.
fn quote_length(rest: &str) -> usize {
    let mut next = rest[1..].char_indices();
    match next.next() {
        Some((_, '\\')) => rest[3..].find('\'').map_or(1, |end| end + 4),
        Some((_, first)) if rest[1 + first.len_utf8()..].starts_with('\'') => first.len_utf8() + 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(text: &str) -> Vec<String> {
        Imports::of(text).used.iter().map(|one| format!("{} {}", one.path.join("::"), one.name)).collect()
    }

    #[test]
    fn every_branch_of_a_use_is_found() {
        let text = "pub use crate::a::{B, c::{D, E as F}};\nuse super::*; // use crate::g;";
        assert_eq!(used(text), ["crate::a::B B", "crate::a::c::D D", "crate::a::c::E F", "super::* *"]);
    }

    #[test]
    fn paths_in_code_are_found_and_paths_in_texts_are_not() {
        let text = "fn a<'a>(b: &'a str) -> crate::c::D { super::e('\"', \"crate::f\"); r#\"super::\"g\"# }";
        assert_eq!(Imports::of(text).inline, [vec!["crate", "c", "D"], vec!["super", "e"]]);
    }

    #[test]
    fn items_of_a_file_are_found_by_their_names() {
        let text = "pub struct A { b: u8 }\npub(crate) const fn c() {}\nenum D {}\npub const E: u8 = 1;";
        let defined = Imports::of(text).defined;
        assert_eq!(["A", "c", "D", "E"].map(|name| defined.contains(name)), [true; 4]);
        assert!(!defined.contains("b"));
    }

    #[test]
    fn code_of_tests_is_left_out() {
        let text = "#[cfg(test)]\nmod samples;\nuse crate::a;\n#[cfg(test)]\nmod tests { use crate::b; }";
        assert_eq!(
            (used(text), Imports::of(text).test_modules),
            (vec!["crate::a a".to_owned()], vec!["samples".to_owned()])
        );
    }
}
