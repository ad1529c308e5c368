//! Putting a backup in the place of a SQLite database. The backup is copied next to the database and checked there, so that the
//! bytes which were checked are the ones that are used. Until the last step, one rename, the old database is the one under the name.

use std::io;
use std::path::{Path, PathBuf};

use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{StoreError, StoreResult};

use super::dated::dated;
use super::files::{copy_database, free_name, has_log, keep, publish, remove_database, with_suffix};
use super::{BackupError, check_records};
use crate::migrate::MigrateError;
use crate::settings::{DatabaseSettings, SqliteSettings};
use crate::store::SqlStore;
use crate::verify::ChainReport;

/// What is put where.
#[derive(Debug, Clone)]
pub struct Restore {
    /// The backup.
    pub backup: PathBuf,
    /// The fingerprints of the root secrets at hand. The backup must belong to one of them.
    pub fingerprints: Vec<[u8; 16]>,
    /// Whether a database is replaced that has, or may have, newer data than the backup.
    pub over_newer: bool,
    /// The time by which the old database is named.
    pub at: Timestamp,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The schema version of the backup. The next start brings it up to date.
    pub version: i64,
    /// The chains in it, where its schema is the one of this program.
    pub chains: Option<ChainReport>,
    /// Its latest change.
    pub latest: Option<Timestamp>,
    /// Where the old database is now, if there was one.
    pub kept: Option<PathBuf>,
}

/// How far a restore has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestoreStep {
    /// The backup is next to the database.
    Copied,
    /// The copy is sound.
    Checked,
    /// The old database has its second name.
    Kept,
    /// The backup is the database.
    Replaced,
}

/// Why nothing was restored. The database is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The backup is the database itself.
    #[error("the backup is the database itself")]
    Same,
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The backup is not a sound database.
    #[error("the backup is not sound: {0}")]
    Unsound(String),
    /// The backup is a database of something else, or an empty one.
    #[error("the backup holds no data of tradepost")]
    Empty,
    /// The schema of the backup is not one that this program knows.
    #[error(transparent)]
    Schema(MigrateError),
    /// The backup belongs to another root secret.
    #[error("the backup belongs to the root secret with the fingerprint {0}, which is not at hand")]
    OtherRootSecret(String),
    /// The database has newer data.
    #[error("the database was last changed at {database}, {}", ends_at(*backup))]
    Newer {
        /// The latest change in the database.
        database: Timestamp,
        /// The latest change of the same kind in the backup.
        backup: Option<Timestamp>,
    },
    /// Whether the database has newer data cannot be determined.
    #[error("the database cannot be read: {0}")]
    Unreadable(String),
    /// Another process has the database open.
    #[error("another process has the database open")]
    InUse,
}

/// The times of the latest entries of a database: the latest change of status, and the latest event of the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Latest {
    change: Option<Timestamp>,
    event: Option<Timestamp>,
}

impl Latest {
    async fn of(store: &SqlStore) -> StoreResult<Self> {
        let tables = ["transitions", "audit_events"];
        let [change, event] = tables.map(|table| store.latest_in(table));
        Ok(Self { change: change.await?, event: event.await? })
    }

    /// The error of a database that has something after the backup's latest.
    fn check_no_newer_than(self, backup: Self) -> Result<(), RestoreError> {
        for (own, backup) in [(self.change, backup.change), (self.event, backup.event)] {
            match own {
                Some(database) if own > backup => return Err(RestoreError::Newer { database, backup }),
                Some(_) | None => {}
            }
        }
        Ok(())
    }

    fn last(self) -> Option<Timestamp> {
        self.change.max(self.event)
    }
}

/// What the check of a copy found.
struct Checked {
    version: i64,
    chains: Option<ChainReport>,
    latest: Latest,
}

impl Restore {
    /// Puts the backup in the place of the database. The caller holds the [`ServeLock`](crate::ServeLock) of that.
    ///
    /// # Errors
    /// [`RestoreError`]; the database is as it was.
    pub async fn run(
        &self,
        database: &SqliteSettings,
        mut reached: impl FnMut(RestoreStep) + Send,
    ) -> Result<Restored, RestoreError> {
        let path = &database.path;
        if is_same_file(&self.backup, path) {
            return Err(RestoreError::Same);
        }
        let part = with_suffix(path, ".restore.part");
        let unwritable = |source| RestoreError::File { path: part.clone(), source };
        remove_database(&part).map_err(unwritable)?;
        let restored = self.replace(database, &part, &mut reached).await;
        remove_database(&part).map_err(unwritable)?;
        restored
    }

    async fn replace(
        &self,
        database: &SqliteSettings,
        part: &Path,
        reached: &mut (impl FnMut(RestoreStep) + Send),
    ) -> Result<Restored, RestoreError> {
        let path = &database.path;
        std::fs::File::open(&self.backup).map_err(|source| RestoreError::File { path: self.backup.clone(), source })?;
        let unwritable = |source| RestoreError::File { path: part.to_owned(), source };
        copy_database(&self.backup, part).map_err(unwritable)?;
        reached(RestoreStep::Copied);
        let checked = self.check(&SqliteSettings { path: part.to_owned(), ..database.clone() }).await?;
        reached(RestoreStep::Checked);
        self.compare(database, checked.latest).await?;
        let kept = if path.exists() || has_log(path) {
            let kept = free_name(with_suffix(path, &format!(".replaced-{}", dated(self.at))));
            keep(path, &kept).map_err(|source| RestoreError::File { path: kept.clone(), source })?;
            Some(kept)
        } else {
            None
        };
        reached(RestoreStep::Kept);
        publish(part, path).map_err(|source| RestoreError::File { path: path.clone(), source })?;
        reached(RestoreStep::Replaced);
        Ok(Restored { version: checked.version, chains: checked.chains, latest: checked.latest.last(), kept })
    }

    /// Checks the copy of the backup. Afterwards it is one file, whatever log came with it.
    async fn check(&self, part: &SqliteSettings) -> Result<Checked, RestoreError> {
        let unsound = |error: StoreError| RestoreError::Unsound(error.to_string());
        let copy = SqlStore::open(DatabaseSettings::Sqlite(part.clone())).await.map_err(unsound)?;
        let checked = self.check_copy(&copy).await;
        copy.close().await.map_err(unsound)?;
        checked
    }

    async fn check_copy(&self, copy: &SqlStore) -> Result<Checked, RestoreError> {
        let unsound = |error: StoreError| RestoreError::Unsound(error.to_string());
        copy.full_check().await.map_err(unsound)?;
        let is_current = match copy.check_schema().await {
            Ok(()) => true,
            Err(MigrateError::Behind { found: 0, .. }) => return Err(RestoreError::Empty),
            Err(MigrateError::Behind { .. }) => false,
            Err(error) => return Err(RestoreError::Schema(error)),
        };
        let fingerprint = copy.canary().await.map_err(unsound)?;
        if let Some(needed) = fingerprint.filter(|needed| !self.fingerprints.iter().any(|own| own == needed.as_slice()))
        {
            return Err(RestoreError::OtherRootSecret(hex(&needed)));
        }
        // The checks of records read the tables of this version.
        let chains = if is_current {
            let checked = check_records(copy, |_| ()).await;
            Some(checked.map_err(|error| match error {
                BackupError::Unsound(found) => RestoreError::Unsound(found),
                other @ (BackupError::NotAFile
                | BackupError::Exists(_)
                | BackupError::Unwritable { .. }
                | BackupError::Store(_)) => RestoreError::Unsound(other.to_string()),
            })?)
        } else {
            None
        };
        let version = copy.schema_version().await.map_err(unsound)?;
        Ok(Checked { version, chains, latest: Latest::of(copy).await.map_err(unsound)? })
    }

    /// Compares the latest changes of the database with those of the backup. Closing the database folds its log into it.
    async fn compare(&self, database: &SqliteSettings, backup: Latest) -> Result<(), RestoreError> {
        let path = &database.path;
        if !path.exists() && !has_log(path) {
            return Ok(());
        }
        match latest_of(database).await {
            Ok(_) if has_log(path) => Err(RestoreError::InUse),
            Ok(_) | Err(_) if self.over_newer => Ok(()),
            Ok(latest) => latest.check_no_newer_than(backup),
            Err(error) => Err(RestoreError::Unreadable(error.to_string())),
        }
    }
}

async fn latest_of(database: &SqliteSettings) -> StoreResult<Latest> {
    let store = SqlStore::open(DatabaseSettings::Sqlite(database.clone())).await?;
    let latest = Latest::of(&store).await;
    store.close().await?;
    latest
}

/// Whether both names lead to one file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        (Err(_), _) | (_, Err(_)) => false,
    }
}

fn ends_at(latest: Option<Timestamp>) -> String {
    latest.map_or_else(|| "the backup holds no change".to_owned(), |at| format!("the backup ends at {at}"))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
