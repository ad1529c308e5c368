//! The price list of Skinport, made of what a world has on sale.

use serde_json::{Value, json};

use crate::state::Fakes;
use crate::world_prices;

/// When Skinport began to sell an item of the kind.
const CREATED: i64 = 1_535_988_253;

/// The list of a world: an entry for each kind, and what every such list has: an entry without a price, one name twice, and a name that
/// is longer than names are.
pub(super) fn of_world(fakes: &Fakes, currency: &str) -> Value {
    let now = fakes.now().as_micros() / 1_000_000;
    let mut entries: Vec<Value> = world_prices::by_name(fakes)
        .into_iter()
        .map(|(name, best)| entry(&name, currency, Some(best.ask), now))
        .collect();
    if let Some(mut twice) = entries.first().cloned() {
        twice["min_price"] = json!(9_999.99);
        entries.push(twice);
    }
    entries.push(entry("Sticker | Sold Out", currency, None, now));
    entries.push(entry(&"Long ".repeat(60), currency, Some(100), now));
    Value::Array(entries)
}

fn entry(name: &str, currency: &str, price: Option<i64>, now: i64) -> Value {
    let times = |percent: i64| price.map(|price| amount(price.saturating_mul(percent) / 100));
    let slug: String = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    json!({
        "market_hash_name": name,
        "currency": currency,
        "suggested_price": times(105),
        "item_page": format!("https://skinport.example.com/item/{slug}"),
        "market_page": "https://skinport.example.com/market/730",
        "min_price": times(100),
        "max_price": times(300),
        "mean_price": times(120),
        "median_price": times(110),
        "quantity": if price.is_some() { 7 } else { 0 },
        "created_at": CREATED,
        "updated_at": now,
    })
}

/// Cents as a number of the currency: a whole one has no decimals.
fn amount(cents: i64) -> Value {
    let text =
        if cents % 100 == 0 { format!("{}", cents / 100) } else { format!("{}.{:02}", cents / 100, cents % 100) };
    serde_json::from_str(&text).unwrap_or(Value::Null)
}
