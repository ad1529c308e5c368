//! Reads of providers, of what was seen of them, and of what names them.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{OfProvider, ProviderId};
use tradepost_domain::markets::provider::{Provider, ProviderHealth, ProviderKind, ProviderUses};
use tradepost_domain::text::Marketplace;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// Providers, and what was seen of them.
#[async_trait]
pub trait Providers: Send + Sync {
    /// A provider.
    async fn find_provider(&self, scope: WorkspaceScope, id: ProviderId) -> StoreResult<Option<Seen<Provider>>>;
    /// Several providers, in no order; those that are not there are left out.
    async fn find_providers(&self, scope: WorkspaceScope, ids: &[ProviderId]) -> StoreResult<Vec<Seen<Provider>>>;
    /// The provider of a kind with this name; contracts and purchases have the same name.
    async fn find_provider_named(
        &self,
        scope: WorkspaceScope,
        kind: ProviderKind,
        name: &Marketplace,
    ) -> StoreResult<Option<Seen<Provider>>>;
    /// Providers of the workspace, of one kind or of all.
    async fn list_providers(
        &self,
        scope: WorkspaceScope,
        kind: Option<ProviderKind>,
        page: PageRequest<OfProvider>,
    ) -> StoreResult<Page<OfProvider>>;
    /// What was seen of providers, in no order; those of which nothing was seen are left out.
    async fn find_provider_healths(
        &self,
        scope: WorkspaceScope,
        ids: &[ProviderId],
    ) -> StoreResult<Vec<Seen<ProviderHealth>>>;
    /// What names the provider of a kind with this name, or waits for it: contracts that have not ended and open purchases and items
    /// for a marketplace, such contracts for a price source, trading accounts for a game platform.
    async fn count_provider_uses(
        &self,
        scope: WorkspaceScope,
        kind: ProviderKind,
        name: &Marketplace,
    ) -> StoreResult<ProviderUses>;
}
