//! Reads of trading accounts, of their groups, and of their assignments.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountGroupId, AccountId, OfAccount};
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::trading_account::{AccountStatus, Load, TradingAccount};

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

/// Trading accounts.
#[async_trait]
pub trait TradingAccounts: Send + Sync {
    /// Returns a trading account.
    async fn find(&self, scope: WorkspaceScope, id: AccountId) -> StoreResult<Option<Seen<TradingAccount>>>;
    /// Returns several trading accounts, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[AccountId]) -> StoreResult<Vec<Seen<TradingAccount>>>;
    /// Returns the account with this name that was not removed. Its items and purchases use the same name.
    async fn find_named(&self, scope: WorkspaceScope, name: &AccountName) -> StoreResult<Option<Seen<TradingAccount>>>;
    /// Returns trading accounts of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: AccountFilter,
        page: PageRequest<OfAccount>,
    ) -> StoreResult<Page<OfAccount>>;
    /// Returns the open work of accounts; accounts without any are left out.
    async fn find_loads(&self, scope: WorkspaceScope, names: &[AccountName]) -> StoreResult<Vec<(AccountName, Load)>>;
}
