//! Testing a provider: what whoever works with it offers to the operations, which know none.

use async_trait::async_trait;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::provider::{ProviderCheck, ProviderKind};
use tradepost_domain::text::Marketplace;

/// Asks providers whether they work, and changes nothing there.
#[async_trait]
pub trait ProviderProbe: Send + Sync {
    /// Whether it works with the provider of this kind and name for this workspace.
    fn reaches(&self, workspace: WorkspaceId, kind: ProviderKind, name: &Marketplace) -> bool;

    /// Asks a provider that it reaches: every check, whether it holds or not.
    async fn probe(&self, kind: ProviderKind, name: &Marketplace) -> Vec<ProviderCheck>;
}
