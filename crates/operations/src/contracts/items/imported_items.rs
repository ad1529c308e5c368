//! Recording items that were ours before they were recorded here, in the commit of their import.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::imported_item::{ImportedIds, ImportedItem, ImportedRecords};
use tradepost_domain::text::{AccountName, ExternalId};
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
    /// The account that holds it.
    pub(crate) holder: AccountName,
    /// The import that names it.
    pub(crate) source_id: ExternalId,
}

/// Adds an imported item to the changes: its purchase, the item with the first link of its chain, the steps of both in the log, and the
/// entry that puts its cost in. The entry is booked under the workspace itself, because the item has no contract that names a pool.
pub(crate) fn record_imported(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    ItemToImport { scope, item, holder, source_id }: ItemToImport<'_>,
) -> OpResult<ImportedRecords> {
    let workspace_id = scope.workspace_id();
    let ids = ImportedIds {
        workspace_id,
        purchase_id: operations.mint(),
        item_id: operations.mint(),
        link_id: operations.mint(),
    };
    let records = item.record(ids, holder, source_id.clone(), by.at);
    let records = records.map_err(|error| OpError::internal(error.to_string()))?;
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
    book(operations, changes, Funds { scope, pool: None }, bookings, by.at)?;
    changes.append(AppendedRow::Link(records.link.clone()));
    changes.insert(records.purchase.clone()).insert(records.item.clone());
    Ok(records)
}
