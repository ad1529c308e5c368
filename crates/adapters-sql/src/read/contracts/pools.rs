//! Reads of pools and of the ledger.

use std::fmt::Write as _;
use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::{FromQueryResult as _, QueryResult, Value};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::ContractStatus;
use tradepost_domain::contracts::ledger::{Account, LedgerEntry};
use tradepost_domain::contracts::pool::{Pool, PoolStatus};
use tradepost_domain::id::{LedgerEntryId, OfLedgerEntry, OfPool, PoolId};
use tradepost_domain::text::MarketHashName;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{LedgerFilter, Page, PageRequest, Pools, StoreResult};
use uuid::Uuid;

use crate::classify::{DbOperation, classify};
use crate::exposures;
use crate::rows::contracts::ledger_entry;
use crate::rows::{cell, uuid};
use crate::sql_text::{between, index_hint, listed, listed_postgres, listed_sqlite, one_more};
use crate::store::SqlStore;
use crate::table::select_list;

pub(super) static ENTRIES: LazyLock<String> = LazyLock::new(|| select_list::<ledger_entry::Entity>("", ""));
static LIVE_CONTRACTS: LazyLock<String> = LazyLock::new(|| {
    let ended =
        ContractStatus::ALL.iter().filter(|status| status.is_terminal()).map(|status| status.code().to_string());
    let ended = ended.collect::<Vec<_>>().join(", ");
    format!("SELECT count(*) FROM contracts WHERE workspace_id = $1 AND pool_id = $2 AND status NOT IN ({ended})")
});

/// The column of an account's amounts.
pub(crate) const fn column(account: Account) -> &'static str {
    match account {
        Account::Available => "available_cents",
        Account::Reserved => "reserved_cents",
        Account::PaidInTransit => "paid_in_transit_cents",
        Account::RefundDue => "refund_due_cents",
        Account::InventoryAtCost => "inventory_at_cost_cents",
        Account::DeliveredAtCost => "delivered_at_cost_cents",
        Account::Receivable => "receivable_cents",
        Account::Fees => "fees_cents",
        Account::RealisedPnl => "realised_pnl_cents",
        Account::WriteOffs => "write_offs_cents",
        Account::Capital => "capital_cents",
    }
}

pub(super) fn entry(row: &QueryResult) -> StoreResult<LedgerEntry> {
    let row = ledger_entry::Model::from_query_result(row, "");
    ledger_entry::to_domain(&row.map_err(|error| classify(&error, DbOperation::Statement))?)
}

#[async_trait]
impl Pools for SqlStore {
    async fn find_pool(&self, scope: WorkspaceScope, id: PoolId) -> StoreResult<Option<Seen<Pool>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }

    async fn find_pools(&self, scope: WorkspaceScope, ids: &[PoolId]) -> StoreResult<Vec<Seen<Pool>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }

    async fn list_pools(
        &self,
        scope: WorkspaceScope,
        status: Option<PoolStatus>,
        page: PageRequest<OfPool>,
    ) -> StoreResult<Page<OfPool>> {
        let mut filter: Vec<(&str, Value)> = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        filter.extend(status.map(|status| ("status", status.code().into())));
        self.page("pools", filter, page).await
    }

    async fn count_live_contracts_of(&self, scope: WorkspaceScope, pool: PoolId) -> StoreResult<i64> {
        self.number(&LIVE_CONTRACTS, vec![uuid(scope.workspace_id()).into(), uuid(pool).into()]).await
    }

    async fn find_exposure(&self, scope: WorkspaceScope, pool: PoolId, name: &MarketHashName) -> StoreResult<i64> {
        let key = vec![uuid(scope.workspace_id()).into(), uuid(pool).into(), name.as_str().into()];
        let row = self.row(exposures::FIND, key).await?;
        row.map_or(Ok(0), |row| cell(&row, 0))
    }

    async fn find_ledger_entries(&self, scope: WorkspaceScope, ids: &[LedgerEntryId]) -> StoreResult<Vec<LedgerEntry>> {
        let wanted = if self.is_sqlite() { listed_sqlite(2) } else { listed_postgres(2) };
        let text = format!("SELECT {} FROM ledger_entries WHERE workspace_id = $1 AND id IN ({wanted})", *ENTRIES);
        let values = vec![uuid(scope.workspace_id()).into(), listed(ids.iter().copied())];
        self.readable_rows(&text, values, entry).await
    }

    async fn list_ledger_entries(
        &self,
        scope: WorkspaceScope,
        filter: LedgerFilter,
        page: PageRequest<OfLedgerEntry>,
    ) -> StoreResult<Page<OfLedgerEntry>> {
        let before = page.before.map_or(Uuid::max(), uuid);
        let mut values: Vec<Value> = vec![uuid(scope.workspace_id()).into(), before.into(), one_more(page.limit)];
        let is_narrow = filter.pool_id.is_some() || filter.contract_id.is_some();
        // Those of a pool or a contract are looked through, whenever they are of.
        let is_of_time = !is_narrow && (filter.from.is_some() || filter.to.is_some());
        let by = if is_of_time { index_hint("ledger_entries_at", self.is_sqlite()) } else { String::new() };
        let mut text = format!("SELECT id FROM ledger_entries{by} WHERE workspace_id = $1 AND id < $2");
        text.push_str(&between("at", filter.from, filter.to, &mut values));
        for (name, wanted) in [("pool_id", filter.pool_id.map(uuid)), ("contract_id", filter.contract_id.map(uuid))] {
            if let Some(wanted) = wanted {
                values.push(wanted.into());
                let _ = write!(text, " AND {name} = ${}", values.len());
            }
        }
        if let Some(account) = filter.account {
            let _ = write!(text, " AND {} <> 0", column(account));
        }
        text.push_str(" ORDER BY id DESC LIMIT $3");
        self.page_of(&text, values, page.limit).await
    }
}
