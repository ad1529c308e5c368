//! The store: opening it, and running its reads. What a commit does is each database's own.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait as _, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, QueryResult, Statement, Value,
};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::Id;
use tradepost_ports::changes::{Changes, Committed, Seen, VersionGuard};
use tradepost_ports::connector::TradingProcesses;
use tradepost_ports::limiter::SharedCounts;
use tradepost_ports::metrics::{COMMIT_DURATION, COMMITS};
use tradepost_ports::store::{NotReady, Page, PageRequest, Records, Store, StoreError, StoreResult};
use uuid::Uuid;

use crate::classify::{DbOperation, classify};
use crate::last_used::{self, LastUse, LastUseOf};
use crate::left_out::LeftOut;
use crate::postgres::{
    Connections, NotedWrite, PostgresCommits, PostgresCounts, PostgresProcesses, Purpose, RightsNews, Standby,
    homes_of, open,
};
use crate::rows::{Stored, cell, decode, id};
use crate::settings::{DatabaseSettings, SqliteSettings};
use crate::sql_text::{index_hint, listed};
use crate::sqlite::{Exclusive, SqliteCommits, WritePermit, Writing, readers};
use crate::table::table;

/// Storage on SQLite or PostgreSQL.
///
/// The schema must be there: call [`SqlStore::migrate`], or [`SqlStore::check_schema`] where another process does that.
#[derive(Debug)]
pub struct SqlStore {
    pub(crate) settings: DatabaseSettings,
    reads: DatabaseConnection,
    /// What reads are tried at first. Only the store for answers has one.
    first: Option<Arc<Standby>>,
    /// The same store for answers that may be a few seconds old, if there is a standby.
    answers: Option<Box<Self>>,
    pub(crate) commits: Commits,
    left_out: Arc<LeftOut>,
    /// Held by the task of this process that deletes expired records.
    pub(crate) clearing: Arc<tokio::sync::Mutex<()>>,
    pub(crate) reading: Arc<tokio::sync::Mutex<()>>,
}

/// How changes are committed.
#[derive(Debug)]
pub(crate) enum Commits {
    /// By the one writer of the file.
    Sqlite(SqliteCommits),
    /// By one statement each.
    Postgres(PostgresCommits),
}

/// Called with the text of every statement after it has run.
pub type Observer = Arc<dyn Fn(&str) + Send + Sync>;

impl SqlStore {
    /// Opens the database and starts what commits to it.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the file cannot be opened or the server cannot be reached.
    pub async fn open(settings: DatabaseSettings) -> StoreResult<Self> {
        Self::open_with(settings, None).await
    }

    /// The same, with an observer of every statement: for tests that count them. Costs time on every statement.
    ///
    /// # Errors
    /// As [`SqlStore::open`].
    pub async fn open_observed(settings: DatabaseSettings, observer: Observer) -> StoreResult<Self> {
        Self::open_with(settings, Some(observer)).await
    }

    async fn open_with(settings: DatabaseSettings, observer: Option<Observer>) -> StoreResult<Self> {
        let watched = |mut db: DatabaseConnection| {
            if let Some(observer) = observer.clone() {
                db.set_metric_callback(move |info| observer(&info.statement.sql));
            }
            db
        };
        let failed = |error| classify(&error, DbOperation::Statement);
        match &settings {
            DatabaseSettings::Sqlite(sqlite) => {
                check_folder(sqlite)?;
                let exclusive = Exclusive::open(sqlite, &watched).await?;
                let reads = watched(readers(sqlite).await.map_err(failed)?);
                let commits = Commits::Sqlite(SqliteCommits::start(exclusive));
                Ok(Self::new(settings, reads, commits))
            }
            DatabaseSettings::Postgres(postgres) => {
                let connections = open(postgres).await?.map(watched);
                let standby = Standby::open(postgres, &connections, watched).await?;
                let store = Self::on_server(settings, connections.clone());
                let answers = standby.map(|standby| {
                    let (left_out, settings) = (Arc::clone(&store.left_out), store.settings.clone());
                    Box::new(Self { first: Some(standby), left_out, ..Self::on_server(settings, connections) })
                });
                Ok(Self { answers, ..store })
            }
        }
    }

    fn on_server(settings: DatabaseSettings, connections: Connections) -> Self {
        let reads = connections.db().clone();
        Self::new(settings, reads, Commits::Postgres(PostgresCommits::new(connections)))
    }

    fn new(settings: DatabaseSettings, reads: DatabaseConnection, commits: Commits) -> Self {
        let (left_out, clearing, reading) = (Arc::default(), Arc::default(), Arc::default());
        Self { settings, reads, first: None, answers: None, commits, left_out, clearing, reading }
    }

    /// Closes the connections. Commits that wait in line are written first.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when a connection cannot be closed in order.
    pub async fn close(&self) -> StoreResult<()> {
        let failed = |error| classify(&error, DbOperation::Statement);
        if let Some(standby) = self.standby() {
            standby.close().await.map_err(failed)?;
        }
        self.reads.clone().close().await.map_err(failed)?;
        match &self.commits {
            Commits::Sqlite(sqlite) => sqlite.close().await,
            Commits::Postgres(_) => Ok(()),
        }
    }

    /// Rate limits that every process on this database counts together. Absent on SQLite, whose file one process serves.
    pub fn shared_counts(&self) -> Option<Arc<dyn SharedCounts>> {
        match &self.commits {
            Commits::Sqlite(_) => None,
            Commits::Postgres(postgres) => Some(Arc::new(PostgresCounts::new(postgres.connections().clone()))),
        }
    }

    /// The processes that trade by records on this database. Absent on SQLite, whose file one process serves.
    pub fn trading_processes(&self) -> Option<Arc<dyn TradingProcesses>> {
        match &self.commits {
            Commits::Sqlite(_) => None,
            Commits::Postgres(postgres) => Some(Arc::new(PostgresProcesses::new(postgres.connections().clone()))),
        }
    }

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

    /// Records when keys or sessions were last used.
    pub(crate) async fn record_last_use(&self, noted: LastUseOf, uses: Vec<LastUse>) -> StoreResult<()> {
        if uses.is_empty() {
            return Ok(());
        }
        match &self.commits {
            Commits::Sqlite(sqlite) => sqlite.record_last_use(noted, uses).await,
            Commits::Postgres(_) => self.write(noted.on_postgres(), vec![last_used::argument(&uses)]).await.map(|_| ()),
        }
    }

    /// The standby from which lists and reports are read.
    pub(crate) fn standby(&self) -> Option<&Arc<Standby>> {
        self.answers.as_ref().and_then(|answers| answers.first.as_ref())
    }

    /// Notes that something of a workspace is written outside the commits. Nothing without a standby.
    pub(crate) fn writing(&self, scope: WorkspaceScope) -> Option<NotedWrite<'_>> {
        self.standby().map(|standby| standby.writing([scope.workspace_id().to_bytes()].into()))
    }

    /// The connection for reads.
    pub(crate) const fn reads(&self) -> &DatabaseConnection {
        &self.reads
    }

    /// Returns the connection that writes, for use outside of a transaction.
    pub(crate) const fn writes(&self) -> &DatabaseConnection {
        match &self.commits {
            Commits::Sqlite(sqlite) => sqlite.connection(),
            Commits::Postgres(_) => &self.reads,
        }
    }

    /// Begins a transaction for many rows outside the commit queue, if the guards of the caller hold.
    pub(crate) async fn side_transaction(&self, guards: &[VersionGuard]) -> StoreResult<SideTransaction<'_>> {
        match &self.commits {
            Commits::Sqlite(sqlite) => {
                let (writing, turn) = sqlite.side_transaction(guards).await?;
                Ok(SideTransaction::Sqlite(writing, turn))
            }
            Commits::Postgres(postgres) => Ok(SideTransaction::Postgres(postgres.side_transaction(guards).await?)),
        }
    }

    /// Runs a statement outside the commit queue. Returns how many rows it wrote.
    pub(crate) async fn write(&self, sql: &str, values: Vec<Value>) -> StoreResult<u64> {
        let statement = Statement::from_sql_and_values(self.reads().get_database_backend(), sql, values);
        match &self.commits {
            Commits::Sqlite(sqlite) => sqlite.execute(statement).await,
            Commits::Postgres(postgres) => {
                let writing = self.reads.execute_raw(statement);
                let done = postgres.connections().ask(Purpose::Writing, writing).await;
                done.map(|done| done.rows_affected()).map_err(|error| classify(&error, DbOperation::Statement))
            }
        }
    }

    /// Checks that the server accepts writes: a standby answers reads only.
    async fn check_writable(&self) -> StoreResult<()> {
        let row = self.row("SELECT pg_is_in_recovery()", vec![]).await?;
        if row.map(|row| cell(&row, 0)).transpose()? == Some(false) {
            return Ok(());
        }
        if let Commits::Postgres(postgres) = &self.commits {
            postgres.connections().note_read_only();
        }
        Err(StoreError::Unavailable("the server is a standby".to_owned()))
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        self.reads.get_database_backend() == DbBackend::Sqlite
    }

    /// The text for the database at hand.
    pub(crate) fn pick<'a>(&self, sqlite: &'a str, postgres: &'a str) -> &'a str {
        if self.is_sqlite() { sqlite } else { postgres }
    }

    /// The text with the index that it is to read, where it says `{by}`.
    pub(crate) fn by_index(&self, text: &str, index: &str) -> String {
        text.replace("{by}", &index_hint(index, self.is_sqlite()))
    }

    pub(crate) async fn row(&self, sql: &str, values: Vec<Value>) -> StoreResult<Option<QueryResult>> {
        let statement = Statement::from_sql_and_values(self.reads.get_database_backend(), sql, values);
        if let Some(standby) = &self.first
            && let Some(row) = standby.read(standby.db().query_one_raw(statement.clone())).await
        {
            return Ok(row);
        }
        self.ask(self.reads.query_one_raw(statement)).await
    }

    pub(crate) async fn rows(&self, sql: &str, values: Vec<Value>) -> StoreResult<Vec<QueryResult>> {
        let statement = Statement::from_sql_and_values(self.reads.get_database_backend(), sql, values);
        if let Some(standby) = &self.first
            && let Some(rows) = standby.read(standby.db().query_all_raw(statement.clone())).await
        {
            return Ok(rows);
        }
        self.ask(self.reads.query_all_raw(statement)).await
    }

    /// Runs a statement that reads.
    async fn ask<T>(&self, reading: impl Future<Output = Result<T, DbErr>> + Send) -> StoreResult<T> {
        let read = match &self.commits {
            Commits::Sqlite(_) => reading.await.inspect_err(|error| {
                if let unavailable @ StoreError::Unavailable(_) = classify(error, DbOperation::Statement) {
                    tracing::error!(why = %unavailable, "a read of the database failed");
                }
            }),
            Commits::Postgres(postgres) => postgres.connections().ask(Purpose::Reading, reading).await,
        };
        if let Some(standby) = &self.first {
            standby.note_answer_of_the_primary();
        }
        read.map_err(|error| classify(&error, DbOperation::Statement))
    }

    /// The record that a statement finds.
    pub(crate) async fn one<R: Stored>(&self, sql: &str, values: Vec<Value>) -> StoreResult<Option<Seen<R>>> {
        self.row(sql, values).await?.map(|row| decode(&row, "")).transpose()
    }

    /// Returns the records that a statement finds; none if one of them breaks a rule. For rights and sign-in, which need all.
    pub(crate) async fn all<R: Stored>(&self, sql: &str, values: Vec<Value>) -> StoreResult<Vec<Seen<R>>> {
        self.rows(sql, values).await?.iter().map(|row| decode(row, "")).collect()
    }

    /// The records that a statement finds, without those that break a rule.
    pub(crate) async fn readable<R: Stored>(&self, sql: &str, values: Vec<Value>) -> StoreResult<Vec<Seen<R>>> {
        self.readable_rows(sql, values, |row| decode(row, "")).await
    }

    /// The same of rows that keep something else than a record.
    pub(crate) async fn readable_rows<T>(
        &self,
        sql: &str,
        values: Vec<Value>,
        read: impl Fn(&QueryResult) -> StoreResult<T> + Send,
    ) -> StoreResult<Vec<T>> {
        let rows = self.rows(sql, values).await?;
        rows.iter().filter_map(|row| self.left_out.readable(read(row)).transpose()).collect()
    }

    /// The number that a statement gives.
    pub(crate) async fn number(&self, sql: &str, values: Vec<Value>) -> StoreResult<i64> {
        let row = self.row(sql, values).await?;
        let row = row.ok_or_else(|| StoreError::Bug("a count without a row".to_owned()))?;
        cell(&row, 0)
    }

    /// The record at its primary key.
    pub(crate) async fn find<R: Stored>(&self, key: Vec<Value>) -> StoreResult<Option<Seen<R>>> {
        self.one(&table(R::KIND).find, key).await
    }

    /// The records of a workspace with these ids, without those that break a rule.
    pub(crate) async fn find_several<R: Stored, K>(&self, workspace: Uuid, ids: &[Id<K>]) -> StoreResult<Vec<Seen<R>>> {
        let table = table(R::KIND);
        let sql = self.pick(&table.find_several_sqlite, &table.find_several_postgres);
        self.readable(sql, vec![workspace.into(), listed(ids.iter().copied())]).await
    }

    /// One page of the ids of a workspace's records, newest first: one column is compared and sorted by, and none skipped.
    pub(crate) async fn page<K>(
        &self,
        table: &str,
        filter: Vec<(&str, Value)>,
        page: PageRequest<K>,
    ) -> StoreResult<Page<K>> {
        let (sql, values) = page_statement(table, filter, &page);
        self.page_of(&sql, values, page.limit).await
    }

    /// The page of ids that a statement gives, which asks for one more than the limit.
    pub(crate) async fn page_of<K>(&self, sql: &str, values: Vec<Value>, limit: u32) -> StoreResult<Page<K>> {
        let rows = self.rows(sql, values).await?;
        let ids = rows.iter().map(|row| cell::<Uuid>(row, 0).map(id)).collect::<StoreResult<Vec<Id<K>>>>()?;
        Ok(Page::of(ids, limit))
    }
}

/// A transaction outside the commit queue. It is rolled back when it is dropped.
pub(crate) enum SideTransaction<'a> {
    Sqlite(Writing, WritePermit<'a>),
    Postgres(DatabaseTransaction),
}

impl SideTransaction<'_> {
    pub(crate) fn transaction(&self) -> &DatabaseTransaction {
        match self {
            Self::Sqlite(writing, _) => writing,
            Self::Postgres(transaction) => transaction,
        }
    }

    pub(crate) async fn commit(self) -> StoreResult<()> {
        match self {
            Self::Sqlite(writing, _turn) => writing.commit().await,
            Self::Postgres(transaction) => {
                transaction.commit().await.map_err(|error| classify(&error, DbOperation::Commit))
            }
        }
    }
}

/// Returns the statement of one page. It reads one row more than the limit, which shows whether there are further ones.
fn page_statement<K>(table: &str, filter: Vec<(&str, Value)>, page: &PageRequest<K>) -> (String, Vec<Value>) {
    // No id is greater than the greatest: a first page is a page before it, so that both are one statement.
    let before = page.before.map_or(Uuid::max(), |id| Uuid::from_bytes(id.to_bytes()));
    let (columns, mut values): (Vec<_>, Vec<_>) = filter.into_iter().unzip();
    let equal: String = columns.iter().zip(1..).map(|(column, number)| format!("{column} = ${number} AND ")).collect();
    values.extend([before.into(), i64::from(page.limit).saturating_add(1).into()]);
    let (last, limit) = (values.len() - 1, values.len());
    (format!("SELECT id FROM {table} WHERE {equal}id < ${last} ORDER BY id DESC LIMIT ${limit}"), values)
}

fn check_folder(settings: &SqliteSettings) -> StoreResult<()> {
    match settings.path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(StoreError::Unavailable(format!("the folder {} does not exist", folder.display())))
        }
        Some(_) | None => Ok(()),
    }
}

/// The label under which a commit is counted.
const fn outcome(committed: &StoreResult<Committed>) -> &'static str {
    match committed {
        Ok(_) => "committed",
        Err(StoreError::Conflict | StoreError::CallerChanged) => "conflict",
        Err(StoreError::LinkRefused | StoreError::Duplicate(_)) => "rejected",
        Err(StoreError::Overloaded | StoreError::Unavailable(_)) => "unavailable",
        Err(StoreError::Unknown(_)) => "unknown",
        Err(StoreError::Corrupt(_) | StoreError::Bug(_)) => "failed",
    }
}

#[async_trait]
impl Store for SqlStore {
    fn records(&self) -> &(dyn Records + 'static) {
        self
    }

    fn records_to_show(&self, scope: WorkspaceScope) -> &(dyn Records + 'static) {
        if let (Some(answers), Some(standby)) = (&self.answers, self.standby())
            && standby.may_answer(scope.workspace_id())
        {
            return &**answers;
        }
        self
    }

    fn note_shown(&self, scope: WorkspaceScope) {
        if let Some(standby) = self.standby() {
            standby.note_shown(scope.workspace_id());
        }
    }

    async fn commit(&self, changes: Changes) -> StoreResult<Committed> {
        let (set, began) = (changes.into_set(), Instant::now());
        let writing = self.standby().map(|standby| standby.writing(homes_of(&set)));
        let committed = match &self.commits {
            Commits::Sqlite(sqlite) => sqlite.commit(set).await,
            Commits::Postgres(postgres) => postgres.commit(set).await,
        };
        if let Some(writing) = writing {
            writing.end(!matches!(committed, Err(StoreError::Unknown(_))));
        }
        metrics::histogram!(COMMIT_DURATION.name).record(began.elapsed());
        metrics::counter!(COMMITS.name, "outcome" => outcome(&committed)).increment(1);
        committed
    }

    async fn check_ready(&self) -> Result<(), NotReady> {
        match &self.commits {
            Commits::Sqlite(sqlite) => sqlite.check_ready().await,
            Commits::Postgres(_) => self.check_writable().await.map_err(NotReady::Unreachable),
        }
    }
}
