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

use sea_orm::Value;
use tradepost_domain::time::Timestamp;
use uuid::Uuid;

/// One row more than the limit tells whether there are more.
pub(crate) fn one_more(limit: u32) -> Value {
    i64::from(limit).saturating_add(1).into()
}

/// The least id that is made at a time: ids begin with the millisecond.
pub(crate) fn first_of(at: Timestamp) -> Uuid {
    let millis = u128::try_from(at.as_micros().div_euclid(1_000)).unwrap_or(0);
    Uuid::from_u128(millis << 80)
}

/// Which index a statement is to read. Without being told, SQLite takes a workspace for ten rows and goes through all of it in the
/// order of its ids; PostgreSQL finds the index by itself.
pub(crate) fn by(index: &str, is_sqlite: bool) -> String {
    if is_sqlite { format!(" INDEXED BY {index}") } else { String::new() }
}
