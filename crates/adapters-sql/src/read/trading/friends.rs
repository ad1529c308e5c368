//! Reads of friends of trading accounts.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, FriendId, OfFriend};
use tradepost_domain::trading::friend::Friend;
use tradepost_domain::trading::friend_list::FriendList;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{FriendFilter, Friends, Page, PageRequest, StoreResult};

use crate::rows::trading::{friend, friend_list};
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static FRIENDS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<friend::Entity>("", "");
    format!("SELECT {columns} FROM friends{{by}} WHERE workspace_id = $1")
});
static READINGS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<friend_list::Entity>("", "");
    format!("SELECT {columns} FROM friend_lists WHERE workspace_id = $1")
});

#[async_trait]
impl Friends for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: FriendId) -> StoreResult<Option<Seen<Friend>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[FriendId]) -> StoreResult<Vec<Seen<Friend>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_user(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        user: PlatformUserId,
    ) -> StoreResult<Option<Seen<Friend>>> {
        let text =
            self.by_index(&format!("{} AND account_id = $2 AND platform_user_id = $3", *FRIENDS), "friends_user");
        self.one(&text, vec![uuid(scope.workspace_id()).into(), uuid(account).into(), user.to_string().into()]).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: FriendFilter,
        page: PageRequest<OfFriend>,
    ) -> StoreResult<Page<OfFriend>> {
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(filter.account_id.map(|account| ("account_id", uuid(account).into())));
        equal.extend(filter.relation.map(|relation| ("relation", relation.code().into())));
        self.page("friends", equal, page).await
    }
    async fn list_of(&self, scope: WorkspaceScope, account: AccountId) -> StoreResult<Vec<Seen<Friend>>> {
        let text = self.by_index(&format!("{} AND account_id = $2 ORDER BY id", *FRIENDS), "friends_account");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), uuid(account).into()]).await
    }
    async fn list_open(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<Friend>>> {
        let text = format!("{} AND action_state IN (1, 2) ORDER BY id LIMIT $2", *FRIENDS);
        let text = self.by_index(&text, "friends_open");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), i64::from(most).into()]).await
    }
    async fn find_reading(&self, scope: WorkspaceScope, account: AccountId) -> StoreResult<Option<Seen<FriendList>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(account).into()]).await
    }
    async fn list_readings(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<FriendList>>> {
        self.readable(&READINGS, vec![uuid(scope.workspace_id()).into()]).await
    }
}
