//! The prices of hours. They are formed of observations a while after these were recorded, many at once: a new listing would change
//! a page of its own for its name each time. Reads take what is not in them yet from the observations.

use std::collections::BTreeMap;

use sea_orm::{ConnectionTrait as _, DatabaseTransaction, QueryResult, Statement, Value};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::markets::price_history::{Candle, Tick, hour_of, start_of};
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::{HistoryQuery, StoreResult, Worlds};
use uuid::Uuid;

use super::{by_name, in_table, of_variant};
use crate::bulk_insert::{Insert, PgEncoding};
use crate::classify::{DbOperation, classify};
use crate::rows::{RowLocation, cell};
use crate::sql_text::{first_observed, in_worlds};
use crate::store::SqlStore;

/// Observations that are formed together. The more there are, the more prices of a page change at once.
const PART: i64 = 50_000;
/// Prices of hours that are written together. Other writers continue between two such writes.
const SLICE: usize = 256;

const WORKSPACES: &str = "SELECT DISTINCT workspace_id FROM market_counts WHERE hour >= $1";
const FORMED: &str = "SELECT last, upto, done FROM market_formed WHERE workspace_id = $1";
const BEGIN: &str =
    "INSERT INTO market_formed (workspace_id, last, upto, done) VALUES ($1, $2, $2, '') ON CONFLICT DO NOTHING";
/// Changes nothing if another process has continued.
const GO_ON: &str = "UPDATE market_formed SET last = $5, upto = $6, done = $7 \
    WHERE workspace_id = $1 AND last = $2 AND upto = $3 AND done = $4";
const TICKS: &str = "SELECT market_hash_name, app_id, phase, marketplace, price, observed_at, id FROM market_observations \
    WHERE workspace_id = $1 AND id > $2 AND id";
/// The prices of hours of a variant, and what is not in them yet.
const READ: &str = "SELECT hour, marketplace, open, opened_at, high, low, close, closed_at, n FROM market_candles \
    WHERE workspace_id = $1 AND market_hash_name = $2 AND app_id = $3 AND phase = $4 AND hour >= $5 AND hour < $6{here} \
    UNION ALL SELECT NULL, marketplace, price, observed_at, price, price, price, observed_at, 1 \
    FROM {observations} WHERE o.workspace_id = $1 AND o.market_hash_name = $2 AND o.id > {formed} \
    AND o.app_id = $3 AND o.phase = $4 AND o.observed_at >= $8 AND o.observed_at < $9{here}";

/// The last observation that is in the prices of hours of its name.
const FORMED_OF_NAME: &str = "coalesce((SELECT CASE WHEN $2 <= f.done THEN f.upto ELSE f.last END \
    FROM market_formed AS f WHERE f.workspace_id = $1), $7)";

/// As [`Candle::and`] puts them together.
const CANDLES: Insert = Insert {
    table: "market_candles AS c",
    columns: &[
        ("workspace_id", PgEncoding::Id),
        ("market_hash_name", PgEncoding::Text),
        ("app_id", PgEncoding::Number),
        ("phase", PgEncoding::MaybeEmpty),
        ("hour", PgEncoding::Number),
        ("marketplace", PgEncoding::Text),
        ("open", PgEncoding::Number),
        ("opened_at", PgEncoding::Number),
        ("high", PgEncoding::Number),
        ("low", PgEncoding::Number),
        ("close", PgEncoding::Number),
        ("closed_at", PgEncoding::Number),
        ("n", PgEncoding::Number),
    ],
    end: "ON CONFLICT (workspace_id, market_hash_name, app_id, phase, hour, marketplace) DO UPDATE SET \
        open = CASE WHEN (excluded.opened_at, excluded.open) < (c.opened_at, c.open) THEN excluded.open ELSE c.open END, \
        opened_at = CASE WHEN excluded.opened_at < c.opened_at THEN excluded.opened_at ELSE c.opened_at END, \
        high = CASE WHEN excluded.high > c.high THEN excluded.high ELSE c.high END, \
        low = CASE WHEN excluded.low < c.low THEN excluded.low ELSE c.low END, \
        close = CASE WHEN (excluded.closed_at, excluded.close) > (c.closed_at, c.close) \
        THEN excluded.close ELSE c.close END, \
        closed_at = CASE WHEN excluded.closed_at > c.closed_at THEN excluded.closed_at ELSE c.closed_at END, \
        n = c.n + excluded.n",
};

/// How far the prices of hours of a workspace are formed: of every observation up to `last`; and of those up to `upto`, where their
/// names do not come after `done`.
#[derive(Clone)]
struct Formed {
    last: Uuid,
    upto: Uuid,
    done: String,
}

/// By name, game, phase, hour and marketplace, in which order they are kept.
/// The key of one price of an hour. Its order is the order in which prices are written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct CandleKey {
    name: String,
    app_id: i64,
    phase: String,
    hour: i64,
    marketplace: String,
}

/// How far prices of hours are formed before and after a write.
#[derive(Clone, Copy)]
struct Advance<'a> {
    from: &'a Formed,
    to: &'a Formed,
}

/// Forms a part of what was recorded before this time in each workspace that recorded anything since the hour of another; how many
/// observations it was.
pub(super) async fn form_all(
    store: &SqlStore,
    worlds: Worlds,
    since: Timestamp,
    before: Timestamp,
) -> StoreResult<u64> {
    let (mut formed, mut values) = (0_u64, vec![hour_of(since).into()]);
    let text = format!("{WORKSPACES}{}", in_worlds("workspace_id", worlds, &mut values));
    for row in store.rows(&text, values).await? {
        formed = formed.saturating_add(form(store, cell(&row, 0)?, before).await?);
    }
    Ok(formed)
}

/// Forms a part of what a workspace recorded before this time, or continues the part in progress. Returns of how many
/// observations. It stops where another process continues the same part.
pub(super) async fn form(store: &SqlStore, workspace: Uuid, before: Timestamp) -> StoreResult<u64> {
    let mut formed = find(store, workspace).await?;
    let (text, end) = if formed.upto > formed.last {
        (format!("{TICKS} <= $3 ORDER BY id LIMIT $4"), formed.upto)
    } else {
        (format!("{TICKS} < $3 ORDER BY id LIMIT $4"), first_observed(before))
    };
    let part = store.rows(&text, vec![workspace.into(), formed.last.into(), end.into(), PART.into()]).await?;
    let Some(newest) = part.last() else { return Ok(0) };
    let upto = Formed { upto: cell(newest, 6)?, ..formed.clone() };
    if formed.last.is_nil() {
        store.write(BEGIN, vec![workspace.into(), Uuid::nil().into()]).await?;
    }
    if upto.upto != formed.upto && !go_on(store, workspace, Advance { from: &formed, to: &upto }, Vec::new()).await? {
        return Ok(0);
    }
    formed = upto;
    let mut left = candles_of(&part, &formed.done)?.into_iter().peekable();
    let mut rows = Vec::new();
    while let Some((key, candle)) = left.next() {
        let is_last_of_name = left.peek().is_none_or(|(next, _)| next.name != key.name);
        let name = key.name.clone();
        rows.push(candle_row(workspace, key, candle));
        // All of a name at once, since names are what is done.
        if is_last_of_name && (rows.len() >= SLICE || left.peek().is_none()) {
            let next = Formed { done: name, ..formed.clone() };
            if !go_on(store, workspace, Advance { from: &formed, to: &next }, std::mem::take(&mut rows)).await? {
                return Ok(0);
            }
            formed = next;
        }
    }
    let over = Formed { last: formed.upto, upto: formed.upto, done: String::new() };
    let is_over = go_on(store, workspace, Advance { from: &formed, to: &over }, Vec::new()).await?;
    Ok(if is_over { part.len() as u64 } else { 0 })
}

async fn find(store: &SqlStore, workspace: Uuid) -> StoreResult<Formed> {
    let Some(row) = store.row(FORMED, vec![workspace.into()]).await? else {
        return Ok(Formed { last: Uuid::nil(), upto: Uuid::nil(), done: String::new() });
    };
    Ok(Formed { last: cell(&row, 0)?, upto: cell(&row, 1)?, done: cell(&row, 2)? })
}

/// Writes prices of hours and how far they come. Returns false, and writes nothing, if another process has continued.
async fn go_on(
    store: &SqlStore,
    workspace: Uuid,
    Advance { from, to }: Advance<'_>,
    candles: Vec<Vec<Value>>,
) -> StoreResult<bool> {
    let failed = |error| classify(&error, DbOperation::Statement);
    let side = store.side_transaction(&[]).await?;
    let values = [
        workspace.into(),
        from.last.into(),
        from.upto.into(),
        from.done.as_str().into(),
        to.last.into(),
        to.upto.into(),
        to.done.as_str().into(),
    ];
    let transaction: &DatabaseTransaction = side.transaction();
    let statement = Statement::from_sql_and_values(transaction.get_database_backend(), GO_ON, values);
    if transaction.execute_raw(statement).await.map_err(failed)?.rows_affected() != 1 {
        return Ok(false);
    }
    CANDLES.write(transaction, candles).await.map_err(failed)?;
    side.commit().await?;
    Ok(true)
}

/// What observations come to, of names after this one.
fn candles_of(ticks: &[QueryResult], done: &str) -> StoreResult<BTreeMap<CandleKey, Candle>> {
    let mut candles: BTreeMap<CandleKey, Candle> = BTreeMap::new();
    for row in ticks {
        let name: String = cell(row, 0)?;
        if name.as_str() > done {
            let at = RowLocation { table: "market_observations", home: Uuid::nil(), key: cell(row, 6)? };
            let observed_at = at.time("observed_at", cell(row, 5)?)?;
            let tick = Candle::of(Tick { at: observed_at, price: at.cents("price", cell(row, 4)?)? });
            let (app_id, phase, hour) = (cell(row, 1)?, cell(row, 2)?, hour_of(observed_at));
            let key = CandleKey { name, app_id, phase, hour, marketplace: cell(row, 3)? };
            candles.entry(key).and_modify(|candle| *candle = candle.and(tick)).or_insert(tick);
        }
    }
    Ok(candles)
}

fn candle_row(workspace: Uuid, key: CandleKey, candle: Candle) -> Vec<Value> {
    let CandleKey { name, app_id, phase, hour, marketplace } = key;
    vec![
        workspace.into(),
        name.into(),
        app_id.into(),
        phase.into(),
        hour.into(),
        marketplace.into(),
        candle.open.price.get().into(),
        candle.open.at.as_micros().into(),
        candle.high.get().into(),
        candle.low.get().into(),
        candle.close.price.get().into(),
        candle.close.at.as_micros().into(),
        i64::from(candle.count).into(),
    ]
}

/// The prices of hours by hour and marketplace.
pub(super) async fn read(
    store: &SqlStore,
    scope: WorkspaceScope,
    query: HistoryQuery<'_>,
) -> StoreResult<Vec<(i64, Candle)>> {
    let at = in_table("market_candles", scope.workspace_id());
    let mut values = of_variant(scope, query.variant);
    values.extend([query.from.into(), query.to.into(), Uuid::nil().into()]);
    values.extend([start_of(query.from).as_micros().into(), start_of(query.to).as_micros().into()]);
    values.extend(query.marketplace.map(|place| Value::from(place.as_str())));
    let here = query.marketplace.map_or("", |_| " AND marketplace = $10");
    let text = READ.replace("{here}", here).replace("{formed}", FORMED_OF_NAME);
    let text = text.replace("{observations}", &by_name::since(store, FORMED_OF_NAME));
    let mut candles: BTreeMap<(i64, String), Candle> = BTreeMap::new();
    for row in store.rows(&text, values).await? {
        let found = candle(at, &row)?;
        let hour = cell::<Option<i64>>(&row, 0)?.unwrap_or_else(|| hour_of(found.open.at));
        let known = candles.entry((hour, cell(&row, 1)?));
        known.and_modify(|candle| *candle = candle.and(found)).or_insert(found);
    }
    Ok(candles.into_iter().map(|((hour, _), candle)| (hour, candle)).collect())
}

fn candle(at: RowLocation, row: &QueryResult) -> StoreResult<Candle> {
    let tick = |price, moment| {
        Ok(Tick { price: at.cents("open or close", cell(row, price)?)?, at: at.time("time", cell(row, moment)?)? })
    };
    Ok(Candle {
        open: tick(2, 3)?,
        high: at.cents("high", cell(row, 4)?)?,
        low: at.cents("low", cell(row, 5)?)?,
        close: tick(6, 7)?,
        count: u32::try_from(cell::<i64>(row, 8)?).unwrap_or(u32::MAX),
    })
}
