//! `tradepost backup`: a copy of the SQLite file, checked before it gets its name. PostgreSQL has a tool of its own.

pub(crate) mod moving;
pub(crate) mod restore;
pub(crate) mod schedule;

use serde_json::json;
use tradepost::sql::{BackupError, BackupProgress, SqlStore};

use crate::cli::{Backup, Console};
use crate::failure::{Exit, Failure, Outcome};
use crate::settings::Loaded;
use crate::{assembly, output_format, progress};

/// Writes the copy.
pub(crate) async fn run(loaded: Loaded, backup: Backup, console: Console) -> Outcome {
    let file = backup.file;
    if loaded.settings.database.sqlite_file().is_none() {
        let line = format!("pg_dump --format=custom --file={} \"$DATABASE_URL\"", file.display());
        anstream::eprintln!(
            "PostgreSQL is backed up with its own tool; set DATABASE_URL to the setting database.url and run:"
        );
        output_format::say(console.output, &line, &json!({ "command": line }));
        return Ok(());
    }
    let store = open(&loaded).await?;
    let bar = progress::bar(console.quiet, 0, "  {bar:40} {bytes} of {total_bytes}{msg}");
    let made = store.backup_to(&file, |come_to| match come_to {
        BackupProgress::Copied { bytes, of } => {
            bar.set_length(of);
            bar.set_position(bytes);
        }
        BackupProgress::Checked { items } => bar.set_message(format!(", {items} items checked")),
    });
    let made = made.await;
    drop(bar);
    let closed = store.close().await.map_err(|error| assembly::storage_failure(&loaded, &error));
    let made = made.map_err(|error| failed(&loaded, error))?;
    closed?;
    let (report, fingerprint) = (&made.chains, made.fingerprint.as_deref().map(fingerprint));
    let sentence = format!("Wrote {}: sound, with {} items and {} links.", file.display(), report.items, report.links);
    let json = json!({
        "file": file.display().to_string(), "items": report.items, "links": report.links, "rootSecret": fingerprint
    });
    output_format::say(console.output, &sentence, &json);
    if console.output.is_for_people() {
        anstream::eprintln!("The root secret is not in it: keep a copy of that in another place.");
        if let Some(fingerprint) = fingerprint {
            anstream::eprintln!("It opens under the root secret with the fingerprint {fingerprint}.");
        }
    }
    if let Err(failure) = check_root_secret(&loaded, made.fingerprint.as_deref()) {
        anstream::eprintln!("{}", failure.as_warning());
    }
    Ok(())
}

/// Checks that a backup which needs the root secret with this fingerprint opens under one that the settings name.
pub(crate) fn check_root_secret(loaded: &Loaded, needed: Option<&[u8]>) -> Outcome {
    let Some(needed) = needed else { return Ok(()) };
    let at_hand = fingerprints(loaded)?;
    if at_hand.iter().any(|own| own.as_slice() == needed) {
        return Ok(());
    }
    Err(Failure::new(Exit::Config, "the backup does not open under the root secret that the settings name")
        .because(format!("it belongs to the one with the fingerprint {}", fingerprint(needed)))
        .with_try("put that root secret back (setting secret.root_file), and keep a copy of it"))
}

/// The fingerprints of the root secrets that the settings name.
pub(crate) fn fingerprints(loaded: &Loaded) -> Outcome<Vec<[u8; 16]>> {
    let newest = assembly::existing_root_secret(loaded)?;
    let former = assembly::former_root_secret(loaded)?;
    Ok(std::iter::once(newest).chain(former).map(|root| root.canary()).collect())
}

/// A fingerprint as it is shown.
pub(crate) fn fingerprint(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Opens the database that is there, and makes none.
pub(crate) async fn open(loaded: &Loaded) -> Outcome<SqlStore> {
    let settings = assembly::existing_database(loaded)?;
    SqlStore::open(settings).await.map_err(|error| assembly::storage_failure(loaded, &error))
}

pub(crate) fn failed(loaded: &Loaded, error: BackupError) -> Failure {
    match error {
        BackupError::Store(error) => assembly::storage_failure(loaded, &error),
        BackupError::Exists(path) => Failure::new(Exit::Failed, format!("{} exists already", path.display()))
            .because("a backup never overwrites anything")
            .with_try("choose another name"),
        BackupError::Unsound(what) => Failure::new(Exit::Failed, "the database is not sound, so no copy was kept")
            .because(what)
            .with_try("run tradepost doctor for all problems, or restore the latest sound backup"),
        BackupError::Unwritable { path, source } => {
            Failure::new(Exit::Failed, format!("cannot write {}: {source}", path.display()))
                .with_try("choose a folder that exists, with room, in which this user may write")
        }
        error @ BackupError::NotAFile => Failure::new(Exit::Failed, error.to_string()),
    }
}
