//! Calls cargo-mutants: provides it, gives it a copy of the workspace to change, and reads what came of each mutant.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, ensure};
use serde_json::Value;

use super::plan::{MINUTES, Mutant};
use crate::{command_of, workspace_root};

const VERSION: &str = "27.1.0";
const TOOLS: &str = "target/tools";
/// A copy of the workspace at the commit that is tested, what is built of it, and what came of it.
const COPY: &str = "target/mutants/tree";
const BUILT: &str = "target/mutants/build";
const OUT: &str = "target/mutants/out";
/// Its exit code when the unchanged tests fail.
const BASELINE_FAILED: i32 = 4;

/// What came of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Killed,
    Survived,
    /// It does not compile.
    Unviable,
}

/// The tool, ready to be called.
pub(super) struct Tool {
    program: PathBuf,
    /// Environment variables of the tests.
    variables: Vec<(String, String)>,
}

impl Tool {
    /// Finds the tool under `target/tools`, or installs it there.
    ///
    /// # Errors
    /// When it is missing and cannot be built.
    pub(super) fn provide() -> anyhow::Result<Self> {
        let root = workspace_root().join(TOOLS);
        let program = root.join("bin/cargo-mutants");
        let output = Command::new(&program).args(["mutants", "--version"]).output();
        if !output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim().ends_with(VERSION)) {
            eprintln!("cargo-mutants {VERSION} is missing: installing it into {TOOLS}");
            let mut install = command_of("cargo");
            install.args(["install", "--locked", "--version", VERSION, "--root"]).arg(&root).arg("cargo-mutants");
            succeed(&mut install)?;
        }
        Ok(Self { program, variables: Vec::new() })
    }

    /// The same, with this environment variable for the tests.
    pub(super) fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Every mutant of the workspace.
    ///
    /// # Errors
    /// When the tool fails or says what cannot be read.
    pub(super) fn list(&self) -> anyhow::Result<Vec<Mutant>> {
        let mut command = self.mutants(workspace_root());
        let output = command.args(["--list", "--json", "--workspace"]).output();
        let output = output.context("cannot run cargo-mutants")?;
        ensure!(output.status.success(), "cargo-mutants failed: {}", String::from_utf8_lossy(&output.stderr));
        let listed: Vec<Value> = serde_json::from_slice(&output.stdout).context("cannot read the list of mutants")?;
        listed.iter().map(|mutant| mutant_of(mutant).context("a mutant has a package, a file and a name")).collect()
    }

    /// Tests these mutants of a package by the tests of some packages; what is not in the answer was not tried in time.
    ///
    /// # Errors
    /// When the tool fails, or when a test fails without any mutant.
    pub(super) fn test(&self, mutants: &[Mutant], by: &[&str], until: Instant) -> anyhow::Result<Vec<(Mutant, Fate)>> {
        let out = workspace_root().join(OUT);
        std::fs::create_dir_all(&out)?;
        let plan = out.join("plan.toml");
        std::fs::write(&plan, selecting(mutants)?)?;
        let mut command = self.mutants(&workspace_root().join(COPY));
        command.args(["--in-place", "--all-features", "--cap-lints", "true", "--colors", "never", "--no-times"]);
        // Documentation's examples take long to build and decide nothing.
        command.args(["--cargo-test-arg", "--tests", "--config"]).arg(&plan).arg("--output").arg(&out);
        // A deleted field is tried whatever the names say, in the files that are looked at; it does not count.
        for file in mutants.iter().map(|mutant| mutant.file.as_str()).collect::<BTreeSet<_>>() {
            command.args(["--file", file]);
        }
        for package in by {
            command.args(["--test-package", package]);
        }
        if let Some(mutant) = mutants.first() {
            command.args(["--package", &mutant.package]);
        }
        let ended = ended_by(command.spawn().context("cannot run cargo-mutants")?, until)?;
        ensure!(ended.code() != Some(BASELINE_FAILED), "tests of {by:?} fail without any mutant");
        let outcomes =
            std::fs::read(out.join("mutants.out/outcomes.json")).context("cargo-mutants left no outcomes")?;
        let mut fates = fates(&serde_json::from_slice(&outcomes)?);
        fates.retain(|(mutant, _)| mutants.contains(mutant));
        Ok(fates)
    }

    fn mutants(&self, folder: &Path) -> Command {
        let mut command = command_of(&self.program.to_string_lossy());
        command.arg("mutants").current_dir(folder).env("CARGO", "cargo");
        // The copy is built with `debug` as it is nowhere else, so that linking is quick.
        command.env("CARGO_TARGET_DIR", workspace_root().join(BUILT)).env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.env("CARGO_INCREMENTAL", "1");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// Puts the copy of the workspace at this commit, whatever the last mutant left there.
///
/// # Errors
/// When git fails.
pub(super) fn copy_of(commit: &str) -> anyhow::Result<()> {
    let copy = workspace_root().join(COPY);
    if !copy.join(".git").exists() {
        succeed(
            Command::new("git")
                .args(["clone", "--quiet", "--shared", "--no-checkout"])
                .arg(workspace_root())
                .arg(&copy),
        )?;
    }
    let git = |arguments: &[&str]| succeed(Command::new("git").args(arguments).current_dir(&copy));
    git(&["fetch", "--quiet", "origin", commit])?;
    git(&["checkout", "--quiet", "--force", "--detach", commit])
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    ensure!(status.success(), "{} failed: {status}", command.get_program().display());
    Ok(())
}

/// Waits for the tool, and interrupts it at the end of its time; it ends what it has started by itself.
fn ended_by(mut child: Child, until: Instant) -> anyhow::Result<ExitStatus> {
    let (id, (ended, status)) = (child.id().to_string(), mpsc::channel());
    thread::spawn(move || ended.send(child.wait()));
    let in_time = status.recv_timeout(until.saturating_duration_since(Instant::now()));
    if matches!(in_time, Err(RecvTimeoutError::Timeout)) {
        eprintln!("{MINUTES} minutes are over: what was not tried is left");
        succeed(Command::new("kill").args(["-INT", &id]))?;
    }
    Ok(in_time.or_else(|_| status.recv())??)
}

/// A configuration that selects exactly these mutants.
fn selecting(mutants: &[Mutant]) -> anyhow::Result<String> {
    let mut lines = String::from("examine_re = [\n");
    for mutant in mutants {
        let exactly = format!("^{}$", escaped(&mutant.name));
        writeln!(lines, "  {},", serde_json::to_string(&exactly)?)?;
    }
    lines.push_str("]\n");
    Ok(lines)
}

fn escaped(name: &str) -> String {
    let escape = |sign: char| if r"\.+*?()|[]{}^$#&-~".contains(sign) { format!("\\{sign}") } else { sign.to_string() };
    name.chars().map(escape).collect()
}

fn mutant_of(outcome: &Value) -> Option<Mutant> {
    let text = |field: &str| outcome.get(field)?.as_str().map(str::to_owned);
    Some(Mutant { package: text("package")?, file: text("file")?, name: text("name")? })
}

fn fates(outcomes: &Value) -> Vec<(Mutant, Fate)> {
    let outcomes = outcomes.get("outcomes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    outcomes
        .iter()
        .filter_map(|outcome| Some((mutant_of(outcome.pointer("/scenario/Mutant")?)?, fate_of(outcome)?)))
        .collect()
}

fn fate_of(outcome: &Value) -> Option<Fate> {
    match outcome.get("summary")?.as_str()? {
        "CaughtMutant" | "Timeout" => Some(Fate::Killed),
        "MissedMutant" => Some(Fate::Survived),
        "Unviable" => Some(Fate::Unviable),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_mutant_is_selected_by_its_whole_name_and_nothing_like_it() {
        let name = "src/a.rs:1:2: replace f -> Option<u8> with Some(\"a\")".to_owned();
        let mutant = Mutant { package: "a".to_owned(), file: "src/a.rs".to_owned(), name };
        let expected =
            "examine_re = [\n  \"^src/a\\\\.rs:1:2: replace f \\\\-> Option<u8> with Some\\\\(\\\"a\\\"\\\\)$\",\n]\n";
        assert_eq!(selecting(&[mutant]).unwrap(), expected);
    }

    #[test]
    fn tests_that_stall_by_a_mutant_have_noticed_it() {
        let mutant = json!({ "package": "a", "file": "src/a.rs", "name": "src/a.rs:1:2: x" });
        let outcome = |summary: &str| json!({ "scenario": { "Mutant": mutant }, "summary": summary });
        let baseline = json!({ "scenario": "Baseline", "summary": "Success" });
        let outcomes =
            json!({ "outcomes": [baseline, outcome("Timeout"), outcome("MissedMutant"), outcome("Unviable")] });
        let fates: Vec<_> = fates(&outcomes).into_iter().map(|(_, fate)| fate).collect();
        assert_eq!(fates, [Fate::Killed, Fate::Survived, Fate::Unviable]);
    }
}
