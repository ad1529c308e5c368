//! The database as the settings name it, its folder, and the lock that keeps a second server off an SQLite file.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use tradepost::ports::store::StoreError;
use tradepost::sql::{DatabaseSettings, Durability, PostgresSettings, ServeLock, ServeLockError, SqliteSettings};

use crate::failure::{Exit, Failure, Outcome};
use crate::settings::{Loaded, Synchronous};

/// Takes the right to serve the SQLite file. PostgreSQL needs none.
pub(crate) fn take_lock(loaded: &Loaded) -> Outcome<Option<ServeLock>> {
    let Some(database) = loaded.settings.database.sqlite_file() else { return Ok(None) };
    make_folder(database.parent())?;
    ServeLock::take(&database).map(Some).map_err(|error| match error {
        ServeLockError::Taken(_) => {
            Failure::new(Exit::Unavailable, format!("{} is served already", database.display()))
                .because("another tradepost process holds its lock; an SQLite file has one server")
                .with_try("stop the other one, or serve another file: tradepost --database sqlite://other.db")
                .with_try("PostgreSQL takes any number of servers: --database postgres://…")
        }
        ServeLockError::Unusable { path, source } => {
            Failure::new(Exit::Unavailable, format!("cannot lock {}: {source}", path.display()))
                .with_try("run as a user who may write there")
        }
    })
}

/// The settings of a database that must be there.
pub(crate) fn existing_database(loaded: &Loaded) -> Outcome<DatabaseSettings> {
    match loaded.settings.database.sqlite_file() {
        Some(file) if !file.is_file() => {
            Err(Failure::new(Exit::Unavailable, format!("there is no database {}", file.display()))
                .because("the first start of the server makes it")
                .with_try("start the server once: tradepost")
                .with_try("or name another database: --database sqlite://PATH"))
        }
        Some(_) | None => database(loaded),
    }
}

/// The settings of the database.
pub(crate) fn database(loaded: &Loaded) -> Outcome<DatabaseSettings> {
    let settings = &loaded.settings.database;
    if let Some(path) = settings.sqlite_file().filter(|path| !path.as_os_str().is_empty()) {
        make_folder(path.parent())?;
        let durability = match settings.synchronous {
            Synchronous::Full => Durability::Full,
            Synchronous::Normal => {
                tracing::warn!("database.synchronous is \"normal\": a power cut may lose the last acknowledged writes");
                Durability::ProcessOnly
            }
        };
        let defaults = SqliteSettings::at(path);
        let readers = settings.max_connections.unwrap_or(defaults.readers);
        return Ok(DatabaseSettings::Sqlite(SqliteSettings { durability, readers, ..defaults }));
    }
    if settings.url.starts_with("postgres://") || settings.url.starts_with("postgresql://") {
        let defaults = PostgresSettings::at(settings.url.as_str());
        let max_connections = settings.max_connections.unwrap_or(defaults.max_connections);
        return Ok(DatabaseSettings::Postgres(PostgresSettings { max_connections, ..defaults }));
    }
    let advice = "sqlite://data/tradepost.db, or postgres://USER:PASSWORD@HOST/NAME";
    Err(loaded.wrong("database.url", "is no database address", advice))
}

/// Makes a folder with those above it, for this user alone: secrets are kept there.
pub(super) fn make_folder(folder: Option<&Path>) -> Outcome {
    let Some(folder) = folder.filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| {
        Failure::new(Exit::Unavailable, format!("cannot make the folder {}: {error}", folder.display()))
            .because("the database and what belongs to it are kept there")
            .with_try(
                "run in a folder in which this user may write, or name another database: --database sqlite://PATH",
            )
    })
}

/// The failure of a database that does not do what is asked.
pub(crate) fn failure(loaded: &Loaded, error: &StoreError) -> Failure {
    let database = &loaded.settings.database;
    let name = match database.sqlite_file() {
        Some(path) => path.display().to_string(),
        None => without_password(&database.url),
    };
    let failure = Failure::new(Exit::Unavailable, format!("cannot use the database {name}")).because(error);
    let failure = if database.sqlite_file().is_some() {
        failure.with_try("check that the disk has room and that this user may write there")
    } else {
        failure.with_try("check that the server runs and that name and password are right")
    };
    failure.with_try("tradepost doctor looks for what is wrong")
}

fn without_password(url: &str) -> String {
    let Ok(mut parsed) = reqwest::Url::parse(url) else { return "of the setting database.url".to_owned() };
    if parsed.password().is_some() && parsed.set_password(Some("***")).is_err() {
        return "of the setting database.url".to_owned();
    }
    parsed.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_the_address_is_never_shown() {
        assert_eq!(without_password("postgres://app:secret@db.example.com/tp"), "postgres://app:***@db.example.com/tp");
    }
}
