//! Looking for damage: what the database finds wrong with itself, chains that break a law, counters that do not match what
//! they count. For those who run it: it reads everything, and changes nothing.

use std::path::Path;
use std::sync::LazyLock;

use sea_orm::{ConnectionTrait as _, FromQueryResult as _, QueryResult, Statement};
use tradepost_domain::chain::{self, AssetIdLink};
use tradepost_domain::inventory_item::InventoryItem;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::record::{Kind, ONLY};
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use crate::classify::{During, classify};
use crate::rows::{asset_id_link, inventory_item};
use crate::settings::DatabaseSettings;
use crate::store::{SqlStore, cell, decode};
use crate::table::{kind_code, select_list};

/// Items whose chains are read in one statement.
const ITEMS_AT_ONCE: i64 = 500;
/// Problems that are told one by one; more do not help anybody.
const MOST_TOLD: usize = 20;

/// Items with their links, in the order of both.
static CHAINS: LazyLock<String> = LazyLock::new(|| {
    let (items, links) =
        (select_list::<inventory_item::Entity>("i.", "item_"), select_list::<asset_id_link::Entity>("l.", "link_"));
    format!(
        "SELECT {items}, {links} FROM (SELECT * FROM inventory_items WHERE (workspace_id, id) > ($1, $2) \
         ORDER BY workspace_id, id LIMIT $3) i LEFT JOIN asset_id_links l ON l.workspace_id = i.workspace_id \
         AND l.inventory_item_id = i.id ORDER BY i.workspace_id, i.id, l.step"
    )
});

/// Every counter whose number is not that of the records it counts.
static WRONG_COUNTERS: LazyLock<String> = LazyLock::new(|| {
    let counted = |(kind, table, contract): (Kind, &str, &str)| {
        format!(
            "UNION ALL SELECT workspace_id, {}, {contract}, status, -count(*) FROM {table} GROUP BY 1, 3, 4",
            kind_code(kind)
        )
    };
    let records: String = [
        (Kind::Membership, "memberships", "$1"),
        (Kind::Contract, "contracts", "$1"),
        (Kind::Purchase, "purchases", "$1"),
        (Kind::Purchase, "purchases", "contract_id"),
        (Kind::InventoryItem, "inventory_items", "$1"),
        (Kind::InventoryItem, "inventory_items", "contract_id"),
    ]
    .map(counted)
    .concat();
    format!(
        "SELECT workspace_id, kind, status, CAST(sum(n) AS bigint) FROM \
         (SELECT workspace_id, kind, contract_id, status, n FROM record_counts {records}) c \
         GROUP BY workspace_id, kind, contract_id, status HAVING sum(n) <> 0 LIMIT {MOST_TOLD}"
    )
});

/// What a look over everything found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    /// How much was looked at.
    pub examined: u64,
    /// What is wrong, in words; the first twenty.
    pub problems: Vec<String>,
}

impl SqlStore {
    /// What SQLite finds wrong with its file. Nothing on PostgreSQL, which checks its pages as it reads them.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot even be read.
    pub async fn integrity_problems(&self) -> StoreResult<Vec<String>> {
        if !self.is_sqlite() {
            return Ok(Vec::new());
        }
        let answers = self.rows("SELECT integrity_check FROM pragma_integrity_check(20)", Vec::new()).await?;
        let answers = answers.iter().map(|row| cell::<String>(row, 0)).collect::<StoreResult<Vec<_>>>()?;
        Ok(answers.into_iter().filter(|answer| answer != "ok").collect())
    }

    /// Checks the chain of every item against every law.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails; a value that breaks a rule by itself is among the problems.
    pub async fn chain_problems(&self) -> StoreResult<Findings> {
        let mut findings = Findings::default();
        let mut after = (Uuid::nil(), Uuid::nil());
        loop {
            let values = vec![after.0.into(), after.1.into(), ITEMS_AT_ONCE.into()];
            let rows = self.rows(&CHAINS, values).await?;
            let Some(last) = rows.last() else { return Ok(findings) };
            after = place(last)?;
            for chain in rows.chunk_by(|a, b| matches!((place(a), place(b)), (Ok(a), Ok(b)) if a == b)) {
                findings.examined += 1;
                let broken = check_chain(chain).or_else(told_if_corrupt)?;
                let left = MOST_TOLD.saturating_sub(findings.problems.len());
                findings.problems.extend(broken.into_iter().take(left));
            }
        }
    }

    /// Compares every counter with the records that it counts.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn counter_problems(&self) -> StoreResult<Vec<String>> {
        let rows = self.rows(&WRONG_COUNTERS, vec![Uuid::from_bytes(ONLY).into()]).await?;
        rows.iter().map(counter_problem).collect()
    }

    /// When the latest change of a status was made.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn latest_change(&self) -> StoreResult<Option<Timestamp>> {
        let row = self.row("SELECT max(at) FROM transitions", Vec::new()).await?;
        let micros: Option<i64> = row.map(|row| cell(&row, 0)).transpose()?.flatten();
        let read = |micros| Timestamp::from_micros(micros).map_err(|error| StoreError::Corrupt(error.to_string()));
        micros.map(read).transpose()
    }

    /// Writes a consistent copy of a SQLite file, while it is in use. `path` must not exist.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the copy cannot be written, [`StoreError::Bug`] on PostgreSQL, which has `pg_dump`.
    pub async fn copy_to(&self, path: &Path) -> StoreResult<()> {
        let DatabaseSettings::Sqlite(_) = &self.settings else {
            return Err(StoreError::Bug("a PostgreSQL database is copied by pg_dump".to_owned()));
        };
        let path = path.to_str().ok_or_else(|| StoreError::Unavailable("the path is not Unicode".to_owned()))?;
        let backend = self.writes().get_database_backend();
        let copy = Statement::from_sql_and_values(backend, "VACUUM INTO $1", [path.into()]);
        self.writes().execute_raw(copy).await.map_err(|error| classify(&error, During::Statement)).map(drop)
    }
}

fn place(row: &QueryResult) -> StoreResult<(Uuid, Uuid)> {
    let column = |name| row.try_get::<Uuid>("item_", name).map_err(|error| classify(&error, During::Statement));
    Ok((column("workspace_id")?, column("id")?))
}

fn check_chain(rows: &[QueryResult]) -> StoreResult<Vec<String>> {
    let Some(first) = rows.first() else { return Ok(Vec::new()) };
    let item: Seen<InventoryItem> = decode(first, "item_")?;
    let (item, _) = item.only_to_show();
    let links = rows.iter().map(link).collect::<StoreResult<Vec<_>>>()?;
    let links: Vec<AssetIdLink> = links.into_iter().flatten().collect();
    let problems = chain::verify(&links, item.chain_owner(), &item.tip);
    Ok(problems.into_iter().map(|problem| format!("inventory item {}: {problem}", item.id)).collect())
}

/// An item without links comes as one row without a link.
fn link(row: &QueryResult) -> StoreResult<Option<AssetIdLink>> {
    let failed = |error| classify(&error, During::Statement);
    if row.try_get::<Option<Uuid>>("link_", "id").map_err(failed)?.is_none() {
        return Ok(None);
    }
    let row = asset_id_link::Model::from_query_result(row, "link_").map_err(failed)?;
    asset_id_link::to_domain(&row).map(Some)
}

fn told_if_corrupt(error: StoreError) -> StoreResult<Vec<String>> {
    match error {
        StoreError::Corrupt(what) => Ok(vec![what]),
        other => Err(other),
    }
}

fn counter_problem(row: &QueryResult) -> StoreResult<String> {
    let (workspace, kind, status): (Uuid, i16, i16) = (cell(row, 0)?, cell(row, 1)?, cell(row, 2)?);
    let (over, workspace) = (cell::<i64>(row, 3)?, crate::rows::id::<tradepost_domain::id::OfWorkspace>(workspace));
    Ok(format!("workspace {workspace}: the counter of records of kind {kind} in status {status} is off by {over}"))
}
