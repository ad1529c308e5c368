//! What is set on a connection before its first statement: who connects, and how long statements may take. A pooler between us and the
//! server decides how.

use log::LevelFilter;
use secrecy::{ExposeSecret as _, SecretString};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Executor as _};
use tradepost_ports::store::StoreResult;

use super::address::Address;
use crate::connection_options::SLOW;
use crate::settings::{Pooler, PostgresSettings};

/// How long a transaction may wait for its next statement, in milliseconds.
const IDLE_IN_TRANSACTION: u128 = 10_000;

/// The way in which a connection is set up.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// What is sent after connecting; nothing where the startup packet or the server's role has it.
    after: Option<String>,
}

impl Session {
    pub(crate) fn of(settings: &PostgresSettings) -> Self {
        let set = || limits(settings).map(|(name, value)| format!("SET {name} = {value}")).join("; ");
        Self { after: (settings.pooler == Pooler::Session).then(set) }
    }

    /// Sets a new connection up.
    pub(super) async fn begin(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        if let Some(text) = &self.after {
            connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(text.clone()))).await?;
        }
        Ok(())
    }
}

impl PostgresSettings {
    /// The address for statements and transactions.
    pub(crate) fn address(&self) -> StoreResult<Address> {
        self.address_at(&self.url)
    }

    /// The settings for what needs a connection of its own as long as it lasts: locks of a session, and news.
    pub(crate) fn of_sessions(&self) -> Self {
        let pooler = if self.pooler == Pooler::None { Pooler::None } else { Pooler::Session };
        let url = self.session_url.clone().unwrap_or_else(|| self.url.clone());
        Self { url, pooler, ..self.clone() }
    }

    fn address_at(&self, url: &SecretString) -> StoreResult<Address> {
        let address = Address::read(url.expose_secret())?;
        let servers = address.servers.into_iter().map(|server| self.set_up(server)).collect();
        Ok(Address { servers, ..address })
    }

    fn set_up(&self, server: PgConnectOptions) -> PgConnectOptions {
        let server = server
            .application_name("tradepost")
            .statement_cache_capacity(self.statements_kept)
            .log_statements(LevelFilter::Off)
            .log_slow_statements(LevelFilter::Warn, SLOW);
        match self.pooler {
            Pooler::None => server.options(limits(self)),
            // A pooler rejects parameters that it does not follow.
            Pooler::Session | Pooler::Transaction => server.extra_float_digits(None),
        }
    }
}

fn limits(settings: &PostgresSettings) -> [(&'static str, String); 3] {
    [
        ("statement_timeout", settings.statement_timeout.as_millis().to_string()),
        ("lock_timeout", settings.lock_timeout.as_millis().to_string()),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION.to_string()),
    ]
}
