//! Commits on PostgreSQL: every set of changes is one statement, and so one round trip and one transaction of its own.

mod address;
mod compose;
mod connections;
mod counts;
mod outage;
mod processes;
mod reach;
mod rights;
mod servers;
mod session;
mod shape;
mod standby;
mod target;

use std::collections::HashMap;
use std::sync::atomic::{AtomicI16, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, FromQueryResult as _, QueryResult,
    Statement, TransactionTrait as _, Value,
};
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::{AssetIdLink, Evidence};
use tradepost_ports::changes::{AppendLink, ChangeSet, Committed, VersionGuard, Write};
use tradepost_ports::store::{StoreError, StoreResult, Unique};
use uuid::Uuid;

use crate::classify::{DbOperation, classify, code_of};
use crate::rows::contracts::asset_id_link;
use crate::rows::{RowLocation, id, uuid};
use crate::table::select_list;
use shape::{Part, Refusal};

pub(crate) use connections::{Connections, open};
pub(crate) use counts::PostgresCounts;
pub(crate) use outage::Purpose;
pub(crate) use processes::PostgresProcesses;
pub use rights::RightsNews;
pub(crate) use servers::Found;
pub(crate) use standby::{NotedWrite, Standby, homes_of};

/// Slots over which the counters are spread.
const SLOTS: i16 = 16;
/// Most texts kept. Operations have some dozens of shapes; sets of many records could make any number.
const TEXTS_KEPT: usize = 1_024;

/// The way to the server.
#[derive(Debug)]
pub(crate) struct PostgresCommits {
    connections: Connections,
    texts: Mutex<HashMap<Vec<Part>, Arc<str>>>,
    next_slot: AtomicI16,
}

impl PostgresCommits {
    pub(crate) fn new(connections: Connections) -> Self {
        Self { connections, texts: Mutex::default(), next_slot: AtomicI16::new(0) }
    }

    pub(crate) const fn connections(&self) -> &Connections {
        &self.connections
    }

    const fn db(&self) -> &DatabaseConnection {
        self.connections.db()
    }

    pub(crate) async fn commit(&self, set: ChangeSet) -> StoreResult<Committed> {
        compose::check(&set)?;
        let slot = self.next_slot.fetch_add(1, Ordering::Relaxed).rem_euclid(SLOTS);
        let (shape, values) = compose::compose(&set, slot);
        if shape.is_empty() {
            return Ok(Committed::Applied { links: Vec::new() });
        }
        // All rows, although there is one: only the end of the answer says that the transaction is committed.
        let committing = self.db().query_all_raw(self.statement(shape, values));
        match self.connections.ask(Purpose::Writing, committing).await {
            // The transaction is committed. An error after which callers commit again would write it twice.
            Ok(rows) => links_of(&set, &rows)
                .map(|links| Committed::Applied { links })
                .map_err(|unread| StoreError::Unknown(unread.to_string())),
            Err(error) => self.refused(&set, &error).await,
        }
    }

    fn statement(&self, shape: Vec<Part>, values: Vec<Value>) -> Statement {
        Statement::from_sql_and_values(DbBackend::Postgres, &*self.text_of(shape), values)
    }

    fn text_of(&self, shape: Vec<Part>) -> Arc<str> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = texts.get(&shape) {
            return Arc::clone(text);
        }
        let text: Arc<str> = shape::text(&shape).into();
        if texts.len() < TEXTS_KEPT {
            texts.insert(shape, Arc::clone(&text));
        }
        text
    }

    /// Returns what a failed statement means. The statement stops at the first record in lock order that is not as expected; if
    /// that record is not a guard, the guards are checked first. Evidence that another commit may have recorded is read again.
    async fn refused(&self, set: &ChangeSet, error: &DbErr) -> StoreResult<Committed> {
        let refusal = code_of(error).and_then(|code| Refusal::from_code(&code));
        let otherwise = match refusal {
            Some(Refusal::Caller) => return Err(StoreError::CallerChanged),
            Some(Refusal::Conflict) => StoreError::Conflict,
            Some(Refusal::Link | Refusal::Evidence) => StoreError::LinkRefused,
            None => {
                let failed = classify(error, DbOperation::Commit);
                if !matches!(failed, StoreError::Duplicate(_)) {
                    return Err(failed);
                }
                failed
            }
        };
        self.check_guards(self.db(), &set.caller, Refusal::Caller).await?;
        self.check_guards(self.db(), &set.relied_on, Refusal::Conflict).await?;
        if matches!(otherwise, StoreError::LinkRefused | StoreError::Duplicate(Unique::LinkEvidence)) {
            for link in set.writes.iter().filter_map(appended) {
                if let Some(recorded) = self.find_evidence(link).await? {
                    let AppendLink { asset_id, source, source_id, .. } = link.clone();
                    let same = recorded.records(&Evidence { asset_id, source, source_id });
                    return same.map(|_| Committed::AlreadyRecorded(recorded)).map_err(|_| StoreError::LinkRefused);
                }
            }
        }
        Err(otherwise)
    }

    /// Begins a transaction in a task of its own. The caller may be dropped at any time. Without the task, a connection whose
    /// `BEGIN` has no caller would return to the pool inside of a transaction, and its next write would be lost.
    async fn begin(&self) -> StoreResult<DatabaseTransaction> {
        let connections = self.connections.clone();
        let task = async move { connections.ask(Purpose::Reading, connections.db().begin()).await };
        let begun =
            tokio::spawn(task).await.map_err(|_| StoreError::Unavailable("storage is being closed".to_owned()))?;
        begun.map_err(|error| classify(&error, DbOperation::Statement))
    }

    /// Begins a transaction outside the commits, if the guards hold; they do until it ends.
    pub(crate) async fn side_transaction(&self, guards: &[VersionGuard]) -> StoreResult<DatabaseTransaction> {
        let transaction = self.begin().await?;
        self.check_guards(&transaction, guards, Refusal::Caller).await?;
        Ok(transaction)
    }

    async fn check_guards(
        &self,
        db: &impl ConnectionTrait,
        guards: &[VersionGuard],
        refusal: Refusal,
    ) -> StoreResult<()> {
        if guards.is_empty() {
            return Ok(());
        }
        let (shape, values) = compose::compose_guards(guards, refusal);
        let Err(error) = db.query_all_raw(self.statement(shape, values)).await else { return Ok(()) };
        Err(match code_of(&error).and_then(|code| Refusal::from_code(&code)) {
            Some(Refusal::Caller) => StoreError::CallerChanged,
            Some(Refusal::Conflict | Refusal::Link | Refusal::Evidence) => StoreError::Conflict,
            None => classify(&error, DbOperation::Statement),
        })
    }

    async fn find_evidence(&self, link: &AppendLink) -> StoreResult<Option<AssetIdLink>> {
        let columns = select_list::<asset_id_link::Entity>("", "");
        let text = format!(
            "SELECT {columns} FROM asset_id_links \
             WHERE workspace_id = $1 AND inventory_item_id = $2 AND source = $3 AND source_id = $4"
        );
        let values = [
            uuid(link.workspace_id).into(),
            uuid(link.inventory_item_id).into(),
            link.source.code().into(),
            link.source_id.as_str().into(),
        ];
        let failed = |error| classify(&error, DbOperation::Statement);
        let statement = Statement::from_sql_and_values(DbBackend::Postgres, text, values);
        let Some(row) = self.db().query_one_raw(statement).await.map_err(failed)? else { return Ok(None) };
        asset_id_link::to_domain(&asset_id_link::Model::from_query_result(&row, "").map_err(failed)?).map(Some)
    }
}

const fn appended(write: &Write) -> Option<&AppendLink> {
    match write {
        Write::AppendLink(link) => Some(link),
        Write::Insert(_) | Write::InsertAt { .. } | Write::Update { .. } | Write::Put(_) | Write::Remove(_) => None,
    }
}

/// The links that were appended, in the order of the set. The statement numbers them in the order of their items.
fn links_of(set: &ChangeSet, rows: &[QueryResult]) -> StoreResult<Vec<AssetIdLink>> {
    let Some(row) = rows.first() else {
        return Err(StoreError::Bug("a commit without an answer".to_owned()));
    };
    let mut numbered: Vec<_> =
        set.writes.iter().filter(|write| appended(write).is_some()).map(compose::address_of).collect();
    numbered.sort_unstable();
    let links = set.writes.iter().filter_map(|write| Some((appended(write)?, compose::address_of(write))));
    links.map(|(link, item)| link_of(link, row, numbered.partition_point(|other| *other < item))).collect()
}

/// One link, from what the statement says of it: step, purchase, previous asset id, time.
fn link_of(link: &AppendLink, row: &QueryResult, position: usize) -> StoreResult<AssetIdLink> {
    let failed = |error| classify(&error, DbOperation::Statement);
    let column = |name: &str| format!("{name}_{position}");
    let at = RowLocation { table: "asset_id_links", home: uuid(link.workspace_id), key: uuid(link.id) };
    let step: i64 = row.try_get("", &column("step")).map_err(failed)?;
    let purchase: Uuid = row.try_get("", &column("purchase_id")).map_err(failed)?;
    let previous: String = row.try_get("", &column("previous_asset_id")).map_err(failed)?;
    let created_at: i64 = row.try_get("", &column("created_at")).map_err(failed)?;
    Ok(AssetIdLink {
        id: link.id,
        workspace_id: link.workspace_id,
        inventory_item_id: link.inventory_item_id,
        purchase_id: id(purchase),
        step: at.number("step", step)?,
        asset_id: link.asset_id.clone(),
        previous: Some(at.read("previous_asset_id", AssetId::new(&previous))?),
        source: link.source,
        source_id: link.source_id.clone(),
        created_at: at.time("created_at", created_at)?,
    })
}
