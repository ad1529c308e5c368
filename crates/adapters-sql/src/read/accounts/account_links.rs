//! Reads of identities of other platforms, and of links to them that were begun. These are of no workspace.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::account_link::{AccountLink, Provider};
use tradepost_domain::accounts::user::LinkedIdentity;
use tradepost_domain::id::{AccountLinkId, UserId};
use tradepost_domain::text::Name;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AccountLinks, StoreResult};

use crate::rows::accounts::linked_identity;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static BY_SUBJECT: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<linked_identity::Entity>("", "");
    format!("SELECT {columns} FROM linked_identities WHERE provider = $1 AND subject = $2")
});

static LINKED: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<linked_identity::Entity>("", "");
    format!("SELECT {columns} FROM linked_identities WHERE user_id = $1 ORDER BY id")
});

#[async_trait]
impl AccountLinks for SqlStore {
    async fn find_identity(&self, provider: Provider, subject: &Name) -> StoreResult<Option<Seen<LinkedIdentity>>> {
        self.one(&BY_SUBJECT, vec![provider.as_str().into(), subject.as_str().into()]).await
    }
    async fn find(&self, id: AccountLinkId) -> StoreResult<Option<Seen<AccountLink>>> {
        self.find(vec![uuid(id).into()]).await
    }
    async fn count_identities(&self, user: UserId) -> StoreResult<i64> {
        self.number("SELECT count(*) FROM linked_identities WHERE user_id = $1", vec![uuid(user).into()]).await
    }
    async fn list_identities(&self, user: UserId) -> StoreResult<Vec<Seen<LinkedIdentity>>> {
        self.all(&LINKED, vec![uuid(user).into()]).await
    }
}
