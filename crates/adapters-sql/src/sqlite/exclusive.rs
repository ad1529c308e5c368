//! The one connection that writes. SQLite rolls a transaction back by itself when a commit fails, and the driver does not notice:
//! it would take every later transaction for a part of one that is never committed. So a connection is closed after every
//! failure, and no connection is used twice without a check that it is outside of any transaction.

use std::ops::Deref;
use std::sync::Arc;

use sea_orm::{
    ConnectionTrait as _, DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode, Statement,
    TransactionOptions, TransactionTrait as _,
};
use tradepost_ports::store::{NotReady, StoreError, StoreResult};

use super::condition::Condition;
use super::connections;
use crate::classify::{DbOperation, classify};
use crate::settings::SqliteSettings;

/// Adds 256 KiB and removes them again: it needs free pages, and its commit is written and flushed like any other.
const PROBE: &str = "INSERT INTO installation (name, value) VALUES ('write probe', zeroblob(262144)); \
    DELETE FROM installation WHERE name = 'write probe'";

/// The one connection that writes to a SQLite file.
#[derive(Debug, Clone)]
pub(crate) struct Exclusive {
    db: DatabaseConnection,
    condition: Arc<Condition>,
}

/// A transaction on it. What it wrote is rolled back when it is dropped.
pub(crate) struct Writing {
    transaction: DatabaseTransaction,
    condition: Arc<Condition>,
}

impl Exclusive {
    /// Opens the file, which is made when it is not there.
    pub(crate) async fn open(
        settings: &SqliteSettings,
        watched: impl FnOnce(DatabaseConnection) -> DatabaseConnection,
    ) -> StoreResult<Self> {
        let condition = Arc::new(Condition::of(settings));
        condition.files.check_log()?;
        let unwritable = |error| StoreError::Unavailable(format!("{}: {error}", settings.path.display()));
        connections::make_private(&settings.path).map_err(unwritable)?;
        let opened = connections::writer(settings, &condition).await;
        let db = watched(opened.map_err(|error| classify(&error, DbOperation::Statement))?);
        condition.files.remember()?;
        Ok(Self { db, condition })
    }

    /// Returns the connection, for use outside of a transaction.
    pub(crate) const fn connection(&self) -> &DatabaseConnection {
        &self.db
    }

    /// Begins a transaction that is going to write. It declares that at its start, because a later declaration fails at once when
    /// another process has written, without waiting.
    pub(crate) async fn begin(&self) -> StoreResult<Writing> {
        self.note(self.condition.files.check().map_err(StoreError::Unavailable))?;
        let immediate = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..Default::default()
        };
        let begun = self.db.begin_with_options(immediate).await;
        let transaction = self.note(begun.map_err(|error| {
            self.condition.condemn();
            classify(&error, DbOperation::Statement)
        }))?;
        self.note(self.condition.files.remember())?;
        Ok(Writing { transaction, condition: self.condition.clone() })
    }

    /// Runs one statement in a transaction of its own; how many rows it wrote.
    pub(crate) async fn execute(&self, statement: Statement) -> StoreResult<u64> {
        let writing = self.begin().await?;
        let done = writing.execute_raw(statement).await;
        let done = self.note(done.map_err(|error| classify(&error, DbOperation::Statement)))?;
        writing.commit().await?;
        Ok(done.rows_affected())
    }

    /// Keeps in mind that a write failed, if that says something about storage and not about the write.
    pub(crate) fn note<T>(&self, done: StoreResult<T>) -> StoreResult<T> {
        self.condition.note(done)
    }

    /// Keeps in mind that something was stored.
    pub(crate) fn note_success(&self) {
        self.condition.succeed();
    }

    /// Whether calls should be sent to this store. After a failed write it is not ready until a write succeeds; asking makes
    /// one, at most once a second.
    pub(crate) async fn check_ready(&self) -> Result<(), NotReady> {
        if self.condition.is_due_for_probe() {
            let probed = self.probe().await;
            if self.note(probed).is_ok() {
                self.condition.succeed();
            }
        }
        if let Some(why) = self.condition.last_failure() {
            return Err(NotReady::LastWriteFailed(why));
        }
        let required_bytes = self.condition.min_free_bytes;
        match self.condition.files.available_bytes() {
            Ok(free_bytes) if free_bytes < required_bytes => Err(NotReady::LittleSpace { free_bytes, required_bytes }),
            Ok(_) => Ok(()),
            Err(error) => Err(NotReady::Unreachable(StoreError::Unavailable(error.to_string()))),
        }
    }

    async fn probe(&self) -> StoreResult<()> {
        let writing = self.begin().await?;
        writing.execute_unprepared(PROBE).await.map_err(|error| classify(&error, DbOperation::Statement))?;
        writing.commit().await
    }
}

impl Writing {
    /// Makes what was written durable and visible to every other connection.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when nothing of it was kept, [`StoreError::Unknown`] when it may have been.
    pub(crate) async fn commit(self) -> StoreResult<()> {
        let Self { transaction, condition } = self;
        let committed = transaction.commit().await.map_err(|error| {
            condition.condemn();
            failed_commit(&error)
        });
        // A commit to a file that is no longer there under its name is lost with this process.
        let committed = committed.and_then(|()| condition.files.check().map_err(StoreError::Unknown));
        condition.note(committed)
    }
}

impl Deref for Writing {
    type Target = DatabaseTransaction;

    fn deref(&self) -> &DatabaseTransaction {
        &self.transaction
    }
}

/// What a failed COMMIT means. Where SQLite could not even write the commit record (full) or did not begin to (busy), it has
/// taken the transaction back; after any other failure the record may be on the disk.
fn failed_commit(error: &DbErr) -> StoreError {
    let failed = classify(error, DbOperation::Commit);
    if matches!(failed, StoreError::Unavailable(_)) { failed } else { StoreError::Unknown(failed.to_string()) }
}
