//! Reads of groups of trading accounts.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountGroupId, AccountId, OfAccountGroup};
use tradepost_domain::trading::trading_account::AccountGroup;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AccountGroups, Page, PageRequest, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl AccountGroups for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: AccountGroupId) -> StoreResult<Option<Seen<AccountGroup>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[AccountGroupId]) -> StoreResult<Vec<Seen<AccountGroup>>> {
        Ok(self.state().several(scope.workspace_id(), |group: &AccountGroup| ids.contains(&group.id)))
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        page: PageRequest<OfAccountGroup>,
    ) -> StoreResult<Page<OfAccountGroup>> {
        Ok(self.state().page(scope.workspace_id(), &page, |_: &AccountGroup| true))
    }
    async fn list_of_account(&self, scope: WorkspaceScope, account: AccountId) -> StoreResult<Vec<Seen<AccountGroup>>> {
        Ok(self.state().several(scope.workspace_id(), |group: &AccountGroup| group.account_ids.contains(&account)))
    }
}
