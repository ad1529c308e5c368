//! The section `database`: where the data is, and how it is reached.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// Where the data is.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Database {
    /// `sqlite://PATH` or `postgres://USER:PASSWORD@HOST/NAME`;
    /// [several servers](../how-to/high-availability.md#name-a-primary-and-its-standbys) that replicate each other are
    /// `HOST:PORT,HOST:PORT`. Flag `--database`. Secret, for its password
    pub(crate) url: String,
    /// PostgreSQL: the address for migrations, the listener and locks of a session, where a pooler shares connections
    /// between transactions. Secret, for its password
    ///
    /// Default: `database.url`
    pub(crate) session_url: Option<String>,
    /// PostgreSQL: the address of one [standby](../how-to/high-availability.md#read-from-a-standby) from which lists
    /// and reports are read. SQLite has none, and no server starts with both. Secret, for its password
    pub(crate) read_url: Option<String>,
    /// PostgreSQL: how many seconds old lists and reports may be, 1 to 300; a standby that is further behind is not
    /// read from
    pub(crate) read_lag_seconds: u32,
    /// PostgreSQL: how a [pooler](../how-to/use-postgresql.md#use-pgbouncer) in front of it shares connections: `none`
    /// (there is none), `session`, `transaction`
    pub(crate) pooler: Pooler,
    /// PostgreSQL: prepared statements that a connection keeps, 0 to 4,096. With 0 every call prepares its statements
    /// again, which `database.pooler = "transaction"` rules out
    pub(crate) statement_cache: u16,
    /// PostgreSQL: for how long a call waits for a connection, 1 to 60
    pub(crate) acquire_timeout_seconds: u32,
    /// PostgreSQL: how long a statement may take, 1 to 300. A statement that has no answer 1 s after this time and
    /// `database.acquire_timeout_seconds` fails
    pub(crate) statement_timeout_seconds: u32,
    /// PostgreSQL: how long a statement may wait for a lock, 1 to 60
    pub(crate) lock_timeout_seconds: u32,
    /// readers on SQLite, all connections on PostgreSQL; at least 1
    ///
    /// Default: by the database
    pub(crate) max_connections: Option<u32>,
    /// SQLite: `full` loses no acknowledged write in a power cut, `normal` may lose the last ones
    pub(crate) synchronous: Synchronous,
    /// SQLite: minimum free space in MiB on the volume of the file; below it `/readyz` returns 503 with the reason. `0`
    /// disables the check
    pub(crate) min_free_mib: u64,
    /// migrate the schema at start. Flag `--no-migrate`
    pub(crate) migrate: bool,
}

impl Default for Database {
    fn default() -> Self {
        Self {
            url: "sqlite://data/tradepost.db".to_owned(),
            session_url: None,
            read_url: None,
            read_lag_seconds: 10,
            pooler: Pooler::None,
            statement_cache: 256,
            acquire_timeout_seconds: 2,
            statement_timeout_seconds: 5,
            lock_timeout_seconds: 2,
            max_connections: None,
            synchronous: Synchronous::Full,
            min_free_mib: 64,
            migrate: true,
        }
    }
}

impl Database {
    /// The file of an SQLite database.
    pub(crate) fn sqlite_file(&self) -> Option<PathBuf> {
        let path = self.url.strip_prefix("sqlite:")?;
        let path = path.strip_prefix("//").unwrap_or(path);
        Some(PathBuf::from(path.split('?').next().unwrap_or(path)))
    }

    /// The folder for what is stored next to the database.
    pub(crate) fn folder(&self) -> PathBuf {
        let next_to = self.sqlite_file().and_then(|file| file.parent().map(Path::to_owned));
        next_to.map_or_else(
            || PathBuf::from("data"),
            |folder| if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder },
        )
    }
}

/// How a pooler in front of PostgreSQL shares connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Pooler {
    /// There is none.
    None,
    /// A client has a connection until it disconnects.
    Session,
    /// A client has a connection for a transaction.
    Transaction,
}

/// What a commit on SQLite waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Synchronous {
    /// The disk: no acknowledged write is lost in a power cut.
    Full,
    /// The operating system: a power cut may lose the last writes.
    Normal,
}
