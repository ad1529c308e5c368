//! Observations, listings and quotes: reads of one statement each, and writes of many rows outside the commit queue.

mod by_name;
mod candles;
mod price_data;
pub(crate) mod recording;

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::{FromQueryResult as _, QueryResult, Value};
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{ObservationId, OfObservation, WorkspaceId};
use tradepost_domain::markets::observation::{MarketObservation, ON_SALE_FOR, RENEWED_AFTER};
use tradepost_domain::markets::price_history::Candle;
use tradepost_domain::markets::pricing::{PriceOverride, Quote, Sales};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{MarketHashName, Marketplace, Text};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::VersionGuard;
use tradepost_ports::store::{
    Candles, HistoryQuery, ObservationFilter, ObservationSpan, Observations, Offer, Page, PageRequest, PriceData,
    PriceSnapshot, Quotes, ReadingTurn, Recorded, StoreResult, Worlds,
};
use uuid::Uuid;

use crate::classify::{DbOperation, classify};
use crate::rows::markets::market_observation;
use crate::rows::markets::market_observation::{phase_to_column, variant_of};
use crate::rows::{RowLocation, cell, id, uuid};
use crate::sql_text::{
    NAMES_POSTGRES, NAMES_SQLITE, first_observed, listed, listed_postgres, listed_sqlite, name_list, one_more,
};
use crate::store::SqlStore;
use crate::table::select_list;

static OBSERVATIONS: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {} FROM market_observations", select_list::<market_observation::Entity>("", "")));
const SPAN: &str = "WHERE workspace_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4";
const COUNT: &str = "SELECT marketplace, CAST(sum(n) AS BIGINT) FROM market_counts WHERE workspace_id = $1 AND hour >= $2 \
    GROUP BY marketplace ORDER BY marketplace";
/// The listings of a variant, found by the observations of its name. Each listing is joined with the observation that recorded
/// its price. That one is at most a day old when the listing is seen.
const OFFERS: &str = "SELECT l.marketplace, l.listing_id, l.price, l.observation_id, l.seen_at \
    FROM {observations} CROSS JOIN market_listings AS l \
    WHERE o.workspace_id = $1 AND o.market_hash_name = $2 AND o.id >= $7 AND l.workspace_id = o.workspace_id \
    AND l.marketplace = o.marketplace AND l.listing_id = o.listing_id AND l.observation_id = o.id \
    AND l.app_id = $3 AND l.phase = $4 AND l.seen_at >= $5 ORDER BY l.price, l.marketplace, l.listing_id LIMIT $6";
/// What sources say.
const SAID: &str = "SELECT 0, app_id, market_hash_name, phase, source, lowest_ask, highest_bid, sales_average, \
    sales_count, observed_at FROM market_quotes WHERE workspace_id = $1 AND market_hash_name IN ({names})";
/// Behind it the cheapest listing of each marketplace, the one seen last if several are.
const ASKED: &str = " UNION ALL SELECT 1, app_id, market_hash_name, phase, marketplace, price, NULL, NULL, NULL, seen_at FROM \
    (SELECT l.*, row_number() OVER (PARTITION BY l.app_id, l.market_hash_name, l.phase, l.marketplace \
    ORDER BY l.price, l.seen_at DESC) AS place FROM {observations} CROSS JOIN market_listings AS l \
    WHERE o.workspace_id = $1 AND o.market_hash_name IN ({names}) AND o.id >= $4 AND l.workspace_id = o.workspace_id \
    AND l.marketplace = o.marketplace AND l.listing_id = o.listing_id AND l.observation_id = o.id \
    AND l.seen_at >= $3) AS ranked WHERE place = 1";
const OF_WORKSPACE: &str = "market_observations AS o";
/// The hour that is to be forgotten next.
const OLDEST: &str = "SELECT workspace_id, hour FROM market_counts{by} WHERE hour < $1{worlds} ORDER BY hour LIMIT 1";
const DUE: &str = "FROM market_observations WHERE workspace_id = $1 AND id >= $2 AND id < $3 AND kept = 0 \
    ORDER BY id LIMIT $4";
const FORGET_COUNTS: &str = "DELETE FROM market_counts WHERE workspace_id = $1 AND hour = $2";

fn list_statement(store: &SqlStore, filter: &ObservationFilter<'_>) -> String {
    let (observations, filtered) = match (filter.marketplace, filter.market_hash_name) {
        (None, None) => (OF_WORKSPACE.to_owned(), ""),
        (Some(_), None) => (OF_WORKSPACE.to_owned(), " AND o.marketplace = $5"),
        (None, Some(_)) => (by_name::since(store, "$2"), " AND o.market_hash_name = $5"),
        (Some(_), Some(_)) => (OF_WORKSPACE.to_owned(), " AND o.marketplace = $5 AND o.market_hash_name = $6"),
    };
    format!(
        "SELECT o.id FROM {observations} WHERE o.workspace_id = $1{filtered} AND o.id >= $2 AND o.id < $3 \
         ORDER BY o.id DESC LIMIT $4"
    )
}

fn observation_row(row: &QueryResult) -> StoreResult<market_observation::Model> {
    market_observation::Model::from_query_result(row, "").map_err(|error| classify(&error, DbOperation::Statement))
}

fn observation(row: &QueryResult) -> StoreResult<MarketObservation> {
    market_observation::to_domain(&observation_row(row)?)
}

fn observation_then(row: &QueryResult) -> StoreResult<(MarketObservation, PriceSnapshot)> {
    market_observation::to_domain_then(&observation_row(row)?)
}

/// A place in a table that has no ids.
const fn in_table(table: &'static str, workspace_id: WorkspaceId) -> RowLocation {
    RowLocation { table, home: uuid(workspace_id), key: Uuid::nil() }
}

fn offer(at: RowLocation, row: &QueryResult) -> StoreResult<Offer> {
    Ok(Offer {
        marketplace: at.read("marketplace", Text::new(&cell::<String>(row, 0)?))?,
        listing_id: at.read("listing_id", Text::new(&cell::<String>(row, 1)?))?,
        price: at.cents("price", cell(row, 2)?)?,
        observation_id: id(cell(row, 3)?),
        seen_at: at.time("seen_at", cell(row, 4)?)?,
    })
}

fn quote(at: RowLocation, row: &QueryResult) -> StoreResult<(Variant, Quote)> {
    let cents = |column, index| at.read_some(column, cell::<Option<i64>>(row, index)?, Cents::new);
    let average = cents("sales_average", 7)?;
    let count: Option<u32> = cell::<Option<i64>>(row, 8)?.map(|count| at.number("sales_count", count)).transpose()?;
    let variant = variant_of(at, cell(row, 1)?, &cell::<String>(row, 2)?, &cell::<String>(row, 3)?)?;
    let quote = Quote {
        source: at.read("source", Text::new(&cell::<String>(row, 4)?))?,
        lowest_ask: cents("lowest_ask", 5)?,
        highest_bid: cents("highest_bid", 6)?,
        sales: average.zip(count).map(|(average, count)| Sales { average, count }),
        observed_at: at.time("observed_at", cell(row, 9)?)?,
    };
    Ok((variant, quote))
}

/// Returns the least key of an observation that may have recorded the price of a listing seen at this time. A marketplace's
/// clock may run ahead of ours by less than that.
fn recorded_since(seen_at: Timestamp) -> Uuid {
    first_observed(seen_at.plus(-RENEWED_AFTER - ON_SALE_FOR))
}

/// The value that a person gave to a variant.
fn given(at: RowLocation, row: &QueryResult) -> StoreResult<(Variant, PriceOverride)> {
    let variant = variant_of(at, cell(row, 1)?, &cell::<String>(row, 2)?, &cell::<String>(row, 3)?)?;
    let (price, expires_at) = (at.cents("price", cell(row, 5)?)?, at.time("expires_at", cell(row, 9)?)?);
    Ok((variant, PriceOverride { price, expires_at }))
}

fn of_variant(scope: WorkspaceScope, variant: &Variant) -> Vec<Value> {
    vec![
        uuid(scope.workspace_id()).into(),
        variant.market_hash_name.as_str().into(),
        i64::from(variant.app_id.get()).into(),
        phase_to_column(variant).into(),
    ]
}

#[async_trait]
impl Observations for SqlStore {
    async fn record(
        &self,
        scope: WorkspaceScope,
        guards: &[VersionGuard],
        observations: &[MarketObservation],
    ) -> StoreResult<Vec<Recorded>> {
        recording::observations(self, scope, guards, observations).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ObservationId]) -> StoreResult<Vec<MarketObservation>> {
        let wanted = if self.is_sqlite() { listed_sqlite(2) } else { listed_postgres(2) };
        let text = format!("{} WHERE workspace_id = $1 AND id IN ({wanted})", *OBSERVATIONS);
        let values = vec![uuid(scope.workspace_id()).into(), listed(ids.iter().copied())];
        self.rows(&text, values).await?.iter().map(observation).collect()
    }
    async fn find_with_prices(
        &self,
        scope: WorkspaceScope,
        id: ObservationId,
    ) -> StoreResult<Option<(MarketObservation, PriceSnapshot)>> {
        let text = format!("{} WHERE workspace_id = $1 AND id = $2", *OBSERVATIONS);
        let found = self.row(&text, vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await?;
        found.as_ref().map(observation_then).transpose()
    }
    async fn replay(
        &self,
        scope: WorkspaceScope,
        span: ObservationSpan,
    ) -> StoreResult<Vec<(MarketObservation, PriceSnapshot)>> {
        let text = format!("{} {SPAN}", *OBSERVATIONS);
        let values = vec![
            uuid(scope.workspace_id()).into(),
            // No id is the first of its time: what is random of it is not all zeros.
            span.after.map_or_else(|| first_observed(span.from), uuid).into(),
            first_observed(span.to).into(),
            i64::from(span.limit).into(),
        ];
        self.rows(&text, values).await?.iter().map(observation_then).collect()
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ObservationFilter<'_>,
        page: PageRequest<OfObservation>,
    ) -> StoreResult<Page<OfObservation>> {
        let from = filter.since.map_or(Uuid::nil(), first_observed);
        let before = page.before.map_or(Uuid::max(), uuid);
        let mut values: Vec<Value> =
            vec![uuid(scope.workspace_id()).into(), from.into(), before.into(), one_more(page.limit)];
        values.extend(filter.marketplace.map(|place| Value::from(place.as_str())));
        values.extend(filter.market_hash_name.map(|name| Value::from(name.as_str())));
        self.page_of(&list_statement(self, &filter), values, page.limit).await
    }
    async fn count(&self, scope: WorkspaceScope, from: i64) -> StoreResult<Vec<(Marketplace, i64)>> {
        let at = in_table("market_counts", scope.workspace_id());
        let rows = self.rows(COUNT, vec![uuid(scope.workspace_id()).into(), from.into()]).await?;
        let count = |row: &QueryResult| {
            Ok((at.read("marketplace", Text::new(&cell::<String>(row, 0)?))?, cell::<i64>(row, 1)?))
        };
        rows.iter().map(count).collect()
    }
    async fn list_offers(
        &self,
        scope: WorkspaceScope,
        variant: &Variant,
        since: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Offer>> {
        let at = in_table("market_listings", scope.workspace_id());
        let mut values = of_variant(scope, variant);
        values.extend([since.as_micros().into(), i64::from(limit).into(), recorded_since(since).into()]);
        let text = OFFERS.replace("{observations}", &by_name::since(self, "$7"));
        self.rows(&text, values).await?.iter().map(|row| offer(at, row)).collect()
    }
    async fn keep(&self, scope: WorkspaceScope, ids: &[ObservationId]) -> StoreResult<()> {
        let wanted = if self.is_sqlite() { listed_sqlite(2) } else { listed_postgres(2) };
        let text = format!("UPDATE market_observations SET kept = 1 WHERE workspace_id = $1 AND id IN ({wanted})");
        let values = vec![uuid(scope.workspace_id()).into(), listed(ids.iter().copied())];
        self.write(&text, values).await.map(drop)
    }
    async fn forget(&self, worlds: Worlds, before: Timestamp, most: u32) -> StoreResult<u64> {
        recording::forget(self, worlds, before, most).await
    }
}

#[async_trait]
impl Candles for SqlStore {
    async fn read(&self, scope: WorkspaceScope, query: HistoryQuery<'_>) -> StoreResult<Vec<(i64, Candle)>> {
        candles::read(self, scope, query).await
    }
    async fn form(&self, worlds: Worlds, since: Timestamp, before: Timestamp) -> StoreResult<u64> {
        candles::form_all(self, worlds, since, before).await
    }
}

#[async_trait]
impl Quotes for SqlStore {
    async fn begin_reading(&self) -> StoreResult<Option<ReadingTurn>> {
        self.take_reading_turn().await
    }
    async fn record(
        &self,
        scope: WorkspaceScope,
        guards: &[VersionGuard],
        quotes: &[(Variant, Quote)],
    ) -> StoreResult<u64> {
        recording::quotes(self, scope, guards, quotes).await
    }
    async fn find(&self, scope: WorkspaceScope, names: &[MarketHashName], since: Timestamp) -> StoreResult<PriceData> {
        let since = [since.as_micros().into(), recorded_since(since).into()];
        let values = [uuid(scope.workspace_id()).into(), name_list(names)].into_iter().chain(since).collect();
        let text = format!("{SAID}{ASKED}").replace("{names}", self.pick(NAMES_SQLITE, NAMES_POSTGRES));
        let text = text.replace("{observations}", &by_name::since(self, "$4"));
        let mut data = PriceData::default();
        for row in self.rows(&text, values).await? {
            let is_ask = cell::<i32>(&row, 0)? == 1;
            let (of, table) =
                if is_ask { (&mut data.asks, "market_listings") } else { (&mut data.quotes, "market_quotes") };
            of.push(quote(in_table(table, scope.workspace_id()), &row)?);
        }
        Ok(data)
    }
}
