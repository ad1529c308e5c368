//! Samples of items and chains, made by the state machine of items.

use time::Duration;
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::contracts::chain::{AssetIdLink, Source};
use tradepost_domain::contracts::inventory_item::{
    InventoryItem, ItemEvent, ItemStatus, Proceeds, Receipt, SalePlace, Traits,
};
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::text::ExternalId;

use super::trading::{cents, late};
use super::{Samples, start, text};
use tradepost_ports::changes::AppendLink;

impl Samples {
    /// Returns an asset id that was not returned before.
    ///
    /// # Panics
    /// Never: a number is an asset id.
    pub fn asset_id(&self) -> AssetId {
        AssetId::new(&self.number().to_string()).unwrap()
    }

    /// Returns the item that a traded purchase delivered, with the first two links of its chain.
    ///
    /// # Panics
    /// When the purchase is not traded.
    pub fn item(&self, purchase: &Purchase) -> (InventoryItem, Vec<AssetIdLink>) {
        self.item_known_as(purchase, self.asset_id())
    }

    /// Returns the same under a given asset id.
    ///
    /// # Panics
    /// When the purchase is not traded.
    pub fn item_known_as(&self, purchase: &Purchase, asset_id: AssetId) -> (InventoryItem, Vec<AssetIdLink>) {
        let receipt = Receipt {
            item_id: self.id(),
            link_ids: [self.id(), self.id()],
            asset_id,
            app_id: AppId::CS2,
            context_id: ContextId::PROTECTED,
            traits: Traits { paint_seed: Some(412), ..Traits::default() },
        };
        let (item, links) = InventoryItem::receive(purchase, receipt, start()).unwrap();
        (item, links.to_vec())
    }

    /// Returns an item in a status, by the shortest path to it, with its whole chain.
    ///
    /// # Panics
    /// When the purchase is not traded.
    pub fn item_in(&self, purchase: &Purchase, status: ItemStatus) -> (InventoryItem, Vec<AssetIdLink>) {
        let Some(before) = before(status) else { return self.item(purchase) };
        let (item, mut links) = self.item_in(purchase, before);
        let owner = item.chain_owner();
        let event = self.event_into(&item, status);
        let (item, link) = item.apply(event, late()).unwrap();
        links.extend(link.map(|link| link.of(owner, self.id())));
        (item, links)
    }

    /// Returns the steps of an item in the inventory to a status, by the shortest path to it, each with the link that it adds.
    ///
    /// # Panics
    /// When the item is not in the inventory.
    pub fn steps_to(&self, item: &InventoryItem, status: ItemStatus) -> Vec<(InventoryItem, Option<AssetIdLink>)> {
        let Some(before) = before(status) else { return Vec::new() };
        let mut steps = self.steps_to(item, before);
        let last = steps.last().map_or(item, |(last, _)| last).clone();
        let (owner, event) = (last.chain_owner(), self.event_into(&last, status));
        let (next, link) = last.apply(event, late()).unwrap();
        steps.push((next, link.map(|link| link.of(owner, self.id()))));
        steps
    }

    fn event_into(&self, item: &InventoryItem, status: ItemStatus) -> ItemEvent {
        let proceeds = Proceeds::new(cents(1_900), cents(95)).unwrap();
        let listing = || item.sale_listing_id.clone().unwrap_or_else(|| self.external_id());
        match status {
            // The first status of an item; from SOLD it returns there by a reversal.
            ItemStatus::InInventory => {
                ItemEvent::SaleReversed { rollback_trade_id: self.external_id(), asset_id: self.asset_id() }
            }
            ItemStatus::Listing => {
                let place = SalePlace { marketplace: text("skinport"), contract_id: Some(self.id()) };
                ItemEvent::ListingStarted {
                    place,
                    price: cents(1_900),
                    takes_locked: true,
                    exchange_rate: Some(self.exchange_rate()),
                }
            }
            ItemStatus::Listed => {
                ItemEvent::ListingAccepted { listing_id: listing(), asset_id: item.current_asset_id().clone() }
            }
            ItemStatus::Reserved => ItemEvent::SaleNoticed { listing_id: listing(), proceeds },
            ItemStatus::Delivering => ItemEvent::DeliveryStarted { asset_id: item.current_asset_id().clone() },
            ItemStatus::Held => ItemEvent::DeliveryHeld,
            ItemStatus::Sold => ItemEvent::Given { trade_id: self.external_id(), asset_id: self.asset_id() },
            ItemStatus::Settled => ItemEvent::ProceedsBooked { proceeds, protected_until: start(), paid_out: false },
            ItemStatus::Missing => {
                ItemEvent::WentMissing { first_absent_at: start(), last_absent_at: start().plus(Duration::minutes(10)) }
            }
            ItemStatus::Reverted => {
                ItemEvent::PurchaseReversed { rollback_trade_id: self.external_id(), asset_id: None }
            }
            ItemStatus::WrittenOff => ItemEvent::GivenUp,
        }
    }

    /// Returns an item whose sale was reversed: its chain ends with a `sale_return`.
    ///
    /// # Panics
    /// When the purchase is not traded.
    pub fn returned_item(&self, purchase: &Purchase) -> (InventoryItem, Vec<AssetIdLink>) {
        let (item, mut links) = self.item_in(purchase, ItemStatus::Sold);
        let owner = item.chain_owner();
        let event = self.event_into(&item, ItemStatus::InInventory);
        let (item, link) = item.apply(event, late()).unwrap();
        links.extend(link.map(|link| link.of(owner, self.id())));
        (item, links)
    }

    /// Returns a link that fits the end of an item's chain: it was seen under a new asset id.
    pub fn next_link(&self, item: &InventoryItem) -> AppendLink {
        AppendLink {
            id: self.id(),
            workspace_id: item.workspace_id,
            inventory_item_id: item.id,
            expected_step: None,
            asset_id: self.asset_id(),
            source: Source::Inventory,
            source_id: self.external_id(),
            at: late(),
        }
    }

    /// Returns an identifier of an external system that was not returned before.
    pub fn external_id(&self) -> ExternalId {
        self.unique("ext")
    }
}

/// Returns the status before on the shortest path from the receipt.
const fn before(status: ItemStatus) -> Option<ItemStatus> {
    match status {
        ItemStatus::InInventory => None,
        ItemStatus::Listing | ItemStatus::Missing | ItemStatus::Reverted => Some(ItemStatus::InInventory),
        ItemStatus::Listed => Some(ItemStatus::Listing),
        ItemStatus::Reserved => Some(ItemStatus::Listed),
        ItemStatus::Delivering => Some(ItemStatus::Reserved),
        ItemStatus::Held | ItemStatus::Sold => Some(ItemStatus::Delivering),
        ItemStatus::Settled => Some(ItemStatus::Sold),
        ItemStatus::WrittenOff => Some(ItemStatus::Missing),
    }
}
