//! Reads of trading accounts, of their groups, and of their assignments.

use std::collections::BTreeSet;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{AccountId, OfAccount};
use tradepost_domain::text::{AccountName, Name};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::{AccountGroup, Load, TradingAccount};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AccountFilter, Page, PageRequest, StoreResult, TradingAccounts};

use crate::memory::MemoryStore;

fn is_numbered(account: &TradingAccount, platform: &Name, numbers: &[PlatformUserId]) -> bool {
    account.platform == *platform && numbers.contains(&account.platform_user_id) && !account.status.is_terminal()
}

#[async_trait]
impl TradingAccounts for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: AccountId) -> StoreResult<Option<Seen<TradingAccount>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[AccountId]) -> StoreResult<Vec<Seen<TradingAccount>>> {
        Ok(self.state().several(scope.workspace_id(), |account: &TradingAccount| ids.contains(&account.id)))
    }
    async fn find_named(&self, scope: WorkspaceScope, name: &AccountName) -> StoreResult<Option<Seen<TradingAccount>>> {
        let is_named = |account: &TradingAccount| account.name == *name && !account.status.is_terminal();
        Ok(self.state().several(scope.workspace_id(), is_named).into_iter().next())
    }
    async fn find_all_named(
        &self,
        scope: WorkspaceScope,
        names: &[AccountName],
    ) -> StoreResult<Vec<Seen<TradingAccount>>> {
        let is_named = |account: &TradingAccount| names.contains(&account.name) && !account.status.is_terminal();
        Ok(self.state().several(scope.workspace_id(), is_named))
    }
    async fn find_numbered(
        &self,
        scope: WorkspaceScope,
        platform: &Name,
        numbers: &[PlatformUserId],
    ) -> StoreResult<Vec<Seen<TradingAccount>>> {
        Ok(self.state().several(scope.workspace_id(), |account| is_numbered(account, platform, numbers)))
    }
    async fn list_elsewhere(
        &self,
        scope: WorkspaceScope,
        platform: &Name,
        numbers: &[PlatformUserId],
    ) -> StoreResult<Vec<PlatformUserId>> {
        let is_elsewhere = |account: &TradingAccount| {
            account.workspace_id != scope.workspace_id() && is_numbered(account, platform, numbers)
        };
        let found = self.state().all(is_elsewhere);
        let numbers: BTreeSet<PlatformUserId> = found.iter().map(|account| account.peek().platform_user_id).collect();
        Ok(numbers.into_iter().collect())
    }
    async fn list(
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
    async fn list_to_refresh(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<TradingAccount>>> {
        let waits = |account: &TradingAccount| account.refresh.is_some_and(|refresh| refresh.is_pending());
        let mut found = self.state().several(scope.workspace_id(), waits);
        found.sort_by_key(|account| account.peek().id);
        found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(found)
    }
    async fn find_loads(&self, scope: WorkspaceScope, names: &[AccountName]) -> StoreResult<Vec<(AccountName, Load)>> {
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
}
