//! Writing what is known of markets, beside the commits. On SQLite those of observations share transactions, in which commits
//! go between any two slices; everything else is a transaction of its own that takes its turn with them.

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

use super::told::told_now;
use super::{DUE, FORGET_COUNTS, OLDEST, candles};
use crate::classify::{During, classify};
use crate::many::{Insert, Sent};
use crate::read::{first_observed, in_worlds};
use crate::rows::market_observation::{self, phase_to_column};
use crate::rows::{id, row_values, uuid};
use crate::store::{Commits, SqlStore, cell};

const LISTING_COLUMNS: &[(&str, Sent)] = &[
    ("workspace_id", Sent::Id),
    ("marketplace", Sent::Text),
    ("listing_id", Sent::Text),
    ("app_id", Sent::Number),
    ("market_hash_name", Sent::Text),
    ("phase", Sent::MaybeEmpty),
    ("price", Sent::Number),
    ("observation_id", Sent::Id),
    ("observed_at", Sent::Number),
    ("seen_at", Sent::Number),
];

/// On SQLite, where nobody else writes meanwhile, what is known is read first. It is told by its place among those asked for.
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

/// A listing at its price stays as the observation told it, for a day.
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
        ("workspace_id", Sent::Id),
        ("id", Sent::Id),
        ("marketplace", Sent::Text),
        ("listing_id", Sent::Text),
        ("asset_id", Sent::Text),
        ("app_id", Sent::Number),
        ("market_hash_name", Sent::Text),
        ("phase", Sent::MaybeEmpty),
        ("price", Sent::Number),
        ("traits", Sent::Text),
        ("observed_at", Sent::Number),
        ("recorded_at", Sent::Number),
        ("actor_kind", Sent::Code),
        ("actor_user_id", Sent::Id),
        ("actor_key_id", Sent::Id),
        ("kept", Sent::Code),
        ("told", Sent::Text),
    ],
    end: "",
};

const COUNTS: Insert = Insert {
    table: "market_counts AS c",
    columns: &[
        ("workspace_id", Sent::Id),
        ("hour", Sent::Number),
        ("marketplace", Sent::Text),
        ("slot", Sent::Code),
        ("n", Sent::Number),
    ],
    end: "ON CONFLICT (workspace_id, hour, marketplace, slot) DO UPDATE SET n = c.n + excluded.n",
};

const QUOTES: Insert = Insert {
    table: "market_quotes AS q",
    columns: &[
        ("workspace_id", Sent::Id),
        ("market_hash_name", Sent::Text),
        ("app_id", Sent::Number),
        ("phase", Sent::MaybeEmpty),
        ("source", Sent::Text),
        ("lowest_ask", Sent::Number),
        ("highest_bid", Sent::Number),
        ("sales_average", Sent::Number),
        ("sales_count", Sent::Number),
        ("observed_at", Sent::Number),
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
            let transaction = postgres.beside(guards).await?;
            let recorded = slice(&transaction, observations, observations).await?;
            transaction.commit().await.map_err(|error| classify(&error, During::Commit))?;
            Ok(recorded)
        }
    }
}

/// Writes observations of those that are recorded together; what became of each.
pub(crate) async fn slice(
    transaction: &DatabaseTransaction,
    observations: &[MarketObservation],
    together: &[MarketObservation],
) -> StoreResult<Vec<Recorded>> {
    let failed = |error| classify(&error, During::Statement);
    let is_sqlite = transaction.get_database_backend() == DbBackend::Sqlite;
    let recorded = if is_sqlite {
        listings_on_sqlite(transaction, observations).await?
    } else {
        let known = LISTINGS_POSTGRES.write(transaction, listing_rows(observations)).await.map_err(failed)?;
        outcomes(observations, &known)?
    };
    let accepted = of_outcome(observations, &recorded, |recorded| recorded == Recorded::Accepted);
    let (told, others) = (told_now(transaction, &accepted).await?, Together::of(together));
    let row = |observation: &&MarketObservation| {
        let said = told.get(&observation.snapshot.listing.variant).cloned().unwrap_or_default();
        let told = PriceSnapshot { asks: others.asks_beside(&observation.snapshot), ..said };
        row_values(&market_observation::to_row(observation, &told)).map(|(_, value)| value).collect()
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
    let failed = |error| classify(&error, During::Statement);
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
            *recorded = beside_known(seen, &row)?;
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

/// What becomes of an observation where its listing is known.
fn beside_known(seen: &MarketObservation, known: &QueryResult) -> StoreResult<Recorded> {
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

/// What became of each observation, by the one that its listing keeps.
fn outcomes(observations: &[MarketObservation], known: &[QueryResult]) -> StoreResult<Vec<Recorded>> {
    let mut told_by: HashMap<(String, String), ObservationId> = HashMap::with_capacity(known.len());
    for row in known {
        told_by.insert((cell(row, 0)?, cell(row, 1)?), id(cell::<Uuid>(row, 2)?));
    }
    let outcome = |observation: &MarketObservation| {
        let snapshot = &observation.snapshot;
        match told_by.get(&(snapshot.marketplace.to_string(), snapshot.listing_id.to_string())) {
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
    let beside = store.beside(guards).await?;
    let new = QUOTES.write(beside.transaction(), latest.into_iter().map(row).collect()).await;
    let new = new.map_err(|error| classify(&error, During::Statement))?;
    beside.commit().await?;
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
    // Prices outlast the observations that told them.
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
