//! Recording items that were ours before they were recorded here, in the commit of their import.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::chain::NewLink;
use tradepost_domain::contracts::imported_item::{ImportedIds, ImportedItem, ImportedRecords};
use tradepost_domain::contracts::inventory_item::{InventoryItem, SaleElsewhere};
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Changes};

use crate::commit::{By, Step};
use crate::contracts::ledger::ledger_postings::{Funds, LedgerPostings, book};
use crate::{OpError, OpResult, Operations};

/// An item to record.
pub(crate) struct ItemToImport<'a> {
    /// The workspace.
    pub(crate) scope: WorkspaceScope,
    /// What is known of it.
    pub(crate) item: &'a ImportedItem,
    /// Its sale, if it was sold.
    pub(crate) sale: Option<&'a SaleElsewhere>,
    /// The account that holds it, or held it.
    pub(crate) holder: AccountName,
    /// The import that names it.
    pub(crate) source_id: ExternalId,
    /// The time at which its cost is booked.
    pub(crate) paid_at: Timestamp,
}

/// Adds an imported item to the changes: its purchase, the item with its chain, the steps of both in the log, the entry that puts its cost
/// in, and those of its sale. They are booked under the workspace itself, because the item has no contract that names a pool.
pub(crate) fn record_imported(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    ItemToImport { scope, item, sale, holder, source_id, paid_at }: ItemToImport<'_>,
) -> OpResult<ImportedRecords> {
    let workspace_id = scope.workspace_id();
    let ids = ImportedIds {
        workspace_id,
        purchase_id: operations.mint(),
        item_id: operations.mint(),
        link_id: operations.mint(),
    };
    let records = item.record(ids, holder, source_id.clone(), by.at);
    let mut records = records.map_err(|error| OpError::internal(error.to_string()))?;
    changes.append(AppendedRow::Link(records.link.clone()));
    if let Some(sale) = sale {
        let (sold, ended) = sell(records.item, sale, source_id.clone(), by.at)?;
        changes.append(AppendedRow::Link(ended.of(sold.chain_owner(), operations.mint())));
        records.item = sold;
    }
    let steps = [
        (Subject::Purchase(ids.purchase_id), records.purchase.status.as_str()),
        (Subject::InventoryItem(ids.item_id), records.item.status.as_str()),
    ];
    for (subject, to) in steps {
        let step = Step { subject, from: None, to, version: 1, trigger: "imported" };
        let logged = operations.transition(by.caller, workspace_id, step, by.at);
        changes.append(AppendedRow::Transition(Transition { evidence: Some(source_id.clone()), ..logged }));
    }
    let mut bookings = LedgerPostings::default();
    bookings.imported(&records.item, &records.purchase)?;
    book(operations, changes, Funds { scope, pool: None }, bookings, paid_at)?;
    if let Some(sale) = sale {
        let mut bookings = LedgerPostings::default();
        bookings.sold_elsewhere(&records.item, &records.purchase)?;
        book(operations, changes, Funds { scope, pool: None }, bookings, sale.sold_at)?;
    }
    changes.insert(records.purchase.clone()).insert(records.item.clone());
    Ok(records)
}

/// Returns an item after its sale, with the link that ends its chain.
fn sell(
    item: InventoryItem,
    sale: &SaleElsewhere,
    source_id: ExternalId,
    at: Timestamp,
) -> OpResult<(InventoryItem, NewLink)> {
    item.sell_elsewhere(sale, source_id, at).map_err(|error| OpError::internal(error.to_string()))
}
