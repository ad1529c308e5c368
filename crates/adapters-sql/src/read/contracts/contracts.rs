//! Reads of contracts.

use std::fmt::Write as _;
use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{Contract, ContractStatus, ContractType};
use tradepost_domain::contracts::evaluation::Activity;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::{ContractId, OfContract, PoolId};
use tradepost_domain::money::Cents;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{
    ActiveContract, ActivityQuery, ContractFilter, Contracts, Page, PageRequest, RecordBatch, StoreError, StoreResult,
    Worlds,
};
use uuid::Uuid;

use crate::read::contracts::{bounds, home};
use crate::rows::contracts::contract;
use crate::rows::{RowLocation, cell, id, uuid};
use crate::sql_text::{in_worlds, index_hint};
use crate::store::SqlStore;
use crate::table::select_list;

static AT_WORK: LazyLock<String> = LazyLock::new(|| {
    let active = ContractStatus::Active.code();
    format!(
        "SELECT c.id, c.version, \
         (SELECT f.version FROM filter_sets f WHERE f.workspace_id = c.workspace_id AND f.id = c.filter_set_id) \
         FROM contracts c{{by}} WHERE c.workspace_id = $1 AND c.status = {active} AND c.id > $2 ORDER BY c.id LIMIT $3"
    )
});

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

static LIVE_CONTRACTS: LazyLock<String> = LazyLock::new(|| {
    let ended =
        ContractStatus::ALL.iter().filter(|status| status.is_terminal()).map(|status| status.code().to_string());
    let ended = ended.collect::<Vec<_>>().join(", ");
    format!("SELECT count(*) FROM contracts WHERE workspace_id = $1 AND pool_id = $2 AND status NOT IN ({ended})")
});

static ACTIVE: LazyLock<String> = LazyLock::new(|| {
    let (columns, active) = (select_list::<contract::Entity>("", ""), ContractStatus::Active.code());
    format!("SELECT {columns} FROM contracts WHERE id > $1 AND status = {active} ORDER BY id LIMIT $2")
});

static OVERDUE: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<contract::Entity>("", "");
    let open =
        ContractStatus::ALL.iter().filter(|status| status.can_be_closed()).map(|status| status.code().to_string());
    let open = open.collect::<Vec<_>>().join(", ");
    format!(
        "SELECT {columns} FROM contracts{{by}} WHERE ends_at <= $1 AND status IN ({open}){{worlds}} ORDER BY ends_at LIMIT $2"
    )
});

#[async_trait]
impl Contracts for SqlStore {
    async fn list_at_work(
        &self,
        scope: WorkspaceScope,
        slice: RecordBatch<OfContract>,
    ) -> StoreResult<Vec<ActiveContract>> {
        let mut values = vec![home(scope)];
        values.extend(bounds(&slice));
        let rows = self.rows(&self.by_index(&AT_WORK, "contracts_status"), values).await?;
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
    async fn count_live_of_pool(&self, scope: WorkspaceScope, pool: PoolId) -> StoreResult<i64> {
        self.number(&LIVE_CONTRACTS, vec![uuid(scope.workspace_id()).into(), uuid(pool).into()]).await
    }
    async fn find(&self, scope: WorkspaceScope, id: ContractId) -> StoreResult<Option<Seen<Contract>>> {
        self.find(vec![home(scope), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ContractId]) -> StoreResult<Vec<Seen<Contract>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ContractFilter,
        page: PageRequest<OfContract>,
    ) -> StoreResult<Page<OfContract>> {
        let mut equal = vec![("workspace_id", home(scope))];
        equal.extend(filter.contract_type.map(|wanted| ("contract_type", wanted.code().into())));
        equal.extend(filter.status.map(|wanted| ("status", wanted.code().into())));
        self.page("contracts", equal, page).await
    }
    async fn list_active(&self, after: Option<ContractId>, most: u32) -> StoreResult<Vec<Seen<Contract>>> {
        let after = after.map_or(Uuid::nil(), uuid);
        self.readable(&ACTIVE, vec![after.into(), i64::from(most).into()]).await
    }
    async fn list_overdue(&self, worlds: Worlds, until: Timestamp, most: u32) -> StoreResult<Vec<Seen<Contract>>> {
        let mut values: Vec<Value> = vec![until.as_micros().into(), i64::from(most).into()];
        let worlds = in_worlds("workspace_id", worlds, &mut values);
        let text = self.by_index(&OVERDUE.replace("{worlds}", &worlds), "contracts_end");
        self.readable(&text, values).await
    }
    async fn count(&self, scope: WorkspaceScope, contract_type: Option<ContractType>) -> StoreResult<Vec<(i16, i64)>> {
        let mut values = vec![home(scope)];
        values.extend(contract_type.map(|wanted| Value::from(wanted.code())));
        let of_type = contract_type.map_or("", |_| " AND contract_type = $2");
        let text = format!(
            "SELECT status, count(*) FROM contracts WHERE workspace_id = $1{of_type} GROUP BY status ORDER BY status"
        );
        self.rows(&text, values).await?.iter().map(|row| Ok((cell(row, 0)?, cell(row, 1)?))).collect()
    }
}
