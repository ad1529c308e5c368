//! Installing what checks need where that can be done without asking: as root on Debian. It does not know what for.

use std::process::Command;

use anyhow::Context;

/// Whether packages can be installed.
pub(crate) fn may_install() -> bool {
    is_root() && Command::new("apt-get").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Whether this user is root.
pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Installs Debian's packages of these names.
///
/// # Errors
/// When `apt-get` fails; what it says is on standard error by then.
pub(crate) fn install(packages: &[&str]) -> anyhow::Result<()> {
    apt_get(&["update"])?;
    let options = ["install", "--yes", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold"];
    apt_get(&[options.as_slice(), packages].concat())
}

fn apt_get(arguments: &[&str]) -> anyhow::Result<()> {
    let status = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status()
        .context("cannot run apt-get")?;
    anyhow::ensure!(
        status.success(),
        "`apt-get {}` failed ({status}); what it says above is the reason. \
         Install the packages by hand and run the same command again",
        arguments.join(" ")
    );
    Ok(())
}
