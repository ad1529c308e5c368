//! `cargo xtask python-client`: whether the generated code of the Python client is what the protos make, and its tests against the demo.
//!
//! It installs what both need into `target/python-client`. What the tests check is in `clients/python/tests`.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::checks::{answers, build_program, run_to_outcome, tool};
use crate::report::{Outcome, Report};
use crate::workspace_root;

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
    if let Some(missing) = missing()? {
        return Ok(Outcome::Skipped(missing));
    }
    if !answers("npm", &["ping"]) {
        return Ok(Outcome::Skipped("npm is not installed, or its registry cannot be reached".to_owned()));
    }
    let mut generate = tool("bash");
    generate.args(["generate.sh", "--check"]).env("TRADEPOST_GENERATORS", folder().join("generators"));
    run_to_outcome(generate.current_dir(workspace_root().join(CLIENT)))
}

fn tests() -> anyhow::Result<Outcome> {
    if let Some(missing) = missing()? {
        return Ok(Outcome::Skipped(missing));
    }
    let client = format!("{}[test]", workspace_root().join(CLIENT).display());
    let installed = run_to_outcome(pip().args(["install", "--editable", &client]))?;
    if !matches!(installed, Outcome::Passed) {
        return Ok(installed);
    }
    let mut pytest = tool(&python().display().to_string());
    pytest.args(["-m", "pytest"]).env("TRADEPOST_BINARY", build_program()?);
    run_to_outcome(pytest.current_dir(workspace_root().join(CLIENT)))
}

/// What keeps the client from being installed; makes the environment that it is installed into.
pub(crate) fn missing() -> anyhow::Result<Option<String>> {
    if !answers("python3", &["-c", IS_RECENT]) {
        return Ok(Some("Python 3.11 or later is not installed".to_owned()));
    }
    let environment = folder().join("python");
    if !python().exists() {
        let made = run_to_outcome(tool("python3").args(["-m", "venv"]).arg(&environment))?;
        let is_made = matches!(made, Outcome::Passed);
        anyhow::ensure!(is_made, "cannot make {}: is python3-venv installed?", environment.display());
    }
    // An installation would be content with what an earlier run has installed.
    let mut download = pip();
    download.args(["download", "--no-deps", "--no-cache-dir", "--retries", "1", "--timeout", "10", BUILDER, "--dest"]);
    let downloaded = run_to_outcome(download.arg(folder().join("downloads")))?;
    Ok((!matches!(downloaded, Outcome::Passed)).then(|| "the registry of Python packages cannot be reached".to_owned()))
}

/// Installs what builds the client's package. Returns what is missing for it.
///
/// # Errors
/// When the environment cannot be made, or the installation fails.
pub(crate) fn install_builder() -> anyhow::Result<Option<String>> {
    install(BUILDER)
}

/// Installs a package for [`python`]. Returns what is missing for it.
///
/// # Errors
/// When the environment cannot be made, or the installation fails.
pub(crate) fn install(package: &str) -> anyhow::Result<Option<String>> {
    let missing = missing()?;
    if missing.is_none() {
        let installed = run_to_outcome(pip().args(["install", package]))?;
        anyhow::ensure!(matches!(installed, Outcome::Passed), "{package} cannot be installed");
    }
    Ok(missing)
}

fn pip() -> Command {
    let mut pip = tool(&python().display().to_string());
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
    pip
}

/// The interpreter that has the client and what its tests need.
pub(crate) fn python() -> PathBuf {
    folder().join("python/bin/python")
}

fn folder() -> PathBuf {
    workspace_root().join("target/python-client")
}
