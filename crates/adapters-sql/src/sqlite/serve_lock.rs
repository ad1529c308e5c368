//! The lock of a SQLite file: one process serves it, however many look at it.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// The right to serve a SQLite file, until the value is dropped or the process ends.
#[derive(Debug)]
pub struct ServeLock {
    _file: File,
}

/// Why the right was not given.
#[derive(Debug, thiserror::Error)]
pub enum ServeLockError {
    /// Another process has it.
    #[error("another process serves this database (it holds {0}); end it, or serve another file")]
    Taken(PathBuf),
    /// The lock file cannot be made or locked.
    #[error("the lock file {path} cannot be used: {source}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}

impl ServeLock {
    /// Takes the right to serve the database at `path`. The lock is a file in the same folder, named like it with `.lock` at the
    /// end. The file stays. The operating system releases the lock even when the process is killed.
    ///
    /// # Errors
    /// [`ServeLockError`] when another process serves it, or the lock file cannot be used.
    pub fn take(path: &Path) -> Result<Self, ServeLockError> {
        // One lock for one file, however its path is written.
        let real = path.canonicalize();
        let mut name = real.as_deref().unwrap_or(path).as_os_str().to_owned();
        name.push(".lock");
        let lock = PathBuf::from(name);
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&lock);
        let file = opened.map_err(|source| ServeLockError::Unusable { path: lock.clone(), source })?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(ServeLockError::Taken(lock)),
            Err(TryLockError::Error(source)) => Err(ServeLockError::Unusable { path: lock, source }),
        }
    }
}
