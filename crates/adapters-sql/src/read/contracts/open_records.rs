//! Reads of open records, which the engine repeats in every pass.

use std::fmt::Write as _;
use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::ContractStatus;
use tradepost_domain::contracts::evaluation::Activity;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::{ContractId, OfContract, OfInventoryItem, OfPurchase};
use tradepost_domain::money::Cents;
use tradepost_domain::text::{AccountName, Marketplace};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{ActiveContract, ActivityQuery, OpenRecordReads, RecordBatch, StoreError, StoreResult};
use uuid::Uuid;

use crate::rows::contracts::{inventory_item, purchase};
use crate::rows::{RowLocation, cell, id, uuid};
use crate::sql_text::index_hint;
use crate::store::SqlStore;
use crate::table::select_list;

/// Not final, as the index has it: named again, so that the index is known to hold what is looked for.
pub(crate) const OPEN: &str = "status NOT IN (8, 9, 10, 12, 14)";
/// The same of items.
const LIVE: &str = "status NOT IN (8, 10, 11)";

fn open_purchases(is_sqlite: bool) -> String {
    let (columns, by) = (select_list::<purchase::Entity>("", ""), index_hint("purchases_open", is_sqlite));
    format!(
        "SELECT {columns} FROM purchases{by} WHERE workspace_id = $1 AND marketplace = $2 AND status = $3 AND {OPEN} \
         AND id > $4 ORDER BY id LIMIT $5"
    )
}

fn items_in(is_sqlite: bool) -> String {
    let (columns, by) =
        (select_list::<inventory_item::Entity>("", ""), index_hint("inventory_items_status", is_sqlite));
    format!(
        "SELECT {columns} FROM inventory_items{by} WHERE workspace_id = $1 AND status = $2 AND id > $3 \
         ORDER BY id LIMIT $4"
    )
}

fn items_on_sale(is_sqlite: bool) -> String {
    let (columns, by) = (select_list::<inventory_item::Entity>("", ""), index_hint("inventory_items_sale", is_sqlite));
    format!(
        "SELECT {columns} FROM inventory_items{by} WHERE workspace_id = $1 AND sale_marketplace = $2 AND status = $3 \
         AND id > $4 ORDER BY id LIMIT $5"
    )
}

fn items_of(is_sqlite: bool) -> String {
    let (columns, by) =
        (select_list::<inventory_item::Entity>("", ""), index_hint("inventory_items_live_account", is_sqlite));
    format!(
        "SELECT {columns} FROM inventory_items{by} WHERE workspace_id = $1 AND account_name = $2 AND {LIVE} AND id > $3 \
         ORDER BY id LIMIT $4"
    )
}

fn at_work(is_sqlite: bool) -> String {
    let (active, by) = (ContractStatus::Active.code(), index_hint("contracts_status", is_sqlite));
    format!(
        "SELECT c.id, c.version, \
         (SELECT f.version FROM filter_sets f WHERE f.workspace_id = c.workspace_id AND f.id = c.filter_set_id) \
         FROM contracts c{by} WHERE c.workspace_id = $1 AND c.status = {active} AND c.id > $2 ORDER BY c.id LIMIT $3"
    )
}

/// The texts of the slices for a database.
struct Texts {
    open_purchases: String,
    items_in: String,
    items_on_sale: String,
    items_of: String,
    at_work: String,
}

impl Texts {
    fn of(is_sqlite: bool) -> Self {
        Self {
            open_purchases: open_purchases(is_sqlite),
            items_in: items_in(is_sqlite),
            items_on_sale: items_on_sale(is_sqlite),
            items_of: items_of(is_sqlite),
            at_work: at_work(is_sqlite),
        }
    }
}

static SQLITE: LazyLock<Texts> = LazyLock::new(|| Texts::of(true));
static POSTGRES: LazyLock<Texts> = LazyLock::new(|| Texts::of(false));

/// What a purchase has cost and may still cost, as its counters have it.
static USED: LazyLock<String> = LazyLock::new(|| {
    let reserved = codes(PurchaseStatus::holds_reservation);
    let paid = "executed_price_cents + executed_fee_cents";
    format!(
        "CASE WHEN status IN ({reserved}) THEN max_buy_price_cents ELSE 0 END + \
         CASE WHEN {paid} > refunded_cents THEN {paid} - refunded_cents ELSE 0 END"
    )
});
static TAKEN: LazyLock<String> = LazyLock::new(|| codes(PurchaseStatus::takes_quantity));
/// Every status, as the index of times has them apart.
static ANY: LazyLock<String> = LazyLock::new(|| codes(|_| true));
/// A row for each status that counts.
static COUNTED: LazyLock<String> = LazyLock::new(|| {
    let statuses = PurchaseStatus::ALL.iter().filter(|status| status.takes_quantity());
    let rows: Vec<String> = statuses.map(|status| format!("SELECT {} AS status", status.code())).collect();
    rows.join(" UNION ALL ")
});

fn codes(wanted: fn(PurchaseStatus) -> bool) -> String {
    let wanted = PurchaseStatus::ALL.iter().filter(|status| wanted(**status));
    wanted.map(|status| status.code().to_string()).collect::<Vec<_>>().join(", ")
}

fn home(scope: WorkspaceScope) -> Value {
    uuid(scope.workspace_id()).into()
}

/// Where a slice begins, and how long it may be.
fn bounds<K>(slice: &RecordBatch<K>) -> [Value; 2] {
    [slice.after.map_or(Uuid::nil(), uuid).into(), i64::from(slice.most).into()]
}

/// The statement that asks for so much of what a contract did lately.
fn activity(
    scope: WorkspaceScope,
    contract: ContractId,
    query: ActivityQuery<'_>,
    is_sqlite: bool,
) -> (String, Vec<Value>) {
    let mut values = vec![home(scope), uuid(contract).into()];
    values.extend(query.before.map(|before| Value::from(before.as_micros())));
    let early = if query.before.is_some() { " AND created_at < $3" } else { "" };
    let (of_name, of_time) =
        (index_hint("purchases_item_name", is_sqlite), index_hint("purchases_contract_made", is_sqlite));
    let mut text = String::from("SELECT ");
    // Writing into a text cannot fail.
    let _ = match query.spent_since {
        Some(since) => {
            values.push(since.as_micros().into());
            write!(
                text,
                "(SELECT CAST(coalesce(sum({}), 0) AS bigint) FROM purchases{of_time} \
                 WHERE workspace_id = $1 AND contract_id = $2 AND status IN ({}) AND created_at >= ${}{early}), ",
                *USED,
                *ANY,
                values.len()
            )
        }
        None => write!(text, "CAST(0 AS bigint), "),
    };
    let _ = match query.of_item_name {
        Some((name, most)) => {
            values.extend([name.as_str().into(), i64::from(most).into()]);
            let (name, most) = (values.len() - 1, values.len());
            write!(
                text,
                "(SELECT count(*) FROM (SELECT 1 FROM purchases{of_name} WHERE workspace_id = $1 AND contract_id = $2 \
                 AND market_hash_name = ${name} AND status IN ({}){early} LIMIT ${most}) counted), ",
                *TAKEN
            )
        }
        None => write!(text, "CAST(0 AS bigint), "),
    };
    let _ = if query.last_purchase {
        // The newest of each status that counts: what has failed since is not looked through.
        write!(
            text,
            "(SELECT max((SELECT p.created_at FROM purchases p{of_time} WHERE p.workspace_id = $1 \
             AND p.contract_id = $2 AND p.status = counted.status{early} ORDER BY p.created_at DESC LIMIT 1)) FROM ({}) counted)",
            *COUNTED
        )
    } else {
        write!(text, "CAST(NULL AS bigint)")
    };
    (text, values)
}

impl SqlStore {
    fn texts(&self) -> &'static Texts {
        if self.is_sqlite() { &SQLITE } else { &POSTGRES }
    }
}

#[async_trait]
impl OpenRecordReads for SqlStore {
    async fn list_open_purchases(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: PurchaseStatus,
        slice: RecordBatch<OfPurchase>,
    ) -> StoreResult<Vec<Seen<Purchase>>> {
        let mut values = vec![home(scope), marketplace.as_str().into(), status.code().into()];
        values.extend(bounds(&slice));
        self.readable(&self.texts().open_purchases, values).await
    }

    async fn list_items_in(
        &self,
        scope: WorkspaceScope,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        let mut values = vec![home(scope), status.code().into()];
        values.extend(bounds(&slice));
        self.readable(&self.texts().items_in, values).await
    }

    async fn list_items_on_sale(
        &self,
        scope: WorkspaceScope,
        marketplace: &Marketplace,
        status: ItemStatus,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        let mut values = vec![home(scope), marketplace.as_str().into(), status.code().into()];
        values.extend(bounds(&slice));
        self.readable(&self.texts().items_on_sale, values).await
    }

    async fn list_items_of(
        &self,
        scope: WorkspaceScope,
        account: &AccountName,
        slice: RecordBatch<OfInventoryItem>,
    ) -> StoreResult<Vec<Seen<InventoryItem>>> {
        let mut values = vec![home(scope), account.as_str().into()];
        values.extend(bounds(&slice));
        self.readable(&self.texts().items_of, values).await
    }

    async fn list_contracts_at_work(
        &self,
        scope: WorkspaceScope,
        slice: RecordBatch<OfContract>,
    ) -> StoreResult<Vec<ActiveContract>> {
        let mut values = vec![home(scope)];
        values.extend(bounds(&slice));
        let rows = self.rows(&self.texts().at_work, values).await?;
        let at_work = |row| {
            let contract_id = id(cell(row, 0)?);
            Ok(ActiveContract { contract_id, version: cell(row, 1)?, filter_set_version: cell(row, 2)? })
        };
        rows.iter().map(at_work).collect()
    }

    async fn find_activity(
        &self,
        scope: WorkspaceScope,
        contract: ContractId,
        query: ActivityQuery<'_>,
    ) -> StoreResult<Activity> {
        let (text, values) = activity(scope, contract, query, self.is_sqlite());
        let row = self.row(&text, values).await?;
        let row = row.ok_or_else(|| StoreError::Bug("a sum without a row".to_owned()))?;
        let at = RowLocation { table: "purchases", home: uuid(scope.workspace_id()), key: uuid(contract) };
        let spent: i64 = cell(&row, 0)?;
        let last: Option<i64> = cell(&row, 2)?;
        Ok(Activity {
            spent_today: Cents::new(spent.min(Cents::MAX.get())).unwrap_or(Cents::MAX),
            of_item_name: at.number("market_hash_name", cell::<i64>(&row, 1)?)?,
            last_purchase_at: at.time_some("created_at", last)?,
            ..Activity::default()
        })
    }
}
