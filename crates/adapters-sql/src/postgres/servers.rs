//! The servers of an address, and the one of them that is used now.

use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tradepost_ports::store::{StoreError, StoreResult};

use super::address::Address;
use super::target::Target;

/// By how much a server is asked before the one behind it: where several can be used, the first of the address is.
const HEAD_START: Duration = Duration::from_millis(50);

/// A server that can be used.
pub(crate) struct Found {
    /// Its place in the address, from 0.
    pub(crate) place: usize,
    pub(crate) options: PgConnectOptions,
    pub(crate) connection: PgConnection,
}

impl Address {
    /// Whether one of several servers, or one of a certain kind, is to be used.
    pub(crate) fn has_choice(&self) -> bool {
        self.servers.len() > 1 || self.target != Target::Any
    }

    /// Finds the server to be used. All are asked at once, so that one that does not answer costs no time.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with what is the matter with each.
    pub(crate) async fn find(&self) -> StoreResult<Found> {
        let mut attempts = JoinSet::new();
        for (place, options) in (0..).zip(self.servers.iter().cloned()) {
            let (target, limit) = (self.target, self.connect_timeout);
            attempts.spawn(async move {
                tokio::time::sleep(HEAD_START.saturating_mul(place)).await;
                let attempt = timeout(limit, connect(&options, target)).await;
                let connected = attempt.unwrap_or_else(|_| Err(format!("no answer within {} s", limit.as_secs())));
                (place, connected.map(|connection| (options, connection)))
            });
        }
        let mut refusals = Vec::new();
        while let Some(ended) = attempts.join_next().await {
            match ended {
                Ok((place, Ok((options, connection)))) => {
                    return Ok(Found { place: usize::try_from(place).unwrap_or_default(), options, connection });
                }
                Ok((place, Err(why))) => refusals.push((place, why)),
                Err(cut) => refusals.push((u32::MAX, cut.to_string())),
            }
        }
        refusals.sort();
        Err(StoreError::Unavailable(self.failure(&refusals)))
    }

    fn failure(&self, refusals: &[(u32, String)]) -> String {
        if let ([_], [(_, why)]) = (self.servers.as_slice(), refusals) {
            return why.clone();
        }
        let each = refusals.iter().map(|(place, why)| format!("server {}: {why}", place.saturating_add(1)));
        format!("no server of the address can be used: {}", each.collect::<Vec<_>>().join("; "))
    }
}

async fn connect(options: &PgConnectOptions, target: Target) -> Result<PgConnection, String> {
    let mut connection = options.connect().await.map_err(|error| error.to_string())?;
    match target.is_met(&mut connection).await {
        Ok(true) => Ok(connection),
        Ok(false) => {
            // It is answered already; how its connection ends makes no difference.
            drop(connection.close().await);
            Err("it accepts no writes".to_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}
