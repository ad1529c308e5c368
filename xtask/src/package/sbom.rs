//! The software bill of materials of the program: `CycloneDX`, by cargo-cyclonedx.

use std::fs;

use anyhow::Context;

use super::{Release, source, succeed};
use crate::tools;

const VERSION: &str = "0.5.9";
/// Where cargo-cyclonedx writes that of the program. It writes those of the workspace's other programs as well.
const WRITTEN: &str = "crates/app/tradepost_bin.cdx.json";

/// Writes it.
pub(super) fn write(release: &Release) -> anyhow::Result<()> {
    let program = tools::provide("cargo-cyclonedx", VERSION)?;
    let mut command = release.command(&program);
    command
        .args(["cyclonedx", "--format", "json", "--spec-version", "1.5", "--describe", "binaries", "--quiet"])
        .arg("--manifest-path")
        .arg(release.source.path("crates/app/Cargo.toml"));
    succeed(&mut command)?;
    let written = release.source.path(WRITTEN);
    let text = fs::read_to_string(&written).with_context(|| format!("cannot read {}", written.display()))?;
    // The ids of the workspace's own crates have the folder in which they were read.
    let text = text.replace(&release.source.folder.display().to_string(), "");
    super::write(&release.out.join(format!("tradepost-{}.cdx.json", source::VERSION)), text.as_bytes(), 0o644)
}
