//! Writing observations and quotes, outside the commit queue. On SQLite the writes of observations share transactions, and
//! commits run between any two slices. Every other write is a transaction of its own.

use std::collections::{BTreeMap, HashMap};

use sea_orm::{ConnectionTrait as _, DatabaseTransaction, DbBackend, QueryResult, Statement, Value};
use serde_json::{Value as Json, json};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::ObservationId;
use tradepost_domain::markets::observation::{ListingSnapshot, MarketObservation, RENEWED_AFTER};
use tradepost_domain::markets::price_history::{hour_of, start_of};
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::VersionGuard;
use tradepost_ports::store::{MOST_OBSERVATIONS, PriceSnapshot, Recorded, StoreError, StoreResult, Together, Worlds};
use uuid::Uuid;

use super::price_data::current_prices;
use super::{DUE, FORGET_COUNTS, OLDEST, candles};
use crate::bulk_insert::{Insert, PgEncoding};
use crate::classify::{DbOperation, classify};
use crate::rows::markets::market_observation;
use crate::rows::markets::market_observation::phase_to_column;
use crate::rows::{cell, id, row_values, uuid};
use crate::sql_text::{first_observed, in_worlds};
use crate::store::{Commits, SqlStore};

const LISTING_COLUMNS: &[(&str, PgEncoding)] = &[
    ("workspace_id", PgEncoding::Id),
    ("marketplace", PgEncoding::Text),
    ("listing_id", PgEncoding::Text),
    ("app_id", PgEncoding::Number),
    ("market_hash_name", PgEncoding::Text),
    ("phase", PgEncoding::MaybeEmpty),
    ("price", PgEncoding::Number),
    ("observation_id", PgEncoding::Id),
    ("observed_at", PgEncoding::Number),
    ("seen_at", PgEncoding::Number),
];

/// On SQLite, where no other connection writes at the same time, the known listings are read first. A row is identified by its
/// position among those asked for.
const KNOWN_SQLITE: &str = "SELECT g.key, l.price, l.observation_id, l.observed_at, l.seen_at FROM json_each($2) AS g \
    CROSS JOIN market_listings AS l \
    WHERE l.workspace_id = $1 AND l.marketplace = g.value ->> 0 AND l.listing_id = g.value ->> 1";
/// In this order: an UPDATE would look through every listing for each that is given.
const STILL_THERE_SQLITE: &str = "INSERT INTO market_listings (workspace_id, marketplace, listing_id, app_id, \
    market_hash_name, phase, price, observation_id, observed_at, seen_at) SELECT l.workspace_id, l.marketplace, \
    l.listing_id, l.app_id, l.market_hash_name, l.phase, l.price, l.observation_id, l.observed_at, g.value ->> 2 \
    FROM json_each($2) AS g CROSS JOIN market_listings AS l \
    WHERE l.workspace_id = $1 AND l.marketplace = g.value ->> 0 AND l.listing_id = g.value ->> 1 \
    ON CONFLICT (workspace_id, marketplace, listing_id) DO UPDATE SET seen_at = excluded.seen_at";

/// Listings that say something new.
const LISTINGS_SQLITE: Insert = Insert {
    table: "market_listings",
    columns: LISTING_COLUMNS,
    end: "ON CONFLICT (workspace_id, marketplace, listing_id) DO UPDATE SET app_id = excluded.app_id, \
        market_hash_name = excluded.market_hash_name, phase = excluded.phase, price = excluded.price, \
        observation_id = excluded.observation_id, observed_at = excluded.observed_at, seen_at = excluded.seen_at",
};

/// A listing at its price stays as the observation recorded it, for a day.
macro_rules! unless_it_stands {
    ($column:literal) => {
        concat!(
            $column,
            " = CASE WHEN l.price = excluded.price AND excluded.observed_at - l.observed_at < 86400000000 THEN l.",
            $column,
            " ELSE excluded.",
            $column,
            " END, "
        )
    };
}

/// What was seen before the last sight changes nothing, and is not answered.
const LISTINGS_POSTGRES: Insert = Insert {
    table: "market_listings AS l",
    columns: LISTING_COLUMNS,
    end: concat!(
        "ON CONFLICT (workspace_id, marketplace, listing_id) DO UPDATE SET ",
        unless_it_stands!("app_id"),
        unless_it_stands!("market_hash_name"),
        unless_it_stands!("phase"),
        unless_it_stands!("observation_id"),
        unless_it_stands!("observed_at"),
        "price = excluded.price, seen_at = excluded.seen_at WHERE excluded.seen_at >= l.seen_at \
        RETURNING marketplace, listing_id, observation_id"
    ),
};

const OBSERVATIONS: Insert = Insert {
    table: "market_observations",
    columns: &[
        ("workspace_id", PgEncoding::Id),
        ("id", PgEncoding::Id),
        ("marketplace", PgEncoding::Text),
        ("listing_id", PgEncoding::Text),
        ("asset_id", PgEncoding::Text),
        ("app_id", PgEncoding::Number),
        ("market_hash_name", PgEncoding::Text),
        ("phase", PgEncoding::MaybeEmpty),
        ("price", PgEncoding::Number),
        ("traits", PgEncoding::Text),
        ("observed_at", PgEncoding::Number),
        ("recorded_at", PgEncoding::Number),
        ("actor_kind", PgEncoding::Code),
        ("actor_user_id", PgEncoding::Id),
        ("actor_key_id", PgEncoding::Id),
        ("kept", PgEncoding::Code),
        ("told", PgEncoding::Text),
    ],
    end: "",
};

const COUNTS: Insert = Insert {
    table: "market_counts AS c",
    columns: &[
        ("workspace_id", PgEncoding::Id),
        ("hour", PgEncoding::Number),
        ("marketplace", PgEncoding::Text),
        ("slot", PgEncoding::Code),
        ("n", PgEncoding::Number),
    ],
    end: "ON CONFLICT (workspace_id, hour, marketplace, slot) DO UPDATE SET n = c.n + excluded.n",
};

const QUOTES: Insert = Insert {
    table: "market_quotes AS q",
    columns: &[
        ("workspace_id", PgEncoding::Id),
        ("market_hash_name", PgEncoding::Text),
        ("app_id", PgEncoding::Number),
        ("phase", PgEncoding::MaybeEmpty),
        ("source", PgEncoding::Text),
        ("lowest_ask", PgEncoding::Number),
        ("highest_bid", PgEncoding::Number),
        ("sales_average", PgEncoding::Number),
        ("sales_count", PgEncoding::Number),
        ("observed_at", PgEncoding::Number),
    ],
    end: "ON CONFLICT (workspace_id, market_hash_name, app_id, phase, source) DO UPDATE SET \
        lowest_ask = excluded.lowest_ask, highest_bid = excluded.highest_bid, sales_average = excluded.sales_average, \
        sales_count = excluded.sales_count, observed_at = excluded.observed_at \
        WHERE excluded.observed_at > q.observed_at RETURNING 1",
};

pub(super) async fn observations(
    store: &SqlStore,
    scope: WorkspaceScope,
    guards: &[VersionGuard],
    observations: &[MarketObservation],
) -> StoreResult<Vec<Recorded>> {
    check(scope, observations)?;
    if observations.is_empty() {
        return Ok(Vec::new());
    }
    match &store.commits {
        Commits::Sqlite(sqlite) => sqlite.record(guards, observations).await,
        Commits::Postgres(postgres) => {
            let writing = store.writing(scope);
            let transaction = postgres.side_transaction(guards).await?;
            let recorded = slice(&transaction, observations, observations).await?;
            transaction.commit().await.map_err(|error| classify(&error, DbOperation::Commit))?;
            if let Some(writing) = writing {
                writing.end(true);
            }
            Ok(recorded)
        }
    }
}

/// Writes some of the observations that are recorded together. Returns the outcome of each.
pub(crate) async fn slice(
    transaction: &DatabaseTransaction,
    observations: &[MarketObservation],
    together: &[MarketObservation],
) -> StoreResult<Vec<Recorded>> {
    let failed = |error| classify(&error, DbOperation::Statement);
    let is_sqlite = transaction.get_database_backend() == DbBackend::Sqlite;
    let recorded = if is_sqlite {
        listings_on_sqlite(transaction, observations).await?
    } else {
        let known = LISTINGS_POSTGRES.write(transaction, listing_rows(observations)).await.map_err(failed)?;
        outcomes(observations, &known)?
    };
    let accepted = of_outcome(observations, &recorded, |recorded| recorded == Recorded::Accepted);
    let (prices, others) = (current_prices(transaction, &accepted).await?, Together::of(together));
    let row = |observation: &&MarketObservation| {
        let said = prices.get(&observation.snapshot.listing.variant).cloned().unwrap_or_default();
        let snapshot = PriceSnapshot { asks: others.other_asks(&observation.snapshot), ..said };
        row_values(&market_observation::to_row(observation, &snapshot)).map(|(_, value)| value).collect()
    };
    OBSERVATIONS.write(transaction, accepted.iter().map(row).collect()).await.map_err(failed)?;
    COUNTS.write(transaction, count_rows(&accepted)).await.map_err(failed)?;
    Ok(recorded)
}

fn of_outcome<'a>(
    observations: &'a [MarketObservation],
    recorded: &[Recorded],
    wanted: impl Fn(Recorded) -> bool,
) -> Vec<&'a MarketObservation> {
    let both = observations.iter().zip(recorded).filter(|(_, recorded)| wanted(**recorded));
    both.map(|(observation, _)| observation).collect()
}

async fn listings_on_sqlite(
    transaction: &DatabaseTransaction,
    observations: &[MarketObservation],
) -> StoreResult<Vec<Recorded>> {
    let failed = |error| classify(&error, DbOperation::Statement);
    let Some(first) = observations.first() else { return Ok(Vec::new()) };
    let statement = |text, listings: Vec<Json>| {
        let values = [uuid(first.workspace_id).into(), Json::Array(listings).to_string().into()];
        Statement::from_sql_and_values(DbBackend::Sqlite, text, values)
    };
    let place = |seen: &MarketObservation| {
        (json!(seen.snapshot.marketplace.as_str()), json!(seen.snapshot.listing_id.as_str()))
    };
    let listings = observations.iter().map(place).map(|(marketplace, id)| json!([marketplace, id]));
    let known = transaction.query_all_raw(statement(KNOWN_SQLITE, listings.collect())).await.map_err(failed)?;
    let mut recorded = vec![Recorded::Accepted; observations.len()];
    for row in known {
        let at: usize = cell::<i64>(&row, 0)?.try_into().unwrap_or(usize::MAX);
        if let Some((seen, recorded)) = observations.get(at).zip(recorded.get_mut(at)) {
            *recorded = outcome_if_known(seen, &row)?;
        }
    }
    let new = of_outcome(observations, &recorded, |recorded| recorded == Recorded::Accepted);
    LISTINGS_SQLITE.write(transaction, new.into_iter().map(listing_row).collect()).await.map_err(failed)?;
    let again = of_outcome(observations, &recorded, |recorded| matches!(recorded, Recorded::Duplicate(_)));
    if !again.is_empty() {
        let seen = again.into_iter().map(|seen| {
            let (marketplace, id) = place(seen);
            json!([marketplace, id, seen.snapshot.observed_at.as_micros()])
        });
        transaction.execute_raw(statement(STILL_THERE_SQLITE, seen.collect())).await.map_err(failed)?;
    }
    Ok(recorded)
}

/// Returns the outcome of an observation of a known listing.
fn outcome_if_known(seen: &MarketObservation, known: &QueryResult) -> StoreResult<Recorded> {
    let ListingSnapshot { listing, observed_at, .. } = &seen.snapshot;
    let (price, observed, last): (i64, i64, i64) = (cell(known, 1)?, cell(known, 3)?, cell(known, 4)?);
    let (at, renewed_after) = (observed_at.as_micros(), RENEWED_AFTER.whole_microseconds());
    if at < last {
        Ok(Recorded::Outdated)
    } else if listing.price.get() == price && i128::from(at) - i128::from(observed) < renewed_after {
        Ok(Recorded::Duplicate(id(cell(known, 2)?)))
    } else {
        Ok(Recorded::Accepted)
    }
}

fn check(scope: WorkspaceScope, observations: &[MarketObservation]) -> StoreResult<()> {
    let is_own = |observation: &MarketObservation| observation.workspace_id == scope.workspace_id();
    if observations.len() <= MOST_OBSERVATIONS && observations.iter().all(is_own) {
        Ok(())
    } else {
        Err(StoreError::Bug("too many observations, or of another workspace".to_owned()))
    }
}

/// In one order, since two transactions may meet.
fn listing_rows(observations: &[MarketObservation]) -> Vec<Vec<Value>> {
    let mut sorted: Vec<&MarketObservation> = observations.iter().collect();
    sorted.sort_by_key(|observation| (&observation.snapshot.marketplace, &observation.snapshot.listing_id));
    sorted.into_iter().map(listing_row).collect()
}

fn listing_row(observation: &MarketObservation) -> Vec<Value> {
    let snapshot = &observation.snapshot;
    let (variant, seen_at) = (&snapshot.listing.variant, snapshot.observed_at.as_micros());
    vec![
        uuid(observation.workspace_id).into(),
        snapshot.marketplace.as_str().into(),
        snapshot.listing_id.as_str().into(),
        i64::from(variant.app_id.get()).into(),
        variant.market_hash_name.as_str().into(),
        phase_to_column(variant).into(),
        snapshot.listing.price.get().into(),
        uuid(observation.id).into(),
        seen_at.into(),
        seen_at.into(),
    ]
}

/// Returns the outcome of each observation, by the one that its listing keeps.
fn outcomes(observations: &[MarketObservation], known: &[QueryResult]) -> StoreResult<Vec<Recorded>> {
    let mut kept_by: HashMap<(String, String), ObservationId> = HashMap::with_capacity(known.len());
    for row in known {
        kept_by.insert((cell(row, 0)?, cell(row, 1)?), id(cell::<Uuid>(row, 2)?));
    }
    let outcome = |observation: &MarketObservation| {
        let snapshot = &observation.snapshot;
        match kept_by.get(&(snapshot.marketplace.to_string(), snapshot.listing_id.to_string())) {
            Some(own) if *own == observation.id => Recorded::Accepted,
            Some(earlier) => Recorded::Duplicate(*earlier),
            None => Recorded::Outdated,
        }
    };
    Ok(observations.iter().map(outcome).collect())
}

fn count_rows(accepted: &[&MarketObservation]) -> Vec<Vec<Value>> {
    /// Rows over which what is counted is spread: those who record at once rarely wait for one.
    const SLOTS: u8 = 8;
    let mut counts: BTreeMap<(Uuid, i64, &Marketplace), i64> = BTreeMap::new();
    for observation in accepted {
        let key = (uuid(observation.workspace_id), hour_of(observation.recorded_at), &observation.snapshot.marketplace);
        *counts.entry(key).or_default() += 1;
    }
    // The last byte of an id is random.
    let slot = accepted.first().map_or(0, |first| first.id.to_bytes().last().map_or(0, |random| random % SLOTS));
    let row = |((workspace, hour, marketplace), many): ((Uuid, i64, &Marketplace), i64)| {
        vec![workspace.into(), hour.into(), marketplace.as_str().into(), i16::from(slot).into(), many.into()]
    };
    counts.into_iter().map(row).collect()
}

pub(super) async fn quotes(
    store: &SqlStore,
    scope: WorkspaceScope,
    guards: &[VersionGuard],
    quotes: &[(Variant, Quote)],
) -> StoreResult<u64> {
    // One row a source and variant, the latest, since a statement may not change a row twice; and in one order.
    let mut latest: BTreeMap<(&Variant, &Marketplace), &Quote> = BTreeMap::new();
    for (variant, quote) in quotes {
        let known = latest.entry((variant, &quote.source)).or_insert(quote);
        if known.observed_at < quote.observed_at {
            *known = quote;
        }
    }
    if latest.is_empty() {
        return Ok(0);
    }
    let row = |((variant, source), quote): ((&Variant, &Marketplace), &Quote)| -> Vec<Value> {
        vec![
            uuid(scope.workspace_id()).into(),
            variant.market_hash_name.as_str().into(),
            i64::from(variant.app_id.get()).into(),
            phase_to_column(variant).into(),
            source.as_str().into(),
            quote.lowest_ask.map(Cents::get).into(),
            quote.highest_bid.map(Cents::get).into(),
            quote.sales.map(|sales| sales.average.get()).into(),
            quote.sales.map(|sales| i64::from(sales.count)).into(),
            quote.observed_at.as_micros().into(),
        ]
    };
    let writing = store.writing(scope);
    let side = store.side_transaction(guards).await?;
    let new = QUOTES.write(side.transaction(), latest.into_iter().map(row).collect()).await;
    let new = new.map_err(|error| classify(&error, DbOperation::Statement))?;
    side.commit().await?;
    if let Some(writing) = writing {
        writing.end(true);
    }
    Ok(new.len() as u64)
}

/// Forgets a part of the oldest hour, and the hour itself when nothing of it is left.
pub(super) async fn forget(store: &SqlStore, worlds: Worlds, before: Timestamp, most: u32) -> StoreResult<u64> {
    let mut values: Vec<Value> = vec![hour_of(before).into()];
    let worlds = in_worlds("workspace_id", worlds, &mut values);
    let text = store.by_index(&OLDEST.replace("{worlds}", &worlds), "market_counts_hour");
    let Some(oldest) = store.row(&text, values).await? else { return Ok(0) };
    let (workspace, hour): (Uuid, i64) = (cell(&oldest, 0)?, cell(&oldest, 1)?);
    let over = start_of(hour.saturating_add(1));
    // Prices outlast their observations.
    while candles::form(store, workspace, over).await? > 0 {}
    let (from, to) = (first_observed(start_of(hour)), first_observed(over));
    let due = || vec![workspace.into(), from.into(), to.into(), i64::from(most).into()];
    let mut listings = due();
    listings.push(start_of(hour_of(before)).as_micros().into());
    // Every listing that was seen later has an observation of a later day.
    let text = format!(
        "DELETE FROM market_listings WHERE workspace_id = $1 AND seen_at < $5 AND (marketplace, listing_id) IN \
         (SELECT marketplace, listing_id {DUE})"
    );
    store.write(&text, listings).await?;
    let text = format!("DELETE FROM market_observations WHERE workspace_id = $1 AND id IN (SELECT id {DUE})");
    let forgotten = store.write(&text, due()).await?;
    if forgotten < u64::from(most) {
        store.write(FORGET_COUNTS, vec![workspace.into(), hour.into()]).await?;
    }
    Ok(forgotten)
}
