//! Reads of assignments of accounts and groups to pools.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::assignment::{Assignee, Assignment};
use tradepost_domain::id::{AssignmentId, OfAssignment, PoolId};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AssignmentFilter, Assignments, Page, PageRequest, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Assignments for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: AssignmentId) -> StoreResult<Option<Seen<Assignment>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[AssignmentId]) -> StoreResult<Vec<Seen<Assignment>>> {
        Ok(self.state().several(scope.workspace_id(), |assignment: &Assignment| ids.contains(&assignment.id)))
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: AssignmentFilter,
        page: PageRequest<OfAssignment>,
    ) -> StoreResult<Page<OfAssignment>> {
        Ok(self.state().page(scope.workspace_id(), &page, |assignment: &Assignment| {
            filter.pool_id.is_none_or(|pool| assignment.pool_id == pool)
                && filter.account_id.is_none_or(|account| assignment.assignee == Assignee::Account(account))
        }))
    }
    async fn list_to(&self, scope: WorkspaceScope, pool: PoolId) -> StoreResult<Vec<Seen<Assignment>>> {
        Ok(self.state().several(scope.workspace_id(), |assignment: &Assignment| assignment.pool_id == pool))
    }
    async fn count_of(&self, scope: WorkspaceScope, assignee: Assignee) -> StoreResult<i64> {
        let named = self.state().several(scope.workspace_id(), |found: &Assignment| found.assignee == assignee).len();
        Ok(i64::try_from(named).unwrap_or(i64::MAX))
    }
}
