//! The files of a database, and whether they are still the ones that were opened. SQLite goes on writing to a file that was
//! moved or removed; nothing that opens the database by its name would ever see that.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tradepost_ports::store::{StoreError, StoreResult};

/// Device and inode.
type Identity = (u64, u64);

/// The database's file and its write-ahead log.
#[derive(Debug)]
pub(super) struct Files {
    database: PathBuf,
    log: PathBuf,
    opened: Mutex<Opened>,
}

#[derive(Debug, Default)]
struct Opened {
    database: Option<Identity>,
    log: Option<Identity>,
}

impl Files {
    pub(super) fn of(database: &Path) -> Self {
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        Self { database: database.to_owned(), log: PathBuf::from(log), opened: Mutex::default() }
    }

    /// Whether the database can be opened: a log without its database holds commits that an empty file in its place would destroy.
    pub(super) fn check_log(&self) -> StoreResult<()> {
        match (self.database.metadata(), self.log.metadata()) {
            (Err(missing), Ok(log)) if missing.kind() == io::ErrorKind::NotFound && log.len() > 0 => {
                Err(StoreError::Unavailable(format!(
                    "{} is missing, and its write-ahead log is there: put the database back, or move the log away",
                    self.database.display()
                )))
            }
            _ => Ok(()),
        }
    }

    /// Remembers which files are open. What is remembered already stays.
    pub(super) fn remember(&self) -> StoreResult<()> {
        let mut opened = self.opened();
        let unreadable = |error: io::Error| StoreError::Unavailable(error.to_string());
        if opened.database.is_none() {
            opened.database = identity(&self.database).map_err(unreadable)?;
        }
        if opened.log.is_none() {
            opened.log = identity(&self.log).map_err(unreadable)?;
        }
        Ok(())
    }

    /// Forgets the log: the last connection to close removes it, and the next one makes another.
    pub(super) fn forget_log(&self) {
        self.opened().log = None;
    }

    /// Whether the files under their names are the open ones; else what happened to them.
    pub(super) fn check(&self) -> Result<(), String> {
        let opened = self.opened();
        for (path, opened, what) in
            [(&self.database, opened.database, "the database file"), (&self.log, opened.log, "its write-ahead log")]
        {
            let Some(opened) = opened else { continue };
            match identity(path) {
                Ok(Some(found)) if found == opened => {}
                Ok(Some(_)) => return Err(format!("{what} was replaced by another file while it was open")),
                Ok(None) => return Err(format!("{what} was moved or removed while it was open")),
                Err(error) => return Err(format!("{what} cannot be found: {error}")),
            }
        }
        Ok(())
    }

    /// How much can be written to the volume.
    pub(super) fn available_bytes(&self) -> io::Result<u64> {
        fs4::available_space(&self.database)
    }

    fn opened(&self) -> MutexGuard<'_, Opened> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The identity of the file of this name, if there is one.
fn identity(path: &Path) -> io::Result<Option<Identity>> {
    match path.metadata() {
        Ok(found) => Ok(Some((found.dev(), found.ino()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
