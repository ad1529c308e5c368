//! Programs from crates.io that checks use, which are installed into `target/tools` where the machine has none.

use anyhow::Context;

use crate::checks::{answers, tool};
use crate::workspace_root;

/// A program of the crate of the same name.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// The version that is installed. One that the machine has is used whatever its version.
    pub(crate) version: &'static str,
    /// The features that it is built with, as arguments of cargo.
    pub(crate) features: &'static [&'static str],
}

impl Tool {
    /// The path of the program, if it is installed.
    pub(crate) fn find(&self) -> Option<String> {
        let own = workspace_root().join("target/tools/bin").join(self.name).display().to_string();
        [self.name.to_owned(), own].into_iter().find(|program| answers(program, &["--version"]))
    }

    /// The path of the program. Installs it without optimisation: it runs for seconds, and building it takes minutes.
    ///
    /// # Errors
    /// When it cannot be installed.
    pub(crate) fn provide(&self) -> anyhow::Result<String> {
        if let Some(program) = self.find() {
            return Ok(program);
        }
        let mut install = tool("cargo");
        install.args(["install", self.name, "--version", self.version, "--locked", "--debug", "--quiet"]);
        install.args(self.features).arg("--root").arg(workspace_root().join("target/tools"));
        let status = install.status().context("cannot run cargo")?;
        anyhow::ensure!(status.success(), "{} cannot be installed", self.name);
        self.find().with_context(|| format!("{} does not run", self.name))
    }
}
