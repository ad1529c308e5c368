//! `cargo xtask test`: which checks there are and in which order. It knows each tool's command line, not what the tool
//! checks.
//!
//! One feature set and one compiler for every cargo command, so that nothing is compiled twice for want of agreement: Clippy compiles
//! our crates, and so a build is also their lint.

pub(crate) mod suite;

use std::env;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;

use crate::console;
use crate::dependencies;
use crate::docs;
use crate::language;
use crate::nightly;
use crate::openapi;
use crate::package;
use crate::postgres::{Cluster, FOR_TESTS, URL_VARIABLE};
use crate::protos;
use crate::python_client;
use crate::report::{Outcome, Report};
use crate::typescript_client;
use crate::{command_of, workspace_root};

pub(crate) const WHOLE: [&str; 2] = ["--workspace", "--all-features"];
/// What `cargo clippy -- -D warnings` sets, which checks only and makes nothing that can run.
const LINTED: [(&str, &str); 2] =
    [("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"), ("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__")];

/// Runs every check and prints how each ended.
///
/// # Errors
/// Without PostgreSQL nothing runs: half of the storage tests could only be left out.
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let cluster = Cluster::start(FOR_TESTS)?;
    let mut report = Report::default();
    report.step("format", || run_to_outcome(cargo("fmt").args(["--all", "--check"])));
    report.step("language", language::check);
    docs::steps(&mut report);
    report.step("OpenAPI description", openapi::check);
    report.step("OpenAPI description, valid", openapi::validate);
    report.step("systemd unit", systemd_unit);
    package::steps(&mut report);
    report.step("proto lint", protos::lint);
    report.step("proto breaking changes", protos::breaking_changes);
    report.step("licences, bans, sources", dependencies::licences_bans_sources);
    report.step("advisories", dependencies::advisories);
    report.step("build, with Clippy", || run_to_outcome(cargo("build").args(WHOLE).arg("--all-targets")));
    report.step("documentation and its examples", || {
        let both = env::current_exe().context("cannot find this program")?.with_file_name("document-and-test");
        let mut examples = cargo("test");
        examples.args(WHOLE).args(["--doc", "--no-fail-fast"]).env(URL_VARIABLE, cluster.url()).env("RUSTDOC", both);
        run_to_outcome(&mut examples)
    });
    let mut left_out = suite::NIGHTLY.to_vec();
    for need in &suite::NEEDS {
        report.step(need.name, || {
            let Some(missing) = (need.provide)()? else { return Ok(Outcome::Passed) };
            left_out.push(need.group);
            Ok(Outcome::Skipped(missing))
        });
    }
    report.step("tests", || run_to_outcome(suite::all_but(&left_out).env(URL_VARIABLE, cluster.url())));
    console::steps(&mut report);
    report.step("TypeScript client", typescript_client::test);
    python_client::steps(&mut report);
    report.step("container image", || package::check_image(None));
    drop(cluster);
    Ok(report.finish_with(&nightly::ages()))
}

/// How exposed the service may be at most, in tenths of the score that systemd gives, from 0 to 100.
const MOST_EXPOSED: &str = "--threshold=15";

fn systemd_unit() -> anyhow::Result<Outcome> {
    if !answers("systemd-analyze", &["--version"]) {
        return Ok(Outcome::Skipped("systemd-analyze is not installed".to_owned()));
    }
    let unit = "packaging/systemd/tradepost.service";
    run_to_outcome(tool("systemd-analyze").args(["security", "--offline=true", "--no-pager", MOST_EXPOSED, unit]))
}

/// Builds the program with the features of all checks, so that nothing is compiled twice, and returns its path.
pub(crate) fn build_program() -> anyhow::Result<PathBuf> {
    let status = cargo("build").args(WHOLE).args(["--bin", "tradepost"]).status().context("cannot run cargo")?;
    anyhow::ensure!(status.success(), "the program does not build");
    // This program lies next to the one that was built.
    Ok(env::current_exe().context("cannot find this program")?.with_file_name("tradepost"))
}

/// Builds the program as people build it for themselves, and returns its path.
pub(crate) fn build_release() -> anyhow::Result<PathBuf> {
    let status =
        tool("cargo").args(["build", "--release", "--package", "tradepost"]).status().context("cannot run cargo")?;
    anyhow::ensure!(status.success(), "the program does not build");
    Ok(workspace_root().join("target/release/tradepost"))
}

pub(crate) fn cargo(subcommand: &str) -> Command {
    let mut command = tool("cargo");
    command.arg(subcommand).envs(LINTED);
    command
}

pub(crate) fn tool(program: &str) -> Command {
    let mut command = command_of(program);
    command.current_dir(workspace_root()).stdin(Stdio::null());
    command
}

/// Whether a tool is there and well: it runs and exits with success.
pub(crate) fn answers(program: &str, arguments: &[&str]) -> bool {
    tool(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

pub(crate) fn run_to_outcome(command: &mut Command) -> anyhow::Result<Outcome> {
    let status = command.status().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    Ok(if status.success() { Outcome::Passed } else { Outcome::Failed(status.to_string()) })
}
