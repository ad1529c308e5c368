//! Node and npm: whether they are there, and the packages of a folder.

use std::path::Path;
use std::process::Command;

use crate::checks::{answers, run_to_outcome, tool};
use crate::report::Outcome;

/// A script for Node that fails below the first version that everything here supports.
const OLDEST_NODE: &str = "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)";

/// What keeps packages from being installed.
pub(crate) fn missing() -> Option<&'static str> {
    if !answers("node", &["--eval", OLDEST_NODE]) {
        return Some("node 20 or later is not installed");
    }
    (!answers("npm", &["ping"])).then_some("npm is not installed, or its registry cannot be reached")
}

/// Installs the packages of a folder. Returns the outcome if it cannot.
pub(crate) fn install(folder: &Path) -> anyhow::Result<Option<Outcome>> {
    if let Some(missing) = missing() {
        return Ok(Some(Outcome::Skipped(missing.to_owned())));
    }
    let outcome = run_to_outcome(npm(folder, "ci").args(["--ignore-scripts", "--no-audit", "--no-fund"]))?;
    Ok(if matches!(outcome, Outcome::Passed) { None } else { Some(outcome) })
}

pub(crate) fn npm(folder: &Path, command: &str) -> Command {
    let mut npm = tool("npm");
    npm.arg(command).current_dir(folder);
    npm
}
