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

/// What releases an item whose purchase was reversed.
#[derive(Debug, PartialEq, Eq)]
enum ReleaseStep<'a> {
    /// Nothing: it is not on sale.
    Nothing,
    /// The outcome of its listing call has to be known first.
    Wait,
    /// Take it off sale.
    Delist(&'a ExternalId),
    /// Take its listing back, which its record no longer counts as on sale.
    Withdraw(&'a ExternalId),
}

impl<'a> ReleaseStep<'a> {
    fn of(item: &'a InventoryItem) -> Self {
        match (item.status, &item.sale_listing_id) {
            (ItemStatus::Listing, _) => Self::Wait,
            (ItemStatus::Listed, Some(listing_id)) => Self::Delist(listing_id),
            (ItemStatus::Missing, Some(listing_id)) => Self::Withdraw(listing_id),
            _ => Self::Nothing,
        }
    }
}

/// Returns whether a listing is off sale after a call that was rejected: an earlier call without an answer may have delisted it. `None` if it is
/// still there, for another reason.
fn is_delisted(listing: Option<&MarketListing>) -> Option<bool> {
    match listing {
        Some(listing) if listing.status == ListingStatus::Withdrawn => Some(true),
        Some(_) => None,
        None => Some(false),
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
    let ask = ItemOfPurchase { workspace_id: context.desk().workspace_id, purchase_id: purchase.terms.id };
    let Some(item) = context.operations().item_of_purchase(context.caller(), ask).await? else {
        return Ok(true);
    };
    let Some(venue) = context.sale_venue(&item.value) else { return Ok(true) };
    let taken = match ReleaseStep::of(&item.value) {
        ReleaseStep::Nothing => return Ok(true),
        ReleaseStep::Wait => return Ok(false),
        ReleaseStep::Delist(listing_id) => delist_item(context, &item, venue, listing_id).await.map(drop),
        ReleaseStep::Withdraw(listing_id) => delist(venue, listing_id).await.map(drop),
    };
    match taken {
        // A buyer was faster: what cannot be delivered ends at its deadline.
        Err(EngineError::Marketplace(ExternalError::Rejected(_))) => Ok(true),
        taken => taken.map(|()| true),
    }
}

/// Takes a listing back; whether the marketplace knows it.
pub(crate) async fn delist(venue: &Venue, listing_id: &ExternalId) -> EngineResult<bool> {
    let Err(error) = venue.marketplace.delist(listing_id).await else { return Ok(true) };
    let ExternalError::Rejected(_) = &error else { return Err(error.into()) };
    is_delisted(venue.marketplace.listing(listing_id).await?.as_ref()).ok_or_else(|| error.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::samples::{item, listing};

    #[test]
    fn an_item_is_taken_off_sale_before_its_reversal() {
        let listed = item(ItemStatus::Listed).value;
        assert_eq!(ReleaseStep::of(&listed), ReleaseStep::Delist(listed.sale_listing_id.as_ref().unwrap()));
    }

    #[test]
    fn the_listing_of_a_missing_item_is_taken_back_before_its_reversal() {
        let mut parts = item(ItemStatus::Listed).value.into_parts();
        (parts.missing_from, parts.status) = (Some(parts.status), ItemStatus::Missing);
        let missing = InventoryItem::restore(parts).unwrap();
        assert_eq!(ReleaseStep::of(&missing), ReleaseStep::Withdraw(missing.sale_listing_id.as_ref().unwrap()));
        assert_eq!(ReleaseStep::of(&item(ItemStatus::Missing).value), ReleaseStep::Nothing, "it was not on sale");
    }

    #[test]
    fn a_reversal_waits_for_a_listing_call_whose_outcome_is_unknown() {
        assert_eq!(ReleaseStep::of(&item(ItemStatus::Listing).value), ReleaseStep::Wait);
    }

    #[test]
    fn an_item_that_is_not_on_sale_needs_no_release() {
        for status in [ItemStatus::InInventory, ItemStatus::Delivering, ItemStatus::Sold] {
            assert_eq!(ReleaseStep::of(&item(status).value), ReleaseStep::Nothing);
        }
    }

    #[test]
    fn a_listing_that_was_not_taken_back_is_delisted_already_unknown_or_still_there() {
        assert_eq!(is_delisted(Some(&listing(ListingStatus::Withdrawn, 1_900))), Some(true));
        assert_eq!(is_delisted(None), Some(false));
        assert_eq!(is_delisted(Some(&listing(ListingStatus::Sold, 1_900))), None);
    }
}
