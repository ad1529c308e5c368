//! Reads of users and the links mailed to them. These are of no workspace.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::api_key::TokenDigest;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::{EmailLink, PurposeKind};
use tradepost_domain::accounts::user::{LinkedIdentity, User};
use tradepost_domain::id::UserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{StoreResult, Users};

use crate::rows::accounts::{email_link, linked_identity, user};
use crate::rows::uuid;
use crate::sql_text::{listed, listed_postgres, listed_sqlite};
use crate::store::SqlStore;
use crate::table::select_list;

static BY_EMAIL: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {} FROM users WHERE email_key = $1", select_list::<user::Entity>("", "")));
static SEVERAL_ON_SQLITE: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<user::Entity>("", "");
    format!("SELECT {columns} FROM users WHERE id IN (SELECT unhex(value) FROM json_each($1))")
});
static SEVERAL_ON_POSTGRES: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<user::Entity>("", "");
    format!("SELECT {columns} FROM users WHERE id IN (SELECT value::uuid FROM json_array_elements_text($1::json))")
});
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

static FELLOWS_SQLITE: LazyLock<String> = LazyLock::new(|| fellows(listed_sqlite));
static FELLOWS_POSTGRES: LazyLock<String> = LazyLock::new(|| fellows(listed_postgres));
static LINKED: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<linked_identity::Entity>("", "");
    format!("SELECT {columns} FROM linked_identities WHERE user_id = $1 ORDER BY id")
});

/// The users of a list who are the viewer or an accepted member of a workspace of another list.
fn fellows(listed: fn(usize) -> String) -> String {
    format!(
        "SELECT {} FROM users u WHERE u.id IN ({}) AND (u.id = $3 OR EXISTS (SELECT 1 FROM memberships m \
         WHERE m.user_id = u.id AND m.status = 2 AND m.workspace_id IN ({})))",
        select_list::<user::Entity>("u.", ""),
        listed(1),
        listed(2),
    )
}

#[async_trait]
impl Users for SqlStore {
    async fn find_user(&self, id: UserId) -> StoreResult<Option<Seen<User>>> {
        self.find(vec![uuid(id).into()]).await
    }

    async fn find_users(&self, ids: &[UserId]) -> StoreResult<Vec<Seen<User>>> {
        let ids: Vec<String> = ids.iter().map(|id| uuid(*id).simple().to_string()).collect();
        let sql = self.pick(&SEVERAL_ON_SQLITE, &SEVERAL_ON_POSTGRES);
        self.all(sql, vec![serde_json::json!(ids).to_string().into()]).await
    }

    async fn find_user_by_email(&self, email: &EmailAddress) -> StoreResult<Option<Seen<User>>> {
        self.one(&BY_EMAIL, vec![email.key().into()]).await
    }

    async fn has_users(&self) -> StoreResult<bool> {
        Ok(self.row("SELECT 1 FROM users LIMIT 1", vec![]).await?.is_some())
    }

    async fn count_linked_identities(&self, user: UserId) -> StoreResult<i64> {
        self.number("SELECT count(*) FROM linked_identities WHERE user_id = $1", vec![uuid(user).into()]).await
    }

    async fn find_fellows(
        &self,
        viewer: UserId,
        scopes: &[WorkspaceScope],
        ids: &[UserId],
    ) -> StoreResult<Vec<Seen<User>>> {
        let workspaces = listed(scopes.iter().map(|scope| scope.workspace_id()));
        let values = vec![listed(ids.iter().copied()), workspaces, uuid(viewer).into()];
        self.all(self.pick(&FELLOWS_SQLITE, &FELLOWS_POSTGRES), values).await
    }

    async fn list_linked_identities(&self, user: UserId) -> StoreResult<Vec<Seen<LinkedIdentity>>> {
        self.all(&LINKED, vec![uuid(user).into()]).await
    }

    async fn find_own_email_link(&self, user: UserId, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>> {
        self.find(vec![uuid(user).into(), kind.code().into()]).await
    }

    async fn find_email_link(&self, digest: &TokenDigest) -> StoreResult<Option<Seen<EmailLink>>> {
        self.one(&LINK_BY_DIGEST, vec![digest.0.to_vec().into()]).await
    }

    async fn find_email_link_to(&self, to: &EmailAddress, kind: PurposeKind) -> StoreResult<Option<Seen<EmailLink>>> {
        self.one(&LINK_TO, vec![to.key().into(), kind.code().into()]).await
    }
}
