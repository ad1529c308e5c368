//! The reads of the port: one statement each.

mod account_links;
mod audit;
mod evaluations;
mod executions;
mod filter_sets;
mod following;
mod intents;
mod leases;
mod leftovers;
mod outbox;
pub(crate) mod pools;
mod prices;
mod providers;
mod remediations;
mod reports;
mod second_factors;
mod sessions;
mod trade_offers;
mod trading;
mod trading_accounts;
mod transitions;
mod users;
mod workspace_keys;
mod workspaces;
mod worlds;

use std::fmt::Write as _;

use sea_orm::Value;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::Worlds;
use uuid::Uuid;

use crate::rows::uuid;

/// One row more than the limit tells whether there are more.
pub(crate) fn one_more(limit: u32) -> Value {
    i64::from(limit).saturating_add(1).into()
}

/// The least key of an observation that was recorded at a time: these begin with its millisecond, as no other id does for certain.
pub(crate) fn first_observed(at: Timestamp) -> Uuid {
    let millis = u128::try_from(at.as_micros().div_euclid(1_000)).unwrap_or(0);
    Uuid::from_u128(millis << 80)
}

/// What narrows a list to the times from one on and before another, to the millisecond, by the column that has them; the values are
/// added.
pub(crate) fn between(
    column: &str,
    (from, to): (Option<Timestamp>, Option<Timestamp>),
    values: &mut Vec<Value>,
) -> String {
    let mut text = String::new();
    for (bound, time) in [(">=", from), ("<", to)] {
        if let Some(time) = time {
            values.push(time.as_micros().div_euclid(1_000).saturating_mul(1_000).into());
            // Writing into a text cannot fail.
            let _ = write!(text, " AND {column} {bound} ${}", values.len());
        }
    }
    text
}

/// What narrows a look over all workspaces to those that live in one time; the value is added.
pub(crate) fn in_worlds(column: &str, worlds: Worlds, values: &mut Vec<Value>) -> String {
    match worlds {
        Worlds::Real => {
            let simulated = MarketKind::Simulated.code();
            format!(" AND {column} NOT IN (SELECT id FROM workspaces WHERE market = {simulated})")
        }
        Worlds::Of(workspace) => {
            values.push(uuid(workspace).into());
            format!(" AND {column} = ${}", values.len())
        }
    }
}

/// Which index a statement is to read. Without being told, SQLite takes a workspace for ten rows and goes through all of it in the
/// order of its ids; PostgreSQL finds the index by itself.
pub(crate) fn by(index: &str, is_sqlite: bool) -> String {
    if is_sqlite { format!(" INDEXED BY {index}") } else { String::new() }
}
