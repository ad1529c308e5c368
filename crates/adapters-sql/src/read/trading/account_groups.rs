//! Reads of groups of trading accounts.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountGroupId, AccountId, OfAccountGroup};
use tradepost_domain::trading::trading_account::AccountGroup;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AccountGroups, Page, PageRequest, StoreResult};

use crate::rows::trading::account_group;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static GROUPS_OF: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<account_group::Entity>("", "");
    format!("SELECT {columns} FROM account_groups WHERE workspace_id = $1 AND account_ids LIKE $2 ORDER BY id")
});

#[async_trait]
impl AccountGroups for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: AccountGroupId) -> StoreResult<Option<Seen<AccountGroup>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[AccountGroupId]) -> StoreResult<Vec<Seen<AccountGroup>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        page: PageRequest<OfAccountGroup>,
    ) -> StoreResult<Page<OfAccountGroup>> {
        self.page("account_groups", vec![("workspace_id", uuid(scope.workspace_id()).into())], page).await
    }
    async fn list_of_account(&self, scope: WorkspaceScope, account: AccountId) -> StoreResult<Vec<Seen<AccountGroup>>> {
        let somewhere = format!("%{}%", uuid(account).simple());
        self.readable(&GROUPS_OF, vec![uuid(scope.workspace_id()).into(), somewhere.into()]).await
    }
}
