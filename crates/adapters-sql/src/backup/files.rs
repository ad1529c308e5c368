//! What happens to files of databases: they are made durable, named, kept and removed, each together with its write-ahead log.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The write-ahead log of a database, and the index of that.
const COMPANIONS: [&str; 2] = ["-wal", "-shm"];

/// Gives a finished file its name once its bytes, and then the name itself, are on the disk. It replaces what has the name.
pub(crate) fn publish(part: &Path, path: &Path) -> io::Result<()> {
    File::options().write(true).open(part).and_then(|file| file.sync_all())?;
    fs::rename(part, path)?;
    sync_folder(path)
}

/// Makes the names in the folder of a file durable.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// Removes a database and what belongs to it, as far as it is there.
pub(crate) fn remove_database(path: &Path) -> io::Result<()> {
    remove(path)?;
    COMPANIONS.iter().try_for_each(|suffix| remove(&with_suffix(path, suffix)))
}

/// Removes a file if it is there.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Renames a file if it is there.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Whether a write-ahead log with content lies next to the database.
pub(super) fn has_log(database: &Path) -> bool {
    with_suffix(database, COMPANIONS[0]).metadata().is_ok_and(|log| log.len() > 0)
}

/// Copies a database with its log, if it has one. Nothing has this name yet.
pub(super) fn copy_database(from: &Path, to: &Path) -> io::Result<()> {
    crate::sqlite::make_private(to)?;
    io::copy(&mut File::open(from)?, &mut File::options().write(true).open(to)?)?;
    if has_log(from) {
        let log = with_suffix(to, COMPANIONS[0]);
        crate::sqlite::make_private(&log)?;
        io::copy(&mut File::open(with_suffix(from, COMPANIONS[0]))?, &mut File::options().write(true).open(log)?)?;
    }
    Ok(())
}

/// Gives what is left of a database a second name, so that nothing is lost when the first one is taken over. A log that could not
/// be folded in moves: next to another database it would be applied to that. An empty one is removed.
pub(crate) fn keep(database: &Path, kept: &Path) -> io::Result<()> {
    if database.exists() {
        // Some file systems have no second names.
        fs::hard_link(database, kept).or_else(|_| fs::copy(database, kept).map(drop))?;
        File::open(kept)?.sync_all()?;
    }
    let moves = has_log(database);
    for suffix in COMPANIONS {
        let companion = with_suffix(database, suffix);
        if moves {
            rename(&companion, &with_suffix(kept, suffix))?;
        } else {
            remove(&companion)?;
        }
    }
    sync_folder(kept)
}

/// The path with an end added to its name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The first of `NAME`, `NAME.2`, `NAME.3`… that nothing has.
pub(crate) fn free_name(name: PathBuf) -> PathBuf {
    let numbered = (2_u32..).map(|number| with_suffix(&name, &format!(".{number}")));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(|name| !name.exists() && !has_log(name)).unwrap_or(name)
}
