//! Reads of providers, of their health, and of the records that name them.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{OfProvider, ProviderId};
use tradepost_domain::markets::provider::{Provider, ProviderHealth, ProviderKind, ProviderUses};
use tradepost_domain::text::{Marketplace, Name};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// Providers and their health.
#[async_trait]
pub trait Providers: Send + Sync {
    /// Returns a provider.
    async fn find(&self, scope: WorkspaceScope, id: ProviderId) -> StoreResult<Option<Seen<Provider>>>;
    /// Returns several providers, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ProviderId]) -> StoreResult<Vec<Seen<Provider>>>;
    /// Returns the provider of a kind with this name. Contracts and purchases use the same name.
    async fn find_named(
        &self,
        scope: WorkspaceScope,
        kind: ProviderKind,
        name: &Marketplace,
    ) -> StoreResult<Option<Seen<Provider>>>;
    /// Returns providers of the workspace, of one kind or of all.
    async fn list(
        &self,
        scope: WorkspaceScope,
        kind: Option<ProviderKind>,
        page: PageRequest<OfProvider>,
    ) -> StoreResult<Page<OfProvider>>;
    /// Returns enabled providers of a driver with this name, of all workspaces and after an id, by id.
    async fn list_of_driver(
        &self,
        driver: &Name,
        name: &Marketplace,
        after: Option<ProviderId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Provider>>>;
    /// Returns providers of a driver and a kind, enabled or not, of all workspaces and after an id, by id.
    async fn list_of_kind(
        &self,
        driver: &Name,
        kind: ProviderKind,
        after: Option<ProviderId>,
        most: u32,
    ) -> StoreResult<Vec<Seen<Provider>>>;
    /// Returns the health of providers, in no order; those without a report are left out.
    async fn find_healths(&self, scope: WorkspaceScope, ids: &[ProviderId]) -> StoreResult<Vec<Seen<ProviderHealth>>>;
    /// Counts the records that name the provider of this kind and name, or wait for it. For a marketplace these are contracts that have not
    /// ended, and open purchases and items. For a price source they are such contracts, and for a game platform trading accounts.
    async fn count_uses(
        &self,
        scope: WorkspaceScope,
        kind: ProviderKind,
        name: &Marketplace,
    ) -> StoreResult<ProviderUses>;
}
