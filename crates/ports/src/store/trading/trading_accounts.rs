//! Reads of trading accounts, of their groups, and of what they are assigned to.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::assignment::{Assignee, Assignment};
use tradepost_domain::id::{AccountGroupId, AccountId, AssignmentId, OfAccount, OfAccountGroup, OfAssignment, PoolId};
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::trading_account::{AccountGroup, AccountStatus, Load, TradingAccount};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// Which trading accounts to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AccountFilter {
    /// Only in this status.
    pub status: Option<AccountStatus>,
    /// Only those in this group.
    pub group_id: Option<AccountGroupId>,
}

/// Which assignments to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AssignmentFilter {
    /// Only to this pool.
    pub pool_id: Option<PoolId>,
    /// Only those that name this account itself.
    pub account_id: Option<AccountId>,
}

/// Trading accounts, their groups, and the pools that they are assigned to.
#[async_trait]
pub trait TradingAccounts: Send + Sync {
    /// A trading account.
    async fn find_account(&self, scope: WorkspaceScope, id: AccountId) -> StoreResult<Option<Seen<TradingAccount>>>;
    /// Several trading accounts, in no order; those that are not there are left out.
    async fn find_accounts(&self, scope: WorkspaceScope, ids: &[AccountId]) -> StoreResult<Vec<Seen<TradingAccount>>>;
    /// The account with this name that was not removed; its items and purchases have the same name.
    async fn find_account_named(
        &self,
        scope: WorkspaceScope,
        name: &AccountName,
    ) -> StoreResult<Option<Seen<TradingAccount>>>;
    /// Trading accounts of the workspace.
    async fn list_accounts(
        &self,
        scope: WorkspaceScope,
        filter: AccountFilter,
        page: PageRequest<OfAccount>,
    ) -> StoreResult<Page<OfAccount>>;
    /// What accounts have in hand: those with nothing are left out.
    async fn find_account_loads(
        &self,
        scope: WorkspaceScope,
        names: &[AccountName],
    ) -> StoreResult<Vec<(AccountName, Load)>>;
    /// A group.
    async fn find_account_group(
        &self,
        scope: WorkspaceScope,
        id: AccountGroupId,
    ) -> StoreResult<Option<Seen<AccountGroup>>>;
    /// Several groups, in no order; those that are not there are left out.
    async fn find_account_groups(
        &self,
        scope: WorkspaceScope,
        ids: &[AccountGroupId],
    ) -> StoreResult<Vec<Seen<AccountGroup>>>;
    /// Groups of the workspace.
    async fn list_account_groups(
        &self,
        scope: WorkspaceScope,
        page: PageRequest<OfAccountGroup>,
    ) -> StoreResult<Page<OfAccountGroup>>;
    /// The groups that an account is in, in the order of their ids.
    async fn list_groups_of_account(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
    ) -> StoreResult<Vec<Seen<AccountGroup>>>;
    /// An assignment.
    async fn find_assignment(&self, scope: WorkspaceScope, id: AssignmentId) -> StoreResult<Option<Seen<Assignment>>>;
    /// Several assignments, in no order; those that are not there are left out.
    async fn find_assignments(&self, scope: WorkspaceScope, ids: &[AssignmentId])
    -> StoreResult<Vec<Seen<Assignment>>>;
    /// Assignments of the workspace.
    async fn list_assignments(
        &self,
        scope: WorkspaceScope,
        filter: AssignmentFilter,
        page: PageRequest<OfAssignment>,
    ) -> StoreResult<Page<OfAssignment>>;
    /// Every assignment to a pool, in the order of their ids: each account and each group has one at most.
    async fn list_assignments_to(&self, scope: WorkspaceScope, pool: PoolId) -> StoreResult<Vec<Seen<Assignment>>>;
    /// How many assignments name an account itself, or a group.
    async fn count_assignments_of(&self, scope: WorkspaceScope, assignee: Assignee) -> StoreResult<i64>;
}
