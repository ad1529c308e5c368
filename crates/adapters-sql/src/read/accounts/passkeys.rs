//! Reads of passkeys.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::passkey::{Passkey, PasskeyRegistration};
use tradepost_domain::id::{PasskeyId, UserId};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Passkeys, StoreResult};

use crate::rows::accounts::passkey;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static PASSKEYS: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {} FROM passkeys WHERE user_id = $1 ORDER BY id", select_list::<passkey::Entity>("", ""))
});

#[async_trait]
impl Passkeys for SqlStore {
    async fn find(&self, user: UserId, id: PasskeyId) -> StoreResult<Option<Seen<Passkey>>> {
        self.find(vec![uuid(user).into(), uuid(id).into()]).await
    }
    async fn list(&self, user: UserId) -> StoreResult<Vec<Seen<Passkey>>> {
        self.all(&PASSKEYS, vec![uuid(user).into()]).await
    }
    async fn find_registration(&self, user: UserId) -> StoreResult<Option<Seen<PasskeyRegistration>>> {
        self.find(vec![uuid(user).into()]).await
    }
}
