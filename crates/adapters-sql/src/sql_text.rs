//! Fragments of SQL text that statements share, and the values that they bind.

use std::fmt::Write as _;

use sea_orm::Value;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::id::Id;
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_ports::store::Worlds;
use uuid::Uuid;

use crate::rows::uuid;

/// The names in a list of market names at `$2`.
pub(crate) const NAMES_SQLITE: &str = "SELECT value FROM json_each($2)";
/// The same on PostgreSQL.
pub(crate) const NAMES_POSTGRES: &str = "SELECT json_array_elements_text($2::json)";

/// Market names as one value.
pub(crate) fn name_list<const MOST: usize>(names: &[Text<MOST>]) -> Value {
    let names: Vec<&str> = names.iter().map(Text::as_str).collect();
    serde_json::Value::from(names).to_string().into()
}

/// Ids as one value: hexadecimal numbers with commas between.
pub(crate) fn listed<K>(ids: impl Iterator<Item = Id<K>>) -> Value {
    let ids: Vec<String> = ids.map(|id| Uuid::from_bytes(id.to_bytes()).simple().to_string()).collect();
    ids.join(",").into()
}

/// The ids in a value that lists them as hexadecimal numbers with commas between.
pub(crate) fn listed_sqlite(number: usize) -> String {
    format!("SELECT unhex(value) FROM json_each('[\"' || replace(${number}, ',', '\",\"') || '\"]')")
}

/// The same.
pub(crate) fn listed_postgres(number: usize) -> String {
    format!("SELECT unnest(string_to_array(${number}, ',')::uuid[])")
}

/// The condition that a text has a part, which `${number}` has in lower case. Only letters of ASCII are compared without case.
pub(crate) fn has_part(text: &str, number: usize, is_sqlite: bool) -> String {
    let position = if is_sqlite { "instr" } else { "strpos" };
    format!("{position}(lower({text}), ${number}) > 0")
}

/// Returns one row more than the limit, which shows whether there are further ones.
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
pub(crate) fn between(column: &str, from: Option<Timestamp>, to: Option<Timestamp>, values: &mut Vec<Value>) -> String {
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

/// Returns the name of the index that a statement is to read, as SQLite takes it. Without it, SQLite expects ten rows in a
/// workspace and reads all of them by id. PostgreSQL finds the index by itself.
pub(crate) fn index_hint(index: &str, is_sqlite: bool) -> String {
    if is_sqlite { format!(" INDEXED BY {index}") } else { String::new() }
}
