//! Reads of the division of a workspace's work among nodes.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::trading::lease::{Lease, Work};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Leases, StoreError, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Leases for MemoryStore {
    async fn find_many(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<Lease>>> {
        if self.hides_leases.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("a test hides the leases".to_owned()));
        }
        Ok(self.state().several(scope.workspace_id(), |_: &Lease| true))
    }
    async fn list_of_marketplaces(&self) -> StoreResult<Vec<Seen<Lease>>> {
        Ok(self.state().all(|lease: &Lease| matches!(lease.work, Work::Marketplace(_))))
    }
}
