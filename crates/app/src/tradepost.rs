//! The assembled whole: operations, the router over them, the background work, and an orderly end.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tradepost_adapters_auth::Argon2Passwords;
use tradepost_adapters_connect::{ServeError, Tls, Transport, TransportSettings};
use tradepost_adapters_limits::GovernorLimiter;
use tradepost_adapters_sql::{RightsNews, SqlStore};
use tradepost_domain::accounts::session::SessionLife;
use tradepost_domain::id::WorkspaceId;
use tradepost_engine::{Desk, Engine, SafeTimings};
use tradepost_operations::{OpError, OpResult, Operations, Ports, WaiterLimits};
use tradepost_ports::clock::{Clock, Ids as _, RandomIds};
use tradepost_ports::limiter::SharedCounts;
use tradepost_ports::store::{Store, StoreError};

use crate::background::{Drive, Duty, LastPasses};
use crate::builder::Feeds;
use crate::pages::health::Readiness;
use crate::pages::{email, health};
use crate::{Builder, FeedStart, MetricReads, PassObserver, RecordedDesks, SystemClock, TransitionFeed, background};

/// A tradepost, ready to work. Clones share everything.
///
/// Dropping the last clone stops what goes on in the background; only [`Tradepost::shutdown`] also stores what is not
/// stored yet.
#[derive(Clone)]
pub struct Tradepost(Arc<Shared>);

struct Shared {
    operations: Arc<Operations>,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    database: Option<Arc<SqlStore>>,
    transport: TransportSettings,
    passes: Arc<LastPasses>,
    tasks: TaskTracker,
    duty: Duty,
    /// Cancelled once the work in the background may begin.
    begun: CancellationToken,
    stopping: CancellationToken,
}

/// Work that begins once the installation may change by itself.
struct Background {
    tasks: TaskTracker,
    begun: CancellationToken,
    stopping: CancellationToken,
}

impl Background {
    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let (begun, stopping) = (self.begun.clone(), self.stopping.clone());
        self.tasks.spawn(async move {
            stopping.run_until_cancelled(begun.cancelled()).await;
            work.await;
        });
    }

    /// Begins to report to the other processes on the database that this one is alive, where there can be any.
    fn report_alive(&self, counts: Option<Arc<dyn SharedCounts>>, limiter: Option<Arc<GovernorLimiter>>) -> Duty {
        let Some(counts) = counts else { return Duty::of_one() };
        let (sender, duty) = Duty::of_several();
        // Ids are in the order of their creation.
        let process = RandomIds::default().next(SystemClock.now());
        self.spawn(background::report_alive(counts, process, limiter, sender, self.stopping.clone()));
        duty
    }

    /// Begins the work that any process may have left.
    fn look_for_work(&self, operations: &Arc<Operations>, duty: &Duty) {
        self.spawn(background::form_candles(operations.clone(), duty.clone(), self.stopping.clone()));
        self.spawn(background::take_equity_marks(operations.clone(), duty.clone(), self.stopping.clone()));
        self.spawn(background::forget_old(operations.clone(), duty.clone(), self.stopping.clone()));
        self.spawn(background::sweep(operations.clone(), duty.clone(), self.stopping.clone()));
        self.spawn(background::chain_audit_events(operations.clone(), duty.clone(), self.stopping.clone()));
        self.spawn(background::place_transitions(operations.clone(), duty.clone(), self.stopping.clone()));
        self.spawn(background::hand_over_mails(operations.clone(), duty.clone(), self.stopping.clone()));
        self.spawn(background::deliver_webhooks(operations.clone(), duty.clone(), self.stopping.clone()));
        self.spawn(background::look_for_alerts(operations.clone(), duty.clone(), self.stopping.clone()));
        self.spawn(background::send_alerts(operations.clone(), duty.clone(), self.stopping.clone()));
        self.spawn(background::reseal_workspace_secrets(operations.clone(), duty.clone(), self.stopping.clone()));
    }
}

/// What a builder has put together.
pub(crate) struct Parts {
    pub(crate) ports: Ports,
    /// `None` where the embedder provides the store.
    pub(crate) database: Option<Arc<SqlStore>>,
    /// `None` where the embedder provides the password hashing.
    pub(crate) passwords: Option<Arc<Argon2Passwords>>,
    /// `None` where the embedder provides the limiter.
    pub(crate) limiter: Option<Arc<GovernorLimiter>>,
    /// Where other processes may use the same database.
    pub(crate) counts: Option<Arc<dyn SharedCounts>>,
    /// What is read for workspaces.
    pub(crate) feeds: Feeds,
    pub(crate) rights: RightsChanges,
    pub(crate) public_url: String,
    pub(crate) sign_up: bool,
    pub(crate) sample_data: bool,
    pub(crate) session_life: SessionLife,
    pub(crate) waiters: WaiterLimits,
    pub(crate) transport: TransportSettings,
}

/// How this process learns that another one has changed the rights of a caller.
pub(crate) enum RightsChanges {
    /// No other process changes them.
    Own,
    /// The database sends a notice of each change.
    Announced(RightsNews),
    /// Nothing announces them, so that every call looks its caller up.
    Unannounced,
}

/// What was not stored at the end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShutdownError {
    /// When keys were last used.
    #[error("when keys were last used was not stored")]
    KeyUses(#[source] OpError),
    /// How much workspaces are used.
    #[error("how much workspaces are used was not stored")]
    Usage(#[source] OpError),
    /// The database was not closed in order; what was acknowledged is stored all the same.
    #[error("the database was not closed in order")]
    Close(#[source] StoreError),
}

impl Tradepost {
    /// The parts, to be chosen.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn of(parts: Parts) -> Self {
        let (store, clock) = (parts.ports.store.clone(), parts.ports.clock.clone());
        let operations = Operations::new(parts.ports, parts.public_url).with_session_life(parts.session_life);
        let operations = operations.with_waiters(parts.waiters);
        let operations = if parts.sign_up { operations } else { operations.without_sign_up() };
        let operations = Arc::new(if parts.sample_data { operations.with_sample_data() } else { operations });
        let (tasks, stopping) = (TaskTracker::new(), CancellationToken::new());
        let begun = CancellationToken::new();
        if !parts.sample_data {
            begun.cancel();
        }
        let background = Background { tasks: tasks.clone(), begun: begun.clone(), stopping: stopping.clone() };
        if let Some(passwords) = parts.passwords {
            tasks.spawn(background::warm_passwords(passwords));
        }
        let duty = background.report_alive(parts.counts, parts.limiter.clone());
        background.look_for_work(&operations, &duty);
        background.spawn(background::flush_uses(operations.clone(), stopping.clone()));
        background.spawn(background::follow_events(operations.clone(), stopping.clone()));
        background.spawn(background::follow_alerts(operations.clone(), stopping.clone()));
        background.spawn(background::renew(operations.clone(), stopping.clone()));
        let turns = Arc::new(background::Turns::new(operations.clone(), duty.clone()));
        for feed in parts.feeds.prices {
            operations.offer_driver(feed.driver().clone());
            operations.offer_probe(Arc::new(background::FeedProbe(Arc::clone(&feed))));
            let (operations, turns) = (operations.clone(), turns.clone());
            background.spawn(background::read_prices(operations, feed, turns, clock.clone(), stopping.clone()));
        }
        for feed in parts.feeds.listings {
            operations.offer_driver(feed.driver().clone());
            operations.offer_probe(Arc::new(background::ListingFeedProbe::of(Arc::clone(&feed))));
            let (operations, turns) = (operations.clone(), turns.clone());
            background.spawn(background::read_listings(operations, feed, turns, clock.clone(), stopping.clone()));
        }
        if let Some(limiter) = parts.limiter {
            background.spawn(background::forget_idle_limits(limiter, stopping.clone()));
        }
        match (parts.rights, &parts.database) {
            (RightsChanges::Announced(news), Some(database)) => {
                let (database, operations) = (database.clone(), operations.clone());
                background.spawn(background::follow_rights(database, operations, news, stopping.clone()));
            }
            (RightsChanges::Own, _) => {}
            (RightsChanges::Announced(_), None) | (RightsChanges::Unannounced, _) => operations.remember_callers(false),
        }
        let (database, transport) = (parts.database, parts.transport);
        let passes = Arc::default();
        Self(Arc::new(Shared { operations, store, clock, database, transport, passes, tasks, duty, begun, stopping }))
    }

    /// The operations, to be called in process.
    pub fn operations(&self) -> &Arc<Operations> {
        &self.0.operations
    }

    /// Creates an engine that trades for a desk, by the desk's clock.
    ///
    /// From now on the operations on contracts, markets and trading accounts of this workspace use that clock as well. It changes
    /// nothing else: users, keys, sessions, limits, the audit log and other workspaces keep the server's clock. A workspace trades in
    /// the real market or in a simulated one, and never in both.
    ///
    /// # Errors
    /// `not_found` without such a workspace; `failed_precondition` with `MARKET_KIND` where it trades in a market of the other kind;
    /// `internal` when storage is out.
    pub async fn engine(&self, desk: Desk) -> OpResult<Engine> {
        self.engine_with_timings(desk, SafeTimings::default()).await
    }

    /// Returns an engine with other intervals and bounds than the default ones.
    ///
    /// # Errors
    /// The same.
    pub async fn engine_with_timings(&self, desk: Desk, timings: SafeTimings) -> OpResult<Engine> {
        self.0.operations.trade_by(desk.workspace_id, desk.clock.clone()).await?;
        Ok(Engine::with_timings(self.0.operations.clone(), desk, timings))
    }

    /// Begins the work in the background of an installation with [sample data](Builder::sample_data). Has no effect on others, whose work has begun
    /// with them.
    pub fn sample_data_is_complete(&self) {
        self.0.begun.cancel();
    }

    /// From now on the status reason of an active contract shows that no running engine serves any of its marketplaces, in this process or
    /// in another one on the database, and a remediation reports it. Not for programs that record purchases without an engine.
    pub fn report_unserved_contracts(&self) {
        let (operations, duty, stopping) = (self.0.operations.clone(), self.0.duty.clone(), self.0.stopping.clone());
        self.0.tasks.spawn(background::look_for_unserved_contracts(operations, duty, stopping));
    }

    /// From now on measures the installation every 15 s, for the recorder of [`metrics`](https://docs.rs/metrics) that is installed:
    /// records by status, money, open problems and queues. [`metrics::ALL`] lists what is recorded. Has no effect with a store of
    /// [`Builder::store`].
    ///
    /// Of several processes on a database the one that began last always measures, and each of the others only for 5 min after its metrics
    /// were read, which the returned value has to learn ([`MetricReads::note`]).
    ///
    /// [`metrics::ALL`]: tradepost_ports::metrics::ALL
    pub fn measure_installation(&self) -> MetricReads {
        let reads = MetricReads::none();
        if let Some(database) = self.0.database.clone() {
            let (clock, duty, stopping) = (self.0.clock.clone(), self.0.duty.clone(), self.0.stopping.clone());
            self.0.tasks.spawn(background::measure(database, clock, duty, reads.clone(), stopping));
        }
        reads
    }

    /// Runs a pass of the engine at this interval until the shutdown, which waits for the open pass. The observer runs before and
    /// after each pass: a closure that takes the [`Pass`](tradepost_engine::Pass), or `()`.
    ///
    /// Until the shutdown, operations that look up a purchase or test a provider ask the engine's marketplaces.
    pub fn trade(&self, engine: Engine, every: Duration, observer: impl PassObserver + 'static) {
        self.0.operations.offer_lookup(engine.purchase_lookup());
        self.0.operations.offer_probe(engine.provider_probe());
        let (clock, passes, stop) = (self.0.clock.clone(), self.0.passes.clone(), self.0.stopping.clone());
        self.0.tasks.spawn(background::trade_to_the_end(engine, Drive { every, clock, passes, stop }, observer));
    }

    /// From now on trades for every workspace that has a game platform on record which one of the connectors connects, with the marketplaces,
    /// price sources and trading accounts that it has on record, until the shutdown.
    ///
    /// Records are read every 2 s. When they have changed, the engine ends its pass and begins again with what is on record then. A
    /// provider that cannot be connected is left out and tried again; after 1 min the remediation `PROVIDER_DOWN` names the reason.
    ///
    /// Processes that do so on one PostgreSQL share the workspaces evenly, each under a [node](RecordedDesks::node) of its own. When one is killed, the others
    /// trade for its workspaces within 30 s.
    pub fn trade_by_records(&self, desks: RecordedDesks) {
        for connector in &desks.connectors {
            self.0.operations.offer_driver(connector.driver().clone());
        }
        let host = background::Host {
            operations: self.0.operations.clone(),
            clock: self.0.clock.clone(),
            passes: self.0.passes.clone(),
            tasks: self.0.tasks.clone(),
            stop: self.0.stopping.clone(),
            process: RandomIds::default().next(SystemClock.now()),
            processes: self.0.database.as_ref().and_then(|database| database.trading_processes()),
        };
        self.0.tasks.spawn(background::trade_by_records(host, desks));
    }

    /// Opens the event hook: a feed of the committed changes of status of a workspace. [`TransitionFeed`] documents order and delivery.
    ///
    /// ```no_run
    /// # async fn example(app: tradepost::Tradepost, workspace_id: tradepost::domain::id::WorkspaceId) -> tradepost::operations::OpResult<()> {
    /// let mut feed = app.transitions(workspace_id, tradepost::FeedStart::Now).await?;
    /// while let Some(transition) = feed.next().await? {
    ///     println!("{:?}: {:?} -> {}", transition.subject, transition.from, transition.to);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `internal` when storage fails.
    pub async fn transitions(&self, workspace_id: WorkspaceId, start: FeedStart) -> OpResult<TransitionFeed> {
        TransitionFeed::open(self.0.operations.clone(), self.0.stopping.clone(), workspace_id, start).await
    }

    /// The store, for reads that no operation offers.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.store
    }

    /// The database, for checks and copies; `None` with a store of [`Builder::store`].
    pub fn database(&self) -> Option<&Arc<SqlStore>> {
        self.0.database.as_ref()
    }

    /// The interface, the pages of links in mails, and with the feature `console` the console, to be mounted at the root of an axum application. For the client's
    /// address serve it with `into_make_service_with_connect_info::<SocketAddr>()`.
    pub async fn router(&self) -> axum::Router {
        self.host(axum::Router::new()).into_router().await
    }

    /// `/livez` and `/readyz`, to be mounted wherever the operator's tools look.
    pub fn health_router(&self) -> axum::Router {
        health::pages(Readiness { store: self.0.store.clone(), stopping: self.0.stopping.clone() })
    }

    /// Serves the interface, with `pages` in addition, until `shutdown` is done: HTTP/1.1 and HTTP/2, with TLS or without.
    /// Open calls are completed. Does not shut the rest down.
    ///
    /// # Errors
    /// [`ServeError`] when the host fails.
    pub async fn serve(
        &self,
        listener: TcpListener,
        tls: Option<Tls>,
        pages: axum::Router,
        shutdown: impl Future<Output = ()>,
    ) -> Result<(), ServeError> {
        let stopping = self.0.stopping.clone();
        let stopped = async move {
            shutdown.await;
            stopping.cancel();
        };
        self.host(pages).serve(listener, tls, stopped).await
    }

    /// Stops what goes on in the background, stores what is not stored yet, and closes the database. Nothing can be
    /// called afterwards. A store of [`Builder::store`] is not closed.
    ///
    /// # Errors
    /// [`ShutdownError`] names what was not stored.
    pub async fn shutdown(&self) -> Result<(), ShutdownError> {
        self.0.stopping.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
        self.0.operations.flush_uses().await.map_err(ShutdownError::KeyUses)?;
        self.0.operations.flush_usage().await.map_err(ShutdownError::Usage)?;
        match &self.0.database {
            Some(database) => database.close().await.map_err(ShutdownError::Close),
            None => Ok(()),
        }
    }

    fn host(&self, pages: axum::Router) -> Transport {
        let transport = Transport::new(self.0.operations.clone(), &self.0.transport);
        #[cfg(feature = "console")]
        let transport = transport.with_front(crate::pages::console::answer);
        transport.with_pages(email::pages().merge(pages))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.stopping.cancel();
    }
}

impl fmt::Debug for Tradepost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tradepost").field("operations", &self.0.operations).finish_non_exhaustive()
    }
}
