//! Reads of links that were mailed.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::{EmailLink, PurposeKind};
use tradepost_domain::id::UserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{EmailLinks, StoreResult};

use crate::rows::accounts::email_link;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static LINK_BY_DIGEST: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {} FROM email_links WHERE digest = $1", select_list::<email_link::Entity>("", ""))
});

static LINK_TO: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<email_link::Entity>("", "");
    format!(
        "SELECT {columns} FROM email_links WHERE email_key = $1 AND purpose = $2 \
         ORDER BY created_at DESC, user_id DESC LIMIT 1"
    )
});

#[async_trait]
impl EmailLinks for SqlStore {
    async fn find_own(&self, user: UserId, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>> {
        self.find(vec![uuid(user).into(), kind.code().into()]).await
    }
    async fn find(&self, digest: &TokenDigest) -> StoreResult<Option<Seen<EmailLink>>> {
        self.one(&LINK_BY_DIGEST, vec![digest.0.to_vec().into()]).await
    }
    async fn find_to(&self, to: &EmailAddress, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>> {
        self.one(&LINK_TO, vec![to.key().into(), kind.code().into()]).await
    }
}
