//! Notification of changed rights: the server notifies every process when a user, session, membership or API key was changed
//! or removed. The notification does not say whose rights changed. The caller decides what to do.

use sqlx::postgres::{PgListener, PgPoolOptions};
use tradepost_ports::store::{StoreError, StoreResult};

use super::address;
use crate::settings::PostgresSettings;

/// What the triggers of the schema notify.
const CHANNEL: &str = "tradepost_rights";

/// The news of changed rights, heard over a connection of its own.
pub struct RightsNews(PgListener);

impl RightsNews {
    /// Begins to listen.
    pub(crate) async fn listen(settings: &PostgresSettings) -> StoreResult<Self> {
        let unreachable = |error: sqlx::Error| StoreError::Unavailable(error.to_string());
        // Not of the pool: there it would hold a connection for ever that calls wait for.
        let options = address::connect_options(settings)?;
        let own_pool = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
        let pool = own_pool.connect_with(options).await.map_err(unreachable)?;
        let mut listener = PgListener::connect_with(&pool).await.map_err(unreachable)?;
        listener.ignore_pool_close_event(true);
        listener.eager_reconnect(false);
        listener.listen(CHANNEL).await.map_err(unreachable)?;
        Ok(Self(listener))
    }

    /// Waits until rights have changed.
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
