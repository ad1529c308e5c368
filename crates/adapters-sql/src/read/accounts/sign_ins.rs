//! Reads of sign-ins that have begun.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::sign_in::{PasskeySignIn, PendingSignIn};
use tradepost_domain::id::{ChallengeId, UserId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{SignIns, StoreResult};

use crate::rows::accounts::{passkey_sign_in, pending_sign_in};
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static PENDING: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<pending_sign_in::Entity>("", "");
    format!("SELECT {columns} FROM pending_sign_ins WHERE user_id = $1 ORDER BY id")
});

static UNANSWERED: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<passkey_sign_in::Entity>("", "");
    format!("SELECT {columns} FROM passkey_sign_ins WHERE created_at < $1 ORDER BY created_at, id LIMIT $2")
});

#[async_trait]
impl SignIns for SqlStore {
    async fn find_pending(&self, id: ChallengeId) -> StoreResult<Option<Seen<PendingSignIn>>> {
        self.find(vec![uuid(id).into()]).await
    }
    async fn list_pending(&self, user: UserId) -> StoreResult<Vec<Seen<PendingSignIn>>> {
        self.all(&PENDING, vec![uuid(user).into()]).await
    }
    async fn find_by_passkey(&self, id: ChallengeId) -> StoreResult<Option<Seen<PasskeySignIn>>> {
        self.find(vec![uuid(id).into()]).await
    }
    async fn list_by_passkey_before(&self, at: Timestamp, most: u16) -> StoreResult<Vec<Seen<PasskeySignIn>>> {
        self.all(&UNANSWERED, vec![at.as_micros().into(), i64::from(most).into()]).await
    }
}
