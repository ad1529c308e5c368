//! Reads of daily marks of equity.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::contracts::equity::{EquityMark, end_of};
use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{EquityMarks, StoreResult, UnmarkedQuery};

use crate::memory::MemoryStore;
use crate::memory::state::State;

#[async_trait]
impl EquityMarks for MemoryStore {
    async fn list(&self, scope: WorkspaceScope, from_day: i64, to_day: i64) -> StoreResult<Vec<EquityMark>> {
        let is_asked_for = |mark: &EquityMark| (from_day..to_day).contains(&mark.day);
        let found = self.state().several(scope.workspace_id(), is_asked_for);
        Ok(found.into_iter().map(|seen| seen.into_display().0).collect())
    }
    async fn list_unmarked(&self, query: UnmarkedQuery) -> StoreResult<Vec<Seen<Workspace>>> {
        let state = self.state();
        let mut found = state.all(|workspace: &Workspace| state.needs_mark(workspace, &query));
        found.sort_by_key(|seen| seen.peek().id);
        found.truncate(query.most as usize);
        Ok(found)
    }
}

impl State {
    fn needs_mark(&self, workspace: &Workspace, query: &UnmarkedQuery) -> bool {
        let id = workspace.id;
        let is_marked = || self.find::<EquityMark>(id.to_bytes(), EquityMark::key_of(query.day)).is_some();
        workspace.deleted_at.is_none()
            && query.after.is_none_or(|after| after < id)
            && self.is_in(query.worlds, id)
            && self.had_money(id, query.day)
            && !is_marked()
    }

    /// Returns whether a pool was opened or money was moved before a day ended.
    fn had_money(&self, workspace: WorkspaceId, day: i64) -> bool {
        let end = end_of(day);
        !self.several(workspace, |pool: &Pool| pool.created_at < end).is_empty()
            || self.entries(workspace).any(|entry| entry.at < end)
    }
}
