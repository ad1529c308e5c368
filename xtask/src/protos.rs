//! The checks of the protos by buf: lint, and changes that would break clients of a released version.

use std::fs;
use std::process::Command;

use anyhow::Context;

use crate::checks::{answers, run_to_outcome, tool};
use crate::report::Outcome;
use crate::{npm, typescript_client, workspace_root};

/// The interface of each released version, as `buf build --exclude-source-info` writes it.
const RELEASES: &str = "proto/releases";
const RELEASE_SUFFIX: &str = ".binpb.gz";

/// Checks names and forms.
pub(crate) fn lint() -> anyhow::Result<Outcome> {
    with_buf(|buf| buf.args(["lint", "proto"]))
}

/// Compares the protos with those of the latest released version.
pub(crate) fn breaking_changes() -> anyhow::Result<Outcome> {
    let latest = latest_release()?;
    with_buf(|buf| buf.args(["breaking", "proto", "--against", &format!("{RELEASES}/{latest}{RELEASE_SUFFIX}")]))
}

/// Runs buf: the installed one, or the one that the TypeScript client uses.
fn with_buf(arguments: impl FnOnce(&mut Command) -> &mut Command) -> anyhow::Result<Outcome> {
    if answers("buf", &["--version"]) {
        return run_to_outcome(arguments(&mut tool("buf")));
    }
    let own = typescript_client::folder().join("node_modules/.bin/buf").display().to_string();
    if !answers(&own, &["--version"])
        && let Some(missing) = npm::install(&typescript_client::folder())?
    {
        return Ok(missing);
    }
    run_to_outcome(arguments(&mut tool(&own)))
}

/// The latest version whose interface is kept.
fn latest_release() -> anyhow::Result<semver::Version> {
    let files = fs::read_dir(workspace_root().join(RELEASES)).with_context(|| format!("cannot read {RELEASES}"))?;
    let names = files.map(|file| Ok(file?.file_name().to_string_lossy().into_owned()));
    let names = names.collect::<std::io::Result<Vec<String>>>().with_context(|| format!("cannot read {RELEASES}"))?;
    let versions = names.iter().filter_map(|name| name.strip_suffix(RELEASE_SUFFIX));
    let versions = versions.map(|version| version.parse().with_context(|| format!("{version} is not a version")));
    let versions = versions.collect::<anyhow::Result<Vec<semver::Version>>>()?;
    versions.into_iter().max().with_context(|| format!("no release in {RELEASES}"))
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    /// It is never made twice: it stays what the released version has.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "snapshots are kept by the same variable")]
    fn the_version_of_this_program_has_an_interface_to_compare_with() {
        let name = format!("{RELEASES}/{}{RELEASE_SUFFIX}", env!("CARGO_PKG_VERSION"));
        let file = workspace_root().join(&name);
        if !file.exists() && env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
            let built = with_buf(|buf| buf.args(["build", "proto", "--exclude-source-info", "--output", &name]));
            assert!(matches!(built, Ok(Outcome::Passed)), "buf did not write {name}");
        }
        assert!(
            file.exists(),
            "there is no interface of this version: run this test with INSTA_UPDATE=always before it is released"
        );
    }
}
