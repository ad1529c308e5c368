//! Takes items off sale without a sale: delisted, lost by the marketplace, or returned with their purchase.

use tradepost_domain::contracts::inventory_item::{AssetEvidence, InventoryItem, ItemEvent, ItemStatus};
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::text::ExternalId;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::ItemOfPurchase;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{ListingStatus, MarketListing};

use crate::context::Context;
use crate::desk::Venue;
use crate::error::{EngineError, EngineResult};
use crate::market::observation::MarketState;
use crate::sales::Sales;
use crate::sales::listing_lifecycle::sale_venue;

impl Sales {
    /// Whether a listing that its marketplace does not know is not on sale under another id either, was not sold, and has not been
    /// known for a while without a break.
    pub(crate) fn is_lost_by_marketplace(
        &self,
        context: &Context,
        market_state: &MarketState,
        item: &InventoryItem,
        listing: Option<&MarketListing>,
    ) -> bool {
        let Some(marketplace) = item.sale_place.as_ref().map(|place| &place.marketplace) else { return false };
        let own = market_state.own_listings.get(marketplace).filter(|own| item.updated_at < own.read_at);
        let is_own = own.is_some_and(|own| own.of(item.current_asset_id()).is_some());
        let unknown_for = self.reported.listing_unknown_for(item, listing.is_none() && !is_own, context.mark());
        unknown_for >= context.timings.listing_mismatch_grace
            && own.is_some_and(|own| self.reported.covers(marketplace, own.read_at))
    }
}

/// Records that an item is no longer on sale and ours as before.
pub(crate) async fn listing_ended(
    context: &Context,
    item: &Versioned<InventoryItem>,
    listing_id: ExternalId,
) -> EngineResult<Versioned<InventoryItem>> {
    let seen = AssetEvidence { asset_id: item.value.current_asset_id().clone(), source_id: listing_id };
    context.apply_item_event(item, ItemEvent::ListingEnded { seen }).await
}

/// Takes an item off sale; `None` where the marketplace does not know the listing: who follows it finds out why.
pub(crate) async fn delist_item(
    context: &Context,
    item: &Versioned<InventoryItem>,
    venue: &Venue,
    listing_id: &ExternalId,
) -> EngineResult<Option<Versioned<InventoryItem>>> {
    if delist(venue, listing_id).await? {
        listing_ended(context, item, listing_id.clone()).await.map(Some)
    } else {
        Ok(None)
    }
}

/// Delists the item of a purchase before its reversal is recorded. Returns whether the reversal can be recorded: an item whose
/// listing is in progress has an unknown outcome.
pub(crate) async fn release_item(context: &Context, purchase: &Purchase) -> EngineResult<bool> {
    let ask = ItemOfPurchase { workspace_id: context.desk.workspace_id, purchase_id: purchase.terms.id };
    let Some(item) = context.operations.item_of_purchase(&context.caller, ask).await? else {
        return Ok(true);
    };
    let Some(venue) = sale_venue(context, &item.value) else { return Ok(true) };
    match (item.value.status, &item.value.sale_listing_id) {
        (ItemStatus::Listing, _) => Ok(false),
        (ItemStatus::Listed, Some(listing_id)) => match delist_item(context, &item, venue, listing_id).await {
            // A buyer was faster: what cannot be delivered ends at its deadline.
            Err(EngineError::Marketplace(ExternalError::Rejected(_))) => Ok(true),
            taken => taken.map(|_| true),
        },
        (ItemStatus::Missing, Some(listing_id)) => match delist(venue, listing_id).await {
            Err(EngineError::Marketplace(ExternalError::Rejected(_))) => Ok(true),
            withdrawn => withdrawn.map(|_| true),
        },
        _ => Ok(true),
    }
}

/// Takes a listing back; whether the marketplace knows it.
pub(crate) async fn delist(venue: &Venue, listing_id: &ExternalId) -> EngineResult<bool> {
    let Err(error) = venue.marketplace.delist(listing_id).await else { return Ok(true) };
    let ExternalError::Rejected(_) = &error else { return Err(error.into()) };
    // An earlier call without an answer may have delisted it.
    match venue.marketplace.listing(listing_id).await? {
        Some(listing) if listing.status == ListingStatus::Withdrawn => Ok(true),
        Some(_) => Err(error.into()),
        None => Ok(false),
    }
}
