//! Reads of the log of status changes. What is read of several kinds of records is merged from one page of each, so that a rare
//! kind costs no look at all the others.

use std::fmt::Write as _;
use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::{FromQueryResult as _, QueryResult, Value};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{OfTransition, TransitionId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Subject, SubjectKind, Transition};
use tradepost_ports::store::{
    MOST_LOOKED_AT, Page, PageRequest, StatusCounts, StoreResult, TransitionFilter, TransitionLog,
};
use uuid::Uuid;

use crate::classify::{DbOperation, classify};
use crate::rows::{cell, id, transition, uuid};
use crate::sql_text::{between, index_hint, listed, listed_postgres, listed_sqlite, one_more};
use crate::store::SqlStore;
use crate::table::select_list;

static STEPS: LazyLock<String> = LazyLock::new(|| select_list::<transition::Entity>("t.", ""));
const PLACE: &str = "SELECT position FROM transition_places WHERE workspace_id = $1 AND transition_id = $2";
/// Commits come one after the other: a trigger gives each transition its position as it is written.
const PLACE_SQLITE: &str = "SELECT coalesce(max(position), 0) FROM transition_places";
/// Positions are drawn and committed by one process at a time, so that none becomes readable before one that is less. The
/// lock is held until the rows can be read. Rows that another process placed in the meantime are locked or deleted already, and
/// not deleted a second time.
const PLACE_POSTGRES: &str = "WITH turn AS MATERIALIZED \
    (SELECT pg_try_advisory_xact_lock(hashtext('tradepost_transition_places')) AS mine), \
    taken AS (DELETE FROM transitions_waiting w USING turn WHERE turn.mine AND w.transition_id IN \
    (SELECT transition_id FROM transitions_waiting ORDER BY transition_id LIMIT 1000) \
    RETURNING w.workspace_id, w.subject_kind, w.transition_id), \
    placed AS (INSERT INTO transition_places (workspace_id, subject_kind, transition_id) \
    SELECT workspace_id, subject_kind, transition_id FROM taken ORDER BY transition_id RETURNING position) \
    SELECT coalesce((SELECT max(position) FROM placed), (SELECT max(position) FROM transition_places), 0)";
/// What positions are looked at in one step.
const NEXT_PLACES: &str = "SELECT p.position, coalesce(t.logged_at, t.at) FROM transition_places AS p JOIN transitions AS t \
    ON t.workspace_id = p.workspace_id AND t.subject_kind = p.subject_kind AND t.id = p.transition_id \
    WHERE p.position > $1 ORDER BY p.position LIMIT $2";
/// Places of changes that were written down at a time or later. Every position is above 0: it is said so that SQLite reads them in their order
/// instead of sorting all that are younger.
const SINCE: &str = " AND position > 0 AND EXISTS (SELECT 1 FROM transitions AS s WHERE s.workspace_id = $1 \
    AND s.subject_kind = transition_places.subject_kind AND s.id = transition_id AND coalesce(s.logged_at, s.at) >= $2)";
/// Of each kind of record of a workspace everything before the last that was looked at.
const FORGET_PLACES: &str = "DELETE FROM transition_places WHERE position IN (SELECT p.position FROM \
    (SELECT workspace_id, subject_kind, max(position) AS newest FROM transition_places \
    WHERE position > $1 AND position <= $2 GROUP BY workspace_id, subject_kind) AS n \
    JOIN transition_places AS p ON p.workspace_id = n.workspace_id AND p.subject_kind = n.subject_kind \
    AND p.position < n.newest)";

/// One page over several kinds: that of each kind, merged in the order of a column.
fn merged(kinds: &[SubjectKind], page: impl Fn(i16) -> String, end: &str) -> String {
    match kinds {
        [kind] => page(kind.code()),
        kinds => {
            let pages = kinds.iter().map(|kind| format!("SELECT * FROM ({}) AS of_kind", page(kind.code())));
            format!("{} {end}", pages.collect::<Vec<_>>().join(" UNION ALL "))
        }
    }
}

/// In the order of ids: of a record all are looked through, and of a time those of that time.
fn list_statement(columns: &str, filter: &TransitionFilter<'_>, values: &mut Vec<Value>, is_sqlite: bool) -> String {
    let is_of_time = filter.subject_id.is_none() && (filter.from.is_some() || filter.to.is_some());
    let by = if is_of_time { index_hint("transitions_at", is_sqlite) } else { String::new() };
    let mut narrowed = between("at", filter.from, filter.to, values);
    if let Some(wanted) = filter.subject_id {
        values.push(Uuid::from_bytes(wanted).into());
        let _ = write!(narrowed, " AND subject_id = ${}", values.len());
    }
    let end = "ORDER BY id DESC LIMIT $3";
    let page = |kind| {
        format!(
            "SELECT {columns} FROM transitions{by} WHERE workspace_id = $1 AND subject_kind = {kind} AND id < $2{narrowed} {end}"
        )
    };
    merged(filter.kinds, page, end)
}

/// How many of the newest are of each kind; then, of the kind -1, how many there are with the first that is not counted.
fn count_statement(newest: &str) -> String {
    format!(
        "WITH newest AS ({newest}), counted AS (SELECT subject_kind FROM newest ORDER BY id DESC LIMIT {MOST_LOOKED_AT}) \
         SELECT CAST(subject_kind AS bigint), count(*) FROM counted GROUP BY subject_kind \
         UNION ALL SELECT CAST(-1 AS bigint), count(*) FROM newest"
    )
}

fn places(kinds: &[SubjectKind], condition: &str, end: &str) -> String {
    let page = |kind| {
        format!(
            "SELECT position, subject_kind, transition_id FROM transition_places \
             WHERE workspace_id = $1 AND subject_kind = {kind}{condition} {end}"
        )
    };
    merged(kinds, page, end)
}

fn step(row: &QueryResult) -> StoreResult<Transition> {
    let row = transition::Model::from_query_result(row, "");
    transition::to_domain(&row.map_err(|error| classify(&error, DbOperation::Statement))?)
}

/// Where a list of placed transitions begins: a condition on `$2`, and the value of that.
struct Start {
    condition: &'static str,
    from: Value,
}

impl SqlStore {
    /// The changes whose places meet a condition on `$2`, in the order of their positions.
    async fn placed(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        start: Start,
        limit: u32,
    ) -> StoreResult<Vec<Transition>> {
        let text = format!(
            "SELECT {} FROM ({}) AS p JOIN transitions t ON t.workspace_id = $1 AND t.subject_kind = p.subject_kind \
             AND t.id = p.transition_id ORDER BY p.position",
            *STEPS,
            places(kinds, start.condition, "ORDER BY position LIMIT $3")
        );
        let values = vec![uuid(scope.workspace_id()).into(), start.from, i64::from(limit).into()];
        self.readable_rows(&text, values, step).await
    }
}

#[async_trait]
impl TransitionLog for SqlStore {
    async fn list_of(&self, scope: WorkspaceScope, subject: Subject, limit: u32) -> StoreResult<Vec<Transition>> {
        let text = format!(
            "SELECT {} FROM transitions t WHERE workspace_id = $1 AND subject_kind = $2 AND subject_id = $3 \
             ORDER BY version, id LIMIT $4",
            *STEPS
        );
        let subject_id = Uuid::from_bytes(subject.id_bytes());
        let values = vec![
            uuid(scope.workspace_id()).into(),
            subject.kind().code().into(),
            subject_id.into(),
            i64::from(limit).into(),
        ];
        self.readable_rows(&text, values, step).await
    }
    async fn find_many(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        ids: &[TransitionId],
    ) -> StoreResult<Vec<Transition>> {
        let kinds: Vec<String> = kinds.iter().map(|kind| kind.code().to_string()).collect();
        let wanted = if self.is_sqlite() { listed_sqlite(2) } else { listed_postgres(2) };
        let text = format!(
            "SELECT {} FROM transitions t WHERE workspace_id = $1 AND subject_kind IN ({}) AND id IN ({wanted})",
            *STEPS,
            kinds.join(", ")
        );
        let values = vec![uuid(scope.workspace_id()).into(), listed(ids.iter().copied())];
        self.readable_rows(&text, values, step).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: TransitionFilter<'_>,
        page: PageRequest<OfTransition>,
    ) -> StoreResult<Page<OfTransition>> {
        let before = page.before.map_or(Uuid::max(), uuid);
        let mut values: Vec<Value> = vec![uuid(scope.workspace_id()).into(), before.into(), one_more(page.limit)];
        let text = list_statement("id", &filter, &mut values, self.is_sqlite());
        self.page_of(&text, values, page.limit).await
    }
    async fn count(&self, scope: WorkspaceScope, filter: TransitionFilter<'_>) -> StoreResult<StatusCounts> {
        let mut values: Vec<Value> =
            vec![uuid(scope.workspace_id()).into(), Uuid::max().into(), one_more(MOST_LOOKED_AT)];
        let newest = list_statement("id, subject_kind", &filter, &mut values, self.is_sqlite());
        let mut found = StatusCounts { counts: Vec::new(), truncated: false };
        for row in self.rows(&count_statement(&newest), values).await? {
            match i16::try_from(cell::<i64>(&row, 0)?) {
                Ok(kind @ 0..) => found.counts.push((kind, cell(&row, 1)?)),
                Ok(_) | Err(_) => found.truncated = cell::<i64>(&row, 1)? > i64::from(MOST_LOOKED_AT),
            }
        }
        Ok(found)
    }
    async fn find_place(&self, scope: WorkspaceScope, id: TransitionId) -> StoreResult<Option<i64>> {
        let row = self.row(PLACE, vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await?;
        row.map(|row| cell(&row, 0)).transpose()
    }
    async fn list_after(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        position: i64,
        limit: u32,
    ) -> StoreResult<Vec<Transition>> {
        self.placed(scope, kinds, Start { condition: " AND position > $2", from: position.into() }, limit).await
    }
    async fn list_since(
        &self,
        scope: WorkspaceScope,
        kinds: &[SubjectKind],
        since: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Transition>> {
        self.placed(scope, kinds, Start { condition: SINCE, from: since.as_micros().into() }, limit).await
    }
    async fn find_last(&self, scope: WorkspaceScope, kinds: &[SubjectKind]) -> StoreResult<Option<TransitionId>> {
        let text = places(kinds, "", "ORDER BY position DESC LIMIT 1");
        let row = self.row(&text, vec![uuid(scope.workspace_id()).into()]).await?;
        row.map(|row| cell::<Uuid>(&row, 2).map(id)).transpose()
    }
    async fn place(&self) -> StoreResult<i64> {
        self.number(self.pick(PLACE_SQLITE, PLACE_POSTGRES), Vec::new()).await
    }
    async fn forget_places(&self, after: i64, before: Timestamp, most: u32) -> StoreResult<(i64, u64)> {
        let mut up_to = after;
        for row in self.rows(NEXT_PLACES, vec![after.into(), i64::from(most).into()]).await? {
            if cell::<i64>(&row, 1)? >= before.as_micros() {
                break;
            }
            up_to = cell(&row, 0)?;
        }
        if up_to == after {
            return Ok((after, 0));
        }
        Ok((up_to, self.write(FORGET_PLACES, vec![after.into(), up_to.into()]).await?))
    }
}
