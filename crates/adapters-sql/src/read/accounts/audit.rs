//! Reads of the audit log. What the chainer reads is of no workspace; the rest is of the log that its scope names.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::{FromQueryResult as _, QueryResult, Value};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{AuditHead, SealedEvent, StoredLink, WaitingEvent};
use tradepost_domain::id::{AuditEventId, AuditLogId, OfAuditEvent, UserId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{
    AuditActor, AuditFilter, AuditLogs, AuditPage, AuditScope, AuditState, ListedEvent, PageRequest, StoreResult,
};
use uuid::Uuid;

use crate::rows::accounts::{audit_event, audit_head, audit_link};
use crate::rows::{cell, decode, id, uuid};
use crate::sql_text::{between, index_hint, one_more};
use crate::store::SqlStore;
use crate::table::select_list;

const OF_EVENT: &str = "event_";
const OF_LINK: &str = "link_";
const OF_HEAD: &str = "head_";

static EVENT: LazyLock<String> = LazyLock::new(|| select_list::<audit_event::Entity>("e.", OF_EVENT));
static LISTED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, c.sequence AS chained_sequence, c.hash AS chained_hash FROM audit_events e \
         LEFT JOIN audit_chain c ON c.log_id = e.log_id AND c.event_id = e.id",
        *EVENT
    )
});
static WAITING: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT w.log_id, w.event_id, {} FROM audit_waiting w \
         LEFT JOIN audit_events e ON e.log_id = w.log_id AND e.id = w.event_id WHERE w.event_id > $1 ORDER BY w.event_id LIMIT $2",
        *EVENT
    )
});
static LINKS: LazyLock<String> = LazyLock::new(|| {
    let link = select_list::<audit_link::Entity>("c.", OF_LINK);
    format!(
        "SELECT {link}, {} FROM audit_chain c LEFT JOIN audit_events e ON e.log_id = c.log_id AND e.id = c.event_id \
         WHERE c.log_id = $1 AND c.sequence > $2 ORDER BY c.sequence LIMIT $3",
        *EVENT
    )
});
static HEADS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<audit_head::Entity>("", "");
    format!("SELECT {columns} FROM audit_heads WHERE $1 IS NULL OR log_id > $1 ORDER BY log_id LIMIT $2")
});
static STATE: LazyLock<String> = LazyLock::new(|| {
    let head = select_list::<audit_head::Entity>("h.", OF_HEAD);
    let count = |table: &str| format!("(SELECT count(*) FROM {table} WHERE log_id = $1)");
    format!(
        "SELECT {} AS events, {} AS links, {} AS waiting, coalesce((SELECT min(at) FROM audit_began), 0) AS began, {head} \
         FROM (SELECT 1) AS log LEFT JOIN audit_heads h ON h.log_id = $1",
        count("audit_events"),
        count("audit_chain"),
        count("audit_waiting")
    )
});
/// Of a page of what is in the user's log and a page of what the user did, the newer part.
static OWN: LazyLock<String> = LazyLock::new(|| {
    let page = |column: &str| {
        format!("SELECT log_id, id FROM audit_events WHERE {column} = $1 AND id < $2 ORDER BY id DESC LIMIT $3")
    };
    format!(
        "{} WHERE (e.log_id, e.id) IN (SELECT log_id, id FROM (SELECT * FROM ({}) AS own UNION SELECT * FROM ({}) AS done) \
         AS either ORDER BY id DESC LIMIT $3) ORDER BY e.id DESC",
        *LISTED,
        page("log_id"),
        page("actor_user_id")
    )
});

#[async_trait]
impl AuditLogs for SqlStore {
    async fn list_waiting_events(&self, after: Option<AuditEventId>, limit: u32) -> StoreResult<Vec<WaitingEvent>> {
        let after = after.map_or(Uuid::nil(), uuid);
        let rows = self.rows(&WAITING, vec![after.into(), i64::from(limit).into()]).await?;
        let waiting = |row| {
            let (log, event): (Uuid, Uuid) = (cell(row, 0)?, cell(row, 1)?);
            Ok(WaitingEvent { log_id: id(log), event_id: id(event), event: event_in(row) })
        };
        rows.iter().map(waiting).collect()
    }
    async fn find_head(&self, log: AuditLogId) -> StoreResult<Option<Seen<AuditHead>>> {
        self.find(vec![uuid(log).into()]).await
    }
    async fn list_heads(&self, after: Option<AuditLogId>, limit: u32) -> StoreResult<Vec<Seen<AuditHead>>> {
        self.all(&HEADS, vec![after.map(uuid).into(), i64::from(limit).into()]).await
    }
    async fn find_state(&self, scope: AuditScope) -> StoreResult<AuditState> {
        self.audit_state(scope.log_id()).await
    }
    async fn list_links(&self, scope: AuditScope, after: i64, limit: u32) -> StoreResult<Vec<StoredLink>> {
        self.audit_links(scope.log_id(), after, limit).await
    }
    async fn list_events(
        &self,
        scope: WorkspaceScope,
        filter: AuditFilter,
        page: PageRequest<OfAuditEvent>,
    ) -> StoreResult<AuditPage> {
        let (text, values) = list_statement(scope, filter, page, self.is_sqlite());
        self.audit_page(&text, values, page.limit).await
    }
    async fn list_own_events(&self, user: UserId, page: PageRequest<OfAuditEvent>) -> StoreResult<AuditPage> {
        let before = page.before.map_or(Uuid::max(), uuid);
        let values = vec![uuid(user).into(), before.into(), one_more(page.limit)];
        self.audit_page(&OWN, values, page.limit).await
    }
}

impl SqlStore {
    pub(crate) async fn audit_state(&self, log: AuditLogId) -> StoreResult<AuditState> {
        let rows = self.rows(&STATE, vec![uuid(log).into()]).await?;
        let mut state = AuditState { head: None, events: 0, links: 0, waiting: 0, began: Timestamp::MIN };
        for row in &rows {
            (state.events, state.links, state.waiting) = (cell(row, 0)?, cell(row, 1)?, cell(row, 2)?);
            // The program writes valid times only. Any other value counts as the earliest time.
            state.began = Timestamp::from_micros(cell(row, 3)?).unwrap_or(Timestamp::MIN);
            let log: Option<Uuid> = cell(row, 4)?;
            state.head = log.map(|_| decode(row, OF_HEAD)).transpose()?;
        }
        Ok(state)
    }

    pub(crate) async fn audit_links(&self, log: AuditLogId, after: i64, limit: u32) -> StoreResult<Vec<StoredLink>> {
        let values = vec![uuid(log).into(), after.into(), i64::from(limit).into()];
        let rows = self.rows(&LINKS, values).await?;
        let stored = |row| {
            let link = audit_link::Model::from_query_result(row, OF_LINK).map_err(|error| unreadable(&error))?;
            Ok(StoredLink { link: audit_link::to_domain(&link), event: event_in(row) })
        };
        rows.iter().map(stored).collect()
    }

    async fn audit_page(&self, text: &str, values: Vec<Value>, limit: u32) -> StoreResult<AuditPage> {
        let rows = self.rows(text, values).await?;
        let limit = limit as usize;
        let events = rows.iter().take(limit).map(listed).collect::<StoreResult<_>>()?;
        Ok(AuditPage { events, more: rows.len() > limit })
    }
}

fn list_statement(
    scope: WorkspaceScope,
    filter: AuditFilter,
    page: PageRequest<OfAuditEvent>,
    is_sqlite: bool,
) -> (String, Vec<Value>) {
    let mut columns = vec!["log_id"];
    let mut values: Vec<Value> = vec![uuid(scope.workspace_id()).into()];
    match filter.actor {
        Some(AuditActor::User(user)) => {
            columns.push("actor_user_id");
            values.push(uuid(user).into());
        }
        Some(AuditActor::ApiKey(key)) => {
            columns.push("actor_key_id");
            values.push(uuid(key).into());
        }
        None => {}
    }
    if let Some(kind) = filter.kind {
        columns.push("kind");
        values.push(kind.as_str().into());
    }
    let equal: String =
        columns.iter().zip(1..).map(|(column, number)| format!("e.{column} = ${number} AND ")).collect();
    values.extend([page.before.map_or(Uuid::max(), uuid).into(), one_more(page.limit)]);
    let [before, limit] = [1, 0].map(|back| values.len() - back);
    let of_time = between("e.at", filter.from, filter.to, &mut values);
    // Events of one actor or kind are read whatever their times.
    let is_of_time = columns.len() == 1 && !of_time.is_empty();
    let by = if is_of_time { index_hint("audit_events_at", is_sqlite) } else { String::new() };
    let listed = LISTED.replacen("audit_events e", &format!("audit_events e{by}"), 1);
    (format!("{listed} WHERE {equal}e.id < ${before}{of_time} ORDER BY e.id DESC LIMIT ${limit}"), values)
}

fn listed(row: &QueryResult) -> StoreResult<ListedEvent> {
    let event = audit_event::Model::from_query_result(row, OF_EVENT).map_err(|error| unreadable(&error))?;
    let sequence: Option<i64> = row.try_get("", "chained_sequence").map_err(|error| unreadable(&error))?;
    let hash: Option<Vec<u8>> = row.try_get("", "chained_hash").map_err(|error| unreadable(&error))?;
    let chained = sequence.zip(hash.as_deref().map(audit_link::digest));
    Ok(ListedEvent { sealed: audit_event::to_domain(&event)?, chained })
}

/// The event in a row, if there is one that can be read.
fn event_in(row: &QueryResult) -> Option<SealedEvent> {
    let event = audit_event::Model::from_query_result(row, OF_EVENT).ok()?;
    audit_event::to_domain(&event).ok()
}

fn unreadable(error: &sea_orm::DbErr) -> tradepost_ports::store::StoreError {
    crate::classify::classify(error, crate::classify::DbOperation::Statement)
}
