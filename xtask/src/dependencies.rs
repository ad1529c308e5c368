//! The checks of the dependency graph by cargo-deny, which is installed into `target/tools` where the machine has none.

use std::process::Command;

use anyhow::Context;

use crate::checks::{answers, run_to_outcome, tool};
use crate::report::Outcome;
use crate::workspace_root;

/// The installed version; `deny.toml` is written for it.
const VERSION: &str = "0.20.2";

/// Checks licences, banned crates and where crates come from.
pub(crate) fn licences_bans_sources() -> anyhow::Result<Outcome> {
    let program = provide()?;
    run_to_outcome(deny(&program).args(["--locked", "check", "licenses", "bans", "sources"]))
}

/// Checks known vulnerabilities. Separate from the other rules of `deny.toml`, since the list of advisories must be fetched.
pub(crate) fn advisories() -> anyhow::Result<Outcome> {
    let program = provide()?;
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

/// The path of cargo-deny. Installs it without optimisation: it runs for seconds, and building it takes minutes.
fn provide() -> anyhow::Result<String> {
    if answers("cargo-deny", &["--version"]) {
        return Ok("cargo-deny".to_owned());
    }
    let tools = workspace_root().join("target/tools");
    let program = tools.join("bin/cargo-deny").display().to_string();
    if !answers(&program, &["--version"]) {
        let mut install = tool("cargo");
        install
            .args(["install", "cargo-deny", "--version", VERSION, "--locked", "--debug", "--quiet", "--root"])
            .arg(&tools);
        let status = install.status().context("cannot run cargo")?;
        anyhow::ensure!(status.success(), "cargo-deny cannot be installed");
    }
    Ok(program)
}
