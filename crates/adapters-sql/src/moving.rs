//! Moving all data from a SQLite file into an empty PostgreSQL database.
//!
//! The tables are copied without their secondary indexes and triggers, in chunks: each commits its rows together with how many rows are
//! copied, so that a move that was cut off continues there. Then every row is read back and compared while the indexes are built, and one
//! commit makes the database usable. Until that commit its schema is marked, and no server starts on it.

mod copying;
mod source;
mod state;
mod table;
mod target;
mod tuple;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tradepost_domain::time::Timestamp;
use tradepost_ports::store::StoreError;

use crate::backup::{dated, free_name, hex, is_dated, keep, remove_database, with_suffix};
use crate::migrate::MigrateError;
use crate::settings::{DatabaseSettings, PostgresSettings, SqliteSettings};
use crate::store::SqlStore;
use copying::{check_source, compare, copy};
use source::Source;
use state::rows_of;
use table::matched;
use target::{Prepared, Target};

/// Between the old name of a file that was moved and the time.
const MOVED: &str = ".moved-";

/// What is moved, and where to.
#[derive(Debug, Clone)]
pub struct Move {
    /// The SQLite file. Its schema must be the one of this program.
    pub source: SqliteSettings,
    /// A database without data, or one into which a move of the same file was begun.
    pub target: PostgresSettings,
    /// The fingerprints of the root secrets at hand. The data must belong to one of them.
    pub fingerprints: Vec<[u8; 16]>,
    /// The time by which the file is named afterwards.
    pub at: Timestamp,
}

/// What was moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Tables that were copied, with the empty ones.
    pub tables: usize,
    /// Rows in them.
    pub rows: u64,
    /// Rows that an earlier move of the same file, which was cut off, had copied.
    pub resumed_at: Option<u64>,
    /// Where the file is now.
    pub kept: PathBuf,
}

/// How far a move has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveProgress {
    /// Rows are copied.
    Copied {
        /// Rows that are in the new database.
        rows: u64,
        /// Rows of the file.
        of: u64,
    },
    /// Rows are read back, and indexes are built.
    Checked {
        /// Rows that were compared.
        rows: u64,
        /// Rows of the file.
        of: u64,
        /// Indexes that are built.
        indexes: usize,
    },
    /// The file has its second name. One commit is left, which makes the new database usable.
    Renamed,
}

/// Why the data was not moved. The file has its data, and its name unless the last commit failed.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The file holds no data of tradepost.
    #[error("the file holds no data of tradepost")]
    Empty,
    /// The schema of the file is not the one of this program.
    #[error("the file: {0}")]
    SourceSchema(MigrateError),
    /// The file cannot be read, or is damaged.
    #[error("the file: {0}")]
    Source(StoreError),
    /// The data belongs to another root secret.
    #[error("the file belongs to the root secret with the fingerprint {0}, which is not at hand")]
    OtherRootSecret(String),
    /// The new database has another schema than this program.
    #[error("the new database: {0}")]
    TargetSchema(MigrateError),
    /// The new database has data.
    #[error("the new database holds data already, in the table {0}")]
    NotEmpty(String),
    /// Another process moves data into the new database.
    #[error("another process is moving data into the new database")]
    Busy,
    /// The new database failed.
    #[error("the new database: {0}")]
    Target(StoreError),
    /// The file was changed after an earlier move had copied a part of it.
    #[error("the table {0} of the file was changed after an earlier move began")]
    SourceChanged(String),
    /// What the new database returns is not what was copied.
    #[error("the table {0} of the new database does not hold what was copied into it")]
    Differs(String),
    /// The data is copied; the file could not be renamed.
    #[error("all data is copied, but the file cannot be renamed to {path}: {source}")]
    Renaming {
        /// The name that it was to have.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}

impl Move {
    /// Moves the data, and renames the file. The caller holds its [`ServeLock`](crate::ServeLock).
    ///
    /// # Errors
    /// [`MoveError`]. The same call continues where it was cut off.
    pub async fn run(&self, mut progress: impl FnMut(MoveProgress) + Send) -> Result<Moved, MoveError> {
        self.check_source().await?;
        let mut source = Source::open(&self.source).await.map_err(MoveError::Source)?;
        self.migrate_target().await?;
        let mut target = Target::open(&self.target).await?;
        let prepared = target.prepare().await?;
        let tables = matched(source.tables().await.map_err(MoveError::Source)?, target.columns().await?)?;
        let of = source.count(&tables).await.map_err(MoveError::Source)?;
        let mut states = target.states().await?;
        let resumed_at = (prepared == Prepared::Earlier).then(|| rows_of(&states));
        let copied = |rows| progress(MoveProgress::Copied { rows, of });
        copy(&mut source, &mut target, &tables, &mut states, copied).await?;
        // One move reads one moment of the file. Two may have had it changed between them.
        if resumed_at.is_some() {
            check_source(&mut source, &states, &tables).await?;
        }
        let mut reader = target.reader().await?;
        let checked = Checked { of, done: Mutex::new((0, 0, progress)) };
        tokio::try_join!(
            compare(&mut reader, &states, &tables, |rows| checked.report(rows, 0)),
            target.build_indexes(|| checked.report(0, 1)),
        )?;
        // The file loses its name before the new database becomes usable: servers could trade on both otherwise.
        let kept = self.rename_source()?;
        checked.report_renamed();
        target.finish().await?;
        source.close().await.map_err(MoveError::Source)?;
        Ok(Moved { tables: tables.len(), rows: rows_of(&states), resumed_at, kept })
    }

    /// Checks that the file is one of this program, under a root secret that is at hand.
    async fn check_source(&self) -> Result<(), MoveError> {
        let store = SqlStore::open(DatabaseSettings::Sqlite(self.source.clone())).await.map_err(MoveError::Source)?;
        let checked = self.check_opened(&store).await;
        store.close().await.map_err(MoveError::Source)?;
        checked
    }

    async fn check_opened(&self, store: &SqlStore) -> Result<(), MoveError> {
        match store.check_schema().await {
            Ok(()) => {}
            Err(MigrateError::Behind { found: 0, .. }) => return Err(MoveError::Empty),
            Err(MigrateError::Store(error)) => return Err(MoveError::Source(error)),
            Err(error) => return Err(MoveError::SourceSchema(error)),
        }
        let needed = store.canary().await.map_err(MoveError::Source)?.ok_or(MoveError::Empty)?;
        if self.fingerprints.iter().any(|own| own == needed.as_slice()) {
            return Ok(());
        }
        Err(MoveError::OtherRootSecret(hex(&needed)))
    }

    /// Gives the new database its schema. One into which a move was begun must have it.
    async fn migrate_target(&self) -> Result<(), MoveError> {
        let settings = DatabaseSettings::Postgres(self.target.clone());
        let store = SqlStore::open(settings).await.map_err(MoveError::Target)?;
        let migrated = match store.migrate().await {
            Err(MigrateError::Moving) => store.check_schema_under_move().await,
            migrated => migrated.map(drop),
        };
        store.close().await.map_err(MoveError::Target)?;
        match migrated {
            Ok(()) => Ok(()),
            Err(MigrateError::Store(error)) => Err(MoveError::Target(error)),
            Err(error) => Err(MoveError::TargetSchema(error)),
        }
    }

    /// Takes the name from the file, so that no server goes on with it. A move that was cut off may have done so.
    fn rename_source(&self) -> Result<PathBuf, MoveError> {
        let path = &self.source.path;
        if old_name(path).is_some() {
            return Ok(path.clone());
        }
        let kept = free_name(with_suffix(path, &format!("{MOVED}{}", dated(self.at))));
        keep(path, &kept)
            .and_then(|()| remove_database(path))
            .map_err(|source| MoveError::Renaming { path: kept.clone(), source })?;
        Ok(kept)
    }
}

/// The file that a move made of a database which is no longer there.
pub fn moved_away(database: &Path) -> Option<PathBuf> {
    if database.exists() {
        return None;
    }
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A folder that cannot be listed is reported when the file is opened.
    let mut files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    files.find(|file| old_name(file).is_some_and(|name| database.file_name().is_some_and(|own| *own == *name)))
}

/// The name that a file had before it was moved; none if it was not.
fn old_name(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    let (old, time) = name.rsplit_once(MOVED)?;
    // The second file of one second has a number.
    let (time, number) = time.split_once('.').unwrap_or((time, "2"));
    (is_dated(time) && number.parse::<u32>().is_ok()).then(|| old.to_owned())
}

/// Adds up what two tasks have done.
struct Checked<P> {
    of: u64,
    done: Mutex<(u64, usize, P)>,
}

impl<P: FnMut(MoveProgress)> Checked<P> {
    fn report(&self, more_rows: u64, more_indexes: usize) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let (rows, indexes, progress) = &mut *done;
        (*rows, *indexes) = (*rows + more_rows, *indexes + more_indexes);
        progress(MoveProgress::Checked { rows: *rows, of: self.of, indexes: *indexes });
    }

    fn report_renamed(&self) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        (done.2)(MoveProgress::Renamed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_that_was_moved_is_recognised_and_no_other() {
        for name in ["desk.db.moved-20260131T140507Z", "desk.db.moved-20260131T140507Z.2"] {
            assert_eq!(old_name(Path::new(name)).as_deref(), Some("desk.db"), "{name}");
        }
        for name in [
            "desk.db",
            "desk.moved-here.db",
            "desk.db.moved-20260131T140507Z.lock",
            "desk.db.moved-20260131T140507Z-wal",
        ] {
            assert_eq!(old_name(Path::new(name)), None, "{name}");
        }
    }
}
