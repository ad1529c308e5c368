//! The database as the settings name it, its folder, and the lock that keeps a second server off an SQLite file.

use std::fs::DirBuilder;
use std::io;
use std::ops::RangeInclusive;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::time::Duration;

use tradepost::ports::store::StoreError;
use tradepost::sql::{
    DatabaseSettings, Durability, Pooler, PostgresSettings, ServeLock, ServeLockError, SqliteSettings, moved_away,
};

use crate::failure::{Exit, Failure, Outcome};
use crate::settings::{self, Loaded, Synchronous};

/// What to do about a database that is damaged.
pub(crate) const RESTORE: &str = "stop the server and restore the latest sound backup, which keeps the damaged files: tradepost restore --force FILE";

const MIB: u64 = 1_024 * 1_024;

/// Takes the right to replace the SQLite file, which is the right to serve it.
pub(crate) fn lock_for_replacing(database: &Path) -> Outcome<ServeLock> {
    make_folder(database.parent())?;
    ServeLock::take(database).map_err(|error| match error {
        ServeLockError::Taken(_) => Failure::new(Exit::Unavailable, format!("{} is being served", database.display()))
            .because("a tradepost server holds its lock, and would go on writing to the old file")
            .with_try("stop the server, and run the same command again"),
        ServeLockError::Unusable { path, source } => unusable_lock(&path, &source),
    })
}

/// Takes the right to serve the SQLite file. PostgreSQL needs none.
pub(crate) fn take_lock(loaded: &Loaded) -> Outcome<Option<ServeLock>> {
    let Some(database) = loaded.settings.database.sqlite_file() else { return Ok(None) };
    check_not_moved(&database)?;
    make_folder(database.parent())?;
    ServeLock::take(&database).map(Some).map_err(|error| match error {
        ServeLockError::Taken(_) => {
            Failure::new(Exit::Unavailable, format!("{} is served already", database.display()))
                .because("another tradepost process holds its lock; an SQLite file has one server")
                .with_try("stop the other one, or serve another file: tradepost --database sqlite://other.db")
                .with_try("PostgreSQL takes any number of servers: --database postgres://…")
        }
        ServeLockError::Unusable { path, source } => unusable_lock(&path, &source),
    })
}

fn unusable_lock(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Exit::Unavailable, format!("cannot lock {}: {error}", path.display()))
        .with_try("run as a user who may write there")
}

/// The settings of a database that must be there.
pub(crate) fn existing_database(loaded: &Loaded) -> Outcome<DatabaseSettings> {
    if let Some(file) = loaded.settings.database.sqlite_file() {
        match file.metadata() {
            Ok(found) if found.is_file() => {}
            Ok(_) => return Err(no_database(loaded, &file, "there is something else of this name")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                check_not_moved(&file)?;
                return Err(no_database(loaded, &file, "nothing has made it yet"));
            }
            Err(error) => return Err(out_of_reach(&file, &error)),
        }
    }
    settings(loaded)
}

/// Refuses to make a new file where `tradepost move` took the old one away: its data is in PostgreSQL now.
pub(crate) fn check_not_moved(file: &Path) -> Outcome {
    let Some(moved) = moved_away(file) else { return Ok(()) };
    Err(Failure::new(Exit::Config, format!("there is no database {}", file.display()))
        .because(format!("its data was moved to PostgreSQL; the old file is {}", moved.display()))
        .with_try("name the new database: TRADEPOST_DATABASE__URL_FILE=/etc/tradepost/database-url")
        .with_try("to begin with an empty SQLite database, move the old file to another folder"))
}

fn no_database(loaded: &Loaded, file: &Path, why: &str) -> Failure {
    // Where `serve` may not make the schema, `migrate` makes it.
    let advice = if loaded.settings.database.migrate {
        "start the server once: tradepost"
    } else {
        "make it with: tradepost migrate"
    };
    let why = match std::env::current_dir() {
        Ok(folder) if file.is_relative() => format!("{why}, looked for in {}", folder.display()),
        Ok(_) | Err(_) => why.to_owned(),
    };
    Failure::new(Exit::Unavailable, format!("there is no database {}", file.display()))
        .because(why)
        .with_try(advice)
        .with_try("or name another database: --database sqlite://PATH")
}

fn out_of_reach(file: &Path, error: &io::Error) -> Failure {
    let failure = Failure::new(Exit::Unavailable, format!("cannot look at the database {}", file.display()));
    if error.kind() == io::ErrorKind::PermissionDenied {
        failure
            .because(format!("this user has no permission to enter its folder: {error}"))
            .with_try("run as the user that serves it, or let this user enter the folder")
    } else {
        failure.because(error).with_try("name the database's file: --database sqlite://PATH")
    }
}

/// The settings of the database, for which there is a folder then.
pub(crate) fn database(loaded: &Loaded) -> Outcome<DatabaseSettings> {
    let settings = settings(loaded)?;
    if let DatabaseSettings::Sqlite(sqlite) = &settings {
        make_folder(sqlite.path.parent())?;
    }
    Ok(settings)
}

/// The settings of the database.
pub(super) fn settings(loaded: &Loaded) -> Outcome<DatabaseSettings> {
    let settings = &loaded.settings.database;
    if settings.max_connections == Some(0) {
        let advice = "correct it there, or remove it to get the default";
        return Err(loaded.wrong("database.max_connections", "must be at least 1", advice));
    }
    if settings.session_url.as_deref().is_some_and(|url| !is_postgres(url)) {
        let advice = "postgres://USER:PASSWORD@HOST/NAME, or remove it to use database.url";
        return Err(loaded.wrong("database.session_url", "is not the address of a PostgreSQL server", advice));
    }
    if let Some(url) = &settings.read_url {
        if !is_postgres(url) {
            let advice = "postgres://USER:PASSWORD@HOST/NAME of a standby, or remove it to read from the primary alone";
            return Err(loaded.wrong("database.read_url", "is not the address of a PostgreSQL server", advice));
        }
        if !is_postgres(&settings.url) {
            let advice = "remove it: an SQLite file has no standby; or set database.url to the primary on PostgreSQL";
            return Err(loaded.wrong("database.read_url", "needs a PostgreSQL server in database.url", advice));
        }
    }
    if let Some(path) = settings.sqlite_file().filter(|path| !path.as_os_str().is_empty()) {
        let durability = match settings.synchronous {
            Synchronous::Full => Durability::Full,
            Synchronous::Normal => Durability::ProcessOnly,
        };
        let defaults = SqliteSettings::at(path);
        let readers = settings.max_connections.unwrap_or(defaults.readers);
        let min_free_bytes = settings.min_free_mib.saturating_mul(MIB);
        return Ok(DatabaseSettings::Sqlite(SqliteSettings { durability, readers, min_free_bytes, ..defaults }));
    }
    if is_postgres(&settings.url) {
        return postgres(loaded).map(DatabaseSettings::Postgres);
    }
    let advice = "sqlite://data/tradepost.db, or postgres://USER:PASSWORD@HOST/NAME";
    Err(loaded.wrong("database.url", "is not a database address", advice))
}

fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}

fn postgres(loaded: &Loaded) -> Outcome<PostgresSettings> {
    let settings = &loaded.settings.database;
    let pooler = match settings.pooler {
        settings::Pooler::None => Pooler::None,
        settings::Pooler::Session => Pooler::Session,
        settings::Pooler::Transaction => Pooler::Transaction,
    };
    if pooler == Pooler::Transaction && settings.session_url.is_none() {
        return Err(loaded.missing("database.session_url", "database.pooler"));
    }
    // Between preparing a statement and running it, a pooler can change the connection of what has no name.
    let least = u32::from(pooler == Pooler::Transaction);
    let statements_kept = within(loaded, "database.statement_cache", settings.statement_cache.into(), least..=4_096)?;
    let seconds = |key, seconds, allowed| {
        within(loaded, key, seconds, allowed).map(|seconds| Duration::from_secs(seconds.into()))
    };
    let defaults = PostgresSettings::at(settings.url.as_str());
    let max_connections = settings.max_connections.unwrap_or(defaults.max_connections);
    Ok(PostgresSettings {
        session_url: settings.session_url.clone().map(Into::into),
        read_url: settings.read_url.clone().map(Into::into),
        read_lag: seconds("database.read_lag_seconds", settings.read_lag_seconds, 1..=300)?,
        pooler,
        statements_kept: usize::try_from(statements_kept).unwrap_or(defaults.statements_kept),
        max_connections,
        min_connections: defaults.min_connections.min(max_connections),
        acquire_timeout: seconds("database.acquire_timeout_seconds", settings.acquire_timeout_seconds, 1..=60)?,
        statement_timeout: seconds("database.statement_timeout_seconds", settings.statement_timeout_seconds, 1..=300)?,
        lock_timeout: seconds("database.lock_timeout_seconds", settings.lock_timeout_seconds, 1..=60)?,
        ..defaults
    })
}

/// A number that a setting gives, within what is allowed.
fn within(loaded: &Loaded, key: &str, number: u32, allowed: RangeInclusive<u32>) -> Outcome<u32> {
    if allowed.contains(&number) {
        return Ok(number);
    }
    let rule = format!("must be from {} to {}", allowed.start(), allowed.end());
    Err(loaded.wrong(key, rule, "correct it there, or remove it to get the default"))
}

/// Makes a folder with those above it, for this user alone: secrets are kept there.
pub(crate) fn make_folder(folder: Option<&Path>) -> Outcome {
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
    let failure = match (error, database.sqlite_file()) {
        (StoreError::Corrupt(_), Some(_)) => failure.with_try(RESTORE),
        (_, Some(_)) => failure.with_try("check that the disk has room and that this user may write there"),
        (_, None) if database.session_url.is_some() => failure.with_try(
            "check that the servers of database.url and database.session_url run and that names and passwords are right",
        ),
        (_, None) => failure.with_try("check that the server runs and that name and password are right"),
    };
    failure.with_try("tradepost doctor looks for what is wrong")
}

/// The server and the database that an address names. In one that is written wrong any part may belong to the password: then
/// nothing of it.
fn without_password(url: &str) -> String {
    const NOTHING: &str = "of the setting database.url";
    let Ok(parsed) = reqwest::Url::parse(url) else { return NOTHING.to_owned() };
    let (host, name) = (parsed.host_str().unwrap_or_default(), parsed.path());
    let is_clear = !parsed.username().is_empty() && parsed.fragment().is_none() && parsed.query().is_none();
    if !is_clear || host.is_empty() || name.contains('@') {
        return NOTHING.to_owned();
    }
    let port = parsed.port().map(|port| format!(":{port}")).unwrap_or_default();
    let password = parsed.password().map_or("", |_| ":***");
    format!("{}://{}{password}@{host}{port}{name}", parsed.scheme(), parsed.username())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_may_not_be_entered_is_no_missing_database() {
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        let failure = out_of_reach(Path::new("kept/tradepost.db"), &denied).to_string();
        assert_eq!(
            failure,
            "error: cannot look at the database kept/tradepost.db\n  why: this user has no permission to enter its folder: \
             permission denied\n  try: run as the user that serves it, or let this user enter the folder"
        );
    }

    #[test]
    fn a_password_in_the_address_is_never_shown() {
        assert_eq!(without_password("postgres://app:secret@db.example.com/tp"), "postgres://app:***@db.example.com/tp");
        for unclear in [
            "postgres://app:12/secret@db.example.com/tp",
            "postgres://app:12#secret@db.example.com/tp",
            "postgres://app:12?secret@db.example.com/tp",
            "postgres://app:secret",
            "postgres://app@db.example.com/tp?password=secret",
            "postgres://app:secret@db1:5432,db2:5433/tp",
            "postgres://app:sec,ret@db1:5432,db2/tp",
            "postgres://app:secret,db2/tp",
            "postgres:///tp?host=db1,db2&password=secret",
        ] {
            assert_eq!(without_password(unclear), "of the setting database.url");
        }
    }
}
