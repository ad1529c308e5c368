//! An inventory item: one owned asset, from its receipt through listing and sale to where it ended.
//!
//! The item keeps the head of its asset-id chain, and each step that the chain records returns the link to append. An
//! [`InventoryItem`] can be read freely but only made by [`InventoryItem::receive`] and [`InventoryItem::import`], changed by
//! [`InventoryItem::apply`], [`InventoryItem::append`] and [`InventoryItem::sell_elsewhere`], and read back from a store by [`InventoryItem::restore`]. Its revision
//! counter belongs to the store.

mod elsewhere;
mod event;
mod machine;
mod status;
mod traits;

use std::ops::Deref;

use crate::asset::{AppId, AssetId, ContextId};
use crate::contracts::chain::{AssetIdLink, ChainError, ChainHead, ChainOwner, Evidence, NewLink, Source};
use crate::contracts::purchase::{CounterDelta, Purchase, PurchaseStatus};
use crate::id::{AssetIdLinkId, ContractId, InventoryItemId, PurchaseId, WorkspaceId};
use crate::markets::exchange::ExchangeRate;
use crate::money::Cents;
use crate::text::{AccountName, ExternalId, MarketHashName, Marketplace};
use crate::time::Timestamp;

pub use elsewhere::SaleElsewhere;
pub use event::{AssetEvidence, ItemEvent, Proceeds};
pub use machine::{ABSENCE_SPACING, ItemError};
pub use status::{ItemStatus, LockKind};
pub use traits::{Difference, Traits};

/// What keeps an item from being traded, and until when. Not a status: some marketplaces list locked items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lock {
    /// What keeps it.
    pub kind: LockKind,
    /// When it ends.
    pub until: Timestamp,
}

/// Where an item is put on sale, and for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SalePlace {
    /// The marketplace.
    pub marketplace: Marketplace,
    /// The selling contract; `None` where a person sells the item without one.
    pub contract_id: Option<ContractId>,
}

/// All fields of an inventory item, as a store keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemParts {
    /// Its own id.
    pub id: InventoryItemId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase that brought it.
    pub purchase_id: PurchaseId,
    /// The buying contract; `None` of an item that was ours before it was recorded here.
    pub contract_id: Option<ContractId>,
    /// The item variant.
    pub market_hash_name: MarketHashName,
    /// The current status.
    pub status: ItemStatus,
    /// The state it went missing from, while missing.
    pub missing_from: Option<ItemStatus>,
    /// The price paid for it, without fees; zero where that is unknown.
    pub buy_price: Cents,
    /// The trading account that holds it.
    pub account_name: AccountName,
    /// The game.
    pub app_id: AppId,
    /// The inventory context.
    pub context_id: ContextId,
    /// What keeps it from being traded.
    pub lock: Option<Lock>,
    /// The traits that distinguish it from others of its name.
    pub traits: Traits,
    /// Where it is on sale, or was sold; not known of every item that a listing was seen of.
    pub sale_place: Option<SalePlace>,
    /// The marketplace's id of its sale listing.
    pub sale_listing_id: Option<ExternalId>,
    /// The price asked for it.
    pub list_price: Option<Cents>,
    /// By which rate it is asked where it is on sale in another currency, and by which its sale is booked.
    pub sale_rate: Option<ExchangeRate>,
    /// What its sale brings, once a buyer paid.
    pub proceeds: Option<Proceeds>,
    /// When it was given to its buyer.
    pub sold_at: Option<Timestamp>,
    /// The end of its asset-id chain.
    pub head: ChainHead,
    /// When it was received.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// An inventory item that keeps every rule. Its parts are read through [`Deref`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InventoryItem(ItemParts);

/// What is known about an item that a purchase brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The id of the item to be made.
    pub item_id: InventoryItemId,
    /// The ids of its first two links.
    pub link_ids: [AssetIdLinkId; 2],
    /// The asset id that the trade gave it.
    pub asset_id: AssetId,
    /// The game.
    pub app_id: AppId,
    /// The inventory context it arrived in.
    pub context_id: ContextId,
    /// The traits that distinguish it from others of its name, as the platform shows them.
    pub traits: Traits,
}

/// What is known about an item that was ours before it was recorded here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldAsset {
    /// The id of the item to be made.
    pub item_id: InventoryItemId,
    /// The id of its first link.
    pub link_id: AssetIdLinkId,
    /// The inventory context it is in.
    pub context_id: ContextId,
    /// The import that names it.
    pub source_id: ExternalId,
    /// Until when the trade that brought it can be reversed.
    pub protected_until: Option<Timestamp>,
}

/// Why an item was not received.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReceiveError {
    /// The purchase has not brought its item.
    #[error("a purchase that is {0} has brought no item")]
    NotTraded(
        /// The status of the purchase.
        PurchaseStatus,
    ),
    /// The asset id cannot be that of the traded item.
    #[error(transparent)]
    Chain(#[from] ChainError),
}

/// A stored item breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an item that is {status} breaks a rule: {rule}")]
pub struct CorruptItem {
    /// The stored status.
    pub status: ItemStatus,
    /// The rule.
    pub rule: &'static str,
}

impl InventoryItem {
    /// Receives the item that `purchase` brought, with the first two links of its chain: the listing it was bought from and
    /// the trade that brought it. What the platform does not show of it is as its listing showed it.
    ///
    /// # Errors
    /// [`ReceiveError::NotTraded`] unless the purchase is TRADED, [`ReceiveError::Chain`] when the trade did not change the
    /// asset id.
    pub fn receive(
        purchase: &Purchase,
        receipt: Receipt,
        at: Timestamp,
    ) -> Result<(Self, [AssetIdLink; 2]), ReceiveError> {
        let not_traded = ReceiveError::NotTraded(purchase.status);
        let progress = &purchase.progress;
        let (PurchaseStatus::Traded, Some(trade_id), Some(order), Some(protected_until)) =
            (purchase.status, &progress.trade_id, &progress.order, progress.protected_until)
        else {
            return Err(not_traded);
        };
        let terms = &purchase.terms;
        let owner =
            ChainOwner { workspace_id: terms.workspace_id, inventory_item_id: receipt.item_id, purchase_id: terms.id };
        let (links, head) = first_links(purchase, trade_id, &receipt, at)?;
        let protection = Lock { kind: LockKind::TradeProtection, until: protected_until };
        let item = ItemParts {
            id: receipt.item_id,
            workspace_id: terms.workspace_id,
            purchase_id: terms.id,
            contract_id: terms.contract_id,
            market_hash_name: terms.market_hash_name.clone(),
            status: ItemStatus::InInventory,
            missing_from: None,
            buy_price: order.executed_price,
            account_name: terms.account_name.clone(),
            app_id: receipt.app_id,
            context_id: receipt.context_id,
            lock: (protected_until > at).then_some(protection),
            traits: receipt.traits.or(&terms.traits),
            sale_place: None,
            sale_listing_id: None,
            list_price: None,
            sale_rate: None,
            proceeds: None,
            sold_at: None,
            head,
            created_at: at,
            updated_at: at,
        };
        let ([listed, traded], [first, second]) = (links, receipt.link_ids);
        Ok((Self(item), [listed.of(owner, first), traded.of(owner, second)]))
    }

    /// Records the item of an imported purchase, with the first link of its chain: the asset id under which it was ours.
    ///
    /// # Errors
    /// [`ReceiveError::NotTraded`] unless the purchase is an imported one.
    pub fn import(purchase: &Purchase, held: HeldAsset, at: Timestamp) -> Result<(Self, AssetIdLink), ReceiveError> {
        if !purchase.is_imported() {
            return Err(ReceiveError::NotTraded(purchase.status));
        }
        let terms = &purchase.terms;
        let (asset_id, source_id) = (terms.listing_asset_id.clone(), held.source_id);
        let first = NewLink::first(Evidence { asset_id, source: Source::Import, source_id }, at)?;
        let protection = held.protected_until.map(|until| Lock { kind: LockKind::TradeProtection, until });
        let item = ItemParts {
            id: held.item_id,
            workspace_id: terms.workspace_id,
            purchase_id: terms.id,
            contract_id: None,
            market_hash_name: terms.market_hash_name.clone(),
            status: ItemStatus::InInventory,
            missing_from: None,
            buy_price: purchase.progress.order.as_ref().map_or(Cents::ZERO, |order| order.executed_price),
            account_name: terms.account_name.clone(),
            app_id: terms.app_id,
            context_id: held.context_id,
            lock: protection.filter(|lock| lock.until > at),
            traits: (*terms.traits).clone(),
            sale_place: None,
            sale_listing_id: None,
            list_price: None,
            sale_rate: None,
            proceeds: None,
            sold_at: None,
            head: ChainHead::of_first(&first),
            created_at: at,
            updated_at: at,
        };
        let item = Self(item);
        let link = first.of(item.chain_owner(), held.link_id);
        Ok((item, link))
    }

    /// Takes an item back from a store.
    ///
    /// # Errors
    /// [`CorruptItem`] when the parts contradict each other.
    pub fn restore(parts: ItemParts) -> Result<Self, CorruptItem> {
        match parts.broken_rule() {
            Some(rule) => Err(CorruptItem { status: parts.status, rule }),
            None => Ok(Self(parts)),
        }
    }

    /// The parts, for a store.
    pub fn into_parts(self) -> ItemParts {
        self.0
    }

    /// The asset id that the item has now.
    pub fn current_asset_id(&self) -> &AssetId {
        &self.0.head.asset_id
    }

    /// What each link of its chain says about its owner.
    pub fn chain_owner(&self) -> ChainOwner {
        ChainOwner { workspace_id: self.0.workspace_id, inventory_item_id: self.0.id, purchase_id: self.0.purchase_id }
    }

    /// What the item adds to the counters of a contract that sells it.
    pub fn sale_counter_delta(&self, contract: ContractId) -> CounterDelta {
        let sells_it = self.0.sale_place.as_ref().is_some_and(|place| place.contract_id == Some(contract));
        let is_sold = matches!(self.0.status, ItemStatus::Sold | ItemStatus::Settled);
        CounterDelta {
            open_quantity: u32::from(sells_it && !is_sold),
            filled_quantity: u32::from(sells_it && is_sold),
            ..CounterDelta::default()
        }
    }

    /// Whether it can still change; at most one live item has a given asset id of a game.
    pub fn is_live(&self) -> bool {
        !self.0.status.is_terminal()
    }
}

/// Links 0 and 1 of a bought item, and the head they leave.
fn first_links(
    purchase: &Purchase,
    trade_id: &ExternalId,
    receipt: &Receipt,
    at: Timestamp,
) -> Result<([NewLink; 2], ChainHead), ChainError> {
    let listing = Evidence {
        asset_id: purchase.terms.listing_asset_id.clone(),
        source: Source::Listing,
        source_id: purchase.terms.listing_id.clone(),
    };
    let trade =
        Evidence { asset_id: receipt.asset_id.clone(), source: Source::PurchaseTrade, source_id: trade_id.clone() };
    let listed = NewLink::first(listing, at)?;
    let start = ChainHead::of_first(&listed);
    let traded = start.next(trade, None, at)?;
    let head = start.after(&traded);
    Ok(([listed, traded], head))
}

impl Deref for InventoryItem {
    type Target = ItemParts;

    fn deref(&self) -> &ItemParts {
        &self.0
    }
}

impl ItemParts {
    /// The first rule that the parts break. Every record that the machine makes breaks none.
    fn broken_rule(&self) -> Option<&'static str> {
        use ItemStatus as Is;
        let status = self.status;
        // A missing item keeps what it had, so that it can go back to where it was.
        let last = self.missing_from.unwrap_or(status);
        let is_sold = matches!(status, Is::Sold | Is::Settled);
        let plain = matches!(last, Is::InInventory | Is::Reverted | Is::WrittenOff);
        let buyer_paid = matches!(last, Is::Reserved | Is::Delivering | Is::Held);
        let source = self.head.source;
        let rules = [
            (
                self.missing_from.is_some() == (status == Is::Missing) && last != Is::Missing,
                "a missing item remembers where it was, no other does",
            ),
            (self.missing_from.is_none_or(Is::can_go_missing), "an item goes missing from where it should be"),
            (
                match source {
                    Source::SaleTrade => is_sold || status == Is::WrittenOff,
                    Source::SaleElsewhere => status == Is::Settled,
                    Source::Listing
                    | Source::PurchaseTrade
                    | Source::Inventory
                    | Source::Transfer
                    | Source::SaleListing
                    | Source::SaleReturn
                    | Source::PurchaseReversal
                    | Source::Import => !is_sold,
                },
                "a chain ends with a sale exactly when the item is sold, or was written off as such",
            ),
            (
                (source == Source::PurchaseReversal) == (status == Is::Reverted),
                "a chain ends with a reversal exactly when the item is reverted",
            ),
            (source != Source::Listing, "an item's chain goes beyond its listing"),
            (self.head.origin.starts_chain(), "a chain starts with listing or import"),
            (
                self.contract_id.is_some() || self.head.origin == Source::Import,
                "an item without a contract was imported",
            ),
            (self.sold_at.is_some() == is_sold, "the time of sale is on record exactly when it is sold"),
            (self.sale_listing_id.is_some() || !(buyer_paid || last == Is::Listed), "an item on sale has a listing"),
            (self.sale_listing_id.is_none() || !(plain || last == Is::Listing), "an item not on sale has no listing"),
            (self.sale_place.is_none() || !plain, "an item not on sale is on sale nowhere"),
            (self.list_price.is_none() || !plain, "an item not on sale has no price"),
            (self.sale_rate.is_none() || self.list_price.is_some(), "a rate is that of a price"),
            (self.list_price.is_some() || last != Is::Listing, "an item to be listed has a price"),
            (
                self.proceeds.is_some() || !(buyer_paid || status == Is::Settled),
                "an item that a buyer paid for has proceeds",
            ),
            (
                self.proceeds.is_none() || !(plain || matches!(last, Is::Listing | Is::Listed)),
                "an item without a buyer has no proceeds",
            ),
            (self.head.at <= self.updated_at, "the chain does not grow without the item"),
            (self.created_at <= self.updated_at, "it is not changed before it is received"),
        ];
        rules.into_iter().find(|(kept, _)| !kept).map(|(_, rule)| rule)
    }
}
