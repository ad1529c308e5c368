//! Reads of market names. An index in the order of names is read by one look-up for each different name, and not record by record.

use std::fmt::Write as _;

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::name_search::NameSearch;
use tradepost_domain::text::MarketHashName;
use tradepost_ports::store::{ItemNames, MOST_LOOKED_AT, NameList, NameQuery, NamedRecord, StoreResult};

use crate::read::contracts::home;
use crate::rows::{RowLocation, cell, uuid};
use crate::sql_text::{has_part, index_hint};
use crate::store::SqlStore;

/// The table of records of a kind, and its index in the order of names; the primary key if there is none.
const fn place(of: NamedRecord) -> (&'static str, Option<&'static str>) {
    match of {
        NamedRecord::Purchase => ("purchases", Some("purchases_name")),
        NamedRecord::Item => ("inventory_items", Some("inventory_items_name")),
        NamedRecord::Candle => ("market_candles", None),
        NamedRecord::Quote => ("market_quotes", None),
    }
}

/// Returns the statement of the names in a range, each found from the one before it. A last row without a name shows that
/// the end was reached.
fn statement(of: NamedRecord, query: &NameQuery<'_>, values: &mut Vec<Value>, is_sqlite: bool) -> String {
    let (table, index) = place(of);
    let by = index.map(|index| index_hint(index, is_sqlite)).unwrap_or_default();
    let next = |bound: &str| {
        format!(
            "(SELECT market_hash_name FROM {table}{by} WHERE workspace_id = $1 AND market_hash_name {bound} \
             AND market_hash_name < $3 ORDER BY market_hash_name LIMIT 1)"
        )
    };
    let mut wanted = String::new();
    for part in query.search.into_iter().flat_map(NameSearch::parts) {
        values.push(part.as_str().into());
        let _ = write!(wanted, " AND {}", has_part("name", values.len(), is_sqlite));
    }
    let position = if is_sqlite { "instr" } else { "strpos" };
    if let Some(begins) = query.begins {
        values.push(begins.into());
        let _ = write!(wanted, " AND {position}(lower(name), ${}) = 1", values.len());
    }
    values.push(i64::from(query.most).saturating_add(1).into());
    format!(
        "WITH RECURSIVE names(name, number) AS (SELECT {first}, 1 UNION ALL SELECT {next}, number + 1 FROM names \
         WHERE name IS NOT NULL AND number <= {MOST_LOOKED_AT}) \
         SELECT name FROM names WHERE name IS NULL OR (number <= {MOST_LOOKED_AT}{wanted}) LIMIT ${limit}",
        first = next(">= $2"),
        next = next("> name"),
        limit = values.len()
    )
}

#[async_trait]
impl ItemNames for SqlStore {
    async fn list_names(&self, scope: WorkspaceScope, of: NamedRecord, query: NameQuery<'_>) -> StoreResult<NameList> {
        let mut values = vec![home(scope), query.from.into(), query.before.into()];
        let text = statement(of, &query, &mut values, self.is_sqlite());
        let home = uuid(scope.workspace_id());
        let at = RowLocation { table: place(of).0, home, key: home };
        let mut list = NameList { names: Vec::new(), complete: false };
        for row in self.rows(&text, values).await? {
            match cell::<Option<String>>(&row, 0)? {
                Some(name) => list.names.push(at.read("market_hash_name", MarketHashName::new(&name))?),
                None => list.complete = true,
            }
        }
        if list.names.len() > query.most as usize {
            list.names.truncate(query.most as usize);
            list.complete = false;
        }
        Ok(list)
    }
}
