//! Backups of a SQLite file: a copy from one moment, checked before it gets its name; the folder of scheduled ones; and the way back.

mod dated;
mod files;
mod folder;
mod restore;

use std::path::{Path, PathBuf};
use std::time::Duration;

use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use tokio::time::timeout;
use tradepost_ports::store::StoreError;

use crate::classify::{DbOperation, classify};
use crate::settings::{DatabaseSettings, SqliteSettings};
use crate::sqlite::make_private;
use crate::store::SqlStore;
use crate::verify::ChainReport;

pub use folder::{BackupFolder, ScheduledBackup};
pub use restore::{Restore, RestoreError, RestoreStep, Restored};

pub(crate) use dated::{dated, is_dated};
pub(crate) use files::{free_name, keep, publish, remove_database, with_suffix};
pub(crate) use restore::hex;

/// How often the progress of the copy is reported.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);

/// How far a backup has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupProgress {
    /// The file is being copied. The copy has no gaps, and so may end up shorter than the file.
    Copied {
        /// How long the copy is.
        bytes: u64,
        /// How long the file is.
        of: u64,
    },
    /// The copy is being checked.
    Checked {
        /// The items whose chains were followed.
        items: u64,
    },
}

/// A backup that is sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// The chains of asset ids in it.
    pub chains: ChainReport,
    /// The fingerprint of the root secret that it needs; absent where no server has used the database yet.
    pub fingerprint: Option<Vec<u8>>,
}

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// PostgreSQL is backed up by its own tools.
    #[error("a PostgreSQL database is backed up with pg_dump")]
    NotAFile,
    /// There is something under the name already.
    #[error("{0} exists already; choose another name")]
    Exists(PathBuf),
    /// The copy cannot be written.
    #[error("the copy {path} cannot be written: {source}")]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The copy is not sound, and so neither is the database.
    #[error("the copy is not sound and was not kept: {0}")]
    Unsound(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SqlStore {
    /// Writes a copy of the SQLite file as it is at one moment, checks it (structure, chains, counters) and only then gives
    /// it its name. The process that serves the file continues to write. Progress is reported repeatedly.
    ///
    /// # Errors
    /// [`BackupError`]; nothing is left under `path` then.
    pub async fn backup_to(
        &self,
        path: &Path,
        mut progress: impl FnMut(BackupProgress) + Send,
    ) -> Result<Backup, BackupError> {
        let DatabaseSettings::Sqlite(settings) = &self.settings else { return Err(BackupError::NotAFile) };
        if path.exists() {
            return Err(BackupError::Exists(path.to_owned()));
        }
        let part = with_suffix(path, ".part");
        let unwritable = |source| BackupError::Unwritable { path: path.to_owned(), source };
        remove_database(&part).map_err(unwritable)?;
        let made = self.copy_to(&part, settings, &mut progress).await;
        match &made {
            Ok(_) => publish(&part, path).map_err(unwritable)?,
            Err(_) => remove_database(&part).map_err(unwritable)?,
        }
        made
    }

    async fn copy_to(
        &self,
        part: &Path,
        settings: &SqliteSettings,
        progress: &mut (impl FnMut(BackupProgress) + Send),
    ) -> Result<Backup, BackupError> {
        make_private(part).map_err(|source| BackupError::Unwritable { path: part.to_owned(), source })?;
        let name = part.to_string_lossy().into_owned();
        let copy = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO $1", [name.into()]);
        let copying = self.writes().execute_raw(copy);
        let mut copying = std::pin::pin!(copying);
        loop {
            match timeout(REPORT_INTERVAL, &mut copying).await {
                Ok(copied) => break copied.map(drop).map_err(|error| classify(&error, DbOperation::Statement))?,
                Err(_) => progress(BackupProgress::Copied { bytes: length(part), of: length(&settings.path) }),
            }
        }
        let settings = SqliteSettings { path: part.to_owned(), readers: 1, ..settings.clone() };
        let copied = Self::open(DatabaseSettings::Sqlite(settings)).await?;
        let sound = examine(&copied, progress).await;
        // Closing folds the copy's own log into it, so that it is one file again.
        copied.close().await?;
        sound
    }
}

/// How long a file is; nothing of one that cannot be looked at, as it is for nothing but to be shown.
fn length(path: &Path) -> u64 {
    path.metadata().map_or(0, |file| file.len())
}

async fn examine(copy: &SqlStore, progress: &mut (impl FnMut(BackupProgress) + Send)) -> Result<Backup, BackupError> {
    copy.quick_check().await?;
    let chains = check_records(copy, |items| progress(BackupProgress::Checked { items })).await?;
    Ok(Backup { chains, fingerprint: copy.canary().await? })
}

/// Checks chains and counters of a copy that has the schema of this program.
async fn check_records(copy: &SqlStore, progress: impl FnMut(u64) + Send) -> Result<ChainReport, BackupError> {
    let chains = copy.verify_chains(progress).await?;
    if let Some(finding) = chains.findings.first() {
        return Err(BackupError::Unsound(finding.clone()));
    }
    let drifts = copy.check_counters().await?;
    if drifts.is_empty() {
        Ok(chains)
    } else {
        Err(BackupError::Unsound(format!("{} counters are wrong", drifts.len())))
    }
}
