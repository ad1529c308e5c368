//! `ledger_days` and `ledger_months`: what the entries of a day and of a month come to, by what they were booked for, added up as
//! the entries are written.

use std::collections::BTreeMap;

use sea_orm::Value;
use serde_json::{Value as Json, json};
use tradepost_domain::contracts::ledger::report::{Attribution, Breakdown, Figures, Span, day_of};
use tradepost_domain::contracts::ledger::{LedgerEntry, Posting};
use uuid::Uuid;

use crate::rows::{contract_to_column, uuid};

/// The day under which the sum of all days is kept: later than any, and than the first of any month. With it, a past total is
/// the present one less the later changes, however old the ledger is.
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

/// What entries come to, figure by figure: what the domain says of them.
pub(crate) fn figures_of_entries() -> [String; FIGURES.len()] {
    let settled = |cents: &str| format!("CASE WHEN posting = {} THEN {cents} ELSE 0 END", Posting::SaleSettled.code());
    [
        "-(realised_pnl_cents + fees_cents)".to_owned(),
        "pending_cents".to_owned(),
        settled("buy_fee_cents"),
        settled("fees_cents - buy_fee_cents"),
        "write_offs_cents".to_owned(),
        settled("-delivered_at_cost_cents - buy_fee_cents"),
        settled("-delivered_at_cost_cents - buy_fee_cents - realised_pnl_cents"),
        settled("1"),
    ]
}

/// The sums that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sums {
    /// By day, and of all days.
    Days,
    /// By month of the calendar.
    Months,
}

impl Sums {
    /// Both, in the order in which they are added to.
    pub(crate) const ALL: [Self; 2] = [Self::Days, Self::Months];

    /// Where they are kept.
    pub(crate) const fn table(self) -> &'static str {
        match self {
            Self::Days => "ledger_days",
            Self::Months => "ledger_months",
        }
    }

    /// The column of the day, or of the first day of the month.
    pub(crate) const fn first_day(self) -> &'static str {
        match self {
            Self::Days => "day",
            Self::Months => "month",
        }
    }

    /// Returns the days of the rows to which an entry of this day is added.
    fn rows_of(self, day: i64) -> Vec<i64> {
        match self {
            Self::Days => vec![day, ALL_DAYS],
            Self::Months => vec![Span::Month.first_day(day)],
        }
    }

    fn key(self) -> String {
        format!(
            "workspace_id, telling, {}, contract_id, selling_contract_id, pool_id, account_name, buy_marketplace, \
             sell_marketplace, market_hash_name",
            self.first_day()
        )
    }
}

/// One row, in the order of its key.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    workspace: Uuid,
    telling: Breakdown,
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
pub(crate) fn add_sqlite(sums: Sums) -> String {
    let figures: Vec<String> = (10..18).map(|position| format!("value ->> {position}")).collect();
    let (table, key) = (sums.table(), sums.key());
    format!(
        "INSERT INTO {table} ({key}, {}) \
         SELECT unhex(value ->> 0), value ->> 1, value ->> 2, unhex(value ->> 3), unhex(value ->> 4), unhex(value ->> 5), \
         value ->> 6, value ->> 7, value ->> 8, value ->> 9, {} FROM json_each($1) WHERE true {}",
        FIGURES.join(", "),
        figures.join(", "),
        on_conflict(table, &key)
    )
}

/// The same, with the number of the argument; one text however much it holds.
pub(crate) fn add_postgres(sums: Sums, number: usize) -> String {
    let figures: Vec<String> = (10..18).map(|position| format!("(value ->> {position})::bigint")).collect();
    let (table, key) = (sums.table(), sums.key());
    format!(
        "INSERT INTO {table} ({key}, {}) \
         SELECT (value ->> 0)::uuid, (value ->> 1)::smallint, (value ->> 2)::bigint, (value ->> 3)::uuid, (value ->> 4)::uuid, \
         (value ->> 5)::uuid, value ->> 6, value ->> 7, value ->> 8, value ->> 9, {} \
         FROM json_array_elements(${number}::json) {}",
        FIGURES.join(", "),
        figures.join(", "),
        on_conflict(table, &key)
    )
}

fn on_conflict(table: &str, key: &str) -> String {
    let set: Vec<String> = FIGURES.iter().map(|name| format!("{name} = {table}.{name} + excluded.{name}")).collect();
    format!("ON CONFLICT ({key}) DO UPDATE SET {}", set.join(", "))
}

/// Returns what the entries add to each row, always in the same order; `None` where they add nothing.
pub(crate) fn argument(sums: Sums, entries: &[&LedgerEntry]) -> Option<Value> {
    let mut rows: BTreeMap<Key, Figures> = BTreeMap::new();
    for entry in entries {
        let (figures, Some(of)) = (Figures::of(entry), Attribution::of(entry)) else { continue };
        if figures == Figures::default() {
            continue;
        }
        for telling in Breakdown::ALL {
            for day in sums.rows_of(day_of(entry.at)) {
                let sum = rows.entry(key(uuid(entry.workspace_id), telling, day, &of)).or_default();
                *sum = sum.plus(figures);
            }
        }
    }
    let rows: Vec<Json> = rows.iter().map(|(key, sum)| row(key, sum)).collect();
    (!rows.is_empty()).then(|| Json::Array(rows).to_string().into())
}

fn key(workspace: Uuid, telling: Breakdown, day: i64, of: &Attribution) -> Key {
    let nothing = Key {
        workspace,
        telling,
        day,
        contract: contract_to_column(of.contract_id),
        selling_contract: Uuid::nil(),
        pool: Uuid::nil(),
        account: String::new(),
        bought_on: String::new(),
        sold_on: String::new(),
        name: String::new(),
    };
    match telling {
        Breakdown::Names => Key { name: of.market_hash_name.to_string(), ..nothing },
        Breakdown::Trades | Breakdown::Places => Key {
            selling_contract: of.selling_contract_id.map(uuid).unwrap_or_default(),
            pool: of.pool_id.map(uuid).unwrap_or_default(),
            account: if telling == Breakdown::Trades { of.account_name.to_string() } else { String::new() },
            bought_on: of.buy_marketplace.to_string(),
            sold_on: of.sell_marketplace.as_ref().map(ToString::to_string).unwrap_or_default(),
            ..nothing
        },
    }
}

fn row(key: &Key, sum: &Figures) -> Json {
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
