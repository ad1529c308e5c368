//! The check of what contracts count: that it is what their purchases, or the items that they sell, come to.

use std::fmt;
use std::sync::LazyLock;

use sea_orm::QueryResult;
use tradepost_domain::contracts::contract::ContractType;
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_ports::store::StoreResult;
use uuid::Uuid;

use super::limits::MAX_REPORTED;
use super::tally::{reserved, spent};
use crate::rows::{cell, id};
use crate::store::SqlStore;

const NEXT: &str =
    "SELECT id FROM contracts WHERE workspace_id = $1 AND id > $2 AND contract_type = $3 ORDER BY id LIMIT 500";
const COUNTED: &str = "filled_quantity, open_quantity, spent_cents, reserved_cents";
const WHAT: [&str; 4] = ["items bought or sold", "items open", "cents spent", "cents reserved"];

/// A contract that does not count what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContractDrift {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The contract.
    pub contract_id: ContractId,
    /// What it counts wrong.
    pub what: &'static str,
    /// What it says.
    pub counted: i64,
    /// What its purchases or items come to.
    pub there: i64,
}

/// What a look at every contract found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContractReport {
    /// Contracts looked at.
    pub contracts: u64,
    /// What is counted wrong, at most 100 of it.
    pub findings: Vec<ContractDrift>,
}

/// What a buying contract counts, and what its purchases come to.
static BOUGHT: LazyLock<String> = LazyLock::new(|| {
    let statuses = |wanted: &dyn Fn(PurchaseStatus) -> bool| {
        let codes: Vec<String> = PurchaseStatus::ALL
            .iter()
            .filter(|status| wanted(**status))
            .map(|status| status.code().to_string())
            .collect();
        format!("count(CASE WHEN u.status IN ({}) THEN 1 END)", codes.join(", "))
    };
    let is_ours = |status| matches!(status, PurchaseStatus::Traded | PurchaseStatus::Settled);
    format!(
        "SELECT {}, {}, {}, CAST(coalesce(sum({}), 0) AS bigint), CAST(coalesce(sum({}), 0) AS bigint), c.id \
         FROM contracts c LEFT JOIN purchases u ON u.workspace_id = c.workspace_id AND u.contract_id = c.id \
         WHERE c.workspace_id = $1 AND c.id = $2 GROUP BY {}, c.id",
        qualified(),
        statuses(&is_ours),
        statuses(&|status| !status.is_terminal() && !is_ours(status)),
        spent("u."),
        reserved("u."),
        qualified(),
    )
});
/// What the selling contracts of a workspace count, and what the items come to that they have on sale or have sold.
static SOLD: LazyLock<String> = LazyLock::new(|| {
    let sold = [ItemStatus::Sold, ItemStatus::Settled].map(|status| status.code().to_string()).join(", ");
    format!(
        "SELECT {}, coalesce(i.sold, 0), coalesce(i.open, 0), CAST(0 AS bigint), CAST(0 AS bigint), c.id FROM contracts c LEFT JOIN (\
         SELECT selling_contract_id, count(CASE WHEN status IN ({sold}) THEN 1 END) AS sold, \
         count(CASE WHEN status NOT IN ({sold}) THEN 1 END) AS open FROM inventory_items WHERE workspace_id = $1 \
         AND selling_contract_id IS NOT NULL AND sale_marketplace IS NOT NULL GROUP BY selling_contract_id) i \
         ON i.selling_contract_id = c.id WHERE c.workspace_id = $1 AND c.contract_type = $2",
        qualified(),
    )
});

fn qualified() -> String {
    COUNTED.split(", ").map(|column| format!("c.{column}")).collect::<Vec<_>>().join(", ")
}

impl SqlStore {
    /// Compares the counters of every contract with its purchases, or the items that it sells. `progress` is called with the number
    /// of checked contracts.
    ///
    /// # Errors
    /// [`StoreError`](tradepost_ports::store::StoreError) when the database fails.
    pub async fn check_contracts(&self, mut progress: impl FnMut(u64) + Send) -> StoreResult<ContractReport> {
        let (mut report, mut home) = (ContractReport::default(), Uuid::nil());
        while let Some(workspace) = self.next_home(&["contracts"], "workspace_id", home).await? {
            let mut after = Uuid::nil();
            loop {
                let buying = ContractType::Buying.code().into();
                let rows = self.patiently(NEXT, vec![workspace.into(), after.into(), buying]).await?;
                let Some(last) = rows.last() else { break };
                after = cell(last, 0)?;
                for row in &rows {
                    let values = vec![workspace.into(), cell::<Uuid>(row, 0)?.into()];
                    report.compare(workspace, &self.patiently(&BOUGHT, values).await?)?;
                    progress(report.contracts);
                }
            }
            let values = vec![workspace.into(), ContractType::Selling.code().into()];
            report.compare(workspace, &self.patiently(&SOLD, values).await?)?;
            progress(report.contracts);
            home = workspace;
        }
        Ok(report)
    }
}

impl ContractReport {
    fn compare(&mut self, workspace: Uuid, rows: &[QueryResult]) -> StoreResult<()> {
        for row in rows {
            self.contracts = self.contracts.saturating_add(1);
            let contract: Uuid = cell(row, 2 * WHAT.len())?;
            for (position, what) in WHAT.into_iter().enumerate() {
                let (counted, there): (i64, i64) = (cell(row, position)?, cell(row, position + WHAT.len())?);
                if counted != there && self.findings.len() < MAX_REPORTED {
                    let (workspace_id, contract_id) = (id(workspace), id(contract));
                    self.findings.push(ContractDrift { workspace_id, contract_id, what, counted, there });
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for ContractDrift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { workspace_id, contract_id, what, counted, there } = self;
        write!(f, "contract {contract_id} of workspace {workspace_id} counts {counted} {what}, there are {there}")
    }
}
