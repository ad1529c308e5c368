//! The server to compare with: axum and sqlx by hand. It runs the statement that the product runs for GetPurchase and writes
//! the same JSON, with no authentication, no limits and no log.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Response, StatusCode};
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use serde::{Deserialize, Serialize};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgRow};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions, SqliteRow};
use sqlx::{PgPool, Row as _, SqlitePool};
use time::OffsetDateTime;
use time::macros::format_description;
use tradepost_domain::contracts::purchase::{FailureCode, PurchaseStatus};
use uuid::Uuid;

use crate::drive::GET_PURCHASE;

/// Serves GetPurchase and nothing else.
#[derive(Debug, Args)]
pub(crate) struct Bare {
    #[arg(long)]
    listen: SocketAddr,
    #[arg(long)]
    database: String,
    /// The statement that finds a purchase by workspace and id
    #[arg(long)]
    statement: String,
}

struct Bound {
    pool: Pool,
    statement: &'static str,
}

enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted<'a> {
    workspace_id: &'a str,
    purchase_id: &'a str,
}

#[derive(Serialize)]
struct Answer {
    purchase: Purchase,
}

/// Numbers of 64 bits are strings in the JSON of protobuf.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Purchase {
    id: String,
    workspace_id: String,
    contract_id: String,
    market_hash_name: String,
    status: String,
    version: String,
    listing_price_cents: String,
    max_buy_price_cents: String,
    platform_fee_cents: String,
    expected_fee_cents: String,
    listing_id: String,
    listing_asset_id: String,
    marketplace: String,
    account_name: String,
    created_at: String,
    updated_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    intent_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_order_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    executed_price_cents: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trade_offer_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trade_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    protected_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refunded_cents: Option<String>,
}

impl Bare {
    pub(crate) async fn serve(self) -> anyhow::Result<()> {
        let pool = open(&self.database).await?;
        let bound = Arc::new(Bound { pool, statement: self.statement.leak() });
        let router = Router::new().route(&format!("/{GET_PURCHASE}"), post(get_purchase)).with_state(bound);
        let listener = tokio::net::TcpListener::bind(self.listen).await?;
        axum::serve(listener, router).await?;
        Ok(())
    }
}

/// With the settings of the product's own connections for reading.
async fn open(url: &str) -> anyhow::Result<Pool> {
    if let Some(file) = url.strip_prefix("sqlite://") {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .read_only(true)
            .pragma("query_only", "on")
            .pragma("cache_size", "-8192")
            .pragma("mmap_size", "1073741824")
            .pragma("temp_store", "memory");
        let pool = SqlitePoolOptions::new().max_connections(4).test_before_acquire(false);
        let pool = pool.idle_timeout(None::<Duration>).max_lifetime(None::<Duration>);
        return Ok(Pool::Sqlite(pool.connect_with(options).await?));
    }
    let options: PgConnectOptions = url.parse()?;
    let pool = PgPoolOptions::new().max_connections(16).test_before_acquire(false);
    let pool = pool.idle_timeout(None::<Duration>).max_lifetime(None::<Duration>);
    Ok(Pool::Postgres(pool.connect_with(options).await?))
}

async fn get_purchase(State(bound): State<Arc<Bound>>, body: Bytes) -> Response<Body> {
    match find(&bound, &body).await {
        Ok(Some(purchase)) => json(&Answer { purchase }),
        Ok(None) => refusal(StatusCode::NOT_FOUND, "not_found"),
        Err(error) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

async fn find(bound: &Bound, body: &[u8]) -> anyhow::Result<Option<Purchase>> {
    let wanted: Wanted<'_> = serde_json::from_slice(body)?;
    let (workspace, purchase) = (id(wanted.workspace_id)?, id(wanted.purchase_id)?);
    match &bound.pool {
        Pool::Sqlite(pool) => {
            let row = sqlx::query(bound.statement).bind(workspace).bind(purchase).fetch_optional(pool).await?;
            row.map(|row| of_sqlite(&row)).transpose()
        }
        Pool::Postgres(pool) => {
            let row = sqlx::query(bound.statement).bind(workspace).bind(purchase).fetch_optional(pool).await?;
            row.map(|row| of_postgres(&row)).transpose()
        }
    }
}

fn id(text: &str) -> anyhow::Result<Uuid> {
    Ok(Uuid::from_slice(&STANDARD.decode(text)?)?)
}

/// Reads a row by the names of its columns; the same text for both drivers' types.
macro_rules! of_row {
    ($name:ident, $row:ty) => {
        fn $name(row: &$row) -> anyhow::Result<Purchase> {
            let id = |name| row.try_get::<Uuid, _>(name).map(|id| STANDARD.encode(id));
            let number = |name| row.try_get::<i64, _>(name).map(|number| number.to_string());
            let text = |name| row.try_get::<String, _>(name);
            let time = |name| row.try_get::<i64, _>(name).map_err(anyhow::Error::from).and_then(time_of);
            let optional_id = |name| row.try_get::<Option<Uuid>, _>(name).map(|id| id.map(|id| STANDARD.encode(id)));
            let optional_text = |name| row.try_get::<Option<String>, _>(name);
            let optional_number = |name| row.try_get::<Option<i64>, _>(name);
            let optional_time = |name| optional_number(name)?.map(time_of).transpose();
            Ok(Purchase {
                id: id("id")?,
                workspace_id: id("workspace_id")?,
                contract_id: id("contract_id")?,
                market_hash_name: text("market_hash_name")?,
                status: status_of(row.try_get("status")?)?,
                version: number("version")?,
                listing_price_cents: number("listing_price_cents")?,
                max_buy_price_cents: number("max_buy_price_cents")?,
                platform_fee_cents: number("platform_fee_cents")?,
                expected_fee_cents: number("platform_fee_cents")?,
                listing_id: text("listing_id")?,
                listing_asset_id: text("listing_asset_id")?,
                marketplace: text("marketplace")?,
                account_name: text("account_name")?,
                created_at: time("created_at")?,
                updated_at: time("updated_at")?,
                intent_id: optional_id("intent_id")?,
                provider_order_id: optional_text("order_id")?,
                executed_price_cents: optional_number("executed_price_cents")?.map(|cents| cents.to_string()),
                trade_offer_id: optional_text("trade_offer_id")?,
                trade_id: optional_text("trade_id")?,
                held_until: optional_time("held_until")?,
                protected_until: optional_time("protected_until")?,
                failure_code: row.try_get::<Option<i16>, _>("failure_code")?.map(failure_of).transpose()?,
                refunded_cents: Some(row.try_get::<i64, _>("refunded_cents")?)
                    .filter(|cents| *cents > 0)
                    .map(|cents| cents.to_string()),
            })
        }
    };
}
of_row!(of_sqlite, SqliteRow);
of_row!(of_postgres, PgRow);

fn status_of(code: i16) -> anyhow::Result<String> {
    let status = PurchaseStatus::from_code(code).ok_or_else(|| anyhow::anyhow!("{code} is no status"))?;
    Ok(format!("PURCHASE_STATUS_{status}"))
}

fn failure_of(code: i16) -> anyhow::Result<String> {
    let failure = FailureCode::from_code(code).ok_or_else(|| anyhow::anyhow!("{code} is no failure"))?;
    Ok(format!("PURCHASE_FAILURE_CODE_{failure}"))
}

/// As the JSON of protobuf has it: with no fraction, or one of 3 or 6 digits.
fn time_of(micros: i64) -> anyhow::Result<String> {
    let whole = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]Z");
    let millis = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    let all = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:6]Z");
    let format = match micros {
        _ if micros % 1_000_000 == 0 => whole,
        _ if micros % 1_000 == 0 => millis,
        _ => all,
    };
    let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1_000)?;
    Ok(at.format(format)?)
}

fn json(answer: &Answer) -> Response<Body> {
    match serde_json::to_vec(answer) {
        Ok(bytes) => {
            let mut response = Response::new(Body::from(bytes));
            response.headers_mut().insert(CONTENT_TYPE, axum::http::HeaderValue::from_static("application/json"));
            response
        }
        Err(error) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

fn refusal(status: StatusCode, why: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(why.to_owned()));
    *response.status_mut() = status;
    response
}
