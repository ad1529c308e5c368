//! The program of a release: built or given, and stripped.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{line, printed, source, succeed};
use crate::checks::tool;
use crate::workspace_root;

/// The shells with completions: where their scripts are installed.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/tradepost"),
    ("zsh", "share/zsh/vendor-completions/_tradepost"),
    ("fish", "share/fish/vendor_completions.d/tradepost.fish"),
];

/// The stripped program.
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// Whether it was given, so that nothing shows that it is of the commit.
    pub(super) is_given: bool,
    /// The target that it was built for.
    pub(super) target: String,
}

impl Program {
    /// Builds the program unless one is given, and strips a copy.
    pub(super) fn provide(given: Option<&Path>, source: &source::Source, work: &Path) -> anyhow::Result<Self> {
        let built = match given {
            Some(path) => path.to_owned(),
            None => build(source)?,
        };
        let path = work.join("tradepost");
        fs::copy(&built, &path).with_context(|| format!("cannot copy {}", built.display()))?;
        succeed(tool("strip").args(["--strip-all", "--enable-deterministic-archives"]).arg(&path))?;
        Ok(Self { path, is_given: given.is_some(), target: target()? })
    }

    /// Writes the completions of each shell and the pages of the manual below `usr`.
    pub(super) fn shell_files(&self, usr: &Path) -> anyhow::Result<()> {
        let manual = usr.join("share/man/man1");
        super::empty(&manual)?;
        succeed(tool(&self.path.display().to_string()).arg("man").arg(manual))?;
        for (shell, file) in COMPLETIONS {
            let script = printed(tool(&self.path.display().to_string()).args(["completions", shell]))?;
            super::write(&usr.join(file), &script, 0o644)?;
        }
        Ok(())
    }
}

fn build(source: &source::Source) -> anyhow::Result<PathBuf> {
    anyhow::ensure!(!source.has_changes, "the program would have changes that are not committed: commit or stash them");
    let mut build = tool("cargo");
    build.args(["build", "--locked", "--profile", "dist", "--package", "tradepost", "--bin", "tradepost"]);
    succeed(&mut build)?;
    Ok(workspace_root().join("target/dist/tradepost"))
}

/// What cargo builds for when no target is named.
fn target() -> anyhow::Result<String> {
    let version = line(tool("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}
