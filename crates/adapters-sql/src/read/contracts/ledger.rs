//! Reads of the ledger.

use std::fmt::Write as _;
use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::{FromQueryResult as _, QueryResult, Value};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::ledger::flow::Flow;
use tradepost_domain::contracts::ledger::{Account, LedgerEntry, Posting};
use tradepost_domain::id::{LedgerEntryId, OfLedgerEntry, PurchaseId};
use tradepost_ports::store::{FlowQuery, Ledger, LedgerFilter, Page, PageRequest, StoreError, StoreResult};
use uuid::Uuid;

use crate::classify::{DbOperation, classify};
use crate::rows::contracts::ledger_entry;
use crate::rows::{cell, uuid};
use crate::sql_text::{between, index_hint, listed, listed_postgres, listed_sqlite, one_more};
use crate::store::SqlStore;
use crate::table::select_list;

pub(super) static ENTRIES: LazyLock<String> = LazyLock::new(|| select_list::<ledger_entry::Entity>("", ""));

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

/// What was paid and received at a marketplace since a time, in all and of the late entries among them.
static FLOW: LazyLock<String> = LazyLock::new(|| {
    let (paid, refunded) = (Posting::Paid.code(), Posting::Refunded.code());
    let spent = format!("CASE WHEN posting = {paid} THEN paid_in_transit_cents ELSE 0 END");
    let received = format!("CASE WHEN posting = {paid} THEN 0 ELSE available_cents END");
    let (movement, refund) = ("1", format!("CASE WHEN posting = {refunded} THEN 1 ELSE 0 END"));
    let sum = |counted: &str| format!("CAST(coalesce(sum({counted}), 0) AS bigint)");
    let late = |counted: &str| sum(&format!("CASE WHEN at >= $4 THEN {counted} ELSE 0 END"));
    format!(
        "SELECT {}, {}, {}, {}, {}, {}, {}, {} FROM ledger_entries{{by}} WHERE workspace_id = $1 AND at >= $2 \
         AND (posting IN ({paid}, {refunded}) AND marketplace = $3 OR posting = {} AND sale_marketplace = $3)",
        sum(&spent),
        sum(&received),
        sum(movement),
        sum(&refund),
        late(&spent),
        late(&received),
        late(movement),
        late(&refund),
        Posting::PaidOut.code()
    )
});

#[async_trait]
impl Ledger for SqlStore {
    async fn find_many(&self, scope: WorkspaceScope, ids: &[LedgerEntryId]) -> StoreResult<Vec<LedgerEntry>> {
        let wanted = if self.is_sqlite() { listed_sqlite(2) } else { listed_postgres(2) };
        let text = format!("SELECT {} FROM ledger_entries WHERE workspace_id = $1 AND id IN ({wanted})", *ENTRIES);
        let values = vec![uuid(scope.workspace_id()).into(), listed(ids.iter().copied())];
        self.readable_rows(&text, values, entry).await
    }
    async fn list(
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
    async fn list_of_purchase(&self, scope: WorkspaceScope, purchase: PurchaseId) -> StoreResult<Vec<LedgerEntry>> {
        let text = format!(
            "SELECT {} FROM ledger_entries{{by}} WHERE workspace_id = $1 AND purchase_id = $2 ORDER BY id",
            *ENTRIES
        );
        let text = self.by_index(&text, "ledger_entries_purchase");
        let values = vec![uuid(scope.workspace_id()).into(), uuid(purchase).into()];
        self.rows(&text, values).await?.iter().map(entry).collect()
    }
    async fn sum_flow(&self, scope: WorkspaceScope, query: FlowQuery<'_>) -> StoreResult<(Flow, Flow)> {
        let FlowQuery { marketplace, since, late } = query;
        let values = vec![
            uuid(scope.workspace_id()).into(),
            since.as_micros().into(),
            marketplace.as_str().into(),
            late.as_micros().into(),
        ];
        let row = self.row(&self.by_index(&FLOW, "ledger_entries_at"), values).await?;
        let row = row.ok_or_else(|| StoreError::Bug("a sum without a row".to_owned()))?;
        let flow = |place| -> StoreResult<Flow> {
            Ok(Flow {
                spent: cell(&row, place)?,
                received: cell(&row, place + 1)?,
                movements: cell(&row, place + 2)?,
                refunds: cell(&row, place + 3)?,
            })
        };
        Ok((flow(0)?, flow(4)?))
    }
}
