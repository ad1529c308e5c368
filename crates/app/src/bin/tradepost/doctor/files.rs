//! Whether others on this machine can change the files of the database, or put others in their place, and whether they can open the folder of
//! the mails.

use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::Check;
use crate::assembly;
use crate::settings::Loaded;

const NAME: &str = "files";

const WRITTEN_BY_OTHERS: u32 = 0o002;
const WRITTEN_BY_GROUP: u32 = 0o020;
const OPEN_TO_OTHERS: u32 = 0o077;
/// In such a folder only a file's owner can replace it.
const STICKY: u32 = 0o1000;

/// The check, where there is an SQLite file.
pub(super) fn modes(loaded: &Loaded) -> Option<Check> {
    let database = loaded.settings.database.sqlite_file().filter(|file| file.exists())?;
    let folder = loaded.settings.database.folder();
    let files = ["", "-wal", "-shm"].map(|end| PathBuf::from(format!("{}{end}", database.display())));
    let looked_at: Vec<(&Path, u32)> = files
        .iter()
        .map(PathBuf::as_path)
        .chain([folder.as_path()])
        .filter_map(|path| path.metadata().ok().map(|found| (path, mode(&found))))
        .collect();
    let with = |bits: u32| looked_at.iter().find(|(_, mode)| mode & bits != 0).map(|(path, _)| *path);
    Some(if let Some(path) = with(WRITTEN_BY_OTHERS) {
        let found = format!("every user of this machine can write to {}", path.display());
        Check::fail(NAME, found, format!("chmod o-w {}", path.display()))
    } else if let Some(path) = with(WRITTEN_BY_GROUP) {
        let found = format!("users of its group can write to {}", path.display());
        Check::warn(NAME, found, format!("chmod g-w {}, unless you mean them to", path.display()))
    } else {
        Check::ok(NAME, "only their owner can write to the database's files")
    })
}

/// The check, where mails become files.
pub(super) fn mails(loaded: &Loaded) -> Option<Check> {
    let folder = assembly::mail_folder(loaded)?;
    let mode = folder.metadata().ok()?.permissions().mode();
    let (name, folder) = ("mail", folder.display());
    let is_shared = mode & STICKY != 0;
    let fix = if is_shared {
        "name a folder of this user alone in mail.directory".to_owned()
    } else {
        format!("chmod 700 {folder}")
    };
    Some(if mode & (WRITTEN_BY_OTHERS | WRITTEN_BY_GROUP) != 0 {
        Check::fail(name, format!("other users of this machine can write to {folder}"), fix)
    } else if mode & OPEN_TO_OTHERS != 0 {
        Check::warn(name, format!("other users of this machine can open {folder}"), fix)
    } else {
        Check::ok(name, format!("only their owner can open {folder}"))
    })
}

/// The mode, without the bits that have no effect.
fn mode(found: &Metadata) -> u32 {
    let mode = found.permissions().mode();
    if found.is_dir() && mode & STICKY != 0 { mode & !(WRITTEN_BY_OTHERS | WRITTEN_BY_GROUP) } else { mode }
}
