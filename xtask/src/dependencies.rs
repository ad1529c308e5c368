//! The checks of the dependency graph by cargo-deny.

use std::process::Command;

use anyhow::Context;

use crate::checks::{run_to_outcome, tool};
use crate::report::Outcome;
use crate::tools;

/// The installed version; `deny.toml` is written for it.
const VERSION: &str = "0.20.2";

/// Checks licences, banned crates and where crates come from.
pub(crate) fn licences_bans_sources() -> anyhow::Result<Outcome> {
    let program = tools::provide("cargo-deny", VERSION)?;
    run_to_outcome(deny(&program).args(["--locked", "check", "licenses", "bans", "sources"]))
}

/// Checks known vulnerabilities. Separate from the other rules of `deny.toml`, since the list of advisories must be fetched.
pub(crate) fn advisories() -> anyhow::Result<Outcome> {
    let program = tools::provide("cargo-deny", VERSION)?;
    let fetched = deny(&program).args(["fetch", "db"]).output().context("cannot run cargo-deny")?;
    if !fetched.status.success() {
        return Ok(Outcome::Skipped("the list of advisories cannot be fetched".to_owned()));
    }
    run_to_outcome(deny(&program).args(["check", "--disable-fetch", "advisories"]))
}

fn deny(program: &str) -> Command {
    let mut command = tool(program);
    command.arg("--workspace").arg("--all-features");
    command
}
