//! A store of your own: it wraps another one and records the outcome of each commit.
//!
//! Run it with `cargo run --example own_store`. A store implements three methods: the records it reads from, `commit`, and `check_ready`.
//! A store that keeps the records itself implements the traits of [`Records`] as well.

use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::text::Name;
use tradepost::operations::Caller;
use tradepost::operations::accounts::RegisterUser;
use tradepost::ports::changes::{Changes, Committed};
use tradepost::ports::store::{NotReady, Records, Store, StoreResult};
use tradepost::sql::{DatabaseSettings, SqlStore, SqliteSettings};
use tradepost::{Tradepost, async_trait};

/// What an example fails with.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// A store that records the outcome of each commit of another store.
pub(crate) struct ObservedStore {
    inner: Arc<dyn Store>,
    outcomes: Mutex<Vec<String>>,
}

impl ObservedStore {
    pub(crate) fn over(inner: Arc<dyn Store>) -> Self {
        Self { inner, outcomes: Mutex::default() }
    }

    /// The outcomes so far, the oldest first.
    pub(crate) fn outcomes(&self) -> Vec<String> {
        self.outcomes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl Store for ObservedStore {
    fn records(&self) -> &(dyn Records + 'static) {
        self.inner.records()
    }

    async fn commit(&self, changes: Changes) -> StoreResult<Committed> {
        let committed = self.inner.commit(changes).await;
        let outcome = committed.as_ref().map_or_else(ToString::to_string, |_| "committed".to_owned());
        self.outcomes.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
        committed
    }

    async fn check_ready(&self) -> Result<(), NotReady> {
        self.inner.check_ready().await
    }
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    for outcome in observe(folder.path()).await? {
        println!("{outcome}");
    }
    Ok(())
}

/// Registers a user twice, and returns the outcomes of the commits.
pub(crate) async fn observe(folder: &Path) -> Result<Vec<String>, Failure> {
    // The program opens, migrates and closes what it wraps.
    let database = Arc::new(SqlStore::open(DatabaseSettings::Sqlite(SqliteSettings::at(folder.join("own.db")))).await?);
    database.migrate().await?;
    let store = Arc::new(ObservedStore::over(database.clone()));
    let app = Tradepost::builder().store(store.clone()).root_secret_file(folder.join("root-secret")).build().await?;
    for _ in 0..2 {
        let register = RegisterUser {
            email: EmailAddress::new("ada@example.com")?,
            display_name: Name::new("Ada")?,
            password: "copper lantern under seven bridges".into(),
        };
        // The second one is rejected, since the address has an account.
        drop(app.operations().register_user(&Caller::system(), register).await);
    }
    app.shutdown().await?;
    database.close().await?;
    Ok(store.outcomes())
}
