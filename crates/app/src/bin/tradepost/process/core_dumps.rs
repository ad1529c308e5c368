//! A crash leaves no copy of the memory of the process, in which decrypted secrets are.
//!
//! The limit of core files keeps the kernel from writing one. A program that collects crashes (a pipe in `kernel.core_pattern`) gets a dump
//! whatever the limit is: the filter keeps the memory out of that one.

use std::io::{Error, ErrorKind};

use rlimit::Resource;

/// Which mappings are in a core dump of this process: core(5). Linux alone has it.
const FILTER: &str = "/proc/self/coredump_filter";
const NO_MAPPINGS: &str = "0";

/// Forbids core dumps of this process and of what it starts.
///
/// # Errors
/// Where the system does not allow that.
pub(crate) fn forbid() -> Result<(), Error> {
    Resource::CORE.set(0, 0)?;
    match std::fs::write(FILTER, NO_MAPPINGS) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        written => written,
    }
}
