//! What is set on a connection before its first statement: who connects, and how long statements may take. A pooler between us and the
//! server decides how.

use log::LevelFilter;
use secrecy::{ExposeSecret as _, SecretString};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Executor as _};
use tradepost_ports::store::{StoreError, StoreResult};

use super::address::Address;
use crate::connection_options::SLOW;
use crate::settings::{Pooler, PostgresSettings};

/// Under which name the server shows connections whose address has none.
const NAME: &str = "tradepost";
/// How long a transaction may wait for its next statement, in milliseconds.
const IDLE_IN_TRANSACTION: u128 = 10_000;
/// The parameter of sessions that write nothing.
const READ_ONLY: &str = "default_transaction_read_only";
const ONE_STANDBY: &str =
    "database.read_url names several servers, of which each has replayed something else; name one standby";

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

    /// The same for a server that is only read.
    pub(super) fn read_only(settings: &PostgresSettings) -> Self {
        let Self { after } = Self::of(settings);
        Self { after: after.map(|limits| format!("{limits}; SET {READ_ONLY} = on")) }
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

    /// How to connect to the standby from which lists and reports are read, if there is one.
    pub(super) fn standby(&self) -> StoreResult<Option<PgConnectOptions>> {
        let Some(url) = &self.read_url else { return Ok(None) };
        let address = self.address_at(url).map_err(of_standby)?;
        let [server] = address.servers.as_slice() else { return Err(StoreError::Unavailable(ONE_STANDBY.to_owned())) };
        Ok(Some(match self.pooler {
            Pooler::None => server.clone().options([(READ_ONLY, "on")]),
            Pooler::Session | Pooler::Transaction => server.clone(),
        }))
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
        let name = server.get_application_name().unwrap_or(NAME).to_owned();
        let server = server
            .application_name(&name)
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

fn of_standby(error: StoreError) -> StoreError {
    if let StoreError::Unavailable(why) = error {
        StoreError::Unavailable(format!("database.read_url: {why}"))
    } else {
        error
    }
}

fn limits(settings: &PostgresSettings) -> [(&'static str, String); 3] {
    [
        ("statement_timeout", settings.statement_timeout.as_millis().to_string()),
        ("lock_timeout", settings.lock_timeout.as_millis().to_string()),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION.to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_several_standbys_or_one_that_cannot_be_read_is_refused_without_repeating_any_of_it() {
        for (url, why) in [
            ("postgres://app:Tr0ub4dor@db1,db2/tp", "name one standby"),
            ("postgres://app:Tr0ub4dor", "database.read_url: the address of the PostgreSQL server cannot be read"),
        ] {
            let primary = PostgresSettings::at("postgres://app@db/tp");
            let refused = PostgresSettings { read_url: Some(url.into()), ..primary }.standby().unwrap_err().to_string();
            assert!(refused.contains(why) && !refused.contains("Tr0ub4dor"), "{refused}");
        }
    }

    #[test]
    fn connections_have_the_name_that_their_address_gives_them() {
        let address = PostgresSettings::at("postgres://app@db/tp?application_name=node-1").address().unwrap();
        let names = address.servers.iter().map(PgConnectOptions::get_application_name);
        assert_eq!(names.collect::<Vec<_>>(), [Some("node-1")]);
    }
}
