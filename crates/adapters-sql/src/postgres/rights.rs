//! Hearing that rights changed: the server tells every process when a user, session, membership or API key was changed or
//! removed. Whose it was is not told, and what to do about it is not known here.

use sqlx::postgres::{PgListener, PgPoolOptions};
use tradepost_ports::store::{StoreError, StoreResult};

use super::address;
use crate::settings::{DatabaseSettings, PostgresSettings};
use crate::store::SqlStore;

/// What the triggers of the schema notify.
const CHANNEL: &str = "tradepost_rights";

/// The news of changed rights, heard over a connection of its own.
pub struct RightsNews(PgListener);

impl SqlStore {
    /// Begins to listen. Absent on SQLite, where no other process changes rights unheard but the command line, whose changes
    /// are seen within the five seconds for which callers are remembered.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the server cannot be reached.
    pub async fn listen_for_rights(&self) -> StoreResult<Option<RightsNews>> {
        match &self.settings {
            DatabaseSettings::Sqlite(_) => Ok(None),
            DatabaseSettings::Postgres(settings) => RightsNews::listen(settings).await.map(Some),
        }
    }
}

impl RightsNews {
    async fn listen(settings: &PostgresSettings) -> StoreResult<Self> {
        let unreachable = |error: sqlx::Error| StoreError::Unavailable(error.to_string());
        // Not of the pool: there it would hold a connection for ever that calls wait for.
        let options = address::connect_options(settings)?;
        let alone = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
        let pool = alone.connect_with(options).await.map_err(unreachable)?;
        let mut listener = PgListener::connect_with(&pool).await.map_err(unreachable)?;
        listener.ignore_pool_close_event(true);
        listener.eager_reconnect(false);
        listener.listen(CHANNEL).await.map_err(unreachable)?;
        Ok(Self(listener))
    }

    /// Waits until somebody's rights have changed.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the connection is lost: changes are missed from then on.
    pub async fn next(&mut self) -> StoreResult<()> {
        match self.0.try_recv().await {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(StoreError::Unavailable("the connection for news of changed rights was lost".to_owned())),
            Err(error) => Err(StoreError::Unavailable(error.to_string())),
        }
    }
}
