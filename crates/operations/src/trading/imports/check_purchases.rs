//! Comparing the purchases of a content with each other and with the records that there are: what applying would do with each.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::ImportId;
use tradepost_domain::text::{AccountName, ExternalId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::import::{
    ImportRow, ImportedPurchase, Objection, ReasonCode, RowOutcome, imported_purchase,
};
use tradepost_ports::changes::Seen;

use super::check_holdings::{KnownHoldings, OnRecord, note, refuse_all};
use super::check_sales::{NewSale, on_record};
use crate::{OpError, OpResult, Operations};

/// What some purchases are compared with.
pub(super) struct KnownPurchases<'a> {
    holdings: KnownHoldings<'a>,
    /// The import that names the purchases.
    source_id: ExternalId,
}

/// What applying does with a purchase.
pub(super) enum PurchaseVerdict {
    /// It is recorded with its item.
    New(Box<ImportedPurchase>, AccountName),
    /// It is on record, and the sale of its item is not: the sale is recorded.
    Sold(Box<NewSale>),
    /// It is on record already.
    Recorded(OnRecord),
    /// It is not applied.
    Refused(Vec<Objection>),
}

impl<'a> KnownPurchases<'a> {
    /// Reads the accounts that some rows of an import name.
    pub(super) async fn read(
        operations: &'a Operations,
        scope: WorkspaceScope,
        import: ImportId,
        rows: &[ImportRow],
    ) -> OpResult<Self> {
        let source_id = ExternalId::new(&import.to_string()).map_err(|error| OpError::internal(error.to_string()))?;
        Ok(Self { holdings: KnownHoldings::read(operations, scope, rows).await?, source_id })
    }

    /// Returns the time at which purchases are recorded.
    pub(super) const fn at(&self) -> Timestamp {
        self.holdings.at
    }

    /// Returns the name of the import as the evidence of its purchases.
    pub(super) fn source_id(&self) -> ExternalId {
        self.source_id.clone()
    }

    /// Decides what applying does with a row, and notes its account.
    pub(super) async fn decide(&mut self, row: &mut ImportRow) -> OpResult<PurchaseVerdict> {
        let incomplete = || OpError::internal(format!("row {} has no purchase", row.number));
        let fields = &row.holding.as_deref().ok_or_else(incomplete)?.fields;
        let bought = match imported_purchase(fields, self.holdings.currency, self.holdings.at) {
            Ok(bought) => bought,
            Err(objections) => return Ok(PurchaseVerdict::Refused(objections)),
        };
        let holder = match self.holdings.holder(row) {
            Ok(holder) => holder,
            Err(found) => return Ok(refused(ReasonCode::AccountUnknown, found)),
        };
        row.account_id = self.holdings.account_of(&holder);
        if self.holdings.is_order_twice(&bought.item) {
            return Ok(refused(ReasonCode::OrderTaken, "an earlier row has the order"));
        }
        if self.holdings.is_asset_twice(&bought.item) {
            return Ok(refused(ReasonCode::AssetTwice, "an earlier row has the asset id"));
        }
        if let Some(recorded) = self.holdings.purchase_of_order(&bought.item).await? {
            return self.compare(&bought, &holder, recorded).await;
        }
        if self.holdings.item_of_asset(&bought.item).await?.is_some() {
            return Ok(refused(ReasonCode::AssetKnown, "an item of the workspace has or had the asset id"));
        }
        Ok(PurchaseVerdict::New(Box::new(bought), holder))
    }

    /// Decides what applying does with a purchase whose order is on record.
    async fn compare(
        &self,
        bought: &ImportedPurchase,
        holder: &AccountName,
        recorded: Seen<Purchase>,
    ) -> OpResult<PurchaseVerdict> {
        if !recorded.peek().is_imported() {
            return Ok(refused(ReasonCode::OrderTaken, "a purchase that was made here has the order"));
        }
        if let Some(field) = bought.difference(holder, recorded.peek()) {
            return Ok(refused(ReasonCode::PurchaseDiffers, &format!("{field} is not as it was imported before")));
        }
        let (purchase_id, items) = (recorded.peek().terms.id, self.holdings.operations.ports.store.items());
        let item = items.find_of_purchase(self.holdings.scope, purchase_id).await?;
        let item = item.ok_or_else(|| OpError::internal(format!("purchase {purchase_id} has no item")))?;
        let records = on_record(item.peek());
        // An item that is said to be held may have been sold since, here or by another import.
        let Some(sale) = &bought.sale else { return Ok(PurchaseVerdict::Recorded(records)) };
        if item.peek().is_sold_elsewhere() {
            return Ok(match sale.difference(item.peek()) {
                None => PurchaseVerdict::Recorded(records),
                Some(field) => {
                    let found = format!("{field} of the sale is not as it was imported before");
                    refused(ReasonCode::SaleDiffers, &found)
                }
            });
        }
        let new = NewSale { sale: sale.clone(), item, purchase: recorded };
        Ok(match new.objection(self.source_id(), self.holdings.at) {
            Some(objection) => PurchaseVerdict::Refused(vec![objection]),
            None => PurchaseVerdict::Sold(Box::new(new)),
        })
    }
}

fn refused(code: ReasonCode, found: &str) -> PurchaseVerdict {
    PurchaseVerdict::Refused(vec![(code, found.to_owned())])
}

/// Decides what applying does with each purchase of a content.
pub(super) async fn check_purchases(
    operations: &Operations,
    scope: WorkspaceScope,
    import: ImportId,
    rows: &mut [ImportRow],
) -> OpResult<()> {
    let mut known = KnownPurchases::read(operations, scope, import, rows).await?;
    for row in rows.iter_mut().filter(|row| row.reasons.is_empty()) {
        match known.decide(row).await? {
            PurchaseVerdict::New(..) => {}
            PurchaseVerdict::Sold(new) => note(row, new.records(), RowOutcome::WillUpdate),
            PurchaseVerdict::Recorded(records) => note(row, records, RowOutcome::Same),
            PurchaseVerdict::Refused(objections) => refuse_all(row, objections),
        }
    }
    Ok(())
}
