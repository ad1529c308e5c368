//! Applying some sales of an import in one commit: items that were sold elsewhere, and the outcomes of the rows.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::trading::import::{ImportRow, RowOutcome};
use tradepost_ports::changes::Changes;

use super::apply_rows::NextRows;
use super::check_holdings::{note, refuse_all};
use super::check_sales::{KnownSales, NewSale, SaleVerdict};
use crate::commit::By;
use crate::contracts::items::sold_elsewhere::{SaleToRecord, record_sold_elsewhere};
use crate::{OpResult, Operations};

impl Operations {
    /// Adds the sales of some rows to the changes, and returns the rows with their outcomes. Each row is decided on again, because the
    /// check may be an hour old. Of the items that have a contract, one is sold in a commit, because several may have one pool; the rows
    /// of the others stay as they are.
    pub(super) async fn apply_sales(
        &self,
        changes: &mut Changes,
        by: By<'_>,
        scope: WorkspaceScope,
        NextRows { import, mut rows }: NextRows<'_>,
    ) -> OpResult<Vec<ImportRow>> {
        let mut known = KnownSales::read(self, scope, import.id).await?;
        let by = By { at: known.at(), ..by };
        let mut has_contract = false;
        for row in &mut rows {
            match known.decide(row).await? {
                SaleVerdict::New(new) => {
                    let records = new.records();
                    let NewSale { sale, item, purchase } = *new;
                    if purchase.peek().terms.contract_id.is_some() && std::mem::replace(&mut has_contract, true) {
                        continue;
                    }
                    let source_id = known.source_id();
                    let wanted = SaleToRecord { scope, sale: &sale, item, purchase: purchase.peek(), source_id };
                    record_sold_elsewhere(self, changes, by, wanted).await?;
                    note(row, records, RowOutcome::Updated);
                }
                SaleVerdict::Recorded(records) => note(row, records, RowOutcome::Same),
                SaleVerdict::Refused(objections) => {
                    refuse_all(row, objections);
                    row.outcome = RowOutcome::Failed;
                }
            }
        }
        Ok(rows)
    }
}
