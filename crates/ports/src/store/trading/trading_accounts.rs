//! Reads of trading accounts, of their groups, and of their assignments.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::assignment::{Assignee, Assignment};
use tradepost_domain::id::{AccountGroupId, AccountId, AssignmentId, OfAccount, OfAccountGroup, OfAssignment, PoolId};
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::trading_account::{AccountGroup, AccountStatus, Load, TradingAccount};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// The trading accounts to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AccountFilter {
    /// Only in this status.
    pub status: Option<AccountStatus>,
    /// Only those in this group.
    pub group_id: Option<AccountGroupId>,
}

/// The assignments to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AssignmentFilter {
    /// Only to this pool.
    pub pool_id: Option<PoolId>,
    /// Only those that name this account itself.
    pub account_id: Option<AccountId>,
}

/// Trading accounts, their groups, and their assignments to pools.
#[async_trait]
pub trait TradingAccounts: Send + Sync {
    /// Returns a trading account.
    async fn find_account(&self, scope: WorkspaceScope, id: AccountId) -> StoreResult<Option<Seen<TradingAccount>>>;
    /// Returns several trading accounts, in no order; missing ones are left out.
    async fn find_accounts(&self, scope: WorkspaceScope, ids: &[AccountId]) -> StoreResult<Vec<Seen<TradingAccount>>>;
    /// Returns the account with this name that was not removed. Its items and purchases use the same name.
    async fn find_account_named(
        &self,
        scope: WorkspaceScope,
        name: &AccountName,
    ) -> StoreResult<Option<Seen<TradingAccount>>>;
    /// Returns trading accounts of the workspace.
    async fn list_accounts(
        &self,
        scope: WorkspaceScope,
        filter: AccountFilter,
        page: PageRequest<OfAccount>,
    ) -> StoreResult<Page<OfAccount>>;
    /// Returns the open work of accounts; accounts without any are left out.
    async fn find_account_loads(
        &self,
        scope: WorkspaceScope,
        names: &[AccountName],
    ) -> StoreResult<Vec<(AccountName, Load)>>;
    /// Returns a group.
    async fn find_account_group(
        &self,
        scope: WorkspaceScope,
        id: AccountGroupId,
    ) -> StoreResult<Option<Seen<AccountGroup>>>;
    /// Returns several groups, in no order; missing ones are left out.
    async fn find_account_groups(
        &self,
        scope: WorkspaceScope,
        ids: &[AccountGroupId],
    ) -> StoreResult<Vec<Seen<AccountGroup>>>;
    /// Returns groups of the workspace.
    async fn list_account_groups(
        &self,
        scope: WorkspaceScope,
        page: PageRequest<OfAccountGroup>,
    ) -> StoreResult<Page<OfAccountGroup>>;
    /// Returns the groups of an account, in the order of their ids.
    async fn list_groups_of_account(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
    ) -> StoreResult<Vec<Seen<AccountGroup>>>;
    /// Returns an assignment.
    async fn find_assignment(&self, scope: WorkspaceScope, id: AssignmentId) -> StoreResult<Option<Seen<Assignment>>>;
    /// Returns several assignments, in no order; missing ones are left out.
    async fn find_assignments(&self, scope: WorkspaceScope, ids: &[AssignmentId])
    -> StoreResult<Vec<Seen<Assignment>>>;
    /// Returns assignments of the workspace.
    async fn list_assignments(
        &self,
        scope: WorkspaceScope,
        filter: AssignmentFilter,
        page: PageRequest<OfAssignment>,
    ) -> StoreResult<Page<OfAssignment>>;
    /// Returns every assignment to a pool, in the order of their ids: each account and each group has one at most.
    async fn list_assignments_to(&self, scope: WorkspaceScope, pool: PoolId) -> StoreResult<Vec<Seen<Assignment>>>;
    /// Counts the assignments that name an account itself, or a group.
    async fn count_assignments_of(&self, scope: WorkspaceScope, assignee: Assignee) -> StoreResult<i64>;
}
