//! Reads of trading accounts, of their groups, and of their assignments.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountGroupId, AccountId, OfAccount};
use tradepost_domain::text::{AccountName, Name};
use tradepost_domain::trading::trade::PlatformUserId;
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
    /// Returns the accounts with any of these names that were not removed, in no order.
    async fn find_all_named(
        &self,
        scope: WorkspaceScope,
        names: &[AccountName],
    ) -> StoreResult<Vec<Seen<TradingAccount>>>;
    /// Returns the accounts of a platform with any of these numbers that were not removed, in no order.
    async fn find_numbered(
        &self,
        scope: WorkspaceScope,
        platform: &Name,
        numbers: &[PlatformUserId],
    ) -> StoreResult<Vec<Seen<TradingAccount>>>;
    /// Returns which of these numbers accounts of other workspaces have that were not removed. It does not return whose they are.
    async fn list_elsewhere(
        &self,
        scope: WorkspaceScope,
        platform: &Name,
        numbers: &[PlatformUserId],
    ) -> StoreResult<Vec<PlatformUserId>>;
    /// Returns trading accounts of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: AccountFilter,
        page: PageRequest<OfAccount>,
    ) -> StoreResult<Page<OfAccount>>;
    /// Returns accounts of which an engine has to read something because a person asked for it, the oldest first.
    async fn list_to_refresh(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<TradingAccount>>>;
    /// Returns the open work of accounts; accounts without any are left out.
    async fn find_loads(&self, scope: WorkspaceScope, names: &[AccountName]) -> StoreResult<Vec<(AccountName, Load)>>;
}
