//! Runs in place of `rustdoc` where `cargo test --doc` runs the examples of a library: it writes the library's documents at the same
//! time, and any warning is an error.
//!
//! `cargo doc` would check every dependency once more to get what the build has made already; on two cores that takes minutes.

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::Context;

const RUSTDOC: &str = "rustdoc";
/// What rustdoc takes in order to run the examples, and how many values follow it.
const FOR_EXAMPLES: [(&str, usize); 4] =
    [("--test", 0), ("--no-run", 0), ("--test-args", 1), ("--test-run-directory", 1)];
/// The folder of the documents, as `cargo doc` has it.
const DOCUMENTS: &str = "target/doc";

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let mut documents = Command::new(RUSTDOC)
        .args(without_examples(&arguments))
        .args(["-D", "warnings", "--out-dir", DOCUMENTS])
        .spawn()
        .context("cannot run rustdoc")?;
    let examples = Command::new(RUSTDOC).args(&arguments).status().context("cannot run rustdoc")?;
    let documents = documents.wait().context("cannot wait for rustdoc")?;
    Ok(if examples.success() && documents.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn without_examples(arguments: &[OsString]) -> Vec<&OsString> {
    let mut rest = Vec::new();
    let mut left = arguments.iter();
    while let Some(argument) = left.next() {
        match FOR_EXAMPLES.iter().find(|(name, _)| argument == name) {
            Some((_, values)) => left.by_ref().take(*values).for_each(drop),
            None => rest.push(argument),
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::without_examples;

    #[test]
    fn documents_are_written_without_what_is_for_examples() {
        let all = ["--crate-name", "ledger", "--test", "src/lib.rs", "--test-run-directory", "/run", "-L", "deps"];
        let all = all.map(Into::into);
        assert_eq!(without_examples(&all), ["--crate-name", "ledger", "src/lib.rs", "-L", "deps"]);
    }
}
