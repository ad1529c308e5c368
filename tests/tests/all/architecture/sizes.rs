//! How large files, folders, functions and signatures may be. The limits that are not met yet may only come down.

use std::collections::BTreeMap;
use std::path::Path;

use super::{TextFile, assert_none, rust_files};

const LINES_OF_A_FILE: usize = 500;
const LINES_OF_A_FUNCTION: usize = 60;
const FILES_OF_A_FOLDER: usize = 25;
/// Folders that still hold more files, with their current counts. An entry is lowered or removed, never raised or added.
const LARGER_FOLDERS: &[(&str, usize)] = &[];
/// Parameters that unpack a tuple, as in `(id, at): (UserId, Timestamp)`, in all crates, measurements and tests. Most hide a fifth
/// parameter and want a type with a name. The number is only lowered.
const TUPLE_PARAMETERS: usize = 7;

#[test]
fn no_file_is_longer_than_500_lines() {
    let files = rust_files();
    let long = files.iter().filter(|file| file.text.lines().count() > LINES_OF_A_FILE);
    let offences: Vec<String> = long.map(|file| file.path.display().to_string()).collect();
    assert_none("a longer file holds more than one concept", &offences);
}

#[test]
fn no_function_is_longer_than_60_lines() {
    let offences: Vec<String> = rust_files().iter().flat_map(long_functions).collect();
    assert_none("a longer function does more than one thing", &offences);
}

#[test]
fn no_folder_of_a_source_tree_holds_more_than_25_files() {
    let files = rust_files();
    let mut folders: BTreeMap<&Path, usize> = BTreeMap::new();
    for folder in files.iter().filter(|file| is_in_a_source_tree(file)).filter_map(|file| file.path.parent()) {
        *folders.entry(folder).or_default() += 1;
    }
    let limit = |folder: &Path| {
        let larger = LARGER_FOLDERS.iter().find(|(known, _)| Path::new(known) == folder);
        larger.map_or(FILES_OF_A_FOLDER, |(_, count)| *count)
    };
    let mut offences: Vec<String> = folders
        .iter()
        .filter(|(folder, count)| **count > limit(folder))
        .map(|(folder, count)| format!("{}: {count} files", folder.display()))
        .collect();
    let is_large = |folder: &str| folders.get(Path::new(folder)).is_some_and(|count| *count > FILES_OF_A_FOLDER);
    let stale = LARGER_FOLDERS.iter().filter(|(folder, _)| !is_large(folder));
    offences.extend(stale.map(|(folder, _)| format!("{folder} is small enough: remove it from LARGER_FOLDERS")));
    assert_none("a folder of more files is grouped by area", &offences);
}

#[test]
fn parameters_that_unpack_tuples_become_fewer() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in rust_files() {
        let count = tuple_parameters(&file);
        if count > 0 {
            counts.insert(file.path.display().to_string(), count);
        }
    }
    let all: usize = counts.values().sum();
    println!("{all} parameters unpack a tuple");
    assert!(all <= TUPLE_PARAMETERS, "{all} parameters unpack a tuple, {TUPLE_PARAMETERS} may: {counts:#?}");
}

/// Whether the file is in the sources of a package or in the tests of the whole.
fn is_in_a_source_tree(file: &TextFile) -> bool {
    file.path.iter().any(|folder| folder == "src") || file.is_in("tests")
}

/// The functions of a formatted file that are too long. A function ends at the brace below its `fn`; comments and blank lines do
/// not count.
fn long_functions(file: &TextFile) -> Vec<String> {
    let lines: Vec<&str> = file.text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(indent) = indent_of_function(line) else { continue };
        // A signature ends with a brace, a declaration without a body with a semicolon.
        let signature = lines[at..].iter().position(|line| line.ends_with(['{', '}', ';']));
        let Some(begin) = signature.map(|lines| at + lines).filter(|at| lines[*at].ends_with('{')) else { continue };
        let end = format!("{}}}", " ".repeat(indent));
        let body = lines[begin + 1..].iter().map(|line| line.trim_end()).take_while(|line| *line != end);
        let code = body.map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//")).count();
        if code > LINES_OF_A_FUNCTION {
            found.push(format!("{}:{}: {code} lines", file.path.display(), at + 1));
        }
    }
    found
}

/// The indent of a line that begins a function, with the qualifiers before its `fn`.
fn indent_of_function(line: &str) -> Option<usize> {
    let code = line.trim_start();
    let before = code.split_once("fn ")?.0;
    let is_qualifier = |word: &str| {
        word.starts_with("pub") || ["async", "const", "in", "unsafe"].contains(&word) || word.ends_with(')')
    };
    before.split_whitespace().all(is_qualifier).then_some(line.len() - code.len())
}

/// How many parameters of functions begin with a pattern in parentheses.
fn tuple_parameters(file: &TextFile) -> usize {
    let code: Vec<&str> = file.code().map(|(_, line)| line.trim()).collect();
    let code = code.join(" ");
    let signatures = code.split("fn ").skip(1).filter_map(parameters);
    signatures.map(|list| parts(list).into_iter().filter(|part| part.starts_with('(')).count()).sum()
}

/// The text between the parentheses of a signature that begins with the function's name.
fn parameters(signature: &str) -> Option<&str> {
    let is_name = |char: char| char.is_alphanumeric() || char == '_';
    let rest = signature.trim_start_matches(is_name);
    if rest.len() == signature.len() {
        return None;
    }
    let rest = if rest.starts_with('<') { &rest[balanced(rest)?..] } else { rest };
    let end = rest.starts_with('(').then(|| balanced(rest))??;
    Some(rest[1..end - 1].trim())
}

/// Where the bracket at the beginning is closed. The arrow of a return type closes nothing.
fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, char) in text.char_indices() {
        match char {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if before == '-' || before == '=' => {}
            ')' | ']' | '}' | '>' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + char.len_utf8());
        }
        before = char;
    }
    None
}

/// The parameters of a list, split at the commas outside of all brackets.
fn parts(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut rest, mut at) = (list, 0);
    while let Some(char) = rest[at..].chars().next() {
        if char == ',' {
            parts.push(rest[..at].trim());
            (rest, at) = (&rest[at + 1..], 0);
        } else if matches!(char, '(' | '[' | '{' | '<') {
            at += balanced(&rest[at..]).unwrap_or(1);
        } else {
            at += char.len_utf8();
        }
    }
    parts.push(rest.trim());
    parts
}

#[test]
fn tuples_in_signatures_are_found_and_other_patterns_are_not() {
    let text = "
        fn one((id, at): (UserId, Timestamp), other: (u8, u8)) -> u8 {
            call(|(a, b): (u8, u8)| a)
        }
        // fn a_comment((a, b): (u8, u8))
        async fn two<F: Fn(u8) -> u8, T>(
            &self,
            of: impl Fn((u8, u8)) -> Option<T>,
            (first, second): &(u8, Vec<u8>),
            Point { x, y }: Point,
        );
    ";
    assert_eq!(tuple_parameters(&TextFile { path: "any.rs".into(), text: text.to_owned() }), 2);
}

#[test]
fn functions_that_are_too_long_are_found_by_their_first_line() {
    let body = |lines: usize| {
        format!("impl A {{\n    pub(crate) async fn long(&self) {{\n{}    }}\n}}\n", "        x();\n".repeat(lines))
    };
    let found = |lines: usize| long_functions(&TextFile { path: "any.rs".into(), text: body(lines) });
    assert_eq!(found(LINES_OF_A_FUNCTION), Vec::<String>::new());
    assert_eq!(found(LINES_OF_A_FUNCTION + 1), ["any.rs:2: 61 lines"]);
}
