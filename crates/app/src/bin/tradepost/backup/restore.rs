//! `tradepost restore`: puts a backup in the place of the SQLite database, which is kept. PostgreSQL has a tool of its own.

use std::io;

use serde_json::json;
use tradepost::SystemClock;
use tradepost::ports::clock::Clock as _;
use tradepost::sql::{DatabaseSettings, MigrateError, RestoreError, Restored};

use crate::cli::{Output, Restore};
use crate::failure::{Exit, Failure, Outcome};
use crate::settings::Loaded;
use crate::{assembly, output_format};

/// Restores, and says what was done and what comes next.
pub(crate) async fn run(loaded: Loaded, restore: Restore, output: Output) -> Outcome {
    let Some(database) = loaded.settings.database.sqlite_file() else { return Err(on_postgres(&restore)) };
    let _lock = assembly::lock_for_replacing(&database)?;
    let DatabaseSettings::Sqlite(settings) = assembly::database(&loaded)? else { return Err(on_postgres(&restore)) };
    let restoring = tradepost::sql::Restore {
        backup: restore.file.clone(),
        fingerprints: super::fingerprints(&loaded)?,
        over_newer: restore.force,
        at: SystemClock.now(),
    };
    let restored = restoring.run(&settings, |_| ()).await.map_err(|error| failed(&restore, error))?;
    let json = json!({
        "database": database.display().to_string(),
        "backup": restore.file.display().to_string(),
        "schemaVersion": restored.version,
        "latestChange": restored.latest.map(|at| at.to_string()),
        "items": restored.chains.as_ref().map(|chains| chains.items),
        "kept": restored.kept.as_ref().map(|kept| kept.display().to_string()),
    });
    output_format::say(output, &sentence(&restore, &restored, &database.display().to_string()), &json);
    if output.is_for_people() {
        say_what_comes_next(&restored);
    }
    Ok(())
}

fn sentence(restore: &Restore, restored: &Restored, database: &str) -> String {
    let checked = match &restored.chains {
        Some(chains) => format!("sound, with {} items and {} links", chains.items, chains.links),
        None => format!("sound, with the older schema version {}", restored.version),
    };
    let until = restored.latest.map_or_else(String::new, |at| format!(", until {at}"));
    let kept = match &restored.kept {
        Some(kept) => format!("\nThe old database is {}.", kept.display()),
        None => String::new(),
    };
    format!("Restored {database} from {}: {checked}{until}.{kept}", restore.file.display())
}

fn say_what_comes_next(restored: &Restored) {
    if restored.chains.is_none() {
        anstream::eprintln!("Bring the schema up to date first: tradepost migrate");
    }
    anstream::eprintln!("Check it with tradepost doctor --deep, then start the server: tradepost");
    anstream::eprintln!(
        "What was traded after the backup is not in it: compare purchases and sales with the marketplaces before you resume."
    );
}

fn on_postgres(restore: &Restore) -> Failure {
    Failure::new(Exit::Usage, "restore replaces SQLite databases only")
        .because("the setting database.url names PostgreSQL, which is restored by its own tool")
        .with_try(format!(
            "restore into an empty database: pg_restore --no-owner --exit-on-error --dbname=URL {}",
            restore.file.display()
        ))
        .with_try("the whole procedure is in docs/how-to/back-up-and-restore.md")
}

fn failed(restore: &Restore, error: RestoreError) -> Failure {
    let backup = restore.file.display();
    let force = format!("replace it all the same, and keep it: tradepost restore --force {backup}");
    let refused = |what: String| Failure::new(Exit::Failed, what);
    let unusable = || refused(format!("cannot restore {backup}"));
    match error {
        RestoreError::Same => unusable().because(error).with_try("name a backup of it"),
        RestoreError::File { path, source } if source.kind() == io::ErrorKind::NotFound => {
            Failure::new(Exit::Unavailable, format!("cannot use {}: {source}", path.display()))
                .with_try("correct the path")
        }
        RestoreError::File { path, source } => {
            Failure::new(Exit::Unavailable, format!("cannot use {}: {source}", path.display()))
                .because("the backup must be readable, and its copy is written to the folder of the database")
                .with_try("correct the path, make room, or run as the user that serves the database")
        }
        RestoreError::Unsound(found) => unusable()
            .because(format!("the backup is not sound: {found}"))
            .with_try("restore an older backup; nothing was changed"),
        RestoreError::Empty => unusable().because(error).with_try("name a file that tradepost backup wrote"),
        RestoreError::Schema(MigrateError::Newer { .. }) => {
            unusable().because(error).with_try("run restore of the newer program")
        }
        RestoreError::Schema(_) => unusable().because(error).with_try("restore another backup; nothing was changed"),
        RestoreError::OtherRootSecret(_) => unusable()
            .because(format!("{error}: without it keys and sealed secrets would not open"))
            .with_try("put that root secret in place of the other (setting secret.root_file)")
            .with_try("if it was replaced after the backup, name it with the setting secret.former_root_file"),
        RestoreError::Newer { .. } => {
            refused("the database has newer data than the backup".to_owned()).because(error).with_try(force)
        }
        RestoreError::Unreadable(found) => {
            refused("whether the database has newer data than the backup is unknown".to_owned())
                .because(format!("it cannot be read: {found}"))
                .with_try(force)
        }
        RestoreError::InUse => Failure::new(Exit::Unavailable, "the database is in use")
            .because(error)
            .with_try("wait until other tradepost commands have ended, and run the same command again"),
    }
}
