//! The checks of the protos by buf: lint, and changes that would break clients of a released version.

use std::env;
use std::fs;
use std::process::Command;

use anyhow::Context;

use crate::checks::{answers, run_to_outcome, tool};
use crate::report::Outcome;
use crate::workspace_root;

/// The interface of each released version, as `buf build --exclude-source-info` writes it.
const RELEASES: &str = "proto/releases";
const RELEASE_SUFFIX: &str = ".binpb.gz";
/// The TypeScript client pins a version of buf to generate its code.
const CLIENT: &str = "clients/typescript";
/// A script for Node that fails below the first version that the client supports.
const OLDEST_NODE: &str = "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)";

/// Checks names and forms.
pub(crate) fn lint() -> anyhow::Result<Outcome> {
    with_buf(|buf| buf.args(["lint", "proto"]))
}

/// Compares the protos with those of the latest released version.
pub(crate) fn breaking_changes() -> anyhow::Result<Outcome> {
    let latest = latest_release()?;
    with_buf(|buf| buf.args(["breaking", "proto", "--against", &format!("{RELEASES}/{latest}{RELEASE_SUFFIX}")]))
}

/// Runs buf: the installed one, or the one that the TypeScript client uses.
fn with_buf(arguments: impl FnOnce(&mut Command) -> &mut Command) -> anyhow::Result<Outcome> {
    if answers("buf", &["--version"]) {
        return run_to_outcome(arguments(&mut tool("buf")));
    }
    let own = workspace_root().join(CLIENT).join("node_modules/.bin/buf").display().to_string();
    if !answers(&own, &["--version"])
        && let Some(missing) = install_client()?
    {
        return Ok(missing);
    }
    run_to_outcome(arguments(&mut tool(&own)))
}

/// Installs what the TypeScript client is built and tested with. Returns the outcome if it cannot.
pub(crate) fn install_client() -> anyhow::Result<Option<Outcome>> {
    if !answers("node", &["--eval", OLDEST_NODE]) {
        return Ok(Some(Outcome::Skipped("node 20 or later is not installed".to_owned())));
    }
    if !answers("npm", &["ping"]) {
        return Ok(Some(Outcome::Skipped("npm is not installed, or its registry cannot be reached".to_owned())));
    }
    let mut install = npm("ci");
    install.args(["--ignore-scripts", "--no-audit", "--no-fund"]);
    let outcome = run_to_outcome(&mut install)?;
    Ok(if matches!(outcome, Outcome::Passed) { None } else { Some(outcome) })
}

/// Runs the tests of the TypeScript client, with the program of this build as their server.
pub(crate) fn test_client() -> anyhow::Result<Outcome> {
    if let Some(missing) = install_client()? {
        return Ok(missing);
    }
    let program = env::current_exe().context("cannot find the build's folder")?.with_file_name("tradepost");
    let mut cargo = tool("cargo");
    let outcome = run_to_outcome(cargo.args(["build", "--workspace", "--all-features", "--bin", "tradepost"]))?;
    if !matches!(outcome, Outcome::Passed) {
        return Ok(outcome);
    }
    run_to_outcome(npm("test").env("DEMO_PROGRAM", program))
}

fn npm(command: &str) -> Command {
    let mut npm = tool("npm");
    npm.arg(command).current_dir(workspace_root().join(CLIENT));
    npm
}

/// The latest version whose interface is kept.
fn latest_release() -> anyhow::Result<semver::Version> {
    let files = fs::read_dir(workspace_root().join(RELEASES)).with_context(|| format!("cannot read {RELEASES}"))?;
    let names = files.map(|file| Ok(file?.file_name().to_string_lossy().into_owned()));
    let names = names.collect::<std::io::Result<Vec<String>>>().with_context(|| format!("cannot read {RELEASES}"))?;
    let versions = names.iter().filter_map(|name| name.strip_suffix(RELEASE_SUFFIX));
    let versions = versions.map(|version| version.parse().with_context(|| format!("{version} is not a version")));
    let versions = versions.collect::<anyhow::Result<Vec<semver::Version>>>()?;
    versions.into_iter().max().with_context(|| format!("no release in {RELEASES}"))
}
