//! Migrating a SQLite file: a copy first, then everything in one transaction, which is the lock as well.

use std::path::{Path, PathBuf};

use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use tradepost_ports::store::StoreError;

use super::{CREATE, MigrateError, Migrated, SQLITE, applied, apply, check, latest};
use crate::backup::{publish, remove_database, with_suffix};
use crate::settings::SqliteSettings;
use crate::sqlite::{SqliteCommits, make_private};
use crate::store::SqlStore;

pub(super) async fn migrate(
    store: &SqlStore,
    commits: &SqliteCommits,
    settings: &SqliteSettings,
) -> Result<Migrated, MigrateError> {
    let found = check(SQLITE, &store.applied().await?)?;
    if found == latest(SQLITE) {
        return Ok(Migrated { from: found, to: found, backup: None });
    }
    let backup = if found == 0 { None } else { Some(free_name(&settings.path, found)) };
    if let Some(backup) = &backup {
        copy_before(commits, backup).await?;
    }
    let transaction = commits.begin().await?;
    transaction.execute_unprepared(CREATE).await?;
    // Another process may have migrated since the look above.
    let from = check(SQLITE, &applied(&*transaction).await?)?;
    for migration in SQLITE.iter().filter(|migration| migration.version > from) {
        apply(&transaction, migration).await?;
    }
    transaction.commit().await?;
    Ok(Migrated { from, to: latest(SQLITE), backup })
}

/// Copies the file as it is, for its owner alone. The copy gets its name once it is whole and on the disk.
async fn copy_before(commits: &SqliteCommits, backup: &Path) -> Result<(), MigrateError> {
    let unwritable = |error| StoreError::Unavailable(format!("the copy {}: {error}", backup.display()));
    let part = with_suffix(backup, ".part");
    remove_database(&part).map_err(unwritable)?;
    make_private(&part).map_err(unwritable)?;
    let name = part.to_string_lossy().into_owned();
    let copy = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO $1", [name.into()]);
    commits.connection().execute_raw(copy).await?;
    publish(&part, backup).map_err(|error| unwritable(error).into())
}

/// `tradepost.db.schema-1.bak`, or the first such name that is free.
fn free_name(path: &Path, version: i64) -> PathBuf {
    let name = |suffix: String| with_suffix(path, &suffix);
    let numbered = (2_u32..).map(|number| name(format!(".schema-{version}.{number}.bak")));
    let mut names = std::iter::once(name(format!(".schema-{version}.bak"))).chain(numbered);
    names.find(|name| !name.exists()).unwrap_or_else(|| path.to_owned())
}
