//! Checks for operators: that every chain keeps its laws, that counters, ledger and sums match the records, that rights are as they were
//! audited, that the file is sound. They read everything in slices ([`slice`]), change nothing and delay no writer.

mod audit;
mod books;
mod contracts;
mod counters;
mod limits;
mod purchases;
mod records;
mod rights;
mod slice;
mod sums;
mod tally;
mod walk;

use std::sync::LazyLock;

use sea_orm::{FromQueryResult as _, QueryResult};
use tradepost_domain::contracts::chain::{AssetIdLink, verify};
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_ports::store::{StoreError, StoreResult};
use uuid::Uuid;

use crate::classify::{DbOperation, classify};
use crate::rows::contracts::{asset_id_link, inventory_item};
use crate::rows::{Stored, cell};
use crate::store::SqlStore;
use crate::table::select_list;

pub use audit::{AuditFault, AuditReport};
pub use books::{BookError, BookReport};
pub use contracts::{ContractDrift, ContractReport};
pub use counters::CounterDrift;
pub use limits::MAX_REPORTED;
pub use purchases::{PurchaseDrift, PurchaseFault, PurchaseReport};
pub use records::RecordReport;
pub use rights::{RightsFault, RightsReport};
pub use sums::{DriftOf, SumDrift};

/// Items that are looked at in one statement.
const ITEMS_AT_ONCE: i64 = 500;
/// Links that are looked for an item of in one statement.
const LINKS_AT_ONCE: i64 = 20_000;
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
/// The links of a part of the chains that belong to no item.
const ORPHANS: &str = "SELECT count(*) FROM asset_id_links l WHERE l.workspace_id = $1 AND l.inventory_item_id > $2 \
    AND l.inventory_item_id <= $3 AND NOT EXISTS (SELECT 1 FROM inventory_items i \
    WHERE i.workspace_id = l.workspace_id AND i.id = l.inventory_item_id)";
const END_OF_LINKS: &str = "SELECT inventory_item_id FROM asset_id_links WHERE workspace_id = $1 AND inventory_item_id > $2 \
    ORDER BY inventory_item_id LIMIT 1 OFFSET $3";

impl SqlStore {
    /// Checks every chain against the laws of the domain, and every item against its own rules.
    ///
    /// `progress` is called from time to time with the number of checked items. Writers are not delayed.
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
        let orphans = self.count_orphans().await?;
        if orphans > 0 {
            report.add(&format!("{orphans} links belong to no item"));
        }
        Ok(report)
    }

    async fn count_orphans(&self) -> StoreResult<i64> {
        let (mut orphans, mut home) = (0_i64, Uuid::nil());
        while let Some(workspace) = self.next_home(&["asset_id_links"], "workspace_id", home).await? {
            let mut after = Uuid::nil();
            loop {
                let slice = self.slice().await?;
                let end = slice.row(END_OF_LINKS, vec![workspace.into(), after.into(), LINKS_AT_ONCE.into()]).await?;
                let end: Option<Uuid> = end.map(|row| cell(&row, 0)).transpose()?;
                let values = vec![workspace.into(), after.into(), end.unwrap_or(Uuid::max()).into()];
                let counted = slice.row(ORPHANS, values).await?;
                slice.end().await?;
                orphans = orphans.saturating_add(counted.map_or(Ok(0), |row| cell(&row, 0))?);
                let Some(end) = end else { break };
                after = end;
            }
            home = workspace;
        }
        Ok(orphans)
    }

    /// Checks that the database is sound as a file: SQLite's quick check, and that PostgreSQL answers.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] with what was found first, another [`StoreError`] when the database fails.
    pub async fn quick_check(&self) -> StoreResult<()> {
        self.sound_by(self.pick("PRAGMA quick_check(1)", "SELECT 'ok'")).await
    }

    /// Checks a SQLite file as thoroughly as SQLite can: the pages, and every index against its table.
    ///
    /// # Errors
    /// As [`SqlStore::quick_check`].
    pub(crate) async fn full_check(&self) -> StoreResult<()> {
        self.sound_by("PRAGMA integrity_check(1)").await
    }

    async fn sound_by(&self, check: &str) -> StoreResult<()> {
        let rows = self.patiently(check, Vec::new()).await?;
        match rows.first().map(|row| cell::<String>(row, 0)).transpose()?.as_deref() {
            Some("ok") => Ok(()),
            Some(found) => Err(StoreError::Corrupt(found.to_owned())),
            None => Err(StoreError::Corrupt("the check gave no answer".to_owned())),
        }
    }
}

type Chain = (inventory_item::Model, Vec<asset_id_link::Model>);

fn chains_of(rows: &[QueryResult]) -> StoreResult<Vec<Chain>> {
    let failed = |error| classify(&error, DbOperation::Statement);
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
                for problem in verify(&links, item.peek().chain_owner(), &item.peek().head) {
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
        if self.findings.len() < MAX_REPORTED {
            self.findings.push(finding.to_owned());
        }
    }
}
