//! Databases to measure on: founded by the product itself, then filled in bulk, and kept under `target/` so that the next
//! run finds them.

mod accounts;
mod postgres;
mod sqlite;

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use tradepost_adapters_sql::{DatabaseSettings, PostgresSettings, SqlStore, SqliteSettings};
use uuid::Uuid;

use crate::data::Sizes;
use crate::server::Server;

pub(crate) use accounts::Founded;
pub(crate) use postgres::{copy, create as create_postgres, url_of as url_on};
pub(crate) use sqlite::insert;

pub(crate) const ROOT_SECRET: &str = "root-secret";
const FILE: &str = "tradepost.db";
/// Another name whenever other rows are loaded than before, so that what an earlier version has loaded is replaced.
const MARKER: &str = "loaded-3";

/// Which database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backend {
    Sqlite,
    Postgres,
}

impl Backend {
    pub(crate) const BOTH: [Self; 2] = [Self::Sqlite, Self::Postgres];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// Where things are.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// The `tradepost` binary that is measured.
    pub(crate) tradepost: PathBuf,
    /// This binary.
    pub(crate) own: PathBuf,
    /// What is kept from run to run.
    pub(crate) cache: PathBuf,
    /// An administrator's URL of the PostgreSQL server.
    pub(crate) postgres: String,
}

/// A database that was filled.
#[derive(Debug, Clone)]
pub(crate) struct Database {
    pub(crate) backend: Backend,
    /// As the setting `database.url` takes it.
    pub(crate) url: String,
    /// Settings, root secret and log of the server on it; on SQLite its file too.
    pub(crate) folder: PathBuf,
    pub(crate) workspace: Uuid,
    pub(crate) sizes: Sizes,
}

impl Database {
    /// The database of these sizes, filled now unless it is there from an earlier run.
    pub(crate) async fn prepared(places: &Places, backend: Backend, sizes: Sizes) -> anyhow::Result<Self> {
        let name = format!("tradepost_bench_{}", sizes.purchases);
        let folder = places.cache.join(format!("{}-{}", backend.name().to_lowercase(), sizes.purchases));
        let url = match backend {
            Backend::Sqlite => format!("sqlite://{}", folder.join(FILE).display()),
            Backend::Postgres => postgres::url_of(&places.postgres, &name)?,
        };
        let mut database = Self { backend, url, folder, workspace: Uuid::nil(), sizes };
        let there = match backend {
            Backend::Sqlite => true,
            Backend::Postgres => postgres::exists(&places.postgres, &name).await?,
        };
        match fs::read_to_string(database.folder.join(MARKER)) {
            Ok(workspace) if there => database.workspace = workspace.trim().parse()?,
            _ => database.fill(places, &name).await?,
        }
        Ok(database)
    }

    async fn fill(&mut self, places: &Places, name: &str) -> anyhow::Result<()> {
        let Sizes { purchases, .. } = self.sizes;
        eprintln!("filling {} with {purchases} purchases", self.backend.name());
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder)?;
        }
        fs::create_dir_all(&self.folder)?;
        if self.backend == Backend::Postgres {
            postgres::create(&places.postgres, name, None).await?;
        }
        Server::tradepost(places, self).start()?.stop()?;
        let store = self.open().await?;
        self.workspace = accounts::fill(&store, self.sizes).await?;
        store.close().await?;
        match self.backend {
            Backend::Sqlite => sqlite::fill(self)?,
            Backend::Postgres => postgres::fill(self).await?,
        }
        fs::write(self.folder.join(MARKER), self.workspace.to_string())?;
        Ok(())
    }

    /// A copy to work on, so that what is kept stays as it was loaded.
    pub(crate) async fn copied(&self, places: &Places) -> anyhow::Result<Self> {
        let folder = places.cache.join("run").join(self.folder.file_name().context("the cache has no name")?);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        fs::copy(self.folder.join(ROOT_SECRET), folder.join(ROOT_SECRET))?;
        let url = match self.backend {
            Backend::Sqlite => {
                fs::copy(self.folder.join(FILE), folder.join(FILE))?;
                format!("sqlite://{}", folder.join(FILE).display())
            }
            Backend::Postgres => {
                let name = format!("tradepost_bench_run_{}", self.sizes.purchases);
                let template = format!("tradepost_bench_{}", self.sizes.purchases);
                postgres::create(&places.postgres, &name, Some(&template)).await?;
                postgres::url_of(&places.postgres, &name)?
            }
        };
        Ok(Self { url, folder, ..self.clone() })
    }

    /// The file of an SQLite database.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    pub(crate) fn settings(&self) -> DatabaseSettings {
        match self.backend {
            Backend::Sqlite => DatabaseSettings::Sqlite(SqliteSettings::at(self.file())),
            Backend::Postgres => DatabaseSettings::Postgres(PostgresSettings::at(self.url.clone())),
        }
    }

    /// The product's own store on it.
    pub(crate) async fn open(&self) -> anyhow::Result<SqlStore> {
        Ok(SqlStore::open(self.settings()).await?)
    }
}

/// Connects as `tokio-postgres` does by default.
pub(crate) async fn connect(url: &str) -> anyhow::Result<tokio_postgres::Client> {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            eprintln!("a connection to PostgreSQL ended: {error}");
        }
    });
    Ok(client)
}
