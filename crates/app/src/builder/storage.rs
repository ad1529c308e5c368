//! Opening a database, or taking the store that an embedder provides.

use std::sync::Arc;

use tradepost_adapters_sql::{DatabaseSettings, SqlStore};
use tradepost_ports::limiter::SharedCounts;
use tradepost_ports::store::Store;

use crate::BuildError;
use crate::tradepost::RightsChanges;

/// A store, and what several processes on it share.
pub(super) struct Storage {
    pub(super) store: Arc<dyn Store>,
    /// `None` for a store that the embedder provides.
    pub(super) database: Option<Arc<SqlStore>>,
    pub(super) counts: Option<Arc<dyn SharedCounts>>,
    pub(super) rights: RightsChanges,
}

impl Storage {
    /// The store that an embedder provides. Several processes use it where there are shared counts.
    pub(super) fn own(store: Arc<dyn Store>, counts: Option<Arc<dyn SharedCounts>>) -> Self {
        let rights = if counts.is_some() { RightsChanges::Unannounced } else { RightsChanges::Own };
        Self { store, database: None, counts, rights }
    }

    /// Opens a database, and brings its schema up to date or rejects one that is not.
    pub(super) async fn database(settings: DatabaseSettings, migrate: bool) -> Result<Self, BuildError> {
        let store = Arc::new(SqlStore::open(settings).await?);
        if migrate {
            let done = store.migrate().await?;
            if done.from < done.to {
                let backup = done.backup.as_ref().map(|path| tracing::field::display(path.display()));
                tracing::info!(from = done.from, to = done.to, backup, "brought the schema up to date");
            }
        } else {
            store.check_schema().await?;
        }
        let rights = store.listen_for_rights().await?.map_or(RightsChanges::Own, RightsChanges::Announced);
        let counts = store.shared_counts();
        Ok(Self { store: store.clone(), database: Some(store), counts, rights })
    }
}
