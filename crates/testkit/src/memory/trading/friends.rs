//! Reads of friends of trading accounts.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, FriendId, OfFriend};
use tradepost_domain::trading::friend::Friend;
use tradepost_domain::trading::friend_list::FriendList;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{FriendFilter, Friends, Page, PageRequest, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Friends for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: FriendId) -> StoreResult<Option<Seen<Friend>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[FriendId]) -> StoreResult<Vec<Seen<Friend>>> {
        Ok(self.state().several(scope.workspace_id(), |friend: &Friend| ids.contains(&friend.id)))
    }
    async fn find_user(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        user: PlatformUserId,
    ) -> StoreResult<Option<Seen<Friend>>> {
        let is_it = |friend: &Friend| friend.account_id == account && friend.user == user;
        Ok(self.state().several(scope.workspace_id(), is_it).into_iter().next())
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: FriendFilter,
        page: PageRequest<OfFriend>,
    ) -> StoreResult<Page<OfFriend>> {
        Ok(self.state().page(scope.workspace_id(), &page, |friend: &Friend| {
            filter.account_id.is_none_or(|wanted| friend.account_id == wanted)
                && filter.relation.is_none_or(|wanted| friend.relation == wanted)
        }))
    }
    async fn list_of(&self, scope: WorkspaceScope, account: AccountId) -> StoreResult<Vec<Seen<Friend>>> {
        Ok(self.state().several(scope.workspace_id(), |friend: &Friend| friend.account_id == account))
    }
    async fn list_open(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<Friend>>> {
        let mut open = self.state().several(scope.workspace_id(), Friend::is_open);
        open.truncate(most as usize);
        Ok(open)
    }
    async fn find_reading(&self, scope: WorkspaceScope, account: AccountId) -> StoreResult<Option<Seen<FriendList>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), account.to_bytes()))
    }
    async fn list_readings(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<FriendList>>> {
        Ok(self.state().several(scope.workspace_id(), |_: &FriendList| true))
    }
}
