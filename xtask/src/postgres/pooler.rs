//! Finds `PgBouncer`, or installs it where that can be done without asking: as root on Debian.

use std::env;
use std::process::Command;

use crate::apt;

/// Names the program where it is not the one of the operating system, as for the tests.
const VARIABLE: &str = "TRADEPOST_TEST_PGBOUNCER";
/// The first version that follows prepared statements from one connection of the server to another.
const WITH_STATEMENTS: (u32, u32) = (1, 21);

/// Sees to it that there is `PgBouncer`; says what is missing where there can be none.
pub(crate) fn provide() -> Option<String> {
    if is_there() {
        return None;
    }
    if !apt::may_install() {
        return Some("pgbouncer is not installed".to_owned());
    }
    eprintln!("PgBouncer is missing: installing Debian's package `pgbouncer`");
    match apt::install(&["pgbouncer"]) {
        Ok(()) if is_there() => None,
        Ok(()) => Some("apt-get installed pgbouncer, and still it does not start".to_owned()),
        Err(error) => Some(format!("pgbouncer cannot be installed: {error:#}")),
    }
}

/// Says what is missing for transaction mode, where the server prepares statements.
pub(crate) fn provide_transactions() -> Option<String> {
    provide().or_else(|| match version() {
        Some(version) if version >= WITH_STATEMENTS => None,
        Some((major, minor)) => Some(format!("transaction mode needs PgBouncer 1.21, and this is {major}.{minor}")),
        None => Some("the version of PgBouncer cannot be read".to_owned()),
    })
}

fn is_there() -> bool {
    version().is_some()
}

/// The version of the first program that starts, as major and minor number.
#[expect(clippy::disallowed_methods, reason = "who tests a newer version names it in this variable")]
fn version() -> Option<(u32, u32)> {
    let named = env::var(VARIABLE).ok();
    let mut programs = named.iter().map(String::as_str).chain(["pgbouncer", "/usr/sbin/pgbouncer"]);
    programs.find_map(version_of)
}

fn version_of(program: &str) -> Option<(u32, u32)> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    let mut numbers = said.lines().find_map(|line| line.strip_prefix("PgBouncer "))?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}
