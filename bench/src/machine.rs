//! What the figures were measured on.

use std::fs;
use std::thread::available_parallelism;

use anyhow::Context as _;
use time::OffsetDateTime;

/// Date, cores and memory; never a name.
pub(crate) fn describe() -> anyhow::Result<String> {
    let memory = fs::read_to_string("/proc/meminfo")?;
    let kilobytes = memory.lines().find_map(|line| line.strip_prefix("MemTotal:")).context("no MemTotal")?;
    let kilobytes: u64 = kilobytes.trim().trim_end_matches(" kB").parse()?;
    let cores = available_parallelism()?;
    Ok(format!("{}, {cores} cores, {} GiB of memory.", today(), kilobytes.div_ceil(1 << 20)))
}

#[expect(clippy::disallowed_methods, reason = "the date of a run is when it was")]
fn today() -> time::Date {
    OffsetDateTime::now_utc().date()
}
