//! Migrating a SQLite file: a copy first, then everything in one transaction, which is the lock as well.

use std::path::{Path, PathBuf};

use sea_orm::{ConnectionTrait as _, DbBackend, Statement};

use super::{CREATE, MigrateError, Migrated, SQLITE, applied, apply, check, latest};
use crate::settings::SqliteSettings;
use crate::sqlite::SqliteCommits;
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
        let path = backup.to_string_lossy().into_owned();
        let copy = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO $1", [path.into()]);
        commits.connection().execute_raw(copy).await?;
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

/// `tradepost.db.schema-1.bak`, or the first such name that is free.
fn free_name(path: &Path, version: i64) -> PathBuf {
    let name = |suffix: String| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let numbered = (2_u32..).map(|number| name(format!(".schema-{version}.{number}.bak")));
    let mut names = std::iter::once(name(format!(".schema-{version}.bak"))).chain(numbered);
    names.find(|name| !name.exists()).unwrap_or_else(|| path.to_owned())
}
