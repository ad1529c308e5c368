//! Reads of pools and of the ledger.

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::pool::{Pool, PoolStatus};
use tradepost_domain::id::{OfPool, PoolId};
use tradepost_domain::text::MarketHashName;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, Pools, StoreResult};

use crate::exposures;
use crate::rows::{cell, uuid};
use crate::store::SqlStore;

#[async_trait]
impl Pools for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: PoolId) -> StoreResult<Option<Seen<Pool>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[PoolId]) -> StoreResult<Vec<Seen<Pool>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        status: Option<PoolStatus>,
        page: PageRequest<OfPool>,
    ) -> StoreResult<Page<OfPool>> {
        let mut filter: Vec<(&str, Value)> = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        filter.extend(status.map(|status| ("status", status.code().into())));
        self.page("pools", filter, page).await
    }
    async fn find_exposure(&self, scope: WorkspaceScope, pool: PoolId, name: &MarketHashName) -> StoreResult<i64> {
        let key = vec![uuid(scope.workspace_id()).into(), uuid(pool).into(), name.as_str().into()];
        let row = self.row(exposures::FIND, key).await?;
        row.map_or(Ok(0), |row| cell(&row, 0))
    }
}
