//! The database of a soak: a SQLite file, or a database of its own on a PostgreSQL server.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueEnum;
use tradepost::sql::{DatabaseSettings, PostgresSettings, SqliteSettings};

use crate::load::{connect, create_postgres, url_on};

const FILE: &str = "tradepost.db";

/// The kind of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// A SQLite file in the folder.
    Sqlite,
    /// A PostgreSQL server.
    Postgres,
}

impl Backend {
    /// What the folder of a soak on it is called by, so that one on each can run at the same time.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// A folder with the root secret and the world, and the database.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) folder: PathBuf,
    /// As the setting `database.url` takes it.
    pub(super) url: String,
}

impl Site {
    pub(super) fn on_sqlite(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), url: format!("sqlite://{}", folder.join(FILE).display()) }
    }

    /// Creates a database on the server of this administrator.
    pub(super) async fn on_postgres(folder: &Path, administrator: &str) -> anyhow::Result<Self> {
        let name = format!("tradepost_soak_{}", std::process::id());
        create_postgres(administrator, &name, None).await?;
        Ok(Self { folder: folder.to_owned(), url: url_on(administrator, &name)? })
    }

    /// The SQLite file, where the database is one.
    pub(super) fn file(&self) -> Option<PathBuf> {
        self.url.starts_with("sqlite:").then(|| self.folder.join(FILE))
    }

    pub(super) fn settings(&self) -> DatabaseSettings {
        match self.file() {
            Some(file) => DatabaseSettings::Sqlite(SqliteSettings::at(file)),
            None => DatabaseSettings::Postgres(PostgresSettings::at(self.url.clone())),
        }
    }

    /// Drops a database that was created on a server. A file stays in its folder.
    pub(super) async fn clear(&self, administrator: Option<&str>) -> anyhow::Result<()> {
        let Some(administrator) = administrator.filter(|_| self.file().is_none()) else { return Ok(()) };
        let (_, name) = self.url.rsplit_once('/').context("the URL names a database")?;
        connect(administrator).await?.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")).await?;
        Ok(())
    }
}
