//! Guards: whether records still are at the versions at which they were seen.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::{ConnectionTrait as _, DatabaseTransaction, DbBackend, DbErr, Statement};
use serde_json::{Value as Json, json};
use tradepost_ports::changes::VersionGuard;
use tradepost_ports::record::{Address, Kind};

use super::bulk::hex;
use crate::table::{number_of, table};

/// Those of the stamps that hold: one statement a kind, however many there are.
pub(super) async fn holding(
    transaction: &DatabaseTransaction,
    stamps: impl IntoIterator<Item = VersionGuard>,
) -> Result<BTreeSet<VersionGuard>, DbErr> {
    let mut by_kind: BTreeMap<Kind, Vec<VersionGuard>> = BTreeMap::new();
    for stamp in stamps {
        by_kind.entry(stamp.address.kind).or_default().push(stamp);
    }
    let mut holding = BTreeSet::new();
    for (kind, stamps) in by_kind {
        let rows = stamps.iter().map(|stamp| json!([hex(stamp.address.home), key(stamp.address), stamp.version]));
        let argument = Json::Array(rows.collect()).to_string();
        let text = &table(kind).guards_sqlite;
        let statement = Statement::from_sql_and_values(DbBackend::Sqlite, text, [argument.into()]);
        for row in transaction.query_all_raw(statement).await? {
            let position: i64 = row.try_get_by_index(0)?;
            holding.extend(usize::try_from(position).ok().and_then(|position| stamps.get(position)));
        }
    }
    Ok(holding)
}

/// Whether all of the stamps hold.
pub(super) async fn all_hold(transaction: &DatabaseTransaction, stamps: &[VersionGuard]) -> Result<bool, DbErr> {
    let holding = holding(transaction, stamps.iter().copied()).await?;
    Ok(stamps.iter().all(|stamp| holding.contains(stamp)))
}

fn key(address: Address) -> Json {
    if table(address.kind).has_numbered_key() { json!(number_of(address.key)) } else { json!(hex(address.key)) }
}
