//! Reads of filter sets and of their versions.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::filter_set::{FilterSet, FilterSetVersion};
use tradepost_domain::id::{FilterSetId, OfFilterSet};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{FilterSets, Page, PageRequest, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl FilterSets for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: FilterSetId) -> StoreResult<Option<Seen<FilterSet>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[FilterSetId]) -> StoreResult<Vec<Seen<FilterSet>>> {
        Ok(self.state().several(scope.workspace_id(), |set: &FilterSet| ids.contains(&set.id)))
    }
    async fn find_version(
        &self,
        scope: WorkspaceScope,
        id: FilterSetId,
        version: u32,
    ) -> StoreResult<Option<FilterSetVersion>> {
        Ok(self.state().filter_set_versions.get(&(scope.workspace_id(), id, version)).cloned())
    }
    async fn list(&self, scope: WorkspaceScope, page: PageRequest<OfFilterSet>) -> StoreResult<Page<OfFilterSet>> {
        Ok(self.state().page(scope.workspace_id(), &page, |_: &FilterSet| true))
    }
}
