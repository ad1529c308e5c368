//! Reads of identities of other platforms, and of links to them that were begun. These are of no workspace.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::account_link::{AccountLink, Provider, SpentAnswer};
use tradepost_domain::id::AccountLinkId;
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_domain::user::LinkedIdentity;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AccountLinks, StoreResult};

use crate::rows::{account_link, linked_identity, spent_answer, uuid};
use crate::store::SqlStore;
use crate::table::select_list;

static BY_SUBJECT: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<linked_identity::Entity>("", "");
    format!("SELECT {columns} FROM linked_identities WHERE provider = $1 AND subject = $2")
});
static BEGUN_BEFORE: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<account_link::Entity>("", "");
    format!("SELECT {columns} FROM account_links WHERE created_at < $1 ORDER BY created_at LIMIT $2")
});
static SPENT_BEFORE: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<spent_answer::Entity>("", "");
    format!("SELECT {columns} FROM spent_answers WHERE spent_at < $1 ORDER BY spent_at LIMIT $2")
});

#[async_trait]
impl AccountLinks for SqlStore {
    async fn find_linked_identity(
        &self,
        provider: Provider,
        subject: &Name,
    ) -> StoreResult<Option<Seen<LinkedIdentity>>> {
        self.one(&BY_SUBJECT, vec![provider.as_str().into(), subject.as_str().into()]).await
    }

    async fn find_account_link(&self, id: AccountLinkId) -> StoreResult<Option<Seen<AccountLink>>> {
        self.find(vec![uuid(id).into()]).await
    }

    async fn list_account_links_begun_before(&self, at: Timestamp, most: u32) -> StoreResult<Vec<Seen<AccountLink>>> {
        self.all(&BEGUN_BEFORE, vec![at.as_micros().into(), i64::from(most).into()]).await
    }

    async fn list_answers_spent_before(&self, at: Timestamp, most: u32) -> StoreResult<Vec<Seen<SpentAnswer>>> {
        self.all(&SPENT_BEFORE, vec![at.as_micros().into(), i64::from(most).into()]).await
    }
}
