//! Applying some purchases of an import in one commit: purchases with their items, the sales of these, and the outcomes of the rows.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::trading::import::{ImportRow, ImportedPurchase, RowOutcome};
use tradepost_ports::changes::Changes;

use super::apply_rows::NextRows;
use super::check_holdings::{OnRecord, note, refuse_all};
use super::check_purchases::{KnownPurchases, PurchaseVerdict};
use super::check_sales::NewSale;
use crate::commit::By;
use crate::contracts::items::imported_items::{ItemToImport, record_imported};
use crate::contracts::items::sold_elsewhere::{SaleToRecord, record_sold_elsewhere};
use crate::{OpResult, Operations};

impl Operations {
    /// Adds the purchases of some rows to the changes, and returns the rows with their outcomes. Each row is decided on again, because the
    /// check may be an hour old. None of their items has a contract, so that none of them shares a pool with another.
    pub(super) async fn apply_purchases(
        &self,
        changes: &mut Changes,
        by: By<'_>,
        scope: WorkspaceScope,
        NextRows { import, mut rows }: NextRows<'_>,
    ) -> OpResult<Vec<ImportRow>> {
        let mut known = KnownPurchases::read(self, scope, import.id, &rows).await?;
        let by = By { at: known.at(), ..by };
        for row in &mut rows {
            match known.decide(row).await? {
                PurchaseVerdict::New(bought, holder) => {
                    let ImportedPurchase { item, bought_at, sale } = *bought;
                    let (sale, source_id) = (sale.as_ref(), known.source_id());
                    let wanted = ItemToImport { scope, item: &item, sale, holder, source_id, paid_at: bought_at };
                    let records = record_imported(self, changes, by, wanted)?;
                    let (item_id, purchase_id) = (records.item.id, records.purchase.terms.id);
                    note(row, OnRecord { item_id, purchase_id }, RowOutcome::Created);
                }
                PurchaseVerdict::Sold(new) => {
                    let records = new.records();
                    let NewSale { sale, item, purchase } = *new;
                    let source_id = known.source_id();
                    let wanted = SaleToRecord { scope, sale: &sale, item, purchase: purchase.peek(), source_id };
                    record_sold_elsewhere(self, changes, by, wanted).await?;
                    note(row, records, RowOutcome::Updated);
                }
                PurchaseVerdict::Recorded(records) => note(row, records, RowOutcome::Same),
                PurchaseVerdict::Refused(objections) => {
                    refuse_all(row, objections);
                    row.outcome = RowOutcome::Failed;
                }
            }
        }
        Ok(rows)
    }
}
