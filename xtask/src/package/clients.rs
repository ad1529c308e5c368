//! The clients as packages of their languages, built from the exported commit.

use std::fs;

use anyhow::Context;

use super::{Release, install, line, source};
use crate::checks::{answers, run_to_outcome, tool};
use crate::python_client;
use crate::report::Outcome;

/// Writes the wheel and the source distribution, by hatchling.
pub(super) fn python(release: &Release) -> anyhow::Result<Outcome> {
    if let Some(missing) = python_client::install_builder()? {
        return Ok(Outcome::Skipped(missing));
    }
    let folder = release.source.path("clients/python");
    licences(release, "clients/python")?;
    let declared = fs::read_to_string(folder.join("pyproject.toml")).context("cannot read pyproject.toml")?;
    let version = format!("version = \"{}\"", source::VERSION);
    anyhow::ensure!(
        declared.lines().any(|line| line == version),
        "pyproject.toml has another version than {}",
        source::VERSION
    );
    let python = python_client::python().display().to_string();
    let mut build = release.command(&python);
    build.args(["-m", "hatchling", "build", "--target", "wheel", "--target", "sdist", "--directory"]).arg(&release.out);
    run_to_outcome(build.current_dir(folder))
}

/// Writes the tarball for npm.
pub(super) fn npm(release: &Release) -> anyhow::Result<Outcome> {
    if !answers("npm", &["ping"]) {
        return Ok(Outcome::Skipped("npm is not installed, or its registry cannot be reached".to_owned()));
    }
    let folder = release.source.path("clients/typescript");
    licences(release, "clients/typescript")?;
    let npm = |arguments: &[&str]| {
        let mut command = release.command("npm");
        command.args(arguments).current_dir(&folder);
        command
    };
    let version = line(tool("npm").args(["pkg", "get", "version"]).current_dir(&folder))?;
    let version = version.trim_matches('"');
    anyhow::ensure!(version == source::VERSION, "package.json has version {version} instead of {}", source::VERSION);
    super::succeed(&mut npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))?;
    super::succeed(&mut npm(&["run", "build"]))?;
    run_to_outcome(npm(&["pack", "--ignore-scripts", "--pack-destination"]).arg(&release.out))
}

fn licences(release: &Release, client: &str) -> anyhow::Result<()> {
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        install(&release.source.path(name), &release.source.path(client).join(name), 0o644)?;
    }
    Ok(())
}
