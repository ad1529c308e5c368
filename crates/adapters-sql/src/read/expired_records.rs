//! Reads of what is over and still stored, of all workspaces and users, for the process itself.

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::membership::Membership;
use tradepost_domain::accounts::user::User;
use tradepost_domain::accounts::workspace::Workspace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Aged, ClearingTurn, ExpiredRecords, StoreResult};

use crate::rows::Stored;
use crate::store::SqlStore;
use crate::table::{select_list, table};

const OVERDUE: &str = "status = 1 AND expires_at <= $1 ORDER BY expires_at LIMIT $2";
const UNCONFIRMED: &str = "email IS NULL AND password_hash IS NULL AND NOT disabled AND created_at < $1 \
    AND NOT EXISTS (SELECT 1 FROM linked_identities l WHERE l.user_id = users.id) \
    AND NOT EXISTS (SELECT 1 FROM email_links l WHERE l.user_id = users.id) ORDER BY created_at LIMIT $2";
const REMINDERS: &str = "remind_at <= $1 ORDER BY remind_at LIMIT $2";
const DELETED: &str = "deleted_at IS NOT NULL AND deleted_at < $1 ORDER BY deleted_at LIMIT $2";

impl SqlStore {
    async fn leftovers<R: Stored>(&self, which: &str, time: Timestamp, most: u32) -> StoreResult<Vec<Seen<R>>> {
        let sql = format!("SELECT {} FROM {} WHERE {which}", select_list::<R::Entity>("", ""), table(R::KIND).name);
        let values: Vec<Value> = vec![time.as_micros().into(), i64::from(most).into()];
        self.all(&sql, values).await
    }
}

#[async_trait]
impl ExpiredRecords for SqlStore {
    async fn list_overdue_invitations(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Membership>>> {
        self.leftovers(OVERDUE, until, most).await
    }
    async fn begin_clearing(&self) -> StoreResult<Option<ClearingTurn>> {
        self.take_clearing_turn().await
    }
    async fn forget_aged(&self, what: Aged, before: Timestamp, most: u32) -> StoreResult<u64> {
        self.delete_aged(what, before, most).await
    }
    async fn list_unconfirmed_users(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<User>>> {
        self.leftovers(UNCONFIRMED, before, most).await
    }
    async fn list_keys_to_remind_of(&self, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<ApiKey>>> {
        self.leftovers(REMINDERS, until, most).await
    }
    async fn list_deleted_workspaces(&self, before: Timestamp, most: u32) -> StoreResult<Vec<Seen<Workspace>>> {
        self.leftovers(DELETED, before, most).await
    }
}
