//! The check of purchases against the ledger: that price and fee of each are what the ledger paid.

use std::fmt;
use std::sync::LazyLock;

use sea_orm::QueryResult;
use tradepost_domain::id::{PurchaseId, WorkspaceId};
use tradepost_domain::ledger::Posting;
use tradepost_ports::store::StoreResult;
use uuid::Uuid;

use super::MOST_TOLD;
use crate::rows::id;
use crate::store::{SqlStore, cell};

/// A purchase whose price and fee are not what the ledger paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PurchaseDrift {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase.
    pub purchase_id: PurchaseId,
    /// By how many cents price and fee are more than the ledger paid; negative where they are less.
    pub unpaid: i64,
}

/// Price and fee of each purchase that was charged, less what its entries paid, where that is not nothing.
static UNPAID: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT workspace_id, purchase_id, CAST(sum(cents) AS bigint) FROM (\
         SELECT workspace_id, id AS purchase_id, executed_price_cents + executed_fee_cents AS cents FROM purchases \
         WHERE order_id IS NOT NULL UNION ALL \
         SELECT workspace_id, purchase_id, -paid_in_transit_cents FROM ledger_entries \
         WHERE posting = {} AND purchase_id IS NOT NULL) charged \
         GROUP BY workspace_id, purchase_id HAVING sum(cents) <> 0 LIMIT {MOST_TOLD}",
        Posting::Paid.code()
    )
});

impl SqlStore {
    /// Holds price and fee of every purchase against what the ledger paid, and gives those that differ, at most 100.
    ///
    /// # Errors
    /// [`StoreError`](tradepost_ports::store::StoreError) when the database fails.
    pub async fn check_purchases(&self) -> StoreResult<Vec<PurchaseDrift>> {
        self.patiently(&UNPAID, Vec::new()).await?.iter().map(drift).collect()
    }
}

fn drift(row: &QueryResult) -> StoreResult<PurchaseDrift> {
    let (workspace, purchase): (Uuid, Uuid) = (cell(row, 0)?, cell(row, 1)?);
    Ok(PurchaseDrift { workspace_id: id(workspace), purchase_id: id(purchase), unpaid: cell(row, 2)? })
}

impl fmt::Display for PurchaseDrift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { workspace_id, purchase_id, unpaid } = self;
        write!(
            f,
            "purchase {purchase_id} of workspace {workspace_id}: price and fee less what the ledger paid are {unpaid} cents"
        )
    }
}
