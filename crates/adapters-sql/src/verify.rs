//! Checks for operators: that every chain keeps its laws, that the counters and the sums of the ledger say what is there, that the
//! file is sound. They read everything and change nothing.

mod books;
mod purchases;
mod records;
mod sums;

use std::sync::LazyLock;

use sea_orm::{
    ConnectionTrait as _, DbErr, FromQueryResult as _, QueryResult, Statement, TransactionTrait as _, Value,
};
use tradepost_domain::chain::{AssetIdLink, verify};
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::inventory_item::InventoryItem;
use tradepost_ports::record::Kind;
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use crate::classify::{During, classify};
use crate::rows::{Stored, asset_id_link, id, inventory_item};
use crate::store::{SqlStore, cell};
use crate::table::{kind_code, select_list};

pub use books::{BookError, BookReport};
pub use purchases::PurchaseDrift;
pub use records::RecordReport;
pub use sums::{DriftOf, SumDrift};

/// Items that are looked at in one statement.
const ITEMS_AT_ONCE: i64 = 500;
/// Findings that are told in words; beyond it they are only counted.
const MOST_TOLD: usize = 100;

/// What a look at every chain found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChainReport {
    /// Items looked at.
    pub items: u64,
    /// Links looked at.
    pub links: u64,
    /// How many laws are broken.
    pub broken: u64,
    /// The first 100 of them: which item, which step, which law.
    pub findings: Vec<String>,
}

/// A counter that does not say what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterDrift {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// What is counted: memberships, filter sets, pools, contracts, intents, purchases, items, trade offers or
    /// remediations.
    pub kind: Kind,
    /// The contract; `None` for the counter of the workspace.
    pub contract_id: Option<ContractId>,
    /// The status' stored number.
    pub status: i16,
    /// How many more records there are than the counter says; negative when there are fewer.
    pub missing: i64,
}

/// A page of items, each once for every link it has, from one snapshot.
static CHAINS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {}, {} FROM (SELECT * FROM inventory_items WHERE (workspace_id, id) > ($1, $2) \
         ORDER BY workspace_id, id LIMIT $3) i LEFT JOIN asset_id_links l ON l.workspace_id = i.workspace_id \
         AND l.inventory_item_id = i.id ORDER BY i.workspace_id, i.id, l.step",
        select_list::<inventory_item::Entity>("i.", "i_"),
        select_list::<asset_id_link::Entity>("l.", "l_"),
    )
});
const ORPHANS: &str = "SELECT count(*) FROM asset_id_links l WHERE NOT EXISTS (SELECT 1 FROM inventory_items i \
    WHERE i.workspace_id = l.workspace_id AND i.id = l.inventory_item_id)";

impl SqlStore {
    /// Checks every chain against the laws of the domain, and every item against its own rules.
    ///
    /// `progress` is told from time to time how many items were looked at. Writers are not held up.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails; what is wrong with the data is in the report.
    pub async fn verify_chains(&self, mut progress: impl FnMut(u64) + Send) -> StoreResult<ChainReport> {
        let mut report = ChainReport::default();
        let mut after = (Uuid::nil(), Uuid::nil());
        loop {
            let rows = self.patiently(&CHAINS, vec![after.0.into(), after.1.into(), ITEMS_AT_ONCE.into()]).await?;
            let chains = chains_of(&rows)?;
            let Some((last, _)) = chains.last() else { break };
            after = (last.workspace_id, last.id);
            for (item, links) in chains {
                report.look_at(item, &links)?;
            }
            progress(report.items);
        }
        let orphans = self.patiently(ORPHANS, Vec::new()).await?;
        let orphans: i64 = orphans.first().map_or(Ok(0), |row| cell(row, 0))?;
        if orphans > 0 {
            report.add(&format!("{orphans} links belong to no item"));
        }
        Ok(report)
    }

    /// Counts everything that has counters, and gives the counters that say otherwise, at most 100.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn check_counters(&self) -> StoreResult<Vec<CounterDrift>> {
        let text = recount(self.pick("zeroblob(16)", "'00000000-0000-0000-0000-000000000000'::uuid"));
        self.patiently(&text, Vec::new()).await?.iter().map(drift).collect()
    }

    /// Checks that the database is sound as a file: SQLite's quick check, and that PostgreSQL answers.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] with what was found first, another [`StoreError`] when the database fails.
    pub async fn quick_check(&self) -> StoreResult<()> {
        let rows = self.patiently(self.pick("PRAGMA quick_check(1)", "SELECT 'ok'"), Vec::new()).await?;
        match rows.first().map(|row| cell::<String>(row, 0)).transpose()?.as_deref() {
            Some("ok") => Ok(()),
            Some(found) => Err(StoreError::Corrupt(found.to_owned())),
            None => Err(StoreError::Corrupt("the check gave no answer".to_owned())),
        }
    }

    /// Runs a statement that may take as long as it needs.
    async fn patiently(&self, text: &str, values: Vec<Value>) -> StoreResult<Vec<QueryResult>> {
        self.query_patiently(text, values).await.map_err(|error| classify(&error, During::Statement))
    }

    async fn query_patiently(&self, text: &str, values: Vec<Value>) -> Result<Vec<QueryResult>, DbErr> {
        let statement = Statement::from_sql_and_values(self.reads().get_database_backend(), text, values);
        if self.is_sqlite() {
            return self.reads().query_all_raw(statement).await;
        }
        let transaction = self.reads().begin().await?;
        transaction.execute_unprepared("SET LOCAL statement_timeout = 0").await?;
        let rows = transaction.query_all_raw(statement).await?;
        transaction.commit().await?;
        Ok(rows)
    }
}

type Chain = (inventory_item::Model, Vec<asset_id_link::Model>);

fn chains_of(rows: &[QueryResult]) -> StoreResult<Vec<Chain>> {
    let failed = |error| classify(&error, During::Statement);
    let mut chains: Vec<Chain> = Vec::new();
    for row in rows {
        let item = inventory_item::Model::from_query_result(row, "i_").map_err(failed)?;
        let link = asset_id_link::Model::from_query_result_optional(row, "l_").map_err(failed)?;
        match chains.last_mut() {
            Some((last, links)) if (last.workspace_id, last.id) == (item.workspace_id, item.id) => links.extend(link),
            Some(_) | None => chains.push((item, link.into_iter().collect())),
        }
    }
    Ok(chains)
}

impl ChainReport {
    fn look_at(&mut self, item: inventory_item::Model, links: &[asset_id_link::Model]) -> StoreResult<()> {
        self.items += 1;
        self.links += u64::try_from(links.len()).unwrap_or(u64::MAX);
        let name = format!("item {} of workspace {}", item.id, item.workspace_id);
        let item = match InventoryItem::to_domain(item) {
            Ok(item) => item,
            Err(StoreError::Corrupt(found)) => {
                self.add(&found);
                return Ok(());
            }
            Err(failed) => return Err(failed),
        };
        match links.iter().map(asset_id_link::to_domain).collect::<StoreResult<Vec<AssetIdLink>>>() {
            Ok(links) => {
                for problem in verify(&links, item.peek().chain_owner(), &item.peek().tip) {
                    self.add(&format!("{name}, {problem}"));
                }
            }
            Err(StoreError::Corrupt(found)) => self.add(&found),
            Err(failed) => return Err(failed),
        }
        Ok(())
    }

    fn add(&mut self, finding: &str) {
        self.broken += 1;
        if self.findings.len() < MOST_TOLD {
            self.findings.push(finding.to_owned());
        }
    }
}

/// What is there, less what the counters say, where that is not nothing.
fn recount(zeros: &str) -> String {
    let mut counts = Vec::new();
    for (table, kind, status, by_contract) in [
        ("memberships", Kind::Membership, "status", false),
        ("filter_sets", Kind::FilterSet, "0", false),
        ("trading_accounts", Kind::TradingAccount, "status", false),
        ("pools", Kind::Pool, "status", false),
        ("contracts", Kind::Contract, "status", false),
        ("intents", Kind::Intent, "status", true),
        ("purchases", Kind::Purchase, "status", true),
        ("inventory_items", Kind::InventoryItem, "status", true),
        ("trade_offers", Kind::TradeOffer, "status", false),
        ("remediations", Kind::Remediation, "status", false),
    ] {
        let kind = kind_code(kind);
        counts.push(format!(
            "SELECT workspace_id, {kind} AS kind, {zeros} AS contract_id, {status} AS status, count(*) AS n FROM {table} \
             GROUP BY 1, 4"
        ));
        if by_contract {
            counts.push(format!(
                "SELECT workspace_id, {kind}, contract_id, {status}, count(*) FROM {table} \
                 WHERE contract_id IS NOT NULL GROUP BY workspace_id, contract_id, {status}"
            ));
        }
    }
    counts.push("SELECT workspace_id, kind, contract_id, status, -n FROM record_counts".to_owned());
    format!(
        "SELECT workspace_id, CAST(kind AS bigint), contract_id, CAST(status AS bigint), CAST(sum(n) AS bigint) \
         FROM ({}) counted GROUP BY workspace_id, kind, contract_id, status HAVING sum(n) <> 0 LIMIT {MOST_TOLD}",
        counts.join(" UNION ALL ")
    )
}

fn drift(row: &QueryResult) -> StoreResult<CounterDrift> {
    let kinds = [
        Kind::Membership,
        Kind::FilterSet,
        Kind::TradingAccount,
        Kind::Pool,
        Kind::Contract,
        Kind::Intent,
        Kind::Purchase,
        Kind::InventoryItem,
        Kind::TradeOffer,
        Kind::Remediation,
    ];
    let (code, status): (i64, i64) = (cell(row, 1)?, cell(row, 3)?);
    let kind = kinds.into_iter().find(|kind| i64::from(kind_code(*kind)) == code);
    let contract: Uuid = cell(row, 2)?;
    let out_of_range = |what: &str, number: i64| StoreError::Corrupt(format!("record_counts.{what}: {number}"));
    Ok(CounterDrift {
        workspace_id: id(cell(row, 0)?),
        kind: kind.ok_or_else(|| out_of_range("kind", code))?,
        contract_id: (!contract.is_nil()).then_some(id(contract)),
        status: i16::try_from(status).map_err(|_| out_of_range("status", status))?,
        missing: cell(row, 4)?,
    })
}
