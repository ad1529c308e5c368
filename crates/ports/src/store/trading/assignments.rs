//! Reads of assignments of accounts and groups to pools.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::assignment::{Assignee, Assignment};
use tradepost_domain::id::{AccountId, AssignmentId, OfAssignment, PoolId};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// The assignments to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AssignmentFilter {
    /// Only to this pool.
    pub pool_id: Option<PoolId>,
    /// Only those that name this account itself.
    pub account_id: Option<AccountId>,
}

/// Assignments of accounts and groups to pools.
#[async_trait]
pub trait Assignments: Send + Sync {
    /// Returns an assignment.
    async fn find(&self, scope: WorkspaceScope, id: AssignmentId) -> StoreResult<Option<Seen<Assignment>>>;
    /// Returns several assignments, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[AssignmentId]) -> StoreResult<Vec<Seen<Assignment>>>;
    /// Returns assignments of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: AssignmentFilter,
        page: PageRequest<OfAssignment>,
    ) -> StoreResult<Page<OfAssignment>>;
    /// Returns every assignment to a pool, in the order of their ids: each account and each group has one at most.
    async fn list_to(&self, scope: WorkspaceScope, pool: PoolId) -> StoreResult<Vec<Seen<Assignment>>>;
    /// Counts the assignments that name an account itself, or a group.
    async fn count_of(&self, scope: WorkspaceScope, assignee: Assignee) -> StoreResult<i64>;
}
