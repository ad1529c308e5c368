//! Reads of users and the links mailed to them. These are of no workspace.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::UserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{StoreResult, Users};

use crate::rows::accounts::user;
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
static FELLOWS_SQLITE: LazyLock<String> = LazyLock::new(|| fellows(listed_sqlite));
static FELLOWS_POSTGRES: LazyLock<String> = LazyLock::new(|| fellows(listed_postgres));
/// The users of a list who are the viewer, or an accepted or suspended member of a workspace of another list.
fn fellows(listed: fn(usize) -> String) -> String {
    format!(
        "SELECT {} FROM users u WHERE u.id IN ({}) AND (u.id = $3 OR EXISTS (SELECT 1 FROM memberships m \
         WHERE m.user_id = u.id AND m.status IN (2, 3) AND m.workspace_id IN ({})))",
        select_list::<user::Entity>("u.", ""),
        listed(1),
        listed(2),
    )
}

#[async_trait]
impl Users for SqlStore {
    async fn find(&self, id: UserId) -> StoreResult<Option<Seen<User>>> {
        self.find(vec![uuid(id).into()]).await
    }
    async fn find_many(&self, ids: &[UserId]) -> StoreResult<Vec<Seen<User>>> {
        let ids: Vec<String> = ids.iter().map(|id| uuid(*id).simple().to_string()).collect();
        let sql = self.pick(&SEVERAL_ON_SQLITE, &SEVERAL_ON_POSTGRES);
        self.all(sql, vec![serde_json::json!(ids).to_string().into()]).await
    }
    async fn find_by_email(&self, email: &EmailAddress) -> StoreResult<Option<Seen<User>>> {
        self.one(&BY_EMAIL, vec![email.key().into()]).await
    }
    async fn has_any(&self) -> StoreResult<bool> {
        Ok(self.row("SELECT 1 FROM users LIMIT 1", vec![]).await?.is_some())
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
}
