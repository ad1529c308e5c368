//! The connections to a PostgreSQL server, with the settings that make them fast and safe, and the way to the server that is used when
//! another one takes its place.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr, RuntimeErr};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection as _, PgPool};
use tokio::time::timeout;
use tradepost_ports::store::{StoreError, StoreResult};

use super::address::Address;
use super::outage::{Outage, Purpose};
use super::reach::Reach;
use super::servers::Found;
use super::session::Session;
use crate::classify::{DbOperation, Loss, classify, loss_of};
use crate::connection_options::quiet;
use crate::settings::{Pooler, PostgresSettings};

/// How long after its own limit a statement counts as lost. Without this, calls wait for ever for a server that was cut off.
const GRACE: Duration = Duration::from_secs(1);
/// How often the servers are asked which of them accepts writes.
const BETWEEN_SEARCHES: Duration = Duration::from_millis(100);

/// The connections to the server.
#[derive(Debug, Clone)]
pub(crate) struct Connections {
    db: DatabaseConnection,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    address: Address,
    /// The place in the address of the server that is used.
    place: AtomicUsize,
    reach: Arc<Reach>,
    outage: Outage,
    is_searching: AtomicBool,
    /// The longest that a statement takes, with the time that it waits for its connection.
    longest: Duration,
}

/// The server of an address that is used.
pub(super) struct Used {
    place: usize,
    pub(super) options: PgConnectOptions,
}

/// Opens the connections.
pub(crate) async fn open(settings: &PostgresSettings) -> StoreResult<Connections> {
    let address = settings.address()?;
    let reach = Reach::new(address.target, Session::of(settings));
    let Used { place, options: server } = used(&address).await?;
    let mut options = pool_to(server, &reach, settings.acquire_timeout);
    options.max_connections(settings.max_connections).min_connections(settings.min_connections);
    let db = Database::connect(options).await.map_err(|error| classify(&error, DbOperation::Statement))?;
    let longest = settings.acquire_timeout.saturating_add(settings.statement_timeout).saturating_add(GRACE);
    let (outage, is_searching, place) = (Outage::new(), AtomicBool::new(false), AtomicUsize::new(place));
    let shared = Shared { address, place, reach, outage, is_searching, longest };
    let connections = Connections { db, shared: Arc::new(shared) };
    if settings.pooler == Pooler::Transaction {
        connections.check_limits().await?;
    }
    Ok(connections)
}

/// The options of connections to a server, of which a caller waits for one at most so long.
pub(super) fn pool_to(server: PgConnectOptions, reach: &Arc<Reach>, acquire_timeout: Duration) -> ConnectOptions {
    let (guarded, mut options) = (Arc::clone(reach), ConnectOptions::new("postgres://unused"));
    quiet(&mut options)
        .connect_timeout(acquire_timeout)
        .acquire_timeout(acquire_timeout)
        // With either limit the pool maintains its connections by itself, and may never stop (ADR 137).
        .idle_timeout(None::<Duration>)
        .max_lifetime(None::<Duration>)
        .map_sqlx_postgres_pool_opts(move |pool| guarded.guard(pool))
        .map_sqlx_postgres_opts(move |_| server.clone());
    options
}

/// How to connect to the server that is to be used now.
pub(super) async fn used(address: &Address) -> StoreResult<Used> {
    if let ([one], false) = (address.servers.as_slice(), address.has_choice()) {
        return Ok(Used { place: 0, options: one.clone() });
    }
    let Found { place, options, connection } = address.find().await?;
    end(connection).await;
    Ok(Used { place, options })
}

/// Closes a connection that was answered already: how it ends makes no difference.
async fn end(connection: sqlx::PgConnection) {
    drop(connection.close().await);
}

impl Connections {
    pub(crate) const fn db(&self) -> &DatabaseConnection {
        &self.db
    }

    /// The same connections, with a change to what runs statements on them.
    pub(crate) fn map(self, change: impl FnOnce(DatabaseConnection) -> DatabaseConnection) -> Self {
        Self { db: change(self.db), ..self }
    }

    /// The longest that a statement takes.
    pub(super) fn longest(&self) -> Duration {
        self.shared.longest
    }

    /// Runs a statement, and remembers what its outcome says of the server.
    pub(crate) async fn ask<T>(
        &self,
        purpose: Purpose,
        asking: impl Future<Output = Result<T, DbErr>> + Send,
    ) -> Result<T, DbErr> {
        let began = Instant::now();
        let mut asking = pin!(asking);
        // What is cut off is dropped after the connections are doubted, so that it is not used again.
        let answered = timeout(self.shared.longest, &mut asking).await.unwrap_or_else(|_| Err(no_answer()));
        match &answered {
            Ok(_) => {
                self.shared.outage.end(began, purpose);
            }
            Err(error) => self.note(began, error),
        }
        answered
    }

    /// Remembers that the server was found to accept no writes.
    pub(crate) fn note_read_only(&self) {
        self.lose(Instant::now(), Loss::ReadOnly, "the server is a standby");
    }

    /// Remembers that a statement failed that had begun at this time, if that says something about the server.
    pub(crate) fn note(&self, began: Instant, error: &DbErr) {
        if let Some(loss) = loss_of(error) {
            self.lose(began, loss, &classify(error, DbOperation::Statement).to_string());
        }
    }

    fn lose(&self, began: Instant, loss: Loss, why: &str) {
        let reach = &self.shared.reach;
        match loss {
            Loss::NoConnection if self.shared.outage.was_answered_since(began) => {
                // Who waited while the server was away did not wait for the other users of the pool.
                if !self.shared.outage.includes(began) {
                    tracing::warn!("all connections of the pool were in use; see database.max_connections");
                }
                return;
            }
            Loss::OutOfReach | Loss::NoConnection => reach.doubt_all(),
            Loss::ReadOnly => reach.replace_read_only(),
        }
        self.shared.outage.begin(began, loss, why);
        if self.shared.address.has_choice() && !self.shared.is_searching.swap(true, Ordering::SeqCst) {
            let pool = self.db.get_postgres_connection_pool().clone();
            tokio::spawn(search(Arc::downgrade(&self.shared), pool));
        }
    }

    /// Warns where statements have no limit: a pooler that shares connections between transactions lets no one set it.
    async fn check_limits(&self) -> StoreResult<()> {
        let limits = "SELECT current_setting('statement_timeout') <> '0' AND current_setting('lock_timeout') <> '0'";
        let row = sqlx::raw_sql(limits).fetch_one(self.db.get_postgres_connection_pool()).await;
        let has_limits = row.and_then(|row| sqlx::Row::try_get::<bool, _>(&row, 0));
        if !has_limits.map_err(|error| StoreError::Unavailable(error.to_string()))? {
            tracing::warn!(
                "statements have no time limit; set statement_timeout and lock_timeout of the database's role (ALTER ROLE)"
            );
        }
        Ok(())
    }
}

/// Looks for the server to be used until there is one, and leads new connections there.
async fn search(shared: Weak<Shared>, pool: PgPool) {
    while let Some(lost) = shared.upgrade().filter(|_| !pool.is_closed()) {
        match lost.address.find().await {
            Ok(Found { place, options, connection }) => {
                pool.set_connect_options(options);
                if lost.place.swap(place, Ordering::SeqCst) != place {
                    lost.reach.replace_all();
                    tracing::debug!(server = place.saturating_add(1), "another server of the address is used");
                }
                end(connection).await;
                lost.is_searching.store(false, Ordering::SeqCst);
                return;
            }
            Err(error) => tracing::debug!(%error, "no server to be used was found yet"),
        }
        drop(lost);
        tokio::time::sleep(BETWEEN_SEARCHES).await;
    }
}

fn no_answer() -> DbErr {
    let error = io::Error::new(io::ErrorKind::TimedOut, "the server did not answer in time");
    DbErr::Exec(RuntimeErr::SqlxError(Arc::new(sqlx::Error::Io(error))))
}
