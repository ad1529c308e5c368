//! The JSON documents within a contract's row: limits, marketplaces, price reference. They are read and written as a whole
//! with their contract and never searched, so they need no columns of their own.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tradepost_domain::contracts::contract::{
    BasisPoints, BuyingTerms, ContractType, PriceReference, PriceStatistic, SellingTerms, Terms, Undercut,
};
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_ports::store::StoreResult;

use crate::rows::RowLocation;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Buying {
    target_quantity: u32,
    max_buy_price_cents: i64,
    budget_cents: i64,
    daily_budget_cents: Option<i64>,
    // Programs that do not know it refuse it, and read every contract without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_daily_loss_cents: Option<i64>,
    min_discount_bps: Option<u16>,
    min_expected_margin_bps: Option<u16>,
    max_per_item_name: Option<u32>,
    max_open_purchases: Option<u32>,
    cooldown_seconds: Option<u32>,
    max_trade_lock_days: Option<u32>,
    min_liquidity_score: Option<u8>,
    min_seller_success_bps: Option<u16>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Selling {
    floor_price_cents: i64,
    min_margin_bps: Option<u16>,
    undercut_cents: Option<i64>,
    undercut_bps: Option<u16>,
    ceiling_price_cents: Option<i64>,
    reprice_interval_seconds: Option<u32>,
    max_listings: Option<u32>,
    // Programs that do not know these refuse them, and read every contract without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_below_value_bps: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_above_value_bps: Option<u16>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reference {
    sources: Vec<String>,
    statistic: i16,
    max_age_seconds: u32,
    min_confidence_bps: u16,
}

/// The limits as JSON.
pub(crate) fn terms_to_json(terms: &Terms) -> String {
    match terms {
        Terms::Buying(terms) => json(&Buying {
            target_quantity: terms.target_quantity,
            max_buy_price_cents: terms.max_buy_price.get(),
            budget_cents: terms.budget.get(),
            daily_budget_cents: terms.daily_budget.map(Cents::get),
            max_daily_loss_cents: terms.max_daily_loss.map(Cents::get),
            min_discount_bps: terms.min_discount.map(BasisPoints::get),
            min_expected_margin_bps: terms.min_expected_margin.map(BasisPoints::get),
            max_per_item_name: terms.max_per_item_name,
            max_open_purchases: terms.max_open_purchases,
            cooldown_seconds: terms.cooldown_seconds,
            max_trade_lock_days: terms.max_trade_lock_days,
            min_liquidity_score: terms.min_liquidity_score,
            min_seller_success_bps: terms.min_seller_success.map(BasisPoints::get),
        }),
        Terms::Selling(terms) => {
            let (undercut_cents, undercut_bps) = match terms.undercut {
                Some(Undercut::Amount(cents)) => (Some(cents.get()), None),
                Some(Undercut::Share(share)) => (None, Some(share.get())),
                None => (None, None),
            };
            json(&Selling {
                floor_price_cents: terms.floor_price.get(),
                min_margin_bps: terms.min_margin.map(BasisPoints::get),
                undercut_cents,
                undercut_bps,
                ceiling_price_cents: terms.ceiling_price.map(Cents::get),
                reprice_interval_seconds: terms.reprice_interval_seconds,
                max_listings: terms.max_listings,
                max_below_value_bps: terms.max_below_value.map(BasisPoints::get),
                max_above_value_bps: terms.max_above_value.map(BasisPoints::get),
            })
        }
    }
}

/// The limits of a contract of this type.
pub(crate) fn terms_from_json(at: RowLocation, contract_type: ContractType, text: &str) -> StoreResult<Terms> {
    match contract_type {
        ContractType::Buying => buying(at, &parse(at, "terms", text)?).map(Terms::Buying),
        ContractType::Selling => selling(at, &parse(at, "terms", text)?).map(Terms::Selling),
    }
}

fn buying(at: RowLocation, terms: &Buying) -> StoreResult<BuyingTerms> {
    Ok(BuyingTerms {
        target_quantity: terms.target_quantity,
        max_buy_price: at.cents("terms", terms.max_buy_price_cents)?,
        budget: at.cents("terms", terms.budget_cents)?,
        daily_budget: at.read_some("terms", terms.daily_budget_cents, Cents::new)?,
        max_daily_loss: at.read_some("terms", terms.max_daily_loss_cents, Cents::new)?,
        min_discount: at.read_some("terms", terms.min_discount_bps, BasisPoints::new)?,
        min_expected_margin: at.read_some("terms", terms.min_expected_margin_bps, BasisPoints::new)?,
        max_per_item_name: terms.max_per_item_name,
        max_open_purchases: terms.max_open_purchases,
        cooldown_seconds: terms.cooldown_seconds,
        max_trade_lock_days: terms.max_trade_lock_days,
        min_liquidity_score: terms.min_liquidity_score,
        min_seller_success: at.read_some("terms", terms.min_seller_success_bps, BasisPoints::new)?,
    })
}

fn selling(at: RowLocation, terms: &Selling) -> StoreResult<SellingTerms> {
    let undercut = match (terms.undercut_cents, terms.undercut_bps) {
        (Some(cents), None) => Some(Undercut::Amount(at.cents("terms", cents)?)),
        (None, Some(share)) => Some(Undercut::Share(at.read("terms", BasisPoints::new(share))?)),
        (None, None) => None,
        (Some(_), Some(_)) => return Err(at.corrupt("terms", &"undercut both by an amount and by a share")),
    };
    Ok(SellingTerms {
        floor_price: at.cents("terms", terms.floor_price_cents)?,
        min_margin: at.read_some("terms", terms.min_margin_bps, BasisPoints::new)?,
        undercut,
        ceiling_price: at.read_some("terms", terms.ceiling_price_cents, Cents::new)?,
        reprice_interval_seconds: terms.reprice_interval_seconds,
        max_listings: terms.max_listings,
        max_below_value: at.read_some("terms", terms.max_below_value_bps, BasisPoints::new)?,
        max_above_value: at.read_some("terms", terms.max_above_value_bps, BasisPoints::new)?,
    })
}

/// Names of marketplaces as JSON.
pub(crate) fn marketplaces_to_json(marketplaces: &[Marketplace]) -> String {
    json(&marketplaces.iter().map(Marketplace::as_str).collect::<Vec<_>>())
}

/// The marketplaces that a column names.
pub(crate) fn marketplaces_from_json(at: RowLocation, column: &str, text: &str) -> StoreResult<Vec<Marketplace>> {
    marketplaces(at, column, &parse::<Vec<String>>(at, column, text)?)
}

/// A price reference as JSON.
pub(crate) fn reference_to_json(reference: &PriceReference) -> String {
    json(&Reference {
        sources: reference.sources.iter().map(ToString::to_string).collect(),
        statistic: reference.statistic.code(),
        max_age_seconds: reference.max_age_seconds,
        min_confidence_bps: reference.min_confidence.get(),
    })
}

/// The price reference that a column holds.
pub(crate) fn reference_from_json(at: RowLocation, column: &str, text: &str) -> StoreResult<PriceReference> {
    let reference: Reference = parse(at, column, text)?;
    Ok(PriceReference {
        sources: marketplaces(at, column, &reference.sources)?,
        statistic: at.code(column, reference.statistic, PriceStatistic::from_code)?,
        max_age_seconds: reference.max_age_seconds,
        min_confidence: at.read(column, BasisPoints::new(reference.min_confidence_bps))?,
    })
}

fn marketplaces(at: RowLocation, column: &str, names: &[String]) -> StoreResult<Vec<Marketplace>> {
    names.iter().map(|name| at.read(column, Marketplace::new(name))).collect()
}

fn parse<T: DeserializeOwned>(at: RowLocation, column: &str, text: &str) -> StoreResult<T> {
    at.read(column, serde_json::from_str(text))
}

/// Numbers, texts and lists of them: serialising these cannot fail. What could not be written would be refused on reading.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
