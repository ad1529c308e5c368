//! Recording that an item was sold elsewhere, in the commit of its import.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemError, SaleElsewhere};
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::contracts::remediation::findings::resolved_with_item;
use tradepost_domain::text::ExternalId;
use tradepost_domain::transition::{Subject, Transition};
use tradepost_ports::changes::{AppendedRow, Changes, Seen};

use crate::commit::{By, Step};
use crate::contracts::ledger::ledger_postings::{LedgerPostings, book_steps};
use crate::contracts::remediations::remediation_steps::{Problems, follow_problems};
use crate::{OpResult, Operations};

/// A sale to record.
pub(crate) struct SaleToRecord<'a> {
    /// The workspace.
    pub(crate) scope: WorkspaceScope,
    /// The sale.
    pub(crate) sale: &'a SaleElsewhere,
    /// The item as it was read.
    pub(crate) item: Seen<InventoryItem>,
    /// The purchase that brought it.
    pub(crate) purchase: &'a Purchase,
    /// The import that names the sale.
    pub(crate) source_id: ExternalId,
}

/// Adds the sale of an item to the changes: the item with the link that ends its chain, its step in the log, the end of the problem that
/// the item was missing, and the entries of the ledger. The entries have the time of the sale, everything else that of its record.
pub(crate) async fn record_sold_elsewhere(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    SaleToRecord { scope, sale, item, purchase, source_id }: SaleToRecord<'_>,
) -> OpResult<()> {
    let from = item.peek().status;
    let mut added = None;
    let sold = changes.revise(item, |item| {
        let (item, link) = item.sell_elsewhere(sale, source_id.clone(), by.at)?;
        added = Some(link);
        Ok::<_, ItemError>(item)
    })?;
    if let Some(link) = added {
        changes.append(AppendedRow::Link(link.of(sold.value.chain_owner(), operations.mint())));
    }
    let step = Step {
        subject: Subject::InventoryItem(sold.value.id),
        from: Some(from.as_str()),
        to: sold.value.status.as_str(),
        version: sold.version,
        trigger: "sold_elsewhere",
    };
    let subject = step.subject;
    let logged = operations.transition(by.caller, scope.workspace_id(), step, by.at);
    changes.append(AppendedRow::Transition(Transition { evidence: Some(source_id), ..logged }));
    let resolved = resolved_with_item(from, sold.value.status);
    let problems = Problems { scope, of: subject, found: Vec::new(), resolved };
    follow_problems(operations, changes, by, None, problems).await?;
    let mut bookings = LedgerPostings::default();
    bookings.sold_elsewhere(&sold.value, purchase)?;
    book_steps(operations, changes, scope, bookings, sale.sold_at).await?;
    Ok(())
}
