//! `cargo xtask bench`: builds what is measured as it is shipped, provides a PostgreSQL that flushes to the disk, and runs the
//! measurements. What is measured is the business of `bench/`.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;

use crate::postgres::{Cluster, FOR_MEASUREMENTS, URL_VARIABLE};
use crate::{command_of, workspace_root};

const MEASUREMENTS: &str = "tradepost-bench";
const POSTGRES_FLAG: &str = "--postgres";

/// Runs the measurements with these arguments of theirs.
///
/// # Errors
/// When something does not build, or when there is no PostgreSQL.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let mut measurements = Command::new(build()?);
    measurements.args(arguments);
    let brings_its_own = arguments.iter().any(|argument| argument.starts_with(POSTGRES_FLAG));
    let cluster = if brings_its_own { None } else { Some(Cluster::start(FOR_MEASUREMENTS)?) };
    if let Some(cluster) = &cluster {
        measurements.env(URL_VARIABLE, cluster.url());
    }
    let status = measurements.status().context("cannot run tradepost-bench")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds the release binaries of the product and of the measurements, and gives the path of the latter. In one go: what both
/// use is compiled once, and the measurements ask for nothing that would change the product's own code.
fn build() -> anyhow::Result<PathBuf> {
    let built = command_of("cargo")
        .args(["build", "--profile", "dist", "--package", "tradepost", "--package", MEASUREMENTS])
        .arg("--message-format=json-render-diagnostics")
        .current_dir(workspace_root())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    anyhow::ensure!(built.status.success(), "the release binaries do not build");
    let said = String::from_utf8(built.stdout).context("cargo's messages are not UTF-8")?;
    let is_wanted = |path: &PathBuf| path.file_stem().is_some_and(|name| name == MEASUREMENTS);
    said.lines().filter_map(executable).find(is_wanted).context("cargo built no binary")
}

/// The executable that one of cargo's messages names.
fn executable(message: &str) -> Option<PathBuf> {
    let (_, rest) = message.split_once(r#""executable":""#)?;
    rest.split('"').next().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binary_is_the_one_that_cargo_names() {
        let message = r#"{"reason":"compiler-artifact","executable":"/target/release/tradepost","fresh":true}"#;
        assert_eq!(executable(message), Some(PathBuf::from("/target/release/tradepost")));
        assert_eq!(executable(r#"{"reason":"compiler-artifact","executable":null}"#), None);
    }
}
