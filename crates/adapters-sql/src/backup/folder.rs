//! The folder of scheduled backups: their names, which of them are old, whether the latest was copied off the machine, and those that the
//! root secret at hand does not open. It must not know when backups are made.

use std::path::{Path, PathBuf};
use std::{fs, io};

use tradepost_domain::time::Timestamp;

use super::dated::{dated, is_dated};
use super::files::{publish, remove, remove_database, with_suffix};
use crate::sqlite::make_private;

const END: &str = ".db";
const UNFINISHED: &str = ".db.part";
/// The end of the name of a backup that was set aside because the root secret at hand did not open it.
const SET_ASIDE: &str = ".other-root-secret.db";
/// The mark of a backup that has not been copied off the machine. It holds the reason.
const NOT_COPIED: &str = ".not-copied";

/// The backups of one database in a folder. Other files there are never touched.
#[derive(Debug, Clone)]
pub struct BackupFolder {
    folder: PathBuf,
    /// The name of the database, with a hyphen.
    beginning: String,
}

/// A backup in the folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScheduledBackup {
    dated: String,
    path: PathBuf,
}

impl BackupFolder {
    /// The backups of this database in this folder.
    pub fn new(folder: impl Into<PathBuf>, database: &Path) -> Self {
        let name = database.file_stem().unwrap_or_default().to_string_lossy();
        Self { folder: folder.into(), beginning: format!("{name}-") }
    }

    /// The backup of this moment, such as `tradepost-20260131T140507Z.db`.
    pub fn at(&self, at: Timestamp) -> ScheduledBackup {
        let dated = dated(at);
        let path = self.folder.join(format!("{}{dated}{END}", self.beginning));
        ScheduledBackup { dated, path }
    }

    /// The backups that are there, the oldest first. None where there is no folder yet.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn list(&self) -> io::Result<Vec<ScheduledBackup>> {
        self.named_with(END)
    }

    /// The latest backup of this moment or before. One of a later date was made while the clock was wrong, and replaces none.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn latest(&self, at: Timestamp) -> io::Result<Option<ScheduledBackup>> {
        Ok(self.list()?.into_iter().rfind(|backup| backup.is_at_or_before(at)))
    }

    /// Gives a backup that the root secret at hand does not open a name that says so. From then on it is none of the backups that count:
    /// it is never the latest, and displaces no other. Of those that were set aside, only the newest stays.
    ///
    /// # Errors
    /// When the backup cannot be renamed, or an earlier one cannot be removed.
    pub fn set_aside(&self, backup: &ScheduledBackup) -> io::Result<ScheduledBackup> {
        let ScheduledBackup { dated, path } = backup;
        let named = self.folder.join(format!("{}{dated}{SET_ASIDE}", self.beginning));
        publish(path, &named)?;
        for earlier in self.named_with(SET_ASIDE)?.into_iter().filter(|earlier| earlier.dated < *dated) {
            remove_database(&earlier.path)?;
        }
        Ok(ScheduledBackup { dated: dated.clone(), path: named })
    }

    /// The latest backup of this moment or before that was set aside.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn latest_set_aside(&self, at: Timestamp) -> io::Result<Option<ScheduledBackup>> {
        Ok(self.named_with(SET_ASIDE)?.into_iter().rfind(|backup| backup.is_at_or_before(at)))
    }

    /// Removes what a process left that ended before its backup was finished.
    ///
    /// # Errors
    /// When the folder cannot be read, or a file cannot be removed.
    pub fn clear_unfinished(&self) -> io::Result<()> {
        let unfinished = self.named_with(UNFINISHED)?;
        unfinished.iter().try_for_each(|backup| remove_database(&backup.path))
    }

    /// The files of this database whose names have a date and this end.
    fn named_with(&self, end: &str) -> io::Result<Vec<ScheduledBackup>> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut found = Vec::new();
        for entry in entries {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let dated = name.strip_prefix(&self.beginning).and_then(|rest| rest.strip_suffix(end));
            if let Some(dated) = dated.filter(|dated| is_dated(dated)).map(str::to_owned) {
                found.push(ScheduledBackup { dated, path });
            }
        }
        found.sort();
        Ok(found)
    }

    /// Removes the oldest backups beyond `keep` of this moment or before, and those that were set aside before the oldest one that stays;
    /// returns their paths.
    ///
    /// # Errors
    /// When the folder cannot be read, or a file cannot be removed.
    pub fn rotate(&self, keep: usize, at: Timestamp) -> io::Result<Vec<PathBuf>> {
        let mut old = self.list()?;
        old.retain(|backup| backup.is_at_or_before(at));
        let kept = old.split_off(old.len().saturating_sub(keep.max(1)));
        if let Some(oldest) = kept.first() {
            let aside = self.named_with(SET_ASIDE)?;
            old.extend(aside.into_iter().filter(|backup| backup.dated < oldest.dated));
        }
        for backup in &old {
            remove_database(&backup.path)?;
            remove(&with_suffix(&backup.path, NOT_COPIED))?;
        }
        Ok(old.into_iter().map(|backup| backup.path).collect())
    }
}

impl ScheduledBackup {
    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it was made after another one.
    pub fn is_after(&self, other: &Self) -> bool {
        self.dated > other.dated
    }

    /// Whether it was made at this moment or before, to the second.
    pub fn is_at_or_before(&self, at: Timestamp) -> bool {
        self.dated <= dated(at)
    }

    /// Notes that it has not been copied off the machine, and why.
    ///
    /// # Errors
    /// When the note cannot be written.
    pub fn note_not_copied(&self, reason: &str) -> io::Result<()> {
        let note = with_suffix(&self.path, NOT_COPIED);
        let part = with_suffix(&note, ".part");
        make_private(&part)?;
        fs::write(&part, reason)?;
        publish(&part, &note)
    }

    /// Notes that it was copied.
    ///
    /// # Errors
    /// When the former note cannot be removed.
    pub fn note_copied(&self) -> io::Result<()> {
        remove(&with_suffix(&self.path, NOT_COPIED))
    }

    /// Why it has not been copied off the machine, if that is noted.
    ///
    /// # Errors
    /// When the note cannot be read.
    pub fn why_not_copied(&self) -> io::Result<Option<String>> {
        match fs::read_to_string(with_suffix(&self.path, NOT_COPIED)) {
            Ok(reason) => Ok(Some(reason)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}
