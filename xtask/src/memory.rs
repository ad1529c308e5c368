//! File systems in memory: a folder with room for the databases of the tests, where the machine has one, and small ones that a test mounts.

use std::process::{Command, Stdio};

use anyhow::Context as _;

/// Where Linux has one; much smaller in many containers.
const FOLDER: &str = "/dev/shm";
/// What the tests take at most, with a margin, in KiB.
pub(crate) const FOR_FILES: u64 = 4 * 1024 * 1024;
/// What they and the databases of their PostgreSQL take.
pub(crate) const FOR_FILES_AND_POSTGRES: u64 = FOR_FILES + 2 * 1024 * 1024;

/// The folder, if there is this much room in it, in KiB.
pub(crate) fn folder_with(room: u64) -> Option<&'static str> {
    let output = Command::new("df").args(["--output=avail", "-k", FOLDER]).output().ok()?;
    let free = String::from_utf8(output.stdout).ok()?.lines().last()?.trim().parse::<u64>().ok()?;
    (free >= room).then_some(FOLDER)
}

/// Says what is missing to mount a small one, as a test of a full disk does.
pub(crate) fn missing_mount() -> anyhow::Result<Option<String>> {
    let folder = tempfile::tempdir().context("cannot make a folder")?;
    let succeeds = |command: &mut Command| {
        command.arg(folder.path()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let is_mounted = succeeds(Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]));
    let is_unmounted = is_mounted && succeeds(&mut Command::new("umount"));
    Ok((!is_unmounted).then(|| "this user may not mount a file system".to_owned()))
}
