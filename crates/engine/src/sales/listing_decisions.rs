//! Decides how a listing and its sale proceed: by what the marketplace and the platform show of them. Values in, values out.

use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemEvent, ItemStatus, Proceeds};
use tradepost_domain::contracts::remediation::Evidence;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::ExternalId;
use tradepost_ports::game_platform::Trade;
use tradepost_ports::marketplace::{ListingStatus, MarketListing, OrderStatus, Sale};

use crate::desk::currency::OurSale;
use crate::error::EngineResult;
use crate::market::own_listings::OwnListings;
use crate::sales::reported_sales::{awaits_delivery, is_cancelled};

/// What is read for an item that is on sale, or was sold.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SaleLook {
    /// The listing whose call had no answer.
    CreatedListing,
    /// The listing.
    Listing,
    /// The sale.
    Sale,
    /// Nothing: only an offer that was out before can take a missing item to a buyer.
    Nothing,
}

impl SaleLook {
    pub(crate) fn of(item: &InventoryItem) -> Self {
        match item.status {
            ItemStatus::Listing => Self::CreatedListing,
            ItemStatus::Listed => Self::Listing,
            ItemStatus::Missing if item.missing_from != Some(ItemStatus::Delivering) => Self::Nothing,
            ItemStatus::Reserved
            | ItemStatus::Delivering
            | ItemStatus::Held
            | ItemStatus::Sold
            | ItemStatus::InInventory
            | ItemStatus::Settled
            | ItemStatus::Missing
            | ItemStatus::Reverted
            | ItemStatus::WrittenOff => Self::Sale,
        }
    }
}

/// Decides the outcome of a listing call without an answer, by our listings as they were read after it. The item may have been sold before
/// they were read. `None` while it is not known.
pub(crate) fn created_listing(
    item: &InventoryItem,
    own: &OwnListings,
    awaiting: Option<&Sale>,
    are_sales_read: bool,
    timeout: Duration,
) -> Option<ItemEvent> {
    let listed = own.of(item.current_asset_id()).map(|listing| (&listing.id, &listing.asset_id));
    if let Some((listing_id, asset_id)) = listed.or(awaiting.map(|sale| (&sale.listing_id, &sale.asset_id))) {
        return Some(ItemEvent::ListingAccepted { listing_id: listing_id.clone(), asset_id: asset_id.clone() });
    }
    let is_refused = are_sales_read && own.read_at().since(item.updated_at) >= timeout;
    is_refused.then_some(ItemEvent::ListingRefused)
}

/// Returns whether a reported sale may be that of a listed item. Marketplaces use the id of a listing again, for another item or for this
/// one. One that was given already was that other one.
pub(crate) fn may_be_sale_of(item: &InventoryItem, sale: &OurSale) -> bool {
    is_cancelled(sale) || awaits_delivery(sale) || sale.asset_id == *item.current_asset_id()
}

pub(crate) fn is_on_sale(listing: Option<&MarketListing>) -> bool {
    listing.is_some_and(|listing| listing.status == ListingStatus::OnSale)
}

/// Returns whether an item without a reported sale looks sold.
pub(crate) fn looks_sold(listing: Option<&MarketListing>) -> bool {
    listing.is_none_or(|listing| listing.status == ListingStatus::Sold)
}

/// Returns whether a listing has ended without a sale: withdrawn, or lost by its marketplace.
pub(crate) fn has_ended(listing: Option<&MarketListing>, is_lost: bool) -> bool {
    listing.map_or(is_lost, |listing| listing.status == ListingStatus::Withdrawn)
}

/// Returns how the listing of an item differs from its record: another price, an unknown listing, or a sold one without a reported
/// sale. A withdrawn one ends. Prices are in the currency of the marketplace.
pub(crate) fn listing_mismatch(
    asked: Option<VenueCents>,
    id: &ExternalId,
    listing: Option<&MarketListing>,
) -> Option<Evidence> {
    let cents = |price: VenueCents| ExternalId::from(price.get().unsigned_abs());
    let found = match listing {
        Some(listing) if listing.status == ListingStatus::Withdrawn => return None,
        Some(listing) if listing.status == ListingStatus::OnSale && Some(listing.offered.price) == asked => {
            return None;
        }
        // The meaning of the state is unknown: an operator decides.
        Some(MarketListing { status: ListingStatus::Other(number), .. }) => {
            ExternalId::new(&format!("status {number}")).ok()
        }
        Some(listing) => Some(cents(listing.offered.price)),
        None => None,
    };
    Some(Evidence { shown_by: Some(id.clone()), expected: asked.map(cents), found })
}

/// Next step of an item with a reported sale.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SaleStep {
    /// The marketplace cancelled the sale before a delivery: the item is released.
    Cancel,
    /// Accept the sale, and start the delivery.
    Commit,
    Deliver,
    /// Follow the trade that the platform holds.
    CheckHeldTrade,
    /// Book the proceeds.
    Settle,
    /// Follow the offers that were out.
    CheckMissing,
    Nothing,
}

impl SaleStep {
    pub(crate) const fn of(status: ItemStatus, sale: &OurSale) -> Self {
        match status {
            ItemStatus::Reserved if is_cancelled(sale) => Self::Cancel,
            ItemStatus::Reserved => Self::Commit,
            ItemStatus::Delivering => Self::Deliver,
            ItemStatus::Held => Self::CheckHeldTrade,
            ItemStatus::Sold => Self::Settle,
            ItemStatus::Missing => Self::CheckMissing,
            ItemStatus::InInventory
            | ItemStatus::Listing
            | ItemStatus::Listed
            | ItemStatus::Settled
            | ItemStatus::Reverted
            | ItemStatus::WrittenOff => Self::Nothing,
        }
    }
}

/// Next step of an item that its buyer has, by its sale.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ProceedsStep {
    /// A deal that is settled has paid its seller.
    Book(ItemEvent),
    /// The buyer has the money back: find the trade that returned the item.
    FindReturn,
    /// It is active, whatever was reported before: the money may come.
    Wait,
    /// Its state is unknown.
    Nothing,
}

impl ProceedsStep {
    pub(crate) fn of(sale: &OurSale) -> EngineResult<Self> {
        Ok(match sale.status {
            OrderStatus::Settled => {
                let proceeds = Proceeds::new(sale.price, sale.fee)?;
                Self::Book(ItemEvent::ProceedsBooked { proceeds, protected_until: sale.updated_at, paid_out: true })
            }
            OrderStatus::Reverted | OrderStatus::Refunded | OrderStatus::Failed(_) => Self::FindReturn,
            OrderStatus::AwaitingCommit
            | OrderStatus::AwaitingSeller
            | OrderStatus::InCustody { .. }
            | OrderStatus::Offered
            | OrderStatus::Delivered => Self::Wait,
            OrderStatus::Other(_) => Self::Nothing,
        })
    }
}

/// Returns the return of an item that was given under this asset id: the trade that brought it back shows its new one.
pub(crate) fn sale_reversal(trades: &[Trade], given: &AssetId) -> Option<ItemEvent> {
    trades.iter().find_map(|trade| {
        trade.rollback_of.as_ref()?;
        let back = trade.received.iter().find(|moved| moved.asset_id == *given)?;
        let (_, asset_id) = back.moved_to.clone()?;
        Some(ItemEvent::SaleReversed { rollback_trade_id: trade.id.clone(), asset_id })
    })
}

#[cfg(test)]
mod tests;
