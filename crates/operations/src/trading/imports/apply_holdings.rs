//! Applying some holdings of an import in one commit: items with their purchases, and the outcomes of the rows.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::import::{ImportRow, RowOutcome};
use tradepost_ports::changes::Changes;

use super::apply_rows::NextRows;
use super::check_holdings::{KnownHoldings, OnRecord, Verdict, note, refuse_all};
use crate::commit::By;
use crate::contracts::items::imported_items::{ItemToImport, record_imported};
use crate::{OpError, OpResult, Operations};

impl Operations {
    /// Adds the items of some rows to the changes, and returns the rows with their outcomes. Each row is decided on again, because the
    /// check may be an hour old.
    pub(super) async fn apply_holdings(
        &self,
        changes: &mut Changes,
        by: By<'_>,
        scope: WorkspaceScope,
        NextRows { import, mut rows }: NextRows<'_>,
    ) -> OpResult<Vec<ImportRow>> {
        let source_id =
            ExternalId::new(&import.id.to_string()).map_err(|error| OpError::internal(error.to_string()))?;
        let mut known = KnownHoldings::read(self, scope, &rows).await?;
        let by = By { at: known.at(), ..by };
        for row in &mut rows {
            match known.decide(row).await? {
                Verdict::New(item, holder) => {
                    let wanted = ItemToImport {
                        scope,
                        item: &item,
                        sale: None,
                        holder,
                        source_id: source_id.clone(),
                        paid_at: by.at,
                    };
                    let records = record_imported(self, changes, by, wanted)?;
                    let (item_id, purchase_id) = (records.item.id, records.purchase.terms.id);
                    note(row, OnRecord { item_id, purchase_id }, RowOutcome::Created);
                }
                Verdict::Recorded(records) => note(row, records, RowOutcome::Same),
                Verdict::Refused(objections) => {
                    refuse_all(row, objections);
                    row.outcome = RowOutcome::Failed;
                }
            }
        }
        Ok(rows)
    }
}
