//! Libraries that are loaded before the program and break what it depends on.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The library of a source in the folder `shim`, made in a folder by the program that Rust links with.
pub(super) fn compiled(source: &str, into: &Path) -> PathBuf {
    let (library, source) = (into.join("shim.so"), Path::new(env!("CARGO_MANIFEST_DIR")).join("shim").join(source));
    let mut command = Command::new("cc");
    command.args(["-O2", "-shared", "-fPIC"]).arg(&source).args(["-ldl", "-lpthread", "-o"]).arg(&library);
    assert!(command.status().unwrap().success(), "cc could not compile {}", source.display());
    library
}
