//! What is known of the one connection that writes, and of the files behind it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::{Connection as _, SqliteConnection};
use tradepost_ports::store::{StoreError, StoreResult};

use super::files::Files;
use crate::settings::SqliteSettings;

/// The least time between two probes, however often readiness is asked for.
const BETWEEN_PROBES: Duration = Duration::from_secs(1);

/// What is known of the connection and of the files behind it.
#[derive(Debug)]
pub(crate) struct Condition {
    pub(super) files: Files,
    pub(super) min_free_bytes: u64,
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

impl Condition {
    /// Returns the condition of the files of the settings, before anything was opened.
    pub(super) fn of(settings: &SqliteSettings) -> Self {
        Self {
            files: Files::of(&settings.path),
            min_free_bytes: settings.min_free_bytes,
            is_condemned: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    /// Returns why the last write failed, if it did.
    pub(super) fn last_failure(&self) -> Option<String> {
        self.failure().as_ref().map(|failure| failure.why.clone())
    }

    /// Has the connection closed instead of being used again.
    pub(super) fn condemn(&self) {
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

    /// Remembers that a write failed, if that says something about storage and not about the write.
    pub(super) fn note<T>(&self, done: StoreResult<T>) -> StoreResult<T> {
        if let Err(StoreError::Unavailable(why) | StoreError::Unknown(why)) = &done {
            let before = self.failure().replace(Failure { why: why.clone(), probed_at: Some(Instant::now()) });
            if before.is_none() {
                tracing::error!(%why, "a write to the database failed; not ready until one succeeds");
            }
        }
        done
    }

    /// Remembers that a write succeeded.
    pub(super) fn succeed(&self) {
        if self.failure().take().is_some() {
            tracing::info!("the database is written to again");
        }
    }

    /// Returns whether storage is to be probed now.
    pub(super) fn is_due_for_probe(&self) -> bool {
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
