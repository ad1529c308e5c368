//! The one connection that writes. SQLite rolls a transaction back by itself when a commit fails, and the driver does not notice:
//! it would take every later transaction for a part of one that is never committed. So a connection is closed after every
//! failure, and no connection is used twice without a check that it is outside of any transaction.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sea_orm::{
    ConnectionTrait as _, DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode, Statement,
    TransactionOptions, TransactionTrait as _,
};
use sqlx::{Connection as _, SqliteConnection};
use tradepost_ports::store::{NotReady, StoreError, StoreResult};

use super::files::Files;
use crate::classify::{During, classify};
use crate::open;
use crate::settings::SqliteSettings;

/// Adds 256 KiB and removes them again: it needs free pages, and its commit is written and flushed like any other.
const PROBE: &str = "INSERT INTO installation (name, value) VALUES ('write probe', zeroblob(262144)); \
    DELETE FROM installation WHERE name = 'write probe'";
/// The least time between two probes, however often readiness is asked for.
const BETWEEN_PROBES: Duration = Duration::from_secs(1);

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

/// What is known of the connection and of the files behind it.
#[derive(Debug)]
pub(crate) struct Condition {
    files: Files,
    min_free_bytes: u64,
    /// Whether the connection is closed instead of being used again.
    is_condemned: AtomicBool,
    failure: Mutex<Option<Failure>>,
}

/// The last write failed.
#[derive(Debug)]
struct Failure {
    why: String,
    probed_at: Option<Instant>,
}

impl Exclusive {
    /// Opens the file, which is made when it is not there.
    pub(crate) async fn open(
        settings: &SqliteSettings,
        watched: impl FnOnce(DatabaseConnection) -> DatabaseConnection,
    ) -> StoreResult<Self> {
        let condition = Arc::new(Condition {
            files: Files::of(&settings.path),
            min_free_bytes: settings.min_free_bytes,
            is_condemned: AtomicBool::new(false),
            failure: Mutex::new(None),
        });
        condition.files.check_log()?;
        let unwritable = |error| StoreError::Unavailable(format!("{}: {error}", settings.path.display()));
        open::make_private(&settings.path).map_err(unwritable)?;
        let opened = open::sqlite_writer(settings, &condition).await;
        let db = watched(opened.map_err(|error| classify(&error, During::Statement))?);
        condition.files.remember()?;
        Ok(Self { db, condition })
    }

    /// The connection for what is no transaction.
    pub(crate) const fn connection(&self) -> &DatabaseConnection {
        &self.db
    }

    /// Begins a transaction that is going to write. It says so at its start: one that finds out later fails at once when another
    /// process has written meanwhile, without waiting.
    pub(crate) async fn begin(&self) -> StoreResult<Writing> {
        self.note(self.condition.files.check().map_err(StoreError::Unavailable))?;
        let immediate = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..Default::default()
        };
        let begun = self.db.begin_with_options(immediate).await;
        let transaction = self.note(begun.map_err(|error| {
            self.condition.condemn();
            classify(&error, During::Statement)
        }))?;
        self.note(self.condition.files.remember())?;
        Ok(Writing { transaction, condition: self.condition.clone() })
    }

    /// Runs one statement in a transaction of its own; how many rows it wrote.
    pub(crate) async fn execute(&self, statement: Statement) -> StoreResult<u64> {
        let writing = self.begin().await?;
        let done = writing.execute_raw(statement).await;
        let done = self.note(done.map_err(|error| classify(&error, During::Statement)))?;
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
        if let Some(failure) = &*self.condition.failure() {
            return Err(NotReady::LastWriteFailed(failure.why.clone()));
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
        writing.execute_unprepared(PROBE).await.map_err(|error| classify(&error, During::Statement))?;
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
    let failed = classify(error, During::Commit);
    if matches!(failed, StoreError::Unavailable(_)) { failed } else { StoreError::Unknown(failed.to_string()) }
}

impl Condition {
    fn condemn(&self) {
        self.is_condemned.store(true, Ordering::SeqCst);
    }

    /// Whether the connection is used again when a user gives it back: it must be outside of any transaction, by the driver's
    /// count as well as by SQLite's own, or BEGIN fails. What a user left open is rolled back before.
    pub(crate) async fn is_clean(&self, connection: &mut SqliteConnection) -> bool {
        if !self.is_sound() {
            return false;
        }
        let verified = async { connection.begin_with("BEGIN").await?.rollback().await };
        match verified.await {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(%error, "the connection that writes is inside of a transaction, and is closed");
                self.files.forget_log();
                false
            }
        }
    }

    /// Whether nothing failed on the connection.
    pub(crate) fn is_sound(&self) -> bool {
        let is_sound = !self.is_condemned.swap(false, Ordering::SeqCst);
        if !is_sound {
            self.files.forget_log();
        }
        is_sound
    }

    fn note<T>(&self, done: StoreResult<T>) -> StoreResult<T> {
        if let Err(StoreError::Unavailable(why) | StoreError::Unknown(why)) = &done {
            let before = self.failure().replace(Failure { why: why.clone(), probed_at: Some(Instant::now()) });
            if before.is_none() {
                tracing::error!(%why, "a write to the database failed; not ready until one succeeds");
            }
        }
        done
    }

    fn succeed(&self) {
        if self.failure().take().is_some() {
            tracing::info!("the database is written to again");
        }
    }

    fn is_due_for_probe(&self) -> bool {
        let mut failure = self.failure();
        let Some(failure) = &mut *failure else { return false };
        let is_due = failure.probed_at.is_none_or(|at| at.elapsed() >= BETWEEN_PROBES);
        if is_due {
            failure.probed_at = Some(Instant::now());
        }
        is_due
    }

    fn failure(&self) -> MutexGuard<'_, Option<Failure>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
