//! A throw-away PostgreSQL: provided, started, named to the tests, taken away. It knows nothing of schemas.

pub(crate) mod pooler;
mod provision;

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use anyhow::Context;

use crate::memory;
use crate::workspace_root;

/// Where the tests look for the server: an administrator's URL, under which each test makes a database of its own.
pub(crate) const URL_VARIABLE: &str = "TRADEPOST_TEST_POSTGRES";

/// What a server is for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Purpose {
    /// Lines of `postgresql.conf`.
    settings: &'static [&'static str],
    /// Whether its data are in memory, where there is room.
    is_in_memory: bool,
}

/// A server whose data may be lost. Not for measurements, nor for tests of durability.
///
/// Each of more than a thousand tests copies a database of 870 files and removes it. On a disk this took most of their time (498 tests
/// 271 s, and 69 s in memory), also without flushes.
pub(crate) const FOR_TESTS: Purpose =
    Purpose { settings: &["fsync=off", "max_connections=300", "max_wal_size=256MB"], is_in_memory: true };

/// A server for measurements: a commit is on the disk when it is acknowledged, as PostgreSQL does it by default. Memory is a
/// small part of what the smallest server has, and checkpoints come by time rather than in the middle of a round.
pub(crate) const FOR_MEASUREMENTS: Purpose = Purpose {
    settings: &[
        "fsync=on",
        "synchronous_commit=on",
        "full_page_writes=on",
        "wal_compression=on",
        "shared_buffers=1GB",
        "max_wal_size=8GB",
        "max_connections=100",
    ],
    is_in_memory: false,
};

/// Owns the server and its folder: when its standard input ends, it stops the one and removes the other. Standard input is
/// our end of a pipe, so that this happens however we end: by an error, by Ctrl-C or by `kill -9`.
const KEEPER: &str = "xtask/src/postgres/keeper.sh";

/// A running server on a free port of 127.0.0.1. Dropping it removes the server and its data.
pub(crate) struct Cluster {
    keeper: Child,
    port: u16,
}

impl Cluster {
    /// Starts a server.
    ///
    /// # Errors
    /// When there is no PostgreSQL and it cannot be installed, or when it does not start; the server's log is on standard
    /// error by then.
    pub(crate) fn start(purpose: Purpose) -> anyhow::Result<Self> {
        let Purpose { settings, is_in_memory } = purpose;
        let binaries = provision::binaries()?;
        let port = free_port()?;
        let mut command = Command::new("sh");
        if let Some(folder) = memory::folder_with(memory::FOR_FILES_AND_POSTGRES).filter(|_| is_in_memory) {
            command.env("TMPDIR", folder);
        }
        let mut keeper = command
            .arg(workspace_root().join(KEEPER))
            .arg(&binaries)
            .arg(port.to_string())
            .args(settings)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // A group of its own: Ctrl-C must not reach it before it has cleaned up.
            .process_group(0)
            .spawn()
            .context("cannot run sh")?;
        let said = keeper.stdout.take().and_then(|stdout| BufReader::new(stdout).lines().next());
        let cluster = Self { keeper, port };
        match said {
            Some(Ok(line)) if line == "ready" => Ok(cluster),
            _ => anyhow::bail!("PostgreSQL ({}) did not start; its log is above", binaries.display()),
        }
    }

    /// What [`URL_VARIABLE`] is set to.
    pub(crate) fn url(&self) -> String {
        format!("postgres://app@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        if let Err(error) = self.keeper.wait() {
            eprintln!("cannot wait for the throw-away PostgreSQL to stop: {error}");
        }
    }
}

fn free_port() -> anyhow::Result<u16> {
    let probe = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot find a free port on 127.0.0.1")?;
    Ok(probe.local_addr().context("cannot read the port that was found")?.port())
}
