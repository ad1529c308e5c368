//! Reads of mails that wait in the outbox.

use async_trait::async_trait;
use tradepost_domain::accounts::mail::OutgoingMail;
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::StoreResult;

/// Mails that wait for the transport. Not of any workspace.
#[async_trait]
pub trait Outbox: Send + Sync {
    /// Returns the mails that are due now, those that have waited longest first.
    async fn list_due(&self, at: Timestamp, limit: u32) -> StoreResult<Vec<Seen<OutgoingMail>>>;
}
