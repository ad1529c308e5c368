//! Which files changed, and which crates read them.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Context;

use super::graph::Graph;
use crate::checks::tool;

/// Files that every crate is built with.
const OF_ALL: [&str; 5] = ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "clippy.toml", ".cargo/config.toml"];

/// The crates that changed since `base`, with the work tree, and the changed files that no crate reads.
pub(super) fn changed(base: &str, graph: &Graph) -> anyhow::Result<(BTreeSet<String>, Vec<String>)> {
    let mut files = listed(&["diff", "--name-only", "-z", base, "--"])?;
    files.extend(listed(&["ls-files", "--others", "--exclude-standard", "-z"])?);
    let (mut packages, mut elsewhere) = (BTreeSet::new(), Vec::new());
    for file in files {
        let of_file = readers(&file, graph)?;
        if of_file.is_empty() {
            elsewhere.push(file);
        }
        packages.extend(of_file);
    }
    Ok((packages, elsewhere))
}

/// The crate that a file belongs to; else the crates with its name in their sources.
fn readers(file: &str, graph: &Graph) -> anyhow::Result<BTreeSet<String>> {
    if let Some(package) = graph.owner(file) {
        return Ok(BTreeSet::from([package.to_owned()]));
    }
    if OF_ALL.contains(&file) {
        return Ok(graph.packages().cloned().collect());
    }
    let name = Path::new(file).file_name().context("git listed a folder")?.to_string_lossy().into_owned();
    let named = listed(&["grep", "--name-only", "-z", "--fixed-strings", "-e", &name, "--", "*.rs"])?;
    Ok(named.iter().filter_map(|source| graph.owner(source)).map(str::to_owned).collect())
}

/// The names that git prints, with a zero byte after each. `git grep` ends with 1 when it finds nothing.
fn listed(arguments: &[&str]) -> anyhow::Result<Vec<String>> {
    let output = tool("git").args(arguments).output().context("cannot run git")?;
    let found_nothing = arguments.first() == Some(&"grep") && output.status.code() == Some(1);
    anyhow::ensure!(
        output.status.success() || found_nothing,
        "git failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).context("names of files are UTF-8")?;
    Ok(text.split_terminator('\0').map(str::to_owned).collect())
}
