//! Comparing the holdings of a content with each other and with the records that there are: what applying would do with each.

use std::collections::{HashMap, HashSet};

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::imported_item::ImportedItem;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{AccountId, InventoryItemId, PurchaseId};
use tradepost_domain::money::Currency;
use tradepost_domain::text::{AccountName, ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::import::{ImportRow, Objection, ReasonCode, RowOutcome, imported_item};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::changes::Seen;

use super::candidates::{Refuse as _, names, numbers};
use super::check_rows::platform;
use crate::{OpError, OpResult, Operations};

/// What there is that some holdings concern.
pub(super) struct KnownHoldings<'a> {
    pub(super) operations: &'a Operations,
    pub(super) scope: WorkspaceScope,
    pub(super) currency: Currency,
    /// The time of the market in which the workspace trades.
    pub(super) at: Timestamp,
    /// The accounts of the workspace that rows name.
    named: HashMap<AccountName, AccountId>,
    /// The accounts of the workspace with numbers of the rows.
    numbered: HashMap<PlatformUserId, AccountName>,
    /// The assets of rows that came before.
    assets: HashSet<(AppId, AssetId)>,
    /// The orders of rows that came before.
    orders: HashSet<(Marketplace, ExternalId)>,
}

/// What applying does with a holding.
pub(super) enum Verdict {
    /// It is recorded.
    New(Box<ImportedItem>, AccountName),
    /// It is on record already.
    Recorded(OnRecord),
    /// It is not applied.
    Refused(Vec<Objection>),
}

/// The records of a holding.
#[derive(Clone, Copy)]
pub(super) struct OnRecord {
    pub(super) item_id: InventoryItemId,
    pub(super) purchase_id: PurchaseId,
}

impl<'a> KnownHoldings<'a> {
    /// Reads the accounts that some rows name.
    pub(super) async fn read(operations: &'a Operations, scope: WorkspaceScope, rows: &[ImportRow]) -> OpResult<Self> {
        let store = &operations.ports.store;
        let workspace = store.workspaces().find(scope).await?.ok_or_else(|| OpError::not_found("workspace"))?;
        let numbered = store.trading_accounts().find_numbered(scope, &platform()?, &numbers(rows)).await?;
        let named = store.trading_accounts().find_all_named(scope, &names(rows)).await?;
        let accounts = named.iter().chain(&numbered).map(|account| (account.peek().name.clone(), account.peek().id));
        Ok(Self {
            operations,
            scope,
            currency: workspace.peek().base_currency,
            at: operations.market_now(scope.workspace_id()),
            named: accounts.collect(),
            numbered: numbered
                .iter()
                .map(|account| (account.peek().platform_user_id, account.peek().name.clone()))
                .collect(),
            assets: HashSet::new(),
            orders: HashSet::new(),
        })
    }

    /// Returns the time at which holdings are recorded.
    pub(super) const fn at(&self) -> Timestamp {
        self.at
    }

    /// Decides what applying does with a row, and notes its account.
    pub(super) async fn decide(&mut self, row: &mut ImportRow) -> OpResult<Verdict> {
        let incomplete = || OpError::internal(format!("row {} has no holding", row.number));
        let fields = &row.holding.as_deref().ok_or_else(incomplete)?.fields;
        let item = match imported_item(fields, self.currency, self.at) {
            Ok(item) => item,
            Err(objections) => return Ok(Verdict::Refused(objections)),
        };
        let holder = match self.holder(row) {
            Ok(holder) => holder,
            Err(found) => return Ok(refused(ReasonCode::AccountUnknown, found)),
        };
        row.account_id = self.account_of(&holder);
        if self.is_asset_twice(&item) {
            return Ok(refused(ReasonCode::AssetTwice, "an earlier row has the asset id"));
        }
        if let Some(known) = self.recorded(&item).await? {
            return Ok(known);
        }
        if self.is_order_twice(&item) || self.purchase_of_order(&item).await?.is_some() {
            return Ok(refused(ReasonCode::OrderTaken, "another purchase, or an earlier row, has the order"));
        }
        Ok(Verdict::New(Box::new(item), holder))
    }

    /// Returns the id of an account that a row names.
    pub(super) fn account_of(&self, holder: &AccountName) -> Option<AccountId> {
        self.named.get(holder).copied()
    }

    /// Returns the name of the account that holds an item.
    pub(super) fn holder(&self, row: &ImportRow) -> Result<AccountName, &'static str> {
        let named = row.name.as_ref().map(|name| self.named.contains_key(name).then_some(name));
        let numbered = row.platform_user_id.map(|number| self.numbered.get(&number));
        match (named, numbered) {
            (None, None) => Err("account and platform_user_id are missing"),
            (Some(None), _) => Err("no account of the workspace has the name"),
            (_, Some(None)) => Err("no account of the workspace has the number"),
            (Some(Some(name)), Some(Some(holder))) if name != holder => Err("the account has another number"),
            (Some(Some(name)), _) | (None, Some(Some(name))) => Ok(name.clone()),
        }
    }

    /// Returns what is to be done with a holding whose asset id is on record; `None` where it is not.
    async fn recorded(&self, imported: &ImportedItem) -> OpResult<Option<Verdict>> {
        let Some(item) = self.item_of_asset(imported).await? else { return Ok(None) };
        let (item, item_id) = (item.peek(), item.peek().id);
        let purchase = self.operations.ports.store.purchases().find(self.scope, item.purchase_id).await?;
        let purchase = purchase.ok_or_else(|| OpError::internal(format!("item {item_id} has no purchase")))?;
        let purchase = purchase.peek();
        if item.head.origin != Source::Import || purchase.terms.listing_asset_id != imported.asset_id {
            return Ok(Some(refused(ReasonCode::AssetKnown, "an item of the workspace has or had the asset id")));
        }
        Ok(Some(match imported.difference(purchase) {
            None => Verdict::Recorded(OnRecord { item_id, purchase_id: item.purchase_id }),
            Some(field) => refused(ReasonCode::HoldingDiffers, &format!("{field} is not as it was imported before")),
        }))
    }

    /// Returns the item that has or had the asset id of an imported one.
    pub(super) async fn item_of_asset(&self, imported: &ImportedItem) -> OpResult<Option<Seen<InventoryItem>>> {
        let items = self.operations.ports.store.items();
        let Some((item_id, _)) = items.find_link_of_asset(self.scope, &imported.asset_id).await? else {
            return Ok(None);
        };
        let item = items.find(self.scope, item_id).await?;
        let item = item.ok_or_else(|| OpError::internal(format!("a link has no item {item_id}")))?;
        // Another game may have the same number.
        Ok(Some(item).filter(|item| item.peek().app_id == imported.app_id))
    }

    /// Returns the purchase on record that has the order of an item.
    pub(super) async fn purchase_of_order(&self, item: &ImportedItem) -> OpResult<Option<Seen<Purchase>>> {
        let Some(order) = &item.order_id else { return Ok(None) };
        Ok(self.operations.ports.store.purchases().find_of_order(self.scope, &item.marketplace, order).await?)
    }

    /// Returns whether an earlier row has the asset id of an item.
    pub(super) fn is_asset_twice(&mut self, item: &ImportedItem) -> bool {
        !self.assets.insert((item.app_id, item.asset_id.clone()))
    }

    /// Returns whether an earlier row has the order of an item.
    pub(super) fn is_order_twice(&mut self, item: &ImportedItem) -> bool {
        let order = item.order_id.as_ref().map(|order| (item.marketplace.clone(), order.clone()));
        order.is_some_and(|order| !self.orders.insert(order))
    }
}

fn refused(code: ReasonCode, found: &str) -> Verdict {
    Verdict::Refused(vec![(code, found.to_owned())])
}

/// Decides what applying does with each holding of a content.
pub(super) async fn check_holdings(
    operations: &Operations,
    scope: WorkspaceScope,
    rows: &mut [ImportRow],
) -> OpResult<()> {
    let mut known = KnownHoldings::read(operations, scope, rows).await?;
    for row in rows.iter_mut().filter(|row| row.reasons.is_empty()) {
        match known.decide(row).await? {
            Verdict::New(..) => {}
            Verdict::Recorded(records) => note(row, records, RowOutcome::Same),
            Verdict::Refused(objections) => refuse_all(row, objections),
        }
    }
    Ok(())
}

/// Notes the records of a holding.
pub(super) fn note(row: &mut ImportRow, records: OnRecord, outcome: RowOutcome) {
    row.outcome = outcome;
    if let Some(holding) = row.holding.as_deref_mut() {
        holding.item_id = Some(records.item_id);
        holding.purchase_id = Some(records.purchase_id);
    }
}

/// Refuses a row for every objection.
pub(super) fn refuse_all(row: &mut ImportRow, objections: Vec<Objection>) {
    for (code, found) in objections {
        row.refuse(code, &found);
    }
}
