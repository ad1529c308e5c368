//! The TypeScript client: its tests, and what it is built and tested with, buf among them.

use std::path::PathBuf;
use std::process::Command;

use crate::checks::{answers, build_program, run_to_outcome, tool};
use crate::report::Outcome;
use crate::workspace_root;

/// A script for Node that fails below the first version that the client supports.
const OLDEST_NODE: &str = "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)";

/// Runs the tests, with the program of this build as their server.
pub(crate) fn test() -> anyhow::Result<Outcome> {
    if let Some(missing) = install()? {
        return Ok(missing);
    }
    run_to_outcome(npm("test").env("DEMO_PROGRAM", build_program()?))
}

/// Installs the packages. Returns the outcome if it cannot.
pub(crate) fn install() -> anyhow::Result<Option<Outcome>> {
    if let Some(missing) = missing() {
        return Ok(Some(Outcome::Skipped(missing.to_owned())));
    }
    let outcome = run_to_outcome(npm("ci").args(["--ignore-scripts", "--no-audit", "--no-fund"]))?;
    Ok(if matches!(outcome, Outcome::Passed) { None } else { Some(outcome) })
}

/// What keeps the packages from being installed.
pub(crate) fn missing() -> Option<&'static str> {
    if !answers("node", &["--eval", OLDEST_NODE]) {
        return Some("node 20 or later is not installed");
    }
    (!answers("npm", &["ping"])).then_some("npm is not installed, or its registry cannot be reached")
}

pub(crate) fn folder() -> PathBuf {
    workspace_root().join("clients/typescript")
}

fn npm(command: &str) -> Command {
    let mut npm = tool("npm");
    npm.arg(command).current_dir(folder());
    npm
}
