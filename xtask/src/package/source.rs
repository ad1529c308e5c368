//! The commit that is packaged: its files in a folder, and its time.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{line, printed, succeed};
use crate::checks::tool;
use crate::workspace_root;

/// The version of the workspace, of which this program is a member.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The exported commit.
pub(super) struct Source {
    pub(super) folder: PathBuf,
    pub(super) commit: String,
    /// The time of the commit in seconds, which every package has as the time of its files.
    pub(super) epoch: String,
    /// Whether the work tree has changes, which are in no package.
    pub(super) has_changes: bool,
}

impl Source {
    /// Exports the commit that is checked out.
    pub(super) fn export(work: &Path) -> anyhow::Result<Self> {
        let commit = line(tool("git").args(["rev-parse", "HEAD"]))?;
        let epoch = line(tool("git").args(["show", "--no-patch", "--format=%ct", "HEAD"]))?;
        let has_changes = !line(tool("git").args(["status", "--porcelain"]))?.is_empty();
        let (archive, folder) = (work.join("source.tar"), work.join("source"));
        succeed(tool("git").args(["archive", "--format=tar", "--output"]).arg(&archive).arg("HEAD"))?;
        super::empty(&folder)?;
        succeed(tool("tar").args(["--extract", "--file"]).arg(&archive).arg("--directory").arg(&folder))?;
        std::fs::remove_file(&archive).with_context(|| format!("cannot remove {}", archive.display()))?;
        if has_changes {
            eprintln!("{} has changes that are not committed: they are not packaged", workspace_root().display());
        }
        Ok(Self { folder, commit, epoch, has_changes })
    }

    /// The files below a folder of the commit, by name.
    pub(super) fn files(&self, folder: &str) -> anyhow::Result<Vec<String>> {
        let listed = printed(tool("git").args(["ls-tree", "-r", "--name-only", "-z", &self.commit, "--", folder]))?;
        let listed = String::from_utf8(listed).context("names of files are UTF-8")?;
        Ok(listed.split_terminator('\0').map(str::to_owned).collect())
    }

    /// A file or folder of the commit.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}
