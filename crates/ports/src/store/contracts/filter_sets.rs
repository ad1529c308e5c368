//! Reads of filter sets and of their versions.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::filter_set::{FilterSet, FilterSetVersion};
use tradepost_domain::id::{FilterSetId, OfFilterSet};

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// The filter sets of workspaces.
#[async_trait]
pub trait FilterSets: Send + Sync {
    /// Returns a filter set as it is now.
    async fn find(&self, scope: WorkspaceScope, id: FilterSetId) -> StoreResult<Option<Seen<FilterSet>>>;
    /// Returns several filter sets, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[FilterSetId]) -> StoreResult<Vec<Seen<FilterSet>>>;
    /// Returns a version of a filter set, which outlives the set.
    async fn find_version(
        &self,
        scope: WorkspaceScope,
        id: FilterSetId,
        version: u32,
    ) -> StoreResult<Option<FilterSetVersion>>;
    /// Returns filter sets of the workspace.
    async fn list(&self, scope: WorkspaceScope, page: PageRequest<OfFilterSet>) -> StoreResult<Page<OfFilterSet>>;
}
