//! The list of promises is complete.

use std::path::{Path, PathBuf};

/// Returns the texts of all files in a folder and in the folders below it.
fn files_under(folder: &Path) -> Vec<String> {
    let read = |path: PathBuf| vec![std::fs::read_to_string(path).unwrap()];
    let texts = |path: PathBuf| if path.is_dir() { files_under(&path) } else { read(path) };
    std::fs::read_dir(folder).unwrap().flat_map(|entry| texts(entry.unwrap().path())).collect()
}

/// A promise that the macro does not name would never be checked.
#[test]
fn every_promise_is_named_in_the_macro() {
    let list = concat!(include_str!("../store_contract.rs"), include_str!("contracts.rs"), include_str!("trading.rs"));
    let modules = files_under(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/store_contract")));
    crate::assert_promises_are_named(list, &modules.iter().map(String::as_str).collect::<Vec<_>>());
}
