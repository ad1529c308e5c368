//! Comparing the sales of a content with each other and with the items that there are: what applying would do with each.

use std::collections::HashSet;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::inventory_item::{InventoryItem, SaleElsewhere};
use tradepost_domain::contracts::ledger::posting::of_sale_elsewhere;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{ImportId, InventoryItemId};
use tradepost_domain::money::Currency;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::import::{ImportRow, ImportedSale, Objection, ReasonCode, RowOutcome, imported_sale};
use tradepost_ports::changes::Seen;

use super::check_holdings::{OnRecord, note, refuse_all};
use crate::{OpError, OpResult, Operations};

/// What some sales are compared with.
pub(super) struct KnownSales<'a> {
    operations: &'a Operations,
    scope: WorkspaceScope,
    currency: Currency,
    /// The import that names the sales.
    source_id: ExternalId,
    /// The time of the market in which the workspace trades.
    at: Timestamp,
    /// The items of rows that came before.
    items: HashSet<InventoryItemId>,
}

/// What applying does with a sale.
pub(super) enum SaleVerdict {
    /// It is recorded.
    New(Box<NewSale>),
    /// It is on record already.
    Recorded(OnRecord),
    /// It is not applied.
    Refused(Vec<Objection>),
}

/// A sale to record, with the records that it concerns.
pub(super) struct NewSale {
    pub(super) sale: SaleElsewhere,
    pub(super) item: Seen<InventoryItem>,
    pub(super) purchase: Seen<Purchase>,
}

impl NewSale {
    /// Returns the ids of the records that it concerns.
    pub(super) fn records(&self) -> OnRecord {
        on_record(self.item.peek())
    }

    /// Returns why the sale cannot be recorded; `None` if it can be. `source_id` names the import.
    pub(super) fn objection(&self, source_id: ExternalId, at: Timestamp) -> Option<Objection> {
        match self.item.peek().clone().sell_elsewhere(&self.sale, source_id, at) {
            Err(error) => Some((ReasonCode::ItemNotHeld, error.to_string())),
            Ok((sold, _)) => {
                let is_too_much = of_sale_elsewhere(&sold, self.purchase.peek()).is_err();
                let found = "the fee of the sale and the cost of the item are too much for an amount";
                is_too_much.then(|| (ReasonCode::PriceInvalid, found.to_owned()))
            }
        }
    }
}

impl<'a> KnownSales<'a> {
    /// Reads what the sales of an import are compared with.
    pub(super) async fn read(operations: &'a Operations, scope: WorkspaceScope, import: ImportId) -> OpResult<Self> {
        let workspace = operations.ports.store.workspaces().find(scope).await?;
        let workspace = workspace.ok_or_else(|| OpError::not_found("workspace"))?;
        Ok(Self {
            operations,
            scope,
            currency: workspace.peek().base_currency,
            source_id: ExternalId::new(&import.to_string()).map_err(|error| OpError::internal(error.to_string()))?,
            at: operations.market_now(scope.workspace_id()),
            items: HashSet::new(),
        })
    }

    /// Returns the time at which sales are recorded.
    pub(super) const fn at(&self) -> Timestamp {
        self.at
    }

    /// Returns the name of the import as the evidence of its sales.
    pub(super) fn source_id(&self) -> ExternalId {
        self.source_id.clone()
    }

    /// Decides what applying does with a row, and notes its account.
    pub(super) async fn decide(&mut self, row: &mut ImportRow) -> OpResult<SaleVerdict> {
        let incomplete = || OpError::internal(format!("row {} has no sale", row.number));
        let fields = &row.holding.as_deref().ok_or_else(incomplete)?.fields;
        let wanted = match imported_sale(fields, self.currency, self.at) {
            Ok(wanted) => wanted,
            Err(objections) => return Ok(SaleVerdict::Refused(objections)),
        };
        let Some((item, purchase)) = self.records_of(&wanted).await? else {
            return Ok(refused(ReasonCode::ItemUnknown, "no item of the workspace has or had the asset id"));
        };
        if !self.is_held_as_said(row, item.peek()).await? {
            return Ok(refused(ReasonCode::AccountUnknown, "the account that is named does not hold the item"));
        }
        if !self.items.insert(item.peek().id) {
            return Ok(refused(ReasonCode::AssetTwice, "an earlier row is of the same item"));
        }
        if wanted.market_hash_name.as_ref().is_some_and(|name| *name != item.peek().market_hash_name) {
            return Ok(refused(ReasonCode::FieldInvalid, "market_hash_name is not that of the item"));
        }
        if item.peek().is_sold_elsewhere() {
            return Ok(match wanted.sale.difference(item.peek()) {
                None => SaleVerdict::Recorded(on_record(item.peek())),
                Some(field) => refused(ReasonCode::SaleDiffers, &format!("{field} is not as it was imported before")),
            });
        }
        if earliest(item.peek(), purchase.peek()).is_some_and(|earliest| wanted.sale.sold_at < earliest) {
            return Ok(refused(ReasonCode::TimeInvalid, "sold_at must not be before the item was bought"));
        }
        let new = NewSale { sale: wanted.sale, item, purchase };
        Ok(match new.objection(self.source_id.clone(), self.at) {
            Some(objection) => SaleVerdict::Refused(vec![objection]),
            None => SaleVerdict::New(Box::new(new)),
        })
    }

    /// Returns the item with the asset id of a sale, and its purchase.
    async fn records_of(&self, wanted: &ImportedSale) -> OpResult<Option<(Seen<InventoryItem>, Seen<Purchase>)>> {
        let store = &self.operations.ports.store;
        let found = store.items().find_link_of_asset(self.scope, &wanted.asset_id).await?;
        let Some((item_id, _)) = found else { return Ok(None) };
        let item = store.items().find(self.scope, item_id).await?;
        let item = item.ok_or_else(|| OpError::internal(format!("a link has no item {item_id}")))?;
        // Another game may have the same number.
        if item.peek().app_id != wanted.app_id {
            return Ok(None);
        }
        let purchase = store.purchases().find(self.scope, item.peek().purchase_id).await?;
        let purchase = purchase.ok_or_else(|| OpError::internal(format!("item {item_id} has no purchase")))?;
        Ok(Some((item, purchase)))
    }

    /// Returns whether the account that a row names holds the item, and notes the account. A row need not name one.
    async fn is_held_as_said(&self, row: &mut ImportRow, item: &InventoryItem) -> OpResult<bool> {
        let accounts = self.operations.ports.store.trading_accounts();
        let holder = accounts.find_named(self.scope, &item.account_name).await?;
        let number = holder.as_ref().map(|holder| holder.peek().platform_user_id);
        row.account_id = holder.as_ref().map(|holder| holder.peek().id);
        let is_named = row.name.as_ref().is_none_or(|name| *name == item.account_name);
        Ok(is_named && row.platform_user_id.is_none_or(|given| number == Some(given)))
    }
}

/// Returns before when the item cannot have been sold. It is not known of an imported item whose purchase has no time.
fn earliest(item: &InventoryItem, purchase: &Purchase) -> Option<Timestamp> {
    if item.head.origin == Source::Import {
        Some(purchase.created_at).filter(|bought| *bought < item.created_at)
    } else {
        Some(item.created_at)
    }
}

/// Returns the ids of an item and its purchase.
pub(super) fn on_record(item: &InventoryItem) -> OnRecord {
    OnRecord { item_id: item.id, purchase_id: item.purchase_id }
}

fn refused(code: ReasonCode, found: &str) -> SaleVerdict {
    SaleVerdict::Refused(vec![(code, found.to_owned())])
}

/// Decides what applying does with each sale of a content.
pub(super) async fn check_sales(
    operations: &Operations,
    scope: WorkspaceScope,
    import: ImportId,
    rows: &mut [ImportRow],
) -> OpResult<()> {
    let mut known = KnownSales::read(operations, scope, import).await?;
    for row in rows.iter_mut().filter(|row| row.reasons.is_empty()) {
        match known.decide(row).await? {
            SaleVerdict::New(new) => note(row, new.records(), RowOutcome::WillUpdate),
            SaleVerdict::Recorded(records) => note(row, records, RowOutcome::Same),
            SaleVerdict::Refused(objections) => refuse_all(row, objections),
        }
    }
    Ok(())
}
