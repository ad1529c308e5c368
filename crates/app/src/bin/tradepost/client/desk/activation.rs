//! What the server would reject once a contract becomes active, found before anything changes: limits that make no sense together, and
//! marketplaces that are not on record.

use serde_json::Value;
use tradepost::domain::contracts::contract::{BuyingTerms, SellingTerms, Terms};
use tradepost::domain::money::Cents;

use super::current::Current;
use super::document::{Mistake, Wanted, nearest};
use super::kinds::PROVIDERS;
use super::values::{self, Values};

/// The mistakes of a contract that is to be active.
pub(super) fn mistakes(wanted: &Wanted, file: &[Wanted], current: &Current) -> Vec<Mistake> {
    if !is_active_contract(wanted) {
        return Vec::new();
    }
    let title = wanted.kind.title(&wanted.values);
    let limits = terms(&wanted.values).check().err();
    let limits = limits.map(|error| Mistake { line: wanted.line, what: format!("{title}: {error}"), advice: None });
    limits.into_iter().chain(unknown_marketplaces(wanted, file, current)).collect()
}

/// What keeps a contract from its activation later, of one that is not to be active yet.
pub(super) fn warnings(wanted: &Wanted, file: &[Wanted], current: &Current) -> Vec<Mistake> {
    let is_later = wanted.kind.section == "contracts" && !is_active_contract(wanted);
    if is_later { unknown_marketplaces(wanted, file, current) } else { Vec::new() }
}

fn is_active_contract(wanted: &Wanted) -> bool {
    wanted.kind.section == "contracts" && wanted.values.get("state").and_then(Value::as_str) == Some("active")
}

/// The limits that have to fit each other. The others were checked as they were read.
fn terms(values: &Values) -> Terms {
    if values.contains_key("selling.floor_price") {
        Terms::Selling(selling(values))
    } else {
        Terms::Buying(buying(values))
    }
}

fn buying(values: &Values) -> BuyingTerms {
    BuyingTerms {
        target_quantity: count(values, "buying.target_quantity").unwrap_or_default(),
        max_buy_price: amount(values, "buying.max_buy_price").unwrap_or_default(),
        budget: amount(values, "buying.budget").unwrap_or_default(),
        daily_budget: amount(values, "buying.daily_budget"),
        max_daily_loss: amount(values, "buying.max_daily_loss"),
        min_discount: None,
        min_expected_margin: None,
        max_per_item_name: count(values, "buying.max_per_item_name"),
        max_open_purchases: count(values, "buying.max_open_purchases"),
        cooldown_seconds: None,
        max_trade_lock_days: None,
        min_liquidity_score: None,
        min_seller_success: None,
    }
}

fn selling(values: &Values) -> SellingTerms {
    SellingTerms {
        floor_price: amount(values, "selling.floor_price").unwrap_or_default(),
        min_margin: None,
        undercut: None,
        ceiling_price: amount(values, "selling.ceiling_price"),
        reprice_interval_seconds: count(values, "selling.reprice_interval_seconds"),
        max_listings: count(values, "selling.max_listings"),
        max_below_value: None,
        max_above_value: None,
    }
}

fn amount(values: &Values, path: &str) -> Option<Cents> {
    Cents::new(values::cents(values.get(path)?.as_str()?)?).ok()
}

fn count(values: &Values, path: &str) -> Option<u32> {
    u32::try_from(values.get(path)?.as_i64()?).ok()
}

fn unknown_marketplaces(wanted: &Wanted, file: &[Wanted], current: &Current) -> Vec<Mistake> {
    if !current.has(PROVIDERS.section) {
        return Vec::new();
    }
    let title = wanted.kind.title(&wanted.values);
    let known = current.names_with(file, PROVIDERS.section);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let named = wanted.values.get("marketplaces").and_then(Value::as_array).into_iter().flatten();
    let unknown = named.filter_map(Value::as_str).filter(|name| !known.contains(name));
    let mistake = |name| Mistake {
        line: wanted.line,
        what: format!("{title}: marketplaces: no provider has the name {name:?}"),
        advice: nearest(name, &known).map(|nearest| format!("did you mean {nearest:?}?")),
    };
    unknown.map(mistake).collect()
}
