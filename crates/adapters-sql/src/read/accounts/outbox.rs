//! Reads of mails that wait. These are of no workspace.

use std::sync::LazyLock;

use async_trait::async_trait;
use tradepost_domain::accounts::mail::OutgoingMail;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Outbox, StoreResult};

use crate::rows::accounts::outgoing_mail;
use crate::store::SqlStore;
use crate::table::select_list;

static DUE: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<outgoing_mail::Entity>("", "");
    format!("SELECT {columns} FROM outgoing_mails WHERE due_at <= $1 ORDER BY due_at, id LIMIT $2")
});

#[async_trait]
impl Outbox for SqlStore {
    async fn list_due(&self, at: Timestamp, limit: u32) -> StoreResult<Vec<Seen<OutgoingMail>>> {
        self.all(&DUE, vec![at.as_micros().into(), i64::from(limit).into()]).await
    }
}
