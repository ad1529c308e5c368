//! `tradepost migrate`: brings the schema of the database up to date.

use serde_json::json;
use tradepost::sql::{MigrateError, SqlStore};

use crate::assembly;
use crate::cli::Output;
use crate::failure::{Exit, Failure, Outcome};
use crate::output_format;
use crate::settings::Loaded;

/// Migrates, and says what was done.
pub(crate) async fn run(loaded: Loaded, output: Output) -> Outcome {
    if let Some(file) = loaded.settings.database.sqlite_file() {
        assembly::check_not_moved(&file)?;
        // A file with content has been made under a root secret: this may be the first command that is run here.
        assembly::root_secret(&loaded)?;
    }
    let unavailable = |error| assembly::storage_failure(&loaded, &error);
    let store = SqlStore::open(assembly::database(&loaded)?).await.map_err(unavailable)?;
    let migrated = store.migrate().await;
    store.close().await.map_err(unavailable)?;
    let done = migrated.map_err(|error| match error {
        MigrateError::Store(error) => unavailable(error),
        MigrateError::Changed { .. }
        | MigrateError::Newer { .. }
        | MigrateError::Behind { .. }
        | MigrateError::Moving
        | MigrateError::Locked => Failure::new(Exit::Failed, "the schema was not brought up to date").because(error),
    })?;
    let backup = done.backup.map(|path| path.display().to_string());
    let sentence = match &backup {
        _ if done.from == 0 => format!("Made a new database, with the schema of version {}.", done.to),
        _ if done.from == done.to => format!("The schema is up to date, at version {}.", done.to),
        Some(backup) => {
            format!("Brought the schema from version {} to {}; a copy from before is {backup}.", done.from, done.to)
        }
        None => format!("Brought the schema from version {} to {}.", done.from, done.to),
    };
    output_format::say(output, &sentence, &json!({ "from": done.from, "to": done.to, "backup": backup }));
    Ok(())
}
