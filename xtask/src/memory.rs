//! A folder that is kept in memory, where the machine has one with room for the databases of the tests.

use std::process::Command;

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
