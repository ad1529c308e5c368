//! `cargo xtask bench`: builds what is measured as it is shipped, provides a PostgreSQL that flushes to the disk, and runs the
//! measurements. What is measured is the business of `bench/`.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;

use crate::postgres::{Cluster, FOR_MEASUREMENTS, URL_VARIABLE};
use crate::workspace_root;

const POSTGRES_FLAG: &str = "--postgres";

/// Runs the measurements with these arguments of theirs.
///
/// # Errors
/// When something does not build, or when there is no PostgreSQL.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<ExitCode> {
    // One after the other, so that the product is built with the features that its users get.
    build("tradepost")?;
    let folder = build("tradepost-bench")?;
    let mut measurements = Command::new(folder.join("tradepost-bench"));
    measurements.args(arguments);
    let brings_its_own = arguments.iter().any(|argument| argument.starts_with(POSTGRES_FLAG));
    let cluster = if brings_its_own { None } else { Some(Cluster::start(FOR_MEASUREMENTS)?) };
    if let Some(cluster) = &cluster {
        measurements.env(URL_VARIABLE, cluster.url());
    }
    let status = measurements.status().context("cannot run tradepost-bench")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds a package's release binary and gives the folder it is in.
fn build(package: &str) -> anyhow::Result<PathBuf> {
    let built = Command::new("cargo")
        .args(["build", "--release", "--package", package, "--message-format=json-render-diagnostics"])
        .current_dir(workspace_root())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    anyhow::ensure!(built.status.success(), "{package} does not build");
    let said = String::from_utf8(built.stdout).context("cargo's messages are not UTF-8")?;
    let binary = said.lines().filter_map(executable).next_back().context("cargo built no binary")?;
    Ok(binary.parent().map(PathBuf::from).unwrap_or_default())
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
