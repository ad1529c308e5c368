//! Reads of groups of trading accounts.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountGroupId, AccountId, OfAccountGroup};
use tradepost_domain::trading::trading_account::AccountGroup;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// Groups of trading accounts.
#[async_trait]
pub trait AccountGroups: Send + Sync {
    /// Returns a group.
    async fn find(&self, scope: WorkspaceScope, id: AccountGroupId) -> StoreResult<Option<Seen<AccountGroup>>>;
    /// Returns several groups, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[AccountGroupId]) -> StoreResult<Vec<Seen<AccountGroup>>>;
    /// Returns groups of the workspace.
    async fn list(&self, scope: WorkspaceScope, page: PageRequest<OfAccountGroup>)
    -> StoreResult<Page<OfAccountGroup>>;
    /// Returns the groups of an account, in the order of their ids.
    async fn list_of_account(&self, scope: WorkspaceScope, account: AccountId) -> StoreResult<Vec<Seen<AccountGroup>>>;
}
