//! Reads of trading accounts, of their groups, and of their assignments.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::assignment::{Assignee, Assignment};
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{AccountGroupId, AccountId, AssignmentId, OfAccount, OfAccountGroup, OfAssignment, PoolId};
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::trading_account::{AccountGroup, Load, TradingAccount};

use crate::memory::MemoryStore;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AccountFilter, AssignmentFilter, Page, PageRequest, StoreResult, TradingAccounts};

#[async_trait]
impl TradingAccounts for MemoryStore {
    async fn find_account(&self, scope: WorkspaceScope, id: AccountId) -> StoreResult<Option<Seen<TradingAccount>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }

    async fn find_accounts(&self, scope: WorkspaceScope, ids: &[AccountId]) -> StoreResult<Vec<Seen<TradingAccount>>> {
        Ok(self.state().several(scope.workspace_id(), |account: &TradingAccount| ids.contains(&account.id)))
    }

    async fn find_account_named(
        &self,
        scope: WorkspaceScope,
        name: &AccountName,
    ) -> StoreResult<Option<Seen<TradingAccount>>> {
        let is_named = |account: &TradingAccount| account.name == *name && !account.status.is_terminal();
        Ok(self.state().several(scope.workspace_id(), is_named).into_iter().next())
    }

    async fn list_accounts(
        &self,
        scope: WorkspaceScope,
        filter: AccountFilter,
        page: PageRequest<OfAccount>,
    ) -> StoreResult<Page<OfAccount>> {
        let state = self.state();
        let workspace = scope.workspace_id();
        let group = filter.group_id.map(|id| state.find::<AccountGroup>(workspace.to_bytes(), id.to_bytes()));
        let is_in = |account: &TradingAccount| match &group {
            None => true,
            Some(group) => group.as_ref().is_some_and(|group| group.peek().account_ids.contains(&account.id)),
        };
        Ok(state.page(workspace, &page, |account: &TradingAccount| {
            filter.status.is_none_or(|wanted| account.status == wanted) && is_in(account)
        }))
    }

    async fn find_account_loads(
        &self,
        scope: WorkspaceScope,
        names: &[AccountName],
    ) -> StoreResult<Vec<(AccountName, Load)>> {
        let state = self.state();
        let load_of = |name: &AccountName| {
            let is_open = |purchase: &Purchase| purchase.terms.account_name == *name && purchase.status.is_open();
            let is_ours = |item: &InventoryItem| item.account_name == *name && item.is_live();
            let count = |found: usize| u32::try_from(found).unwrap_or(u32::MAX);
            Load {
                open_purchases: count(state.several(scope.workspace_id(), is_open).len()),
                items: count(state.several(scope.workspace_id(), is_ours).len()),
            }
        };
        let loads = names.iter().map(|name| (name.clone(), load_of(name)));
        Ok(loads.filter(|(_, load)| *load != Load::default()).collect())
    }

    async fn find_account_group(
        &self,
        scope: WorkspaceScope,
        id: AccountGroupId,
    ) -> StoreResult<Option<Seen<AccountGroup>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }

    async fn find_account_groups(
        &self,
        scope: WorkspaceScope,
        ids: &[AccountGroupId],
    ) -> StoreResult<Vec<Seen<AccountGroup>>> {
        Ok(self.state().several(scope.workspace_id(), |group: &AccountGroup| ids.contains(&group.id)))
    }

    async fn list_account_groups(
        &self,
        scope: WorkspaceScope,
        page: PageRequest<OfAccountGroup>,
    ) -> StoreResult<Page<OfAccountGroup>> {
        Ok(self.state().page(scope.workspace_id(), &page, |_: &AccountGroup| true))
    }

    async fn list_groups_of_account(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
    ) -> StoreResult<Vec<Seen<AccountGroup>>> {
        Ok(self.state().several(scope.workspace_id(), |group: &AccountGroup| group.account_ids.contains(&account)))
    }

    async fn find_assignment(&self, scope: WorkspaceScope, id: AssignmentId) -> StoreResult<Option<Seen<Assignment>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }

    async fn find_assignments(
        &self,
        scope: WorkspaceScope,
        ids: &[AssignmentId],
    ) -> StoreResult<Vec<Seen<Assignment>>> {
        Ok(self.state().several(scope.workspace_id(), |assignment: &Assignment| ids.contains(&assignment.id)))
    }

    async fn list_assignments(
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

    async fn list_assignments_to(&self, scope: WorkspaceScope, pool: PoolId) -> StoreResult<Vec<Seen<Assignment>>> {
        Ok(self.state().several(scope.workspace_id(), |assignment: &Assignment| assignment.pool_id == pool))
    }

    async fn count_assignments_of(&self, scope: WorkspaceScope, assignee: Assignee) -> StoreResult<i64> {
        let named = self.state().several(scope.workspace_id(), |found: &Assignment| found.assignee == assignee).len();
        Ok(i64::try_from(named).unwrap_or(i64::MAX))
    }
}
