//! Finds `PgBouncer`, or installs it where that can be done without asking: as root on Debian.

use std::process::Command;

use crate::apt;

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

fn is_there() -> bool {
    let starts = |program| Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    ["pgbouncer", "/usr/sbin/pgbouncer"].into_iter().any(starts)
}
