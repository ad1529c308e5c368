//! Reads of filter sets and of their versions.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::FromQueryResult as _;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::filter_set::{FilterSet, FilterSetVersion};
use tradepost_domain::id::{FilterSetId, OfFilterSet};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{FilterSets, Page, PageRequest, StoreResult};

use crate::classify::{DbOperation, classify};
use crate::rows::contracts::filter_set_version;
use crate::rows::uuid;
use crate::store::SqlStore;
use crate::table::select_list;

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<filter_set_version::Entity>("", "");
    format!(
        "SELECT {columns} FROM filter_set_versions WHERE workspace_id = $1 AND filter_set_id = $2 AND rules_version = $3"
    )
});

#[async_trait]
impl FilterSets for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: FilterSetId) -> StoreResult<Option<Seen<FilterSet>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[FilterSetId]) -> StoreResult<Vec<Seen<FilterSet>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_version(
        &self,
        scope: WorkspaceScope,
        id: FilterSetId,
        version: u32,
    ) -> StoreResult<Option<FilterSetVersion>> {
        let key = vec![uuid(scope.workspace_id()).into(), uuid(id).into(), i64::from(version).into()];
        let Some(row) = self.row(&VERSION, key).await? else { return Ok(None) };
        let row = filter_set_version::Model::from_query_result(&row, "");
        filter_set_version::to_domain(&row.map_err(|error| classify(&error, DbOperation::Statement))?).map(Some)
    }
    async fn list(&self, scope: WorkspaceScope, page: PageRequest<OfFilterSet>) -> StoreResult<Page<OfFilterSet>> {
        self.page("filter_sets", vec![("workspace_id", uuid(scope.workspace_id()).into())], page).await
    }
}
