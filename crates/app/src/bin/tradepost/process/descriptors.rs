//! How many files and connections the process may have open: the soft limit is raised to the hard one, since the usual soft
//! limit of 1,024 is made for programs that use `select`.

use rlimit::{Resource, increase_nofile_limit};

/// Kept for the database, the log, mails and calls to other servers; of a small limit a quarter.
const KEPT: u64 = 256;
/// More connections than this do not fit the memory that the server is meant to need.
const MOST_CONNECTIONS: u64 = 16 * 1024;
/// Below this, an operator should know.
const FEW_CONNECTIONS: usize = 1024;

/// Raises the limit as far as this user may, and says so.
pub(crate) fn raise() {
    let before = soft_limit();
    match increase_nofile_limit(u64::MAX) {
        Ok(now) if Some(now) == before => {}
        Ok(now) => tracing::info!(before, now, "the limit of open files was raised"),
        Err(error) => tracing::warn!(%error, "the limit of open files was not raised"),
    }
    let connections = most_connections();
    if connections < FEW_CONNECTIONS {
        tracing::warn!(
            connections,
            "few connections are accepted: raise the hard limit of open files (ulimit -Hn, LimitNOFILE)"
        );
    }
}

/// How many connections the limit allows.
pub(crate) fn most_connections() -> usize {
    let limit = soft_limit().unwrap_or(MOST_CONNECTIONS);
    let connections = limit.saturating_sub(KEPT.min(limit / 4)).min(MOST_CONNECTIONS);
    usize::try_from(connections).unwrap_or(usize::MAX)
}

fn soft_limit() -> Option<u64> {
    Resource::NOFILE.get_soft().ok()
}
