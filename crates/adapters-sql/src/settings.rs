//! Settings: which database, and how it is opened. Where the values come from is the application's business.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;

use crate::connection_options::STATEMENTS_KEPT;

/// Which database holds the data.
#[derive(Debug, Clone)]
pub enum DatabaseSettings {
    /// A file that this process owns.
    Sqlite(SqliteSettings),
    /// A server, shared by any number of processes.
    Postgres(PostgresSettings),
}

/// How the SQLite file is opened.
#[derive(Debug, Clone)]
pub struct SqliteSettings {
    /// The file. It is made when it is not there; its folder must be.
    pub path: PathBuf,
    /// What a power cut may take.
    pub durability: Durability,
    /// Connections for reading, at least 1. One more writes.
    pub readers: u32,
    /// How long a statement waits for another process that writes.
    pub busy_timeout: Duration,
    /// The store is not ready while fewer bytes than these are free on the volume of the file.
    pub min_free_bytes: u64,
    /// Most pages that the file may have: beyond them it counts as full. No limit of its own if absent.
    pub max_pages: Option<u32>,
}

/// What an acknowledged write survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// A power cut: every commit is flushed to the disk before it is acknowledged (`synchronous=FULL`).
    #[default]
    Full,
    /// The end of the process, but not a power cut: that may take the latest commits (`synchronous=NORMAL`).
    ProcessOnly,
}

/// How the PostgreSQL server is reached.
#[derive(Debug, Clone)]
pub struct PostgresSettings {
    /// `postgres://user:password@host:port/database`, or with several servers that replicate each other
    /// `postgres://user:password@host:port,host:port/database`: the one that accepts writes is used.
    pub url: SecretString,
    /// The address for what needs a connection of its own as long as it lasts; `url` if absent.
    pub session_url: Option<SecretString>,
    /// The address of one standby, from which lists and reports are read as long as it answers.
    pub read_url: Option<SecretString>,
    /// By how much that standby may be behind. Own writes of a process are seen at once all the same.
    pub read_lag: Duration,
    /// What pools connections between this process and the server.
    pub pooler: Pooler,
    /// Prepared statements kept for each connection; none are kept with 0.
    pub statements_kept: usize,
    /// Most connections of this process; 2 to 4 for each core of the server, shared out over the processes.
    pub max_connections: u32,
    /// Connections that are kept open.
    pub min_connections: u32,
    /// How long a call waits for a connection before storage counts as unavailable.
    pub acquire_timeout: Duration,
    /// How long one statement may take.
    pub statement_timeout: Duration,
    /// How long a statement may wait for a lock.
    pub lock_timeout: Duration,
}

/// What pools connections between this process and a PostgreSQL server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pooler {
    /// Nothing: time limits are parameters of the startup packet.
    #[default]
    None,
    /// A pooler that gives each client a server connection until it disconnects: time limits are set after connecting.
    Session,
    /// A pooler that gives each transaction a server connection: time limits are those of the database's role, and locks of a session and news
    /// need [`PostgresSettings::session_url`].
    Transaction,
}

impl SqliteSettings {
    /// The defaults for a file.
    ///
    /// ```
    /// use tradepost_adapters_sql::{Durability, SqliteSettings};
    ///
    /// let settings = SqliteSettings::at("data/tradepost.db");
    /// assert_eq!(settings.durability, Durability::Full);
    /// ```
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            durability: Durability::Full,
            readers: 4,
            busy_timeout: Duration::from_secs(5),
            min_free_bytes: 64 * 1_024 * 1_024,
            max_pages: None,
        }
    }
}

impl PostgresSettings {
    /// The defaults for a server.
    pub fn at(url: impl Into<SecretString>) -> Self {
        Self {
            url: url.into(),
            session_url: None,
            read_url: None,
            read_lag: Duration::from_secs(10),
            pooler: Pooler::None,
            statements_kept: STATEMENTS_KEPT,
            max_connections: 16,
            min_connections: 2,
            acquire_timeout: Duration::from_secs(2),
            statement_timeout: Duration::from_secs(5),
            lock_timeout: Duration::from_secs(2),
        }
    }
}
