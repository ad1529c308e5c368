//! Notification of changed rights: the server notifies every process when a user, session, membership or API key was changed
//! or removed. The notification does not say whose rights changed. The caller decides what to do.

use std::time::Duration;

use sqlx::Acquire as _;
use sqlx::postgres::{PgListener, PgPoolOptions};
use tokio::time::timeout;
use tradepost_ports::store::{StoreError, StoreResult};

use super::connections::used;
use super::target::Target;
use crate::settings::PostgresSettings;

/// What the triggers of the schema notify.
const CHANNEL: &str = "tradepost_rights";
/// After so long without news the connection is tried: a server that was cut off sends none.
const TRIED_AFTER: Duration = Duration::from_secs(5);

/// The news of changed rights, heard over a connection of its own.
pub struct RightsNews {
    listener: PgListener,
    target: Target,
}

impl RightsNews {
    /// Begins to listen.
    pub(crate) async fn listen(settings: &PostgresSettings) -> StoreResult<Self> {
        // Not of the pool: there it would hold a connection for ever that calls wait for.
        let address = settings.of_sessions().address()?;
        let server = used(&address).await?.options;
        let own_pool = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
        let pool =
            own_pool.acquire_timeout(settings.acquire_timeout).connect_with(server).await.map_err(unreachable)?;
        let mut listener = PgListener::connect_with(&pool).await.map_err(unreachable)?;
        listener.ignore_pool_close_event(true);
        listener.eager_reconnect(false);
        listener.listen(CHANNEL).await.map_err(unreachable)?;
        Ok(Self { listener, target: address.target })
    }

    /// Waits until rights have changed.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the connection is lost: changes are missed from then on.
    pub async fn next(&mut self) -> StoreResult<()> {
        loop {
            match timeout(TRIED_AFTER, self.listener.try_recv()).await {
                Ok(Ok(Some(_))) => return Ok(()),
                Ok(Ok(None)) => return Err(lost()),
                Ok(Err(error)) => return Err(unreachable(error)),
                Err(_) => self.check().await?,
            }
        }
    }

    /// Checks that the server answers, and that it is still the one to be used. What it notifies in between is kept for the next look.
    async fn check(&mut self) -> StoreResult<()> {
        let connection = self.listener.acquire().await.map_err(unreachable)?;
        if self.target.is_met(connection).await.map_err(unreachable)? { Ok(()) } else { Err(lost()) }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
fn unreachable(error: sqlx::Error) -> StoreError {
    StoreError::Unavailable(error.to_string())
}

fn lost() -> StoreError {
    StoreError::Unavailable("the connection for news of changed rights was lost".to_owned())
}
