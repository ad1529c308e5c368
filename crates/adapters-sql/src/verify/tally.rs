//! Sums of parts of the ledger, by pool, and the statements that compare a pool with all of its entries.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use tradepost_domain::contracts::ledger::{Account, Posting};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_ports::store::StoreResult;
use uuid::Uuid;

use super::limits::MAX_REPORTED;
use super::slice::Slice;
use super::walk::{Span, WITHIN};
use crate::read::contracts::ledger::column;
use crate::rows::cell;

/// The amounts whose money is at stake in an item.
const EXPOSED: &str = "reserved_cents + paid_in_transit_cents + inventory_at_cost_cents + delivered_at_cost_cents";
pub(super) const MICROS_A_DAY: i64 = 86_400_000_000;
const ACCOUNTS: usize = 11;

static BALANCES: LazyLock<String> = LazyLock::new(|| {
    let sums: Vec<String> = columns().map(|column| format!("CAST(sum({column}) AS bigint)")).collect();
    format!(
        "SELECT pool_id, {} FROM ledger_entries WHERE {WITHIN} AND pool_id IS NOT NULL GROUP BY pool_id",
        sums.join(", ")
    )
});
static EXPOSURES: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT pool_id, market_hash_name, CAST(sum({EXPOSED}) AS bigint) FROM ledger_entries WHERE {WITHIN} \
         AND pool_id IS NOT NULL AND market_hash_name IS NOT NULL GROUP BY pool_id, market_hash_name HAVING sum({EXPOSED}) <> 0"
    )
});
static UNBALANCED: LazyLock<String> = LazyLock::new(|| {
    let sum = columns().collect::<Vec<_>>().join(" + ");
    format!("SELECT id FROM ledger_entries WHERE {WITHIN} AND {sum} <> 0 LIMIT {MAX_REPORTED}")
});
static COUNT: LazyLock<String> = LazyLock::new(|| format!("SELECT count(*) FROM ledger_entries WHERE {WITHIN}"));
static BOUGHT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT DISTINCT e.pool_id FROM ledger_entries e JOIN pools p ON p.workspace_id = e.workspace_id AND p.id = e.pool_id \
         WHERE e.workspace_id = $1 AND e.id > $2 AND e.id <= $3 AND e.posting = {} AND e.at / {MICROS_A_DAY} = p.used_on",
        Posting::Reserved.code()
    )
});
static FIRST_OF_DAY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT id FROM ledger_entries WHERE workspace_id = $1 AND pool_id = $2 AND id > $3 AND posting = {} \
         AND at / {MICROS_A_DAY} = $4 ORDER BY id LIMIT 1",
        Posting::Reserved.code()
    )
});
/// What purchases of a day cost or may come to cost, and what was reserved since its beginning by a clock that ran behind.
static USED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT CAST(coalesce(sum(CASE WHEN u.created_at / {MICROS_A_DAY} = $4 THEN {FOOTPRINT} ELSE 0 END), 0) AS bigint), \
         CAST(coalesce(sum(CASE WHEN u.created_at / {MICROS_A_DAY} < $4 THEN e.reserved_cents ELSE 0 END), 0) AS bigint) \
         FROM ledger_entries e JOIN purchases u ON u.workspace_id = e.workspace_id AND u.id = e.purchase_id \
         WHERE e.workspace_id = $1 AND e.pool_id = $2 AND e.id >= $3 AND e.posting = {reserved}",
        FOOTPRINT = footprint("u."),
        reserved = Posting::Reserved.code()
    )
});

/// What a purchase costs or may come to cost: what was paid and has not come back, or what is reserved.
pub(super) fn footprint(alias: &str) -> String {
    format!("({} + {})", spent(alias), reserved(alias))
}

/// What was paid for a purchase and has not come back.
pub(super) fn spent(alias: &str) -> String {
    let cost = format!("{alias}executed_price_cents + {alias}executed_fee_cents");
    format!("CASE WHEN {cost} > {alias}refunded_cents THEN {cost} - {alias}refunded_cents ELSE 0 END")
}

/// What is reserved for a purchase.
pub(super) fn reserved(alias: &str) -> String {
    let holding: Vec<String> = PurchaseStatus::ALL
        .iter()
        .filter(|status| status.holds_reservation())
        .map(|status| status.code().to_string())
        .collect();
    format!("CASE WHEN {alias}status IN ({}) THEN {alias}max_buy_price_cents ELSE 0 END", holding.join(", "))
}

/// What entries come to, by pool.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) pools: BTreeMap<Uuid, [i64; ACCOUNTS]>,
    pub(super) exposed: BTreeMap<(Uuid, String), i64>,
}

impl Tally {
    pub(super) async fn add(&mut self, slice: &Slice, span: Span) -> StoreResult<()> {
        for row in slice.rows(&BALANCES, span.values()).await? {
            let balances = self.pools.entry(cell(&row, 0)?).or_default();
            for (position, balance) in balances.iter_mut().enumerate() {
                *balance = balance.saturating_add(cell(&row, position + 1)?);
            }
        }
        for row in slice.rows(&EXPOSURES, span.values()).await? {
            let exposed = self.exposed.entry((cell(&row, 0)?, cell(&row, 1)?)).or_default();
            *exposed = exposed.saturating_add(cell(&row, 2)?);
        }
        Ok(())
    }

    /// What the account at a position comes to in a pool.
    pub(super) fn balance(&self, pool: Uuid, position: usize) -> i64 {
        self.pools.get(&pool).and_then(|balances| balances.get(position)).copied().unwrap_or(0)
    }
}

/// How many entries there are in a part, and those of them that do not sum to zero.
pub(super) async fn balance_of_entries(slice: &Slice, span: Span) -> StoreResult<(u64, Vec<Uuid>)> {
    let count = slice.row(&COUNT, span.values()).await?;
    let count: i64 = count.map_or(Ok(0), |row| cell(&row, 0))?;
    let unbalanced = slice.rows(&UNBALANCED, span.values()).await?;
    Ok((u64::try_from(count).unwrap_or(0), unbalanced.iter().map(|row| cell(row, 0)).collect::<StoreResult<_>>()?))
}

/// The pools that bought in a part on what is their latest day.
pub(super) async fn bought_on_latest_day(slice: &Slice, span: Span) -> StoreResult<Vec<Uuid>> {
    slice.rows(&BOUGHT, span.values()).await?.iter().map(|row| cell(row, 0)).collect()
}

/// What a pool counts for its latest day and what its purchases of that day come to, where that is not the same. Its first entry of
/// that day comes after an id.
pub(super) async fn day_of_pool(
    slice: &Slice,
    workspace: Uuid,
    pool: Uuid,
    since: Uuid,
) -> StoreResult<Option<(i64, i64)>> {
    let text = "SELECT used_on, used_cents FROM pools WHERE workspace_id = $1 AND id = $2";
    let Some(row) = slice.row(text, vec![workspace.into(), pool.into()]).await? else { return Ok(None) };
    let (day, counted): (i64, i64) = (cell(&row, 0)?, cell(&row, 1)?);
    let key = |id: Uuid| vec![workspace.into(), pool.into(), id.into(), day.into()];
    let first = slice.row(&FIRST_OF_DAY, key(since)).await?;
    let Some(first) = first.map(|row| cell::<Uuid>(&row, 0)).transpose()? else {
        return Ok((counted != 0).then_some((counted, 0)));
    };
    let row = slice.row(&USED, key(first)).await?;
    let (used, late): (i64, i64) = row.map_or(Ok((0, 0)), |row| Ok((cell(&row, 0)?, cell(&row, 1)?)))?;
    let is_so = counted >= used && counted <= used.saturating_add(late);
    Ok((!is_so).then_some((counted, used)))
}

/// The columns of the accounts, in an entry and in a pool.
pub(super) fn columns() -> impl Iterator<Item = &'static str> {
    Account::ALL.iter().copied().map(column)
}

/// A row if the balances of a pool are not what its entries come to.
pub(super) fn drifting_balances() -> String {
    let sums: Vec<String> = columns().map(|column| format!("coalesce(sum({column}), 0) AS {column}")).collect();
    let differ: Vec<String> = columns().map(|column| format!("p.{column} <> e.{column}")).collect();
    let (sums, differ) = (sums.join(", "), differ.join(" OR "));
    format!(
        "SELECT 1 FROM pools p CROSS JOIN (SELECT {sums} FROM ledger_entries WHERE workspace_id = $1 AND pool_id = $2) e \
         WHERE p.workspace_id = $1 AND p.id = $2 AND ({differ})"
    )
}

/// The names of which a pool's exposure is not what its entries come to.
pub(super) fn drifting_exposures() -> String {
    format!(
        "SELECT market_hash_name FROM (SELECT market_hash_name, {EXPOSED} AS cents FROM ledger_entries \
         WHERE workspace_id = $1 AND pool_id = $2 AND market_hash_name IS NOT NULL UNION ALL \
         SELECT market_hash_name, -exposed_cents FROM pool_exposures WHERE workspace_id = $1 AND pool_id = $2) compared \
         GROUP BY market_hash_name HAVING sum(cents) <> 0 LIMIT {MAX_REPORTED}"
    )
}
