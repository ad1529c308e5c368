//! `cargo xtask test`: which checks there are and in which order. It knows each tool's command line, not what the tool
//! checks.
//!
//! One feature set and one compiler for every cargo command, so that nothing is compiled twice for want of agreement: Clippy compiles
//! our crates, and so a build is also their lint.

use std::env;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use anyhow::Context;

use crate::browser;
use crate::console;
use crate::dependencies;
use crate::docs;
use crate::language;
use crate::memory;
use crate::nightly;
use crate::npm;
use crate::openapi;
use crate::package;
use crate::postgres::{Cluster, FOR_TESTS, URL_VARIABLE, pooler};
use crate::protos;
use crate::python_client;
use crate::report::{Outcome, Report};
use crate::typescript_client;
use crate::{command_of, workspace_root};

const WHOLE: [&str; 2] = ["--workspace", "--all-features"];
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
    report.step("tests", || run_to_outcome(tests(Tests::Plain).env(URL_VARIABLE, cluster.url())));
    report.step("tests in a browser", || match browser::provide() {
        Some(missing) => Ok(Outcome::Skipped(missing)),
        None => run_to_outcome(&mut tests(Tests::InBrowser)),
    });
    report.step("tests with PgBouncer", || match pooler::provide() {
        Some(missing) => Ok(Outcome::Skipped(missing)),
        None => run_to_outcome(tests(Tests::WithPooler).env(URL_VARIABLE, cluster.url())),
    });
    report.step("tests with PgBouncer, by transaction", || match pooler::provide_transactions() {
        Some(missing) => Ok(Outcome::Skipped(missing)),
        None => run_to_outcome(tests(Tests::WithPoolerByTransaction).env(URL_VARIABLE, cluster.url())),
    });
    console::steps(&mut report);
    report.step("TypeScript client", typescript_client::test);
    python_client::steps(&mut report);
    report.step("pages with Python", || match python_client::missing()? {
        Some(missing) => Ok(Outcome::Skipped(missing)),
        None => run_to_outcome(&mut tests(Tests::PagesWithPython)),
    });
    report.step("pages with Node", || match npm::missing() {
        Some(missing) => Ok(Outcome::Skipped(missing.to_owned())),
        None => run_to_outcome(&mut tests(Tests::PagesWithNode)),
    });
    report.step("container image", || package::check_image(None));
    drop(cluster);
    let ended = report.finish();
    for age in nightly::ages() {
        println!("{age}");
    }
    Ok(ended)
}

/// Which tests. Those that need more than Rust are apart: machines without it run all others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tests {
    /// All that need nothing else and do not take long.
    Plain,
    InBrowser,
    WithPooler,
    WithPoolerByTransaction,
    PagesWithPython,
    PagesWithNode,
    /// Compiles the library once more, as an embedder does: `cargo xtask nightly` runs it.
    PagesWithCargo,
    /// Minutes for each promise, and rarely failing: `cargo xtask nightly` runs them.
    Long,
}

impl Tests {
    const APART: [Self; 7] = [
        Self::InBrowser,
        Self::WithPooler,
        Self::WithPoolerByTransaction,
        Self::PagesWithPython,
        Self::PagesWithNode,
        Self::PagesWithCargo,
        Self::Long,
    ];

    /// The module of those that are apart: `long` of any module, the others in the package of the tests of the whole.
    const fn module(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::InBrowser => "browser::",
            Self::WithPooler => "faults::replicas::pooled::a_server_works_through_pgbouncer_in_session_mode",
            Self::WithPoolerByTransaction => {
                "faults::replicas::pooled::a_server_works_through_pgbouncer_in_transaction_mode"
            }
            Self::PagesWithPython => "pages::python::",
            Self::PagesWithNode => "pages::node::",
            Self::PagesWithCargo => "pages::cargo::",
            Self::Long => "long::",
        }
    }

    fn filter(self) -> String {
        match self {
            Self::Plain => format!("not ({})", Self::APART.map(Self::filter).join(" or ")),
            Self::Long => format!("test(/(^|::){}/)", self.module()),
            Self::InBrowser
            | Self::WithPooler
            | Self::WithPoolerByTransaction
            | Self::PagesWithPython
            | Self::PagesWithNode
            | Self::PagesWithCargo => {
                format!("(package(tradepost-tests) and test(/^{}/))", self.module())
            }
        }
    }
}

pub(crate) fn tests(which: Tests) -> Command {
    if answers("cargo", &["nextest", "--version"]) {
        let mut command = cargo("nextest");
        command.arg("run").args(WHOLE).args(["--no-fail-fast", "--filterset", &which.filter()]);
        command.args(["--test-threads", &at_once().to_string()]);
        in_memory(&mut command);
        return command;
    }
    let mut command = cargo("test");
    command.args(WHOLE).arg("--no-fail-fast");
    in_memory(&mut command);
    if which == Tests::Plain {
        command.args(["--lib", "--bins", "--tests", "--examples", "--"]);
        command.args(Tests::APART.iter().flat_map(|apart| ["--skip", apart.module()]));
    } else {
        command.args(["--tests", "--", which.module()]);
    }
    command
}

/// How many tests run at once: one more than there are processors, since some wait for a clock, a process or a server.
fn at_once() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get) + 1
}

/// Each test has a database of its own, and waits for the disk with every commit unless there is none.
fn in_memory(command: &mut Command) {
    if let Some(folder) = memory::folder() {
        command.env("TMPDIR", folder);
    }
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

fn cargo(subcommand: &str) -> Command {
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
