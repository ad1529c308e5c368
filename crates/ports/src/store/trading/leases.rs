//! Reads of which node does which part of a workspace's work.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::trading::lease::Lease;

use crate::changes::Seen;
use crate::store::StoreResult;

/// Who does what.
#[async_trait]
pub trait Leases: Send + Sync {
    /// Every lease of a workspace, in no order: one for each part of its work and each node that ever took part.
    async fn find_leases(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<Lease>>>;
    /// Every lease of a marketplace, of all workspaces, in no order.
    async fn list_marketplace_leases(&self) -> StoreResult<Vec<Seen<Lease>>>;
}
