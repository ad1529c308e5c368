//! `ledger_days`: what the entries of a day come to, by what they were booked for, added up as the entries are written.

use std::collections::BTreeMap;

use sea_orm::Value;
use serde_json::{Value as Json, json};
use tradepost_domain::ledger::LedgerEntry;
use tradepost_domain::ledger::report::{Attribution, Figures, Telling, day_of};
use uuid::Uuid;

use crate::rows::uuid;

/// The day under which the sum of all days is kept: later than any. With it, what stood at a time is what stands now less what
/// came since, and a report looks at the days from its first on.
pub(crate) const ALL_DAYS: i64 = 1_000_000_000;

/// The columns of the figures, in the order in which they are written and read.
pub(crate) const FIGURES: [&str; 8] = [
    "realised_cents",
    "pending_cents",
    "buy_fees_cents",
    "sale_fees_cents",
    "write_offs_cents",
    "cost_sold_cents",
    "proceeds_cents",
    "sold",
];
const KEY: &str = "workspace_id, telling, day, contract_id, selling_contract_id, pool_id, account_name, buy_marketplace, \
    sell_marketplace, market_hash_name";

/// One row, in the order of its key.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    workspace: Uuid,
    telling: Telling,
    day: i64,
    contract: Uuid,
    selling_contract: Uuid,
    pool: Uuid,
    account: String,
    bought_on: String,
    sold_on: String,
    name: String,
}

/// Adds what an argument holds.
pub(crate) fn add_sqlite() -> String {
    let figures: Vec<String> = (10..18).map(|position| format!("value ->> {position}")).collect();
    format!(
        "INSERT INTO ledger_days ({KEY}, {}) \
         SELECT unhex(value ->> 0), value ->> 1, value ->> 2, unhex(value ->> 3), unhex(value ->> 4), unhex(value ->> 5), \
         value ->> 6, value ->> 7, value ->> 8, value ->> 9, {} FROM json_each($1) WHERE true {}",
        FIGURES.join(", "),
        figures.join(", "),
        on_conflict()
    )
}

/// The same, with the number of the argument; one text however much it holds.
pub(crate) fn add_postgres(number: usize) -> String {
    let figures: Vec<String> = (10..18).map(|position| format!("(value ->> {position})::bigint")).collect();
    format!(
        "INSERT INTO ledger_days ({KEY}, {}) \
         SELECT (value ->> 0)::uuid, (value ->> 1)::smallint, (value ->> 2)::bigint, (value ->> 3)::uuid, (value ->> 4)::uuid, \
         (value ->> 5)::uuid, value ->> 6, value ->> 7, value ->> 8, value ->> 9, {} \
         FROM json_array_elements(${number}::json) {}",
        FIGURES.join(", "),
        figures.join(", "),
        on_conflict()
    )
}

fn on_conflict() -> String {
    let set: Vec<String> =
        FIGURES.iter().map(|name| format!("{name} = ledger_days.{name} + excluded.{name}")).collect();
    format!("ON CONFLICT ({KEY}) DO UPDATE SET {}", set.join(", "))
}

/// What the entries add to which rows, in one order for everybody; `None` where they add nothing.
pub(crate) fn argument(entries: &[&LedgerEntry]) -> Option<Value> {
    let mut rows: BTreeMap<Key, Figures> = BTreeMap::new();
    for entry in entries {
        let (figures, Some(of)) = (Figures::of(entry), Attribution::of(entry)) else { continue };
        if figures == Figures::default() {
            continue;
        }
        for telling in Telling::ALL {
            for day in [day_of(entry.at), ALL_DAYS] {
                let sum = rows.entry(key(uuid(entry.workspace_id), (telling, day), &of)).or_default();
                *sum = sum.plus(figures);
            }
        }
    }
    let rows: Vec<Json> = rows.into_iter().map(row).collect();
    (!rows.is_empty()).then(|| Json::Array(rows).to_string().into())
}

fn key(workspace: Uuid, (telling, day): (Telling, i64), of: &Attribution) -> Key {
    let nothing = Key {
        workspace,
        telling,
        day,
        contract: uuid(of.contract_id),
        selling_contract: Uuid::nil(),
        pool: Uuid::nil(),
        account: String::new(),
        bought_on: String::new(),
        sold_on: String::new(),
        name: String::new(),
    };
    match telling {
        Telling::Names => Key { name: of.market_hash_name.to_string(), ..nothing },
        Telling::Trades => Key {
            selling_contract: of.selling_contract_id.map(uuid).unwrap_or_default(),
            pool: of.pool_id.map(uuid).unwrap_or_default(),
            account: of.account_name.to_string(),
            bought_on: of.buy_marketplace.to_string(),
            sold_on: of.sell_marketplace.as_ref().map(ToString::to_string).unwrap_or_default(),
            ..nothing
        },
    }
}

fn row((key, sum): (Key, Figures)) -> Json {
    let hex = |id: Uuid| id.simple().to_string();
    json!([
        hex(key.workspace),
        key.telling.code(),
        key.day,
        hex(key.contract),
        hex(key.selling_contract),
        hex(key.pool),
        key.account,
        key.bought_on,
        key.sold_on,
        key.name,
        sum.realised,
        sum.pending,
        sum.buy_fees,
        sum.sale_fees,
        sum.write_offs,
        sum.cost_sold,
        sum.proceeds,
        sum.sold,
    ])
}
