//! An imported item: one that was ours before it was recorded here, with what is known of how it was bought.
//!
//! It is recorded as the item of a purchase that is final, so that its cost, its sale and its chain are those of any other item.
//! Neither belongs to a contract, and the purchase names no trade.

use crate::asset::{AppId, AssetId, ContextId};
use crate::contracts::chain::AssetIdLink;
use crate::contracts::inventory_item::{HeldAsset, InventoryItem, ReceiveError, Traits};
use crate::contracts::purchase::{CorruptPurchase, Order, Purchase, PurchaseTerms};
use crate::id::{AssetIdLinkId, InventoryItemId, PurchaseId, WorkspaceId};
use crate::money::{Cents, MoneyError};
use crate::text::{AccountName, ExternalId, MarketHashName, Marketplace};
use crate::time::Timestamp;

/// An item that was ours before it was recorded here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedItem {
    /// The game.
    pub app_id: AppId,
    /// The inventory context it is in.
    pub context_id: ContextId,
    /// The asset id it has.
    pub asset_id: AssetId,
    /// The item variant.
    pub market_hash_name: MarketHashName,
    /// The traits that distinguish it from others of its name.
    pub traits: Traits,
    /// What was paid for it; `None` where that is unknown.
    pub paid: Option<Paid>,
    /// Where it was bought.
    pub marketplace: Marketplace,
    /// The marketplace's id of the order.
    pub order_id: Option<ExternalId>,
    /// The marketplace's id of the listing, where it is known besides the order.
    pub listing_id: Option<ExternalId>,
    /// When it was bought.
    pub bought_at: Option<Timestamp>,
    /// Until when the trade that brought it can be reversed.
    pub protected_until: Option<Timestamp>,
}

/// What was paid for an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Paid {
    /// The price, without the fee; zero for what was a gift.
    pub price: Cents,
    /// What the marketplace took on top of it.
    pub fee: Cents,
}

/// The ids of the records of an imported item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportedIds {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase.
    pub purchase_id: PurchaseId,
    /// The item.
    pub item_id: InventoryItemId,
    /// The first link of its chain.
    pub link_id: AssetIdLinkId,
}

/// The records of an imported item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedRecords {
    /// The purchase, which is final.
    pub purchase: Purchase,
    /// The item.
    pub item: InventoryItem,
    /// The only link of its chain.
    pub link: AssetIdLink,
}

/// Why an item was not recorded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportedItemError {
    /// Price and fee are more than an amount can be.
    #[error(transparent)]
    Money(#[from] MoneyError),
    /// Its purchase breaks a rule.
    #[error(transparent)]
    Purchase(#[from] CorruptPurchase),
    /// The item cannot be recorded.
    #[error(transparent)]
    Item(#[from] ReceiveError),
}

impl ImportedItem {
    /// Returns the records of the item, which an account of ours holds. `source_id` names the import.
    ///
    /// # Errors
    /// [`ImportedItemError`] when price and fee are too much for an amount, and when it was bought later than now.
    pub fn record(
        &self,
        ids: ImportedIds,
        account_name: AccountName,
        source_id: ExternalId,
        at: Timestamp,
    ) -> Result<ImportedRecords, ImportedItemError> {
        let Paid { price, fee } = self.paid.unwrap_or_default();
        // A listing is never free.
        let listing_price = price.max(Cents::ONE);
        // An order of which no id is known has that of the purchase.
        let order_id = self.order_id.clone().unwrap_or_else(|| ids.purchase_id.to_bytes().into());
        let terms = PurchaseTerms {
            id: ids.purchase_id,
            workspace_id: ids.workspace_id,
            contract_id: None,
            intent_id: None,
            app_id: self.app_id,
            market_hash_name: self.market_hash_name.clone(),
            traits: Box::new(self.traits.clone()),
            listing_price,
            max_buy_price: listing_price.plus(fee)?,
            platform_fee: fee,
            listing_id: self.listing_id.clone().unwrap_or_else(|| order_id.clone()),
            listing_asset_id: self.asset_id.clone(),
            marketplace: self.marketplace.clone(),
            account_name,
            exchange_rate: None,
        };
        let order = self.paid.map(|Paid { price, fee }| Order { id: order_id, executed_price: price, fee });
        let purchase = Purchase::import(terms, order, self.bought_at.unwrap_or(at), at)?;
        let held = HeldAsset {
            item_id: ids.item_id,
            link_id: ids.link_id,
            context_id: self.context_id,
            source_id,
            protected_until: self.protected_until,
        };
        let (item, link) = InventoryItem::import(&purchase, held, at)?;
        Ok(ImportedRecords { purchase, item, link })
    }

    /// Returns the name of the first field that is not as it was recorded; `None` if all are. What is not given is not compared if the
    /// record has it from elsewhere.
    pub fn difference(&self, recorded: &Purchase) -> Option<&'static str> {
        let (terms, order) = (&recorded.terms, recorded.progress.order.as_ref());
        let paid = order.map(|order| Paid { price: order.executed_price, fee: order.fee });
        let [own_price, price] = [self.paid, paid].map(|paid| paid.map(|paid| paid.price));
        let fields = [
            ("market_hash_name", self.market_hash_name != terms.market_hash_name),
            ("wear", self.traits.wear != terms.traits.wear),
            ("paint_seed", self.traits.paint_seed != terms.traits.paint_seed),
            ("phase", self.traits.phase != terms.traits.phase),
            ("price", own_price != price),
            ("fee", self.paid != paid),
            ("marketplace", self.marketplace != terms.marketplace),
            ("order_id", self.order_id.as_ref() != recorded.order_id()),
            ("listing_id", self.listing_id.as_ref().is_some_and(|id| *id != terms.listing_id)),
            ("bought_at", self.bought_at.is_some_and(|at| at != recorded.created_at)),
        ];
        fields.into_iter().find(|(_, differs)| *differs).map(|(name, _)| name)
    }
}
