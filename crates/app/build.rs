//! Gives the binary its version: the package's, with the commit when it is built in a checkout of this repository.

use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let commit = if cfg!(feature = "cli") { commit() } else { None };
    let version = commit.map_or_else(|| VERSION.to_owned(), |commit| format!("{VERSION} ({commit})"));
    println!("cargo:rustc-env=TRADEPOST_VERSION={version}");
}

/// The commit that is checked out. None where there is no git, or where the sources lie in another repository.
fn commit() -> Option<String> {
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    if top.canonicalize().ok()? != Path::new(PACKAGE).join("../..").canonicalize().ok()? {
        return None;
    }
    // The log of HEAD grows whenever another commit is checked out or made.
    for file in ["HEAD", "logs/HEAD"] {
        let file = Path::new(PACKAGE).join(git(&["rev-parse", "--git-path", file])?);
        if file.exists() {
            println!("cargo:rerun-if-changed={}", file.display());
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

/// What git answers, if it can.
fn git(arguments: &[&str]) -> Option<String> {
    let answer = Command::new("git").args(arguments).current_dir(PACKAGE).output().ok()?;
    let text = String::from_utf8(answer.stdout).ok().filter(|_| answer.status.success())?;
    Some(text.trim().to_owned())
}
