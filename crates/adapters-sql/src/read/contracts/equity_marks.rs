//! Reads of daily marks of equity.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::contracts::equity::{EquityMark, end_of};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{EquityMarks, StoreResult, UnmarkedQuery};
use uuid::Uuid;

use crate::rows::accounts::workspace;
use crate::rows::contracts::equity_mark;
use crate::rows::uuid;
use crate::sql_text::in_worlds;
use crate::store::SqlStore;
use crate::table::select_list;

static OF_DAYS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<equity_mark::Entity>("", "");
    format!("SELECT {columns} FROM equity_marks WHERE workspace_id = $1 AND id >= $2 AND id < $3 ORDER BY id")
});
/// The workspaces without a mark in which there was money before a time.
static UNMARKED: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<workspace::Entity>("w.", "");
    format!(
        "SELECT {columns} FROM workspaces w WHERE w.id > $1 AND w.deleted_at IS NULL \
         AND NOT EXISTS (SELECT 1 FROM equity_marks m WHERE m.workspace_id = w.id AND m.id = $2) \
         AND (EXISTS (SELECT 1 FROM pools p WHERE p.workspace_id = w.id AND p.created_at < $3) \
         OR EXISTS (SELECT 1 FROM ledger_entries e WHERE e.workspace_id = w.id AND e.at < $3))"
    )
});

fn key(day: i64) -> Uuid {
    Uuid::from_bytes(EquityMark::key_of(day))
}

#[async_trait]
impl EquityMarks for SqlStore {
    async fn list(&self, scope: WorkspaceScope, from_day: i64, to_day: i64) -> StoreResult<Vec<EquityMark>> {
        let values = vec![uuid(scope.workspace_id()).into(), key(from_day).into(), key(to_day).into()];
        let found: Vec<Seen<EquityMark>> = self.readable(&OF_DAYS, values).await?;
        Ok(found.into_iter().map(|seen| seen.into_display().0).collect())
    }
    async fn list_unmarked(&self, query: UnmarkedQuery) -> StoreResult<Vec<Seen<Workspace>>> {
        let UnmarkedQuery { worlds, day, after, most } = query;
        let after = after.map_or(Uuid::nil(), uuid);
        let mut values: Vec<Value> =
            vec![after.into(), key(day).into(), end_of(day).as_micros().into(), i64::from(most).into()];
        let within = in_worlds("w.id", worlds, &mut values);
        self.readable(&format!("{}{within} ORDER BY w.id LIMIT $4", *UNMARKED), values).await
    }
}
