//! Cargo's subcommands that checks need. They are installed into `target/tools` where the machine has none.

use anyhow::Context;

use crate::checks::{answers, tool};
use crate::workspace_root;

/// The path of a program from the registry of crates.
///
/// It is built without optimisation, because it runs for seconds and an optimised build takes minutes.
///
/// # Errors
/// When it cannot be installed.
pub(crate) fn provide(name: &str, version: &str) -> anyhow::Result<String> {
    if answers(name, &["--version"]) {
        return Ok(name.to_owned());
    }
    let tools = workspace_root().join("target/tools");
    let program = tools.join("bin").join(name).display().to_string();
    if !answers(&program, &["--version"]) {
        let mut install = tool("cargo");
        install.args(["install", name, "--version", version, "--locked", "--debug", "--quiet", "--root"]).arg(&tools);
        let status = install.status().context("cannot run cargo")?;
        anyhow::ensure!(status.success(), "{name} cannot be installed");
    }
    Ok(program)
}
