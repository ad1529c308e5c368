//! Reads of what the ledger comes to, and of what is open.

mod gaps;
mod parts;

use std::fmt::Write as _;
use std::sync::LazyLock;

use async_trait::async_trait;
use gaps::{Gaps, OfEntries, column_of_entries, group_of_entries};
use parts::GroupColumn;
use sea_orm::{QueryResult, Value};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::ledger::Posting;
use tradepost_domain::contracts::ledger::report::{
    Breakdown, Figures, GroupKey, Grouping, ReportFilter, Span, midnight_of,
};
use tradepost_domain::id::ContractId;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::text::{MarketHashName, Name};
use tradepost_ports::store::{Position, ReportQuery, Reports, StoreError, StoreResult};
use uuid::Uuid;

use crate::ledger_sums::FIGURES;
use crate::rows::{RowLocation, cell, id, uuid};
use crate::store::SqlStore;

/// What the sums of the parts come to together.
static SUMS: LazyLock<[String; 8]> =
    LazyLock::new(|| FIGURES.map(|name| format!("CAST(coalesce(sum({name}), 0) AS bigint)")));
/// The key of what comes before the first day of a series.
const BEFORE: &str = "-1000000000";
/// What is open, with the purchases that say where it was bought and what it cost.
static OPEN: LazyLock<String> = LazyLock::new(|| {
    let open = ItemStatus::ALL.iter().filter(|status| status.is_open()).map(|status| status.code().to_string());
    let open = open.collect::<Vec<_>>().join(", ");
    format!(
        "FROM inventory_items i{{by}} JOIN purchases p ON p.workspace_id = i.workspace_id AND p.id = i.purchase_id \
         LEFT JOIN contracts c ON c.workspace_id = i.workspace_id AND c.id = i.contract_id \
         LEFT JOIN pools o ON o.workspace_id = i.workspace_id AND o.id = c.pool_id \
         WHERE i.workspace_id = $1 AND i.status IN ({open})"
    )
});

/// What a contract finally earned on a day, less what sales of its items brought that were made elsewhere. Its places are few, and are
/// adjacent.
static EARNED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT CAST(coalesce(sum(realised_cents - write_offs_cents), 0) AS bigint) - \
         (SELECT CAST(coalesce(sum(-e.realised_pnl_cents - e.fees_cents), 0) AS bigint) FROM inventory_items i \
         JOIN ledger_entries e{{by}} ON e.workspace_id = i.workspace_id AND e.inventory_item_id = i.id \
         WHERE i.workspace_id = $1 AND i.contract_id = $4 AND i.last_source = {} AND i.sold_at >= $5 AND i.sold_at < $6 \
         AND e.posting = {}) \
         FROM ledger_days WHERE workspace_id = $1 AND telling = $2 AND day = $3 AND contract_id = $4",
        Source::SaleElsewhere.code(),
        Posting::SaleSettled.code()
    )
});

/// Returns the column by which the sums are grouped.
const fn column_of_sums(grouping: Grouping) -> Option<&'static str> {
    match grouping {
        Grouping::Nothing => None,
        Grouping::Contract => Some("contract_id"),
        Grouping::SellingContract => Some("selling_contract_id"),
        Grouping::Pool => Some("pool_id"),
        Grouping::Account => Some("account_name"),
        Grouping::BuyMarketplace => Some("buy_marketplace"),
        Grouping::SellMarketplace => Some("sell_marketplace"),
        Grouping::ItemName => Some("market_hash_name"),
    }
}

/// The same of open items.
const fn column_of_items(grouping: Grouping) -> Option<&'static str> {
    match grouping {
        Grouping::Nothing => None,
        Grouping::Contract => Some("i.contract_id"),
        Grouping::SellingContract => Some("i.selling_contract_id"),
        Grouping::Pool => Some("o.id"),
        Grouping::Account => Some("i.account_name"),
        Grouping::BuyMarketplace => Some("p.marketplace"),
        Grouping::SellMarketplace => Some("i.sale_marketplace"),
        Grouping::ItemName => Some("i.market_hash_name"),
    }
}

/// The conditions of a filter, whose values are added.
fn narrowed(filter: &ReportFilter, column: fn(Grouping) -> Option<&'static str>, values: &mut Vec<Value>) -> String {
    let mut text = String::new();
    let name = |text: &str| Value::from(text);
    let wanted: [(Grouping, Option<Value>); 7] = [
        (Grouping::Contract, filter.contract_id.map(|id| uuid(id).into())),
        (Grouping::SellingContract, filter.selling_contract_id.map(|id| uuid(id).into())),
        (Grouping::Pool, filter.pool_id.map(|id| uuid(id).into())),
        (Grouping::Account, filter.account_name.as_ref().map(|text| name(text.as_str()))),
        (Grouping::BuyMarketplace, filter.buy_marketplace.as_ref().map(|text| name(text.as_str()))),
        (Grouping::SellMarketplace, filter.sell_marketplace.as_ref().map(|text| name(text.as_str()))),
        (Grouping::ItemName, filter.market_hash_name.as_ref().map(|text| name(text.as_str()))),
    ];
    for (grouping, value) in wanted {
        if let (Some(column), Some(value)) = (column(grouping), value) {
            values.push(value);
            let _ = write!(text, " AND {column} = ${}", values.len());
        }
    }
    text
}

/// Returns the group in the first column of a row. Without a group it is nil, empty or NULL there.
fn key(row: &QueryResult, grouping: Grouping) -> StoreResult<GroupKey> {
    let some_id = || Ok(cell::<Option<Uuid>>(row, 0)?.filter(|id| !id.is_nil()));
    match grouping {
        Grouping::Nothing => Ok(GroupKey::None),
        Grouping::Contract | Grouping::SellingContract => {
            Ok(some_id()?.map_or(GroupKey::None, |found| GroupKey::Contract(id(found))))
        }
        Grouping::Pool => Ok(some_id()?.map_or(GroupKey::None, |found| GroupKey::Pool(id(found)))),
        Grouping::Account | Grouping::BuyMarketplace | Grouping::SellMarketplace | Grouping::ItemName => {
            let name = cell::<Option<String>>(row, 0)?.filter(|name| !name.is_empty());
            Ok(name.map_or(GroupKey::None, GroupKey::Name))
        }
    }
}

/// The figures of a row, behind its first column.
fn figures(row: &QueryResult) -> StoreResult<Figures> {
    Ok(Figures {
        realised: cell(row, 1)?,
        pending: cell(row, 2)?,
        buy_fees: cell(row, 3)?,
        sale_fees: cell(row, 4)?,
        write_offs: cell(row, 5)?,
        cost_sold: cell(row, 6)?,
        proceeds: cell(row, 7)?,
        sold: cell(row, 8)?,
    })
}

fn position(row: &QueryResult, grouping: Grouping, home: Uuid) -> StoreResult<Position> {
    let at = RowLocation { table: "inventory_items", home, key: Uuid::nil() };
    let (name, phase): (String, Option<String>) = (cell(row, 2)?, cell(row, 3)?);
    Ok(Position {
        key: key(row, grouping)?,
        variant: Variant {
            app_id: at.read("app_id", AppId::new(at.number("app_id", cell::<i64>(row, 1)?)?))?,
            market_hash_name: at.read("market_hash_name", MarketHashName::new(&name))?,
            phase: at.read_some("phase", phase.as_deref(), Name::new)?,
        },
        items: cell(row, 4)?,
        uncosted: cell(row, 5)?,
        cost: cell(row, 6)?,
    })
}

#[async_trait]
impl Reports for SqlStore {
    async fn sum_figures(
        &self,
        scope: WorkspaceScope,
        query: ReportQuery<'_>,
        most: u32,
    ) -> StoreResult<Vec<(GroupKey, Figures)>> {
        let mut values: Vec<Value> =
            vec![uuid(scope.workspace_id()).into(), query.breakdown.code().into(), i64::from(most).into()];
        let of_sums = narrowed(query.filter, column_of_sums, &mut values);
        let group_column = column_of_sums(query.grouping).map_or(GroupColumn::Constant("''"), GroupColumn::Column);
        let parts: Vec<_> =
            parts::of_report(query.from_day, query.to_day).into_iter().map(|part| (part, group_column)).collect();
        let mut parts = parts::select(&parts, &of_sums, &mut values);
        let gaps = Gaps::of_report(&query);
        if !gaps.is_empty() {
            let narrowed = narrowed(query.filter, column_of_entries, &mut values);
            let group = Some(group_of_entries(query.grouping, &mut values));
            parts.push_str(&gaps.union(&OfEntries { group, narrowed }, &mut values, self.is_sqlite()));
        }
        let any: Vec<String> = SUMS.iter().map(|sum| format!("{sum} <> 0")).collect();
        let text = format!(
            "SELECT group_column, {} FROM ({parts}) parts GROUP BY group_column HAVING {} ORDER BY group_column LIMIT $3",
            SUMS.join(", "),
            any.join(" OR ")
        );
        let rows = self.rows(&text, values).await?;
        rows.iter().map(|row| Ok((key(row, query.grouping)?, figures(row)?))).collect()
    }
    async fn sum_earned(&self, scope: WorkspaceScope, contract: ContractId, day: i64) -> StoreResult<i64> {
        let values = vec![
            uuid(scope.workspace_id()).into(),
            Breakdown::Places.code().into(),
            day.into(),
            uuid(contract).into(),
            midnight_of(day).as_micros().into(),
            midnight_of(day.saturating_add(1)).as_micros().into(),
        ];
        let row = self.row(&self.by_index(&EARNED, "ledger_entries_item"), values).await?;
        cell(&row.ok_or_else(|| StoreError::Bug("a sum without a row".to_owned()))?, 0)
    }
    async fn list_changes(
        &self,
        scope: WorkspaceScope,
        query: ReportQuery<'_>,
        span: Span,
    ) -> StoreResult<(i64, Vec<(i64, Figures)>)> {
        let mut values: Vec<Value> = vec![uuid(scope.workspace_id()).into(), query.breakdown.code().into()];
        let of_sums = narrowed(query.filter, column_of_sums, &mut values);
        let before = parts::before(query.from_day).into_iter().map(|part| (part, GroupColumn::Constant(BEFORE)));
        let within = parts::between(query.from_day, query.to_day, span).into_iter();
        let within = within.map(|part| (part, GroupColumn::Column(part.sums.first_day())));
        let parts: Vec<_> = before.chain(within).collect();
        let mut parts = parts::select(&parts, &of_sums, &mut values);
        let gaps = Gaps::of_series(&query);
        if !gaps.is_empty() {
            let narrowed = narrowed(query.filter, column_of_entries, &mut values);
            parts.push_str(&gaps.union(&OfEntries { group: None, narrowed }, &mut values, self.is_sqlite()));
        }
        let text = format!(
            "SELECT group_column, {} FROM ({parts}) parts GROUP BY group_column ORDER BY group_column",
            SUMS.join(", ")
        );
        let rows = self.rows(&text, values).await?;
        let mut sums = rows.iter().map(|row| -> StoreResult<(i64, Figures)> { Ok((cell(row, 0)?, figures(row)?)) });
        let (_, before) = sums.next().transpose()?.unwrap_or_default();
        let (pending, changes) = gaps::moved(&query, before.pending, sums.collect::<StoreResult<Vec<_>>>()?);
        Ok((pending, query.by_span(span, changes)))
    }
    async fn sum_positions(
        &self,
        scope: WorkspaceScope,
        grouping: Grouping,
        filter: &ReportFilter,
    ) -> StoreResult<Vec<Position>> {
        let home = uuid(scope.workspace_id());
        let (column, mut values) = (column_of_items(grouping), vec![home.into()]);
        let mut text = format!(
            "SELECT {} AS group_column, i.app_id, i.market_hash_name, i.phase, count(*), \
             count(CASE WHEN p.order_id IS NULL THEN 1 END), \
             CAST(sum(coalesce(p.executed_price_cents, 0) + coalesce(p.executed_fee_cents, 0)) AS bigint) {}",
            column.unwrap_or("''"),
            *OPEN
        );
        text.push_str(&narrowed(filter, column_of_items, &mut values));
        text.push_str(" GROUP BY ");
        if let Some(column) = column.filter(|column| *column != "i.market_hash_name") {
            let _ = write!(text, "{column}, ");
        }
        text.push_str("i.app_id, i.market_hash_name, i.phase");
        let text = self.by_index(&text, "inventory_items_status");
        self.readable_rows(&text, values, |row| position(row, grouping, home)).await
    }
}
