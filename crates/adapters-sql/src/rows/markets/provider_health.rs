//! `provider_healths`: what was last seen of providers. Fees, and what the operator's account has there, are JSON documents, read and
//! written as a whole.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::markets::fees::{FeeOverride, FeeRate, FeeSchedule, Rounding};
use tradepost_domain::markets::provider::{AccountStanding, Baseline, BreakerState, ProviderHealth, ProviderReport};
use tradepost_domain::money::{SignedCents, VenueCents};
use tradepost_domain::text::MarketHashName;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

const FEES: &str = "fees";
const STANDING: &str = "standing";

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "provider_healths")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub seen_at: i64,
    pub last_success_at: Option<i64>,
    pub latency_millis: Option<i64>,
    pub error_rate_bps: i16,
    pub remaining: Option<i64>,
    pub breaker: i16,
    pub fees: Option<String>,
    pub balance_cents: Option<i64>,
    pub baseline_since: Option<i64>,
    pub baseline_cents: Option<i64>,
    pub standing: Option<String>,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Share in basis points, minimum in cents, number of the way of rounding.
type Rate = (u16, i64, i16);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    buying: Rate,
    selling: Rate,
    overrides: Vec<Special>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Special {
    name: String,
    buying: Rate,
    selling: Rate,
    until: i64,
}

impl Stored for ProviderHealth {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let report = &self.report;
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.provider_id),
            seen_at: report.seen_at.as_micros(),
            last_success_at: report.last_success_at.map(Timestamp::as_micros),
            latency_millis: report.latency_millis.map(i64::from),
            // At most 10,000.
            error_rate_bps: i16::try_from(report.error_rate.get()).unwrap_or(i16::MAX),
            remaining: report.remaining.map(i64::from),
            breaker: report.breaker.code(),
            fees: report.fees.as_ref().map(fees_to_column),
            balance_cents: report.balance.map(VenueCents::get),
            baseline_since: self.baseline.map(|baseline| baseline.since.as_micros()),
            baseline_cents: self.baseline.map(|baseline| baseline.balance.get()),
            standing: report.standing.map(standing_to_column),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "provider_healths", home: row.workspace_id, key: row.id };
        let points: u16 = at.number("error_rate_bps", row.error_rate_bps)?;
        let report = ProviderReport {
            seen_at: at.time("seen_at", row.seen_at)?,
            last_success_at: at.time_some("last_success_at", row.last_success_at)?,
            latency_millis: row.latency_millis.map(|millis| at.number("latency_millis", millis)).transpose()?,
            error_rate: at.read("error_rate_bps", BasisPoints::new(points))?,
            remaining: row.remaining.map(|calls| at.number("remaining", calls)).transpose()?,
            breaker: at.code("breaker", row.breaker, BreakerState::from_code)?,
            fees: row.fees.as_deref().map(|fees| fees_of_column(at, fees)).transpose()?,
            balance: at.read_some("balance_cents", row.balance_cents, VenueCents::new)?,
            standing: row.standing.as_deref().map(|standing| standing_of_column(at, standing)).transpose()?,
        };
        let since = at.time_some("baseline_since", row.baseline_since)?;
        let balance = at.read_some("baseline_cents", row.baseline_cents, SignedCents::new)?;
        let baseline = since.zip(balance).map(|(since, balance)| Baseline { since, balance });
        let health = Self { provider_id: id(row.id), workspace_id: id(row.workspace_id), report, baseline };
        Ok(Seen::loaded(health, row.version))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StandingDocument {
    seen_at: i64,
    balance_cents: i64,
    listings: u32,
    asked_cents: i64,
    orders: u32,
}

fn standing_to_column(standing: AccountStanding) -> String {
    let document = StandingDocument {
        seen_at: standing.seen_at.as_micros(),
        balance_cents: standing.balance.get(),
        listings: standing.listings,
        asked_cents: standing.asked.get(),
        orders: standing.orders,
    };
    // As with fees, serialising numbers cannot fail.
    serde_json::to_string(&document).unwrap_or_default()
}

fn standing_of_column(at: RowLocation, text: &str) -> StoreResult<AccountStanding> {
    let document: StandingDocument = at.read(STANDING, serde_json::from_str(text))?;
    Ok(AccountStanding {
        seen_at: at.time(STANDING, document.seen_at)?,
        balance: at.cents(STANDING, document.balance_cents)?,
        listings: document.listings,
        asked: at.cents(STANDING, document.asked_cents)?,
        orders: document.orders,
    })
}

fn fees_to_column(fees: &FeeSchedule) -> String {
    let rate = |rate: FeeRate| (rate.share.get(), rate.minimum.get(), rate.rounding.code());
    let special = |special: &FeeOverride| Special {
        name: special.market_hash_name.to_string(),
        buying: rate(special.buying),
        selling: rate(special.selling),
        until: special.until.as_micros(),
    };
    let overrides = fees.overrides.iter().map(special).collect();
    let document = Document { buying: rate(fees.buying), selling: rate(fees.selling), overrides };
    // Numbers and texts: serialising these cannot fail. What could not be written would be refused on reading.
    serde_json::to_string(&document).unwrap_or_default()
}

fn fees_of_column(at: RowLocation, text: &str) -> StoreResult<FeeSchedule> {
    let document: Document = at.read(FEES, serde_json::from_str(text))?;
    let rate = |(share, minimum, rounding): Rate| {
        Ok(FeeRate {
            share: at.read(FEES, BasisPoints::new(share))?,
            minimum: at.cents(FEES, minimum)?,
            rounding: at.code(FEES, rounding, Rounding::from_code)?,
        })
    };
    let special = |special: &Special| {
        Ok(FeeOverride {
            market_hash_name: at.read(FEES, MarketHashName::new(&special.name))?,
            buying: rate(special.buying)?,
            selling: rate(special.selling)?,
            until: at.time(FEES, special.until)?,
        })
    };
    Ok(FeeSchedule {
        buying: rate(document.buying)?,
        selling: rate(document.selling)?,
        overrides: document.overrides.iter().map(special).collect::<StoreResult<_>>()?,
    })
}
