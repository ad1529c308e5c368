//! File systems in memory: a folder with room for the databases of the tests, where the machine has one, and small ones that a test mounts.

use std::process::{Command, Stdio};

use anyhow::Context as _;

/// Where Linux has one; much smaller in many containers.
const FOLDER: &str = "/dev/shm";
/// What the tests take at most, with a margin.
const ROOM_KIB: u64 = 4 * 1024 * 1024;

/// The folder, if there is enough room in it.
pub(crate) fn folder() -> Option<&'static str> {
    let output = Command::new("df").args(["--output=avail", "-k", FOLDER]).output().ok()?;
    let free = String::from_utf8(output.stdout).ok()?.lines().last()?.trim().parse::<u64>().ok()?;
    (free >= ROOM_KIB).then_some(FOLDER)
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
