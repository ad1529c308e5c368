//! Finds PostgreSQL's server programs, or installs them where that can be done without asking: as root on Debian.

use std::ffi::OsStr;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use crate::apt;

const DEBIAN_VERSIONS: &str = "/usr/lib/postgresql";
const DEBIAN_CLUSTER_SETTINGS: &str = "/etc/postgresql-common/createcluster.conf";

/// The folder with `initdb` and `postgres`.
///
/// # Errors
/// When they are neither there nor could be installed; the message says what to do.
pub(super) fn binaries() -> anyhow::Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    if !apt::may_install() {
        anyhow::bail!(
            "PostgreSQL's server programs are missing, and the tests need them\n  \
             why: there is no {DEBIAN_VERSIONS}/*/bin/initdb, and pg_config names none; installing them takes root and apt-get\n  \
             try: sudo apt-get install --no-install-recommends postgresql    (Debian, Ubuntu)\n       \
             sudo dnf install postgresql-server libpq-devel             (Fedora; libpq-devel has pg_config)\n       \
             then run the same command again"
        );
    }
    install()?;
    find().with_context(|| format!("apt-get installed postgresql, but there is no {DEBIAN_VERSIONS}/*/bin/initdb"))
}

fn find() -> Option<PathBuf> {
    newest_of_debian().or_else(named_by_pg_config)
}

fn newest_of_debian() -> Option<PathBuf> {
    let versions = fs::read_dir(DEBIAN_VERSIONS).ok()?.filter_map(Result::ok);
    versions
        .filter_map(|entry| Some((version_number(&entry.file_name())?, entry.path().join("bin"))))
        .filter(|(_, binaries)| binaries.join("initdb").exists())
        .max()
        .map(|(_, binaries)| binaries)
}

fn version_number(folder: &OsStr) -> Option<u32> {
    folder.to_str()?.parse().ok()
}

fn named_by_pg_config() -> Option<PathBuf> {
    let output = Command::new("pg_config").arg("--bindir").output().ok()?;
    let binaries = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    binaries.join("initdb").exists().then_some(binaries)
}

fn install() -> anyhow::Result<()> {
    eprintln!("PostgreSQL's server programs are missing: installing Debian's package `postgresql`");
    want_no_main_cluster()?;
    apt::install(&["postgresql"])
}

/// Debian's package makes and starts a server of its own unless this is set; the tests start theirs.
fn want_no_main_cluster() -> anyhow::Result<()> {
    let settings = Path::new(DEBIAN_CLUSTER_SETTINGS);
    if let Some(folder) = settings.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    match fs::File::create_new(settings) {
        Ok(mut file) => file.write_all(b"create_main_cluster = false\n"),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
    .with_context(|| format!("cannot write {}", settings.display()))
}
