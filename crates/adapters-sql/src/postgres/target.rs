//! Which of several servers is used, as libpq's `target_session_attrs` says it.

use std::time::Duration;

use sqlx::PgConnection;
use tokio::time::timeout;
use tradepost_ports::store::{StoreError, StoreResult};

/// How long a server may take to answer the question.
const ANSWER: Duration = Duration::from_secs(1);
const UNKNOWN: &str = "target_session_attrs in the address of the PostgreSQL server must be read-write, primary or any, because \
    tradepost writes to the server that it uses; correct it, or leave it out";

/// What a server must be to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// Any server that answers.
    Any,
    /// One whose transactions may write.
    ReadWrite,
    /// One that is not a standby.
    Primary,
}

impl Target {
    /// Reads the parameter of an address with so many servers.
    pub(super) fn read(parameter: Option<&str>, servers: usize) -> StoreResult<Self> {
        match parameter {
            None if servers > 1 => Ok(Self::ReadWrite),
            None | Some("any") => Ok(Self::Any),
            Some("read-write") => Ok(Self::ReadWrite),
            Some("primary") => Ok(Self::Primary),
            Some(_) => Err(StoreError::Unavailable(UNKNOWN.to_owned())),
        }
    }

    /// Whether the server behind a connection answers, and is such a one.
    ///
    /// # Errors
    /// What the driver reports of a connection that does not answer, or not in time.
    pub(super) async fn is_met(self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let question = match self {
            Self::Any => "SELECT true",
            Self::ReadWrite => "SELECT current_setting('transaction_read_only') = 'off'",
            Self::Primary => "SELECT NOT pg_is_in_recovery()",
        };
        // Unprepared: a pooler hands each statement to another server.
        let answer = timeout(ANSWER, sqlx::raw_sql(question).fetch_one(connection)).await;
        let row = answer.map_err(|_| sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()))??;
        sqlx::Row::try_get(&row, 0)
    }
}
