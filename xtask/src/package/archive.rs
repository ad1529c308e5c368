//! Archives with equal bytes for equal content, and checksums.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{Release, line, succeed};
use crate::checks::tool;

/// The file with the checksums of all others.
const CHECKSUMS: &str = "SHA256SUMS";

/// Packs files and folders of `under` into `out/NAME.tar`: in the order of their names, owned by root, at the time of the commit.
pub(super) fn tar(release: &Release, name: &str, under: &Path, members: &[&str]) -> anyhow::Result<PathBuf> {
    let to = release.out.join(format!("{name}.tar"));
    let mut command = release.command("tar");
    command
        .args(["--create", "--format=gnu", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"])
        .args(["--mode=u+rwX,go+rX,go-w", &format!("--mtime=@{}", release.source.epoch), "--file"])
        .arg(&to)
        .arg("--directory")
        .arg(under)
        .args(members);
    succeed(&mut command)?;
    Ok(to)
}

/// Packs a folder of `under` into `out/NAME.tar.gz`.
pub(super) fn pack(release: &Release, name: &str, under: &Path, folder: &str) -> anyhow::Result<()> {
    let packed = tar(release, name, under, &[folder])?;
    // Without the name and the time of the file that is compressed.
    succeed(release.command("gzip").arg("--no-name").arg(packed))
}

/// The files of a folder by name.
pub(super) fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    files.retain(|file| file.is_file());
    files.sort();
    Ok(files)
}

/// The SHA-256 of a file in hexadecimal digits.
pub(super) fn digest(file: &Path) -> anyhow::Result<String> {
    let printed = line(tool("sha256sum").arg("--binary").arg(file))?;
    let digest = printed.split_whitespace().next().unwrap_or_default().trim_start_matches('\\');
    Ok(digest.to_owned())
}

/// The name of a file in its folder.
pub(super) fn name(file: &Path) -> String {
    file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Writes the checksums, in the form that `sha256sum --check` reads.
pub(super) fn checksums(release: &Release) -> anyhow::Result<()> {
    let files = files(&release.out)?;
    let names: Vec<String> = files.iter().map(|file| name(file)).filter(|name| name != CHECKSUMS).collect();
    let sums = super::printed(tool("sha256sum").args(&names).current_dir(&release.out))?;
    super::write(&release.out.join(CHECKSUMS), &sums, 0o644)
}
