//! What every source file looks like, and what is in none.

use std::path::Path;

use super::{TextFile, assert_none, lines_with, rust_files, text_files};

/// Whether the file is compiled for tests alone; tests in the file of the code they test come after `#[cfg(test)]`.
fn is_test_code(path: &Path) -> bool {
    path.components().any(|part| matches!(part.as_os_str().to_str(), Some("tests" | "tests.rs" | "testkit")))
}

fn only_test_code(mut file: TextFile) -> TextFile {
    if !is_test_code(&file.path) {
        let begins = file.text.find("#[cfg(test)]").unwrap_or(file.text.len());
        let lines_before = file.text[..begins].lines().count();
        file.text = "\n".repeat(lines_before) + &file.text[begins..];
    }
    file
}

#[test]
fn every_module_begins_by_saying_what_it_owns() {
    let offences: Vec<String> = rust_files()
        .iter()
        .filter(|file| !file.text.starts_with("//! "))
        .map(|file| file.path.display().to_string())
        .collect();
    assert_none("every module begins with one `//!` paragraph", &offences);
}

#[test]
fn nothing_is_left_unfinished() {
    let unfinished = ["todo!(", "unimplemented!(", "dbg!(", "#[ignore"];
    assert_none("no unfinished code, no tests left out", &lines_with(&rust_files(), &unfinished));
}

#[test]
fn no_test_sleeps() {
    // A measurement samples at intervals.
    let apart_from_measurements: Vec<TextFile> = rust_files().into_iter().filter(|file| !file.is_in("bench")).collect();
    assert_none("nothing blocks a thread to wait", &lines_with(&apart_from_measurements, &["thread::sleep"]));
    let tests: Vec<TextFile> = rust_files().into_iter().map(only_test_code).collect();
    let in_tests = lines_with(&tests, &["sleep("]);
    assert_none("a test waits for what it needs, never for a while", &in_tests);
}

#[test]
fn nothing_names_a_folder_of_some_machine() {
    let homes = ["/work/", "/home/", "/root/", "/Users/"];
    let mut offences = Vec::new();
    for file in text_files().iter().filter(|file| !file.is_a_check()) {
        for (line, at) in file.text.lines().zip(1..) {
            if homes.iter().any(|home| line.contains(home)) {
                offences.push(format!("{}:{at}: {}", file.path.display(), line.trim()));
            }
        }
    }
    assert_none("paths are relative to the repository", &offences);
}
