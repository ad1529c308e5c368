//! Reads of pools and of the ledger.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::{QueryResult, Value};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::ledger::Account;
use tradepost_domain::contracts::pool::{Pool, PoolStatus};
use tradepost_domain::id::{OfPool, PoolId};
use tradepost_domain::text::MarketHashName;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Page, PageRequest, Pools, PoolsTogether, StoreError, StoreResult};

use crate::exposures;
use crate::rows::{RowLocation, cell, uuid};
use crate::sql_text::name_list;
use crate::store::SqlStore;

/// The accounts of pools, and the columns of their balances.
const BALANCES: [(Account, &str); 11] = [
    (Account::Available, "available_cents"),
    (Account::Reserved, "reserved_cents"),
    (Account::PaidInTransit, "paid_in_transit_cents"),
    (Account::RefundDue, "refund_due_cents"),
    (Account::InventoryAtCost, "inventory_at_cost_cents"),
    (Account::DeliveredAtCost, "delivered_at_cost_cents"),
    (Account::Receivable, "receivable_cents"),
    (Account::Fees, "fees_cents"),
    (Account::RealisedPnl, "realised_pnl_cents"),
    (Account::WriteOffs, "write_offs_cents"),
    (Account::Capital, "capital_cents"),
];
static SUM_BALANCES: LazyLock<String> = LazyLock::new(|| {
    let sums: String =
        BALANCES.iter().map(|(_, column)| format!(", CAST(coalesce(sum({column}), 0) AS bigint)")).collect();
    format!("SELECT count(*){sums} FROM pools WHERE workspace_id = $1")
});

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
    async fn sum_balances(&self, scope: WorkspaceScope) -> StoreResult<PoolsTogether> {
        let home = uuid(scope.workspace_id());
        let row = self.row(&SUM_BALANCES, vec![home.into()]).await?;
        let row = row.ok_or_else(|| StoreError::Bug("a sum without a row".to_owned()))?;
        let at = RowLocation { table: "pools", home, key: home };
        let mut amounts = [(Account::Capital, 0_i64); BALANCES.len()];
        for (index, (slot, (account, _))) in amounts.iter_mut().zip(BALANCES).enumerate() {
            *slot = (account, cell(&row, index + 1)?);
        }
        Ok(PoolsTogether { pools: at.number("count", cell::<i64>(&row, 0)?)?, balances: at.balanced(amounts)? })
    }
    async fn find_exposure(&self, scope: WorkspaceScope, pool: PoolId, name: &MarketHashName) -> StoreResult<i64> {
        let key = vec![uuid(scope.workspace_id()).into(), uuid(pool).into(), name.as_str().into()];
        let row = self.row(exposures::FIND, key).await?;
        row.map_or(Ok(0), |row| cell(&row, 0))
    }
    async fn find_exposures(
        &self,
        scope: WorkspaceScope,
        pool: PoolId,
        names: &[MarketHashName],
    ) -> StoreResult<BTreeMap<MarketHashName, i64>> {
        let (home, key) = (uuid(scope.workspace_id()), uuid(pool));
        let text = self.pick(exposures::FIND_SEVERAL_SQLITE, exposures::FIND_SEVERAL_POSTGRES);
        let rows = self.rows(text, vec![home.into(), key.into(), name_list(names)]).await?;
        let at = RowLocation { table: "pool_exposures", home, key };
        let exposed = |row: &QueryResult| -> StoreResult<(MarketHashName, i64)> {
            let name: String = cell(row, 0)?;
            Ok((at.read("market_hash_name", MarketHashName::new(&name))?, cell(row, 1)?))
        };
        rows.iter().map(exposed).collect()
    }
}
