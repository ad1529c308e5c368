//! Finds PgBouncer, or installs it where that can be done without asking: as root on Debian.

use std::process::Command;

use crate::apt;

/// Names the program where it is not the one of the operating system.
const VARIABLE: &str = "TRADEPOST_TEST_PGBOUNCER";

/// Sees to it that there is PgBouncer; says what is missing where there can be none.
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

fn is_there() -> bool {
    let program = std::env::var(VARIABLE).unwrap_or_else(|_| "pgbouncer".to_owned());
    let version = |program| Command::new(program).arg("--version").output();
    [program.as_str(), "/usr/sbin/pgbouncer"]
        .into_iter()
        .any(|program| version(program).is_ok_and(|output| output.status.success()))
}
