//! `cargo xtask python-client`: whether the generated code of the Python client is what the protos make, and its tests against the demo.
//!
//! It installs what both need into `target/python-client`. What the tests check is in `clients/python/tests`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;

use crate::report::{Outcome, Report};
use crate::{command_of, workspace_root};

const CLIENT: &str = "clients/python";
/// What connectrpc and protobuf-py need.
const IS_RECENT: &str = "import sys; sys.exit(sys.version_info < (3, 11))";
/// What builds the client's package. Its download shows whether the registry can be reached.
const BUILDER: &str = "hatchling>=1.27,<2";

/// Runs both checks. What is missing for one is in the table.
pub(crate) fn run() -> ExitCode {
    let mut report = Report::default();
    steps(&mut report);
    report.finish()
}

/// The steps, for a run of all checks as well.
pub(crate) fn steps(report: &mut Report) {
    report.step("Python client, generated", generated);
    report.step("Python client, tests", tests);
}

fn generated() -> anyhow::Result<Outcome> {
    if let Some(missing) = missing_python()? {
        return Ok(Outcome::Skipped(missing));
    }
    if !succeeds(Command::new("npm").arg("ping")) {
        return Ok(Outcome::Skipped("npm is not installed, or its registry cannot be reached".to_owned()));
    }
    let mut generate = Command::new("bash");
    generate.args(["generate.sh", "--check"]).env("TRADEPOST_GENERATORS", folder().join("generators"));
    outcome(generate.current_dir(workspace_root().join(CLIENT)))
}

fn tests() -> anyhow::Result<Outcome> {
    if let Some(missing) = missing_python()? {
        return Ok(Outcome::Skipped(missing));
    }
    let client = format!("{}[test]", workspace_root().join(CLIENT).display());
    let installed = outcome(pip().args(["install", "--editable", &client]))?;
    if !matches!(installed, Outcome::Passed) {
        return Ok(installed);
    }
    // The features of all other checks, so that nothing is compiled twice.
    let mut cargo = command_of("cargo");
    cargo.args(["build", "--workspace", "--all-features", "--bin", "tradepost"]).current_dir(workspace_root());
    let built = outcome(&mut cargo)?;
    if !matches!(built, Outcome::Passed) {
        return Ok(built);
    }
    // This program lies next to the one that was built.
    let binary = std::env::current_exe().context("cannot find this program")?.with_file_name("tradepost");
    let mut pytest = Command::new(folder().join("python/bin/python"));
    pytest.args(["-m", "pytest"]).env("TRADEPOST_BINARY", binary);
    outcome(pytest.current_dir(workspace_root().join(CLIENT)))
}

/// What keeps the client from being installed; makes the environment that it is installed into.
fn missing_python() -> anyhow::Result<Option<String>> {
    if !succeeds(Command::new("python3").args(["-c", IS_RECENT])) {
        return Ok(Some("Python 3.11 or later is not installed".to_owned()));
    }
    let environment = folder().join("python");
    if !environment.join("bin/pip").exists() {
        let mut make = Command::new("python3");
        make.args(["-m", "venv"]).arg(&environment);
        anyhow::ensure!(succeeds(&mut make), "cannot make {}: is python3-venv installed?", environment.display());
    }
    // An installation would be content with what an earlier run has installed.
    let mut download = pip();
    download.args(["download", "--no-deps", "--no-cache-dir", "--retries", "1", "--timeout", "10", BUILDER, "--dest"]);
    let is_reachable = succeeds(download.arg(folder().join("downloads")));
    Ok((!is_reachable).then(|| "the registry of Python packages cannot be reached".to_owned()))
}

fn pip() -> Command {
    let mut pip = Command::new(folder().join("python/bin/pip"));
    pip.args(["--quiet", "--disable-pip-version-check"]);
    pip
}

fn folder() -> PathBuf {
    workspace_root().join("target/python-client")
}

/// Whether a command is there and exits with success. Its errors are shown.
fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn outcome(command: &mut Command) -> anyhow::Result<Outcome> {
    let program = Path::new(command.get_program()).display().to_string();
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot run {program}"))?;
    Ok(if status.success() { Outcome::Passed } else { Outcome::Failed(format!("{program}: {status}")) })
}
