//! Testing a provider. The client of the provider implements this port for the operations, which know no provider.

use async_trait::async_trait;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::provider::{ProviderCheck, ProviderKind};
use tradepost_domain::text::Marketplace;

/// Tests providers, and changes nothing there.
#[async_trait]
pub trait ProviderProbe: Send + Sync {
    /// Returns whether it can test the provider of this kind and name for this workspace.
    fn reaches(&self, workspace: WorkspaceId, kind: ProviderKind, name: &Marketplace) -> bool;

    /// Tests a provider that it reaches. Returns every check, passed or failed.
    async fn probe(&self, kind: ProviderKind, name: &Marketplace) -> Vec<ProviderCheck>;
}
