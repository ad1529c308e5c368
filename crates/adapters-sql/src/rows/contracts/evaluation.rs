//! `evaluations`: what contracts decided and why, only ever added to until it is old.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::contracts::evaluation::{
    Decision, Evaluated, EvaluationFigures, EvaluationRecord, Rule, RuleResult,
};
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{ExternalId, MarketHashName, Marketplace, Name};
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "evaluations")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub contract_id: Uuid,
    pub decision: i16,
    pub marketplace: String,
    pub listing_id: Option<String>,
    pub app_id: Option<i64>,
    pub market_hash_name: Option<String>,
    pub phase: Option<String>,
    pub price_cents: Option<i64>,
    pub inventory_item_id: Option<Uuid>,
    pub filter_set_version: Option<i64>,
    pub reasons: String,
    pub fair_value_cents: Option<i64>,
    pub confidence_bps: Option<i64>,
    pub asking_price_cents: Option<i64>,
    pub all_in_cost_cents: Option<i64>,
    pub expected_net_cents: Option<i64>,
    pub expected_margin_bps: Option<i64>,
    pub at: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The number of a rule, whether it was met, what was found, and the limit.
#[derive(Serialize, Deserialize)]
struct StoredRule(i16, bool, Option<String>, Option<String>);

/// The row of an evaluation.
pub(crate) fn to_row(evaluation: &EvaluationRecord) -> Model {
    let sums = &evaluation.sums;
    let reasons: Vec<StoredRule> = evaluation.reasons.iter().map(stored_rule).collect();
    let (listing, item) = match &evaluation.about {
        Evaluated::Listing { listing_id, variant, price } => (Some((listing_id, variant, price)), None),
        Evaluated::Item(item) => (None, Some(uuid(*item))),
    };
    let variant = listing.map(|(_, variant, _)| variant);
    Model {
        workspace_id: uuid(evaluation.workspace_id),
        id: uuid(evaluation.id),
        contract_id: uuid(evaluation.contract_id),
        decision: evaluation.decision.code(),
        marketplace: evaluation.marketplace.to_string(),
        listing_id: listing.and_then(|(listing_id, _, _)| listing_id.as_ref()).map(ToString::to_string),
        app_id: variant.map(|variant| i64::from(variant.app_id.get())),
        market_hash_name: variant.map(|variant| variant.market_hash_name.to_string()),
        phase: variant.and_then(|variant| variant.phase.as_ref()).map(ToString::to_string),
        price_cents: listing.map(|(_, _, price)| price.get()),
        inventory_item_id: item,
        filter_set_version: evaluation.filter_set_version.map(i64::from),
        // Numbers and texts: serialising these cannot fail. What could not be written would be refused on reading.
        reasons: serde_json::to_string(&reasons).unwrap_or_default(),
        fair_value_cents: sums.fair_value.map(Cents::get),
        confidence_bps: sums.confidence.map(i64::from),
        asking_price_cents: sums.asking_price.map(Cents::get),
        all_in_cost_cents: sums.all_in_cost.map(Cents::get),
        expected_net_cents: sums.expected_net.map(Cents::get),
        expected_margin_bps: sums.expected_margin,
        at: evaluation.at.as_micros(),
    }
}

fn stored_rule(reason: &RuleResult) -> StoredRule {
    StoredRule(reason.rule.code(), reason.passed, reason.actual.clone(), reason.limit.clone())
}

/// The evaluation in a row.
pub(crate) fn to_domain(row: &Model) -> StoreResult<EvaluationRecord> {
    let at = RowLocation { table: "evaluations", home: row.workspace_id, key: row.id };
    let version = |version| at.number("filter_set_version", version);
    Ok(EvaluationRecord {
        id: id(row.id),
        workspace_id: id(row.workspace_id),
        contract_id: id(row.contract_id),
        marketplace: at.read("marketplace", Marketplace::new(&row.marketplace))?,
        about: about_of(row, at)?,
        filter_set_version: row.filter_set_version.map(version).transpose()?,
        decision: at.code("decision", row.decision, Decision::from_code)?,
        reasons: reasons_of(row, at)?,
        sums: sums_of(row, at)?,
        at: at.time("at", row.at)?,
    })
}

fn about_of(row: &Model, at: RowLocation) -> StoreResult<Evaluated> {
    if let Some(item) = row.inventory_item_id {
        return Ok(Evaluated::Item(id(item)));
    }
    let name = at.present("market_hash_name", row.market_hash_name.as_deref())?;
    let app_id = at.number("app_id", at.present("app_id", row.app_id)?)?;
    Ok(Evaluated::Listing {
        listing_id: at.read_some("listing_id", row.listing_id.as_deref(), ExternalId::new)?,
        variant: Variant {
            app_id: at.read("app_id", AppId::new(app_id))?,
            market_hash_name: at.read("market_hash_name", MarketHashName::new(name))?,
            phase: at.read_some("phase", row.phase.as_deref(), Name::new)?,
        },
        price: at.cents("price_cents", at.present("price_cents", row.price_cents)?)?,
    })
}

fn reasons_of(row: &Model, at: RowLocation) -> StoreResult<Vec<RuleResult>> {
    let reasons: Vec<StoredRule> = at.read("reasons", serde_json::from_str(&row.reasons))?;
    let reason = |StoredRule(code, passed, actual, limit)| {
        Ok(RuleResult { rule: at.code("reasons", code, Rule::from_code)?, passed, actual, limit })
    };
    reasons.into_iter().map(reason).collect()
}

fn sums_of(row: &Model, at: RowLocation) -> StoreResult<EvaluationFigures> {
    let cents = |column, value: Option<i64>| value.map(|cents| at.cents(column, cents)).transpose();
    let share = |points: i64| at.read("confidence_bps", BasisPoints::new(at.number("confidence_bps", points)?));
    Ok(EvaluationFigures {
        fair_value: cents("fair_value_cents", row.fair_value_cents)?,
        confidence: row.confidence_bps.map(share).transpose()?,
        asking_price: cents("asking_price_cents", row.asking_price_cents)?,
        all_in_cost: cents("all_in_cost_cents", row.all_in_cost_cents)?,
        expected_net: cents("expected_net_cents", row.expected_net_cents)?,
        expected_margin: row.expected_margin_bps,
    })
}
