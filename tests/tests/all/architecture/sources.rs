//! What stands where in the source, and what stands nowhere.

use std::path::Path;

use super::{TextFile, assert_none, rust_files, text_files};

/// This file names what it forbids.
const OWN: &str = "tests/tests/all/architecture/sources.rs";

const CONNECT: &str = "crates/adapters-connect";
const SQL: &str = "crates/adapters-sql";

fn others(files: Vec<TextFile>) -> impl Iterator<Item = TextFile> {
    files.into_iter().filter(|file| file.path != Path::new(OWN))
}

/// The lines of code that hold one of `words`, as `path:line: text`.
fn lines_with(files: impl Iterator<Item = TextFile>, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        for (at, line) in file.code().filter(|(_, line)| words.iter().any(|word| line.contains(word))) {
            found.push(format!("{}:{at}: {}", file.path.display(), line.trim()));
        }
    }
    found
}

/// Whether the file is compiled for tests alone; tests beside the code they test come after `#[cfg(test)]`.
fn is_test_code(path: &Path) -> bool {
    path.components().any(|part| matches!(part.as_os_str().to_str(), Some("tests" | "tests.rs" | "testing")))
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
fn no_file_is_longer_than_500_lines() {
    let offences: Vec<String> = rust_files()
        .iter()
        .filter(|file| file.text.lines().count() > 500)
        .map(|file| file.path.display().to_string())
        .collect();
    assert_none("a longer file holds more than one concept", &offences);
}

#[test]
fn nothing_is_left_unfinished() {
    let unfinished = ["todo!(", "unimplemented!(", "dbg!(", "#[ignore"];
    assert_none("no unfinished code, no tests left out", &lines_with(others(rust_files()), &unfinished));
}

#[test]
fn no_test_sleeps() {
    let everywhere = lines_with(others(rust_files()), &["thread::sleep"]);
    assert_none("nothing blocks a thread to wait", &everywhere);
    let in_tests = lines_with(others(rust_files()).map(only_test_code), &["sleep("]);
    assert_none("a test waits for what it needs, never for a while", &in_tests);
}

#[test]
fn sql_stands_only_in_its_adapter() {
    let statements = ["SELECT ", "INSERT INTO ", "DELETE FROM ", "CREATE TABLE ", "ALTER TABLE ", "PRAGMA "];
    let elsewhere = others(rust_files()).filter(|file| file.is_in("crates") && !file.is_in(SQL));
    assert_none("SQL stands in adapters-sql", &lines_with(elsewhere, &statements));
}

#[test]
fn proto_types_stand_only_in_their_adapter() {
    let names = ["buffa::", "buffa_types::", "connectrpc::", "prost::", "tonic::include_proto"];
    let elsewhere = others(rust_files()).filter(|file| file.is_in("crates") && !file.is_in(CONNECT));
    assert_none("proto types stay in adapters-connect", &lines_with(elsewhere, &names));
}

#[test]
fn nothing_from_the_network_acts_as_the_system() {
    let transport = others(rust_files()).filter(|file| file.is_in(CONNECT));
    assert_none(
        "a request acts as its caller; the system is for the engine, the command line and embedders",
        &lines_with(transport, &["Principal::System", "Caller::system"]),
    );
}

#[test]
fn the_domain_does_no_io_and_never_waits() {
    let reaching_out = [
        "async ",
        ".await",
        "std::fs",
        "net::Tcp",
        "net::Udp",
        "ToSocketAddrs",
        "std::io",
        "std::env",
        "std::process",
        "std::thread",
    ];
    let domain = others(rust_files()).filter(|file| file.is_in("crates/domain/src"));
    assert_none("the domain is pure", &lines_with(domain, &reaching_out));
}

#[test]
fn nothing_names_a_folder_of_some_machine() {
    let homes = ["/work/", "/home/", "/root/", "/Users/"];
    let mut offences = Vec::new();
    for file in others(text_files()) {
        for (line, at) in file.text.lines().zip(1..) {
            if homes.iter().any(|home| line.contains(home)) {
                offences.push(format!("{}:{at}: {}", file.path.display(), line.trim()));
            }
        }
    }
    assert_none("paths are relative to the repository", &offences);
}
