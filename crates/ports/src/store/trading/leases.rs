//! Reads of the division of a workspace's work among nodes.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::trading::lease::Lease;

use crate::changes::Seen;
use crate::store::StoreResult;

/// The division of work among nodes.
#[async_trait]
pub trait Leases: Send + Sync {
    /// Returns every lease of a workspace, in no order: one for each part of its work and each node that ever took part.
    async fn find_many(&self, scope: WorkspaceScope) -> StoreResult<Vec<Seen<Lease>>>;
    /// Returns every lease of a marketplace, of all workspaces, in no order.
    async fn list_of_marketplaces(&self) -> StoreResult<Vec<Seen<Lease>>>;
}
