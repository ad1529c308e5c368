//! In which market each workspace trades.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_ports::store::{MarketKinds, StoreResult};

use crate::rows::{RowLocation, cell, uuid};
use crate::store::SqlStore;

/// No part of what people change of a workspace: its version stays.
const SETTLE: &str = "UPDATE workspaces SET market = $2 WHERE id = $1 AND market IS NULL";
const KIND: &str = "SELECT market FROM workspaces WHERE id = $1";

#[async_trait]
impl MarketKinds for SqlStore {
    async fn settle(&self, scope: WorkspaceScope, kind: MarketKind) -> StoreResult<Option<MarketKind>> {
        let home = uuid(scope.workspace_id());
        self.write(SETTLE, vec![home.into(), kind.code().into()]).await?;
        let Some(row) = self.row(KIND, vec![home.into()]).await? else { return Ok(None) };
        let at = RowLocation { table: "workspaces", home, key: home };
        at.code("market", cell(&row, 0)?, MarketKind::from_code).map(Some)
    }
}
