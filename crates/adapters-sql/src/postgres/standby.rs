//! A standby from which lists and reports are read: its connections, and when it is read from. A reader gets what this process has written
//! before; what other processes wrote, it gets after a time at most. No decision is made by what is read here.

mod freshness;

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection, DbBackend, DbErr, QueryResult, Statement};
use tokio::sync::Notify;
use tokio::time::timeout;
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::{AppendedRow, ChangeSet};
use tradepost_ports::metrics::DATABASE_READS;
use tradepost_ports::record::Kind;
use tradepost_ports::store::{StoreError, StoreResult};

use super::compose::address_of;
use super::connections::{Connections, pool_to};
use super::outage::Purpose;
use super::reach::Reach;
use super::session::Session;
use super::target::Target;
use crate::classify::{DbOperation, Loss, classify, code_of, loss_of};
use crate::rows::cell;
use crate::settings::PostgresSettings;
use freshness::{Freshness, Home, Known, Look};

/// How often both servers are asked for their positions while something is read from the standby, and otherwise.
const IN_USE: Duration = Duration::from_millis(100);
const AT_REST: Duration = Duration::from_secs(1);
/// For how long after a reader came the standby is in use.
const USED_FOR: Duration = Duration::from_secs(10);
/// How long the standby may take to accept a connection, and to say its position.
const ANSWER: Duration = Duration::from_secs(1);
/// For how long nothing is asked of the standby after failures, at most. Each failure doubles the time.
const LONGEST_REST: Duration = Duration::from_secs(30);
/// How often `check` looks whether anything is known yet.
const CHECKING: Duration = Duration::from_millis(50);

/// The position of the primary, behind every commit that it has acknowledged, and the cluster and the database.
const WRITTEN: &str = "SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() \
    ELSE pg_current_wal_lsn() END - '0/0'::pg_lsn)::bigint, system_identifier, \
    (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) FROM pg_control_system()";
/// The same of the standby: what it has replayed, and nothing if it is not a standby.
const REPLAYED: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint END, \
    system_identifier, (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) FROM pg_control_system()";
/// What ends a statement without saying anything of its server: a conflict with what is replayed, and time limits.
const OF_THE_STATEMENT: [&str; 4] = ["40001", "40P01", "55P03", "57014"];

/// The standby, and what is known of it.
#[derive(Debug)]
pub(crate) struct Standby {
    db: DatabaseConnection,
    reach: Arc<Reach>,
    /// By how much a reader may lag.
    within: Duration,
    /// How long the primary may go on with a write whose caller was dropped.
    longest: Duration,
    state: Mutex<State>,
    /// Failures since something was read.
    failures: AtomicU32,
    /// Heard by readers who wait for the standby when it is left.
    left: Notify,
    /// Heard by the task that follows it.
    wanted: Arc<Notify>,
}

#[derive(Debug)]
struct State {
    freshness: Freshness,
    standing: Standing,
    /// When a reader last came.
    asked: Option<Instant>,
    /// Nothing is asked of it until then.
    rests_until: Option<Instant>,
}

/// Whether the standby is read from.
#[derive(Debug)]
enum Standing {
    NotYet,
    Used,
    Left { since: Instant, why: String },
}

/// Where a server is in the write-ahead log.
struct Position {
    at: Option<i64>,
    /// Its cluster, and the database there.
    of: [i64; 2],
}

/// A write that its workspaces wait for. The primary may be at it when it is dropped before its end.
pub(crate) struct NotedWrite<'a> {
    standby: &'a Standby,
    homes: BTreeSet<Home>,
    is_over: bool,
}

impl Standby {
    /// Opens the connections to the standby that the settings name, and begins to follow it. A server that does not answer is tried again.
    pub(crate) async fn open(
        settings: &PostgresSettings,
        primary: &Connections,
        watch: impl FnOnce(DatabaseConnection) -> DatabaseConnection,
    ) -> StoreResult<Option<Arc<Self>>> {
        let Some(server) = settings.standby()? else { return Ok(None) };
        // Whether it is a standby is asked together with its position.
        let reach = Reach::new(Target::Any, Session::read_only(settings));
        let mut options = pool_to(server, &reach, ANSWER);
        options.max_connections(settings.max_connections).connect_lazy(true);
        let db = Database::connect(options).await.map_err(|error| classify(&error, DbOperation::Statement))?;
        let within = settings.read_lag;
        let freshness = Freshness::new(within, Instant::now());
        let standby = Arc::new(Self {
            db: watch(db),
            reach,
            within,
            longest: primary.longest(),
            state: Mutex::new(State { freshness, standing: Standing::NotYet, asked: None, rests_until: None }),
            failures: AtomicU32::new(0),
            left: Notify::new(),
            wanted: Arc::default(),
        });
        tokio::spawn(follow(Arc::downgrade(&standby), primary.clone()));
        Ok(Some(standby))
    }

    pub(crate) const fn db(&self) -> &DatabaseConnection {
        &self.db
    }

    /// Closes the connections, and stops following.
    pub(crate) async fn close(&self) -> Result<(), DbErr> {
        self.db.clone().close().await
    }

    /// Whether the standby has everything that a reader of a workspace needs to see. Counts the reader.
    pub(crate) fn may_answer(&self, workspace: WorkspaceId) -> bool {
        let now = Instant::now();
        let mut state = self.state();
        let is_used = matches!(state.standing, Standing::Used);
        let may_answer = is_used && state.freshness.has(&workspace.to_bytes(), now);
        let before = state.asked.replace(now);
        drop(state);
        // What is known is a second old if nothing was read lately.
        if is_used && before.is_none_or(|before| now.duration_since(before) > USED_FOR) {
            self.wanted.notify_one();
        }
        count(if may_answer { "standby" } else { "primary" });
        may_answer
    }

    /// Reads from the standby; nothing if it has failed or is left, or if the primary has answered a reader with something newer, and
    /// the primary is to be asked. A call of several statements therefore never goes back in time.
    pub(crate) async fn read<T>(&self, reading: impl Future<Output = Result<T, DbErr>> + Send) -> Option<T> {
        let left = self.left.notified();
        if !self.state().may_go_on() {
            return None;
        }
        let read = tokio::select! {
            read = reading => read,
            () = left => return None,
        };
        match read {
            Ok(read) => {
                self.failures.store(0, Ordering::Relaxed);
                Some(read)
            }
            Err(error) => {
                if !is_of_the_statement(&error) {
                    self.fail(&classify(&error, DbOperation::Statement));
                }
                None
            }
        }
    }

    /// Notes that the primary has answered a reader in the place of the standby.
    pub(crate) fn note_answer_of_the_primary(&self) {
        self.state().freshness.not_before(Instant::now());
        count("primary");
    }

    /// Notes that the primary has answered a reader of a workspace who may come back to the standby.
    pub(crate) fn note_shown(&self, workspace: WorkspaceId) {
        self.state().freshness.note(workspace.to_bytes(), Instant::now());
    }

    /// Notes that something is written into these homes, from the end of the write on.
    pub(crate) fn writing(&self, homes: BTreeSet<Home>) -> NotedWrite<'_> {
        NotedWrite { standby: self, homes, is_over: false }
    }

    /// The age of the newest state of the primary that the standby is known to have had.
    pub(crate) fn lag(&self) -> Duration {
        self.state().freshness.age(Instant::now())
    }

    /// Waits until something is known of the standby. By how much it is behind.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with the reason for which nothing is read from it.
    pub(crate) async fn check(&self) -> StoreResult<Duration> {
        let most = self.within.saturating_add(ANSWER.saturating_mul(2));
        let known = async {
            loop {
                match &self.state().standing {
                    Standing::NotYet => {}
                    Standing::Used => return Ok(()),
                    Standing::Left { why, .. } => return Err(StoreError::Unavailable(why.clone())),
                }
                tokio::time::sleep(CHECKING).await;
            }
        };
        let known = timeout(most, known).await;
        known.unwrap_or_else(|_| Err(StoreError::Unavailable("nothing is known of it".to_owned())))?;
        Ok(self.lag())
    }

    /// Asks both servers for their positions, the standby first: one that is ahead then has another history.
    async fn look(&self, primary: &Connections) {
        let asked = Instant::now();
        if self.state().is_resting() {
            return;
        }
        let replayed = match self.position().await {
            Ok(position) => position,
            Err(error) => return self.fail(&error),
        };
        let at = Instant::now();
        let asking = primary.db().query_one_raw(Statement::from_string(DbBackend::Postgres, WRITTEN));
        let written = primary.ask(Purpose::Reading, asking).await;
        let written = written.map_err(|error| classify(&error, DbOperation::Statement)).and_then(position_in);
        let Ok(Position { at: Some(written), of }) = written else {
            // An outage of the primary has lines of its own. Another server may take its place.
            self.state().freshness.forget(Instant::now());
            return;
        };
        let Some(replayed) = replayed.at.filter(|_| replayed.of == of) else {
            return self.fail(&StoreError::Unavailable("it is not a standby of the primary".to_owned()));
        };
        let known = self.state().freshness.look(Look { asked, at, written, replayed });
        match known {
            Known::Fresh(lag) => self.enter(lag),
            Known::Nothing => {}
            Known::Behind => self.leave(format!("it is more than {} s behind", self.within.as_secs())),
            Known::Foreign => self.leave("it is not at a place in the history of the primary".to_owned()),
        }
    }

    async fn position(&self) -> StoreResult<Position> {
        let mut asking = pin!(self.db.query_one_raw(Statement::from_string(DbBackend::Postgres, REPLAYED)));
        match timeout(ANSWER, &mut asking).await {
            Ok(Ok(row)) => position_in(row),
            Ok(Err(error)) if loss_of(&error) != Some(Loss::NoConnection) => {
                Err(classify(&error, DbOperation::Statement))
            }
            Ok(Err(_)) | Err(_) => {
                // What is cut off is dropped after that, so that it is not used again.
                self.reach.replace_all();
                Err(StoreError::Unavailable(format!("no answer within {} s", ANSWER.as_secs())))
            }
        }
    }

    fn enter(&self, lag: Duration) {
        let mut state = self.state();
        if state.is_resting() {
            // It has failed a reader since then.
            return;
        }
        let left_for = match &state.standing {
            Standing::Used => return,
            Standing::NotYet => None,
            // Or it would be left again at once.
            Standing::Left { .. } if lag > self.within / 2 => return,
            Standing::Left { since, .. } => Some(since.elapsed()),
        };
        state.standing = Standing::Used;
        drop(state);
        match left_for {
            None => tracing::info!("lists and reports are read from the standby"),
            Some(left_for) => {
                tracing::info!(left_for_seconds = format!("{:.1}", left_for.as_secs_f64()), "standby back");
            }
        }
    }

    /// Leaves the standby for a while, a longer one after each failure.
    fn fail(&self, error: &StoreError) {
        let mut state = self.state();
        if state.is_resting() {
            // Others were reading at the same time.
            return;
        }
        let failures = self.failures.fetch_add(1, Ordering::Relaxed).min(16);
        let rest = IN_USE.saturating_mul(2_u32.saturating_pow(failures)).min(LONGEST_REST);
        state.rests_until = Some(Instant::now() + rest);
        state.freshness.forget(Instant::now());
        drop(state);
        // Processes of a killed server may still answer on connections that they have, and none of them accepts a new one.
        self.reach.replace_all();
        self.leave(if let StoreError::Unavailable(why) = error { why.clone() } else { error.to_string() });
    }

    fn leave(&self, why: String) {
        let mut state = self.state();
        if let Standing::Left { why: known, .. } = &mut state.standing {
            *known = why;
        } else {
            if !self.is_closed() {
                tracing::warn!(why, "standby left; lists and reports are read from the primary");
            }
            state.standing = Standing::Left { since: Instant::now(), why };
        }
        drop(state);
        self.left.notify_waiters();
    }

    /// How long it is until both servers are asked again.
    fn pause(&self) -> Duration {
        let state = self.state();
        let is_in_use = state.asked.is_some_and(|asked| asked.elapsed() <= USED_FOR);
        match &state.standing {
            Standing::Used if !is_in_use => AT_REST,
            Standing::NotYet | Standing::Used | Standing::Left { .. } => IN_USE,
        }
    }

    fn is_closed(&self) -> bool {
        self.db.get_postgres_connection_pool().is_closed()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether the standby is used, and has what the primary has answered readers with.
    fn may_go_on(&self) -> bool {
        matches!(self.standing, Standing::Used) && self.freshness.reaches_floor()
    }

    fn is_resting(&self) -> bool {
        self.rests_until.is_some_and(|until| Instant::now() < until)
    }
}

impl Drop for Standby {
    fn drop(&mut self) {
        self.wanted.notify_one();
    }
}

impl NotedWrite<'_> {
    /// Ends it. The outcome is unknown if the primary may still be at it.
    pub(crate) fn end(mut self, is_known: bool) {
        self.is_over = is_known;
    }
}

impl Drop for NotedWrite<'_> {
    fn drop(&mut self) {
        let longest = if self.is_over { Duration::ZERO } else { self.standby.longest };
        let at = Instant::now() + longest;
        let mut state = self.standby.state();
        for home in &self.homes {
            state.freshness.note(*home, at);
        }
    }
}

/// The workspaces and users into whose records a commit writes, apart from what only processes read.
pub(crate) fn homes_of(set: &ChangeSet) -> BTreeSet<Home> {
    let written =
        set.writes.iter().map(address_of).filter(|address| is_shown(address.kind)).map(|address| address.home);
    let appended = set.entries.iter().filter_map(|entry| match entry {
        AppendedRow::Link(link) => Some(link.workspace_id.to_bytes()),
        AppendedRow::Transition(transition) => Some(transition.workspace_id.to_bytes()),
        AppendedRow::FilterSetVersion(version) => Some(version.workspace_id.to_bytes()),
        AppendedRow::Evaluation(evaluation) => Some(evaluation.workspace_id.to_bytes()),
        AppendedRow::Ledger(entry) => Some(entry.workspace_id.to_bytes()),
        AppendedRow::Audit(sealed) => Some(sealed.event.home.log_id().to_bytes()),
        AppendedRow::AuditLink(_) => None,
    });
    written.chain(appended).collect()
}

/// Whether a caller sees records of a kind. The others are written every few seconds, and would keep readers away from the standby.
const fn is_shown(kind: Kind) -> bool {
    !matches!(kind, Kind::AuditHead | Kind::Execution | Kind::Lease | Kind::WebhookProgress | Kind::AlertProgress)
}

/// Follows a standby until it is closed.
async fn follow(standby: Weak<Standby>, primary: Connections) {
    while let Some(followed) = standby.upgrade().filter(|followed| !followed.is_closed()) {
        followed.look(&primary).await;
        let (pause, wanted) = (followed.pause(), Arc::clone(&followed.wanted));
        drop(followed);
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = wanted.notified() => {}
        }
    }
}

fn position_in(row: Option<QueryResult>) -> StoreResult<Position> {
    let row = row.ok_or_else(|| StoreError::Bug("a position without a row".to_owned()))?;
    Ok(Position { at: cell(&row, 0)?, of: [cell(&row, 1)?, cell(&row, 2)?] })
}

/// Whether a failure says nothing of the server: the statement met a limit, or there was no connection for it.
fn is_of_the_statement(error: &DbErr) -> bool {
    loss_of(error) == Some(Loss::NoConnection)
        || code_of(error).is_some_and(|code| OF_THE_STATEMENT.contains(&code.as_str()))
}

fn count(server: &'static str) {
    metrics::counter!(DATABASE_READS.name, "server" => server).increment(1);
}
