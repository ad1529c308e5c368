//! `cargo xtask soak`: builds the measurements as they are shipped and lets them trade in a simulated world while they are
//! killed. What must hold afterwards is the business of `bench/`.

use std::process::ExitCode;

use anyhow::Context;

use crate::{command_of, workspace_root};

/// Runs the soak with these arguments of its.
///
/// # Errors
/// When it does not build.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let status = command_of("cargo")
        .args(["run", "--release", "--package", "tradepost-bench", "--", "soak"])
        .args(arguments)
        .current_dir(workspace_root())
        .status()
        .context("cannot run cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
