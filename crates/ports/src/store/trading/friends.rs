//! Reads of friends of trading accounts, and of when they were read.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, FriendId, OfFriend};
use tradepost_domain::trading::friend::{Friend, FriendRelation};
use tradepost_domain::trading::friend_list::FriendList;
use tradepost_domain::trading::trade::PlatformUserId;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// The friends to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FriendFilter {
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only in this relation.
    pub relation: Option<FriendRelation>,
}

/// Friends of trading accounts.
#[async_trait]
pub trait Friends: Send + Sync {
    /// Returns a friend.
    async fn find(&self, scope: WorkspaceScope, id: FriendId) -> StoreResult<Option<Seen<Friend>>>;
    /// Returns several friends, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[FriendId]) -> StoreResult<Vec<Seen<Friend>>>;
    /// Returns the record of another account as a friend of one of ours.
    async fn find_user(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        user: PlatformUserId,
    ) -> StoreResult<Option<Seen<Friend>>>;
    /// Returns friends of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: FriendFilter,
        page: PageRequest<OfFriend>,
    ) -> StoreResult<Page<OfFriend>>;
    /// Returns every friend of an account, oldest first.
    async fn list_of(&self, scope: WorkspaceScope, account: AccountId) -> StoreResult<Vec<Seen<Friend>>>;
    /// Returns friends of whom something is asked and not settled, oldest first.
    async fn list_open(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<Friend>>>;
    /// Returns when the friends of an account were read.
    async fn find_reading(&self, scope: WorkspaceScope, account: AccountId) -> StoreResult<Option<Seen<FriendList>>>;
    /// Returns when the friends of each account were read, as far as they were or a person asked for it.
    async fn list_readings(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<FriendList>>>;
}
