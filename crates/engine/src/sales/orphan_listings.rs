//! Removes our listings that no item accounts for: their buyers would wait in vain.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::FindInventoryItemByAssetID;
use tradepost_operations::{Code, Versioned};
use tradepost_ports::marketplace::MarketListing;

use crate::context::Context;
use crate::context::delisting::delist;
use crate::context::problems::{Problem, ProblemSource};
use crate::desk::Venue;
use crate::desk::listing_key::ListingKey;
use crate::error::EngineResult;
use crate::mark::Mark;
use crate::mark::is_due;
use crate::market::state::MarketState;
use crate::pass::Pass;
use crate::sales::Sales;

/// What was seen of the listings that no item is on sale by.
#[derive(Debug, Default)]
pub(crate) struct OrphanListings {
    looked_at: Option<Mark>,
    /// After which listing the next look goes on, of each marketplace that has more than one shows.
    after: BTreeMap<Marketplace, ExternalId>,
    /// Those of items of ours, and since when.
    seen: BTreeMap<ListingKey, (Mark, Problem)>,
}

impl OrphanListings {
    /// The listings whose turn it is.
    fn next_batch(&mut self, marketplace: &Marketplace, own: &[MarketListing], most: usize) -> Vec<MarketListing> {
        let after = self.after.remove(marketplace);
        let mut by_id: Vec<&MarketListing> = own.iter().collect();
        by_id.sort_by(|one, other| one.id.cmp(&other.id));
        by_id.retain(|listing| after.as_ref().is_none_or(|after| listing.id > *after));
        if by_id.len() > most {
            by_id.truncate(most);
            self.after.extend(by_id.last().map(|last| (marketplace.clone(), last.id.clone())));
        }
        by_id.into_iter().cloned().collect()
    }

    /// Returns listings that were reported and are no longer on sale.
    fn vanished(&self, marketplace: &Marketplace, own: &[MarketListing]) -> Vec<ExternalId> {
        let of_it = self.seen.keys().filter(|key| key.marketplace == *marketplace).map(|key| &key.listing_id);
        of_it.filter(|id| !own.iter().any(|listing| listing.id == **id)).cloned().collect()
    }

    /// Notes a listing that no item is on sale by. Returns whether that has lasted so long that it is delisted.
    fn is_lasting(&mut self, key: ListingKey, problem: Problem, now: Mark, grace: Duration) -> bool {
        let (since, _) = *self.seen.entry(key).or_insert((now, problem));
        now.since(since) >= grace
    }
}

impl Sales {
    /// Compares our listings, as this pass has read them, with the items, and delists those that no item is on sale by.
    pub(crate) async fn remove_orphan_listings(
        &mut self,
        context: &Context,
        market_state: &MarketState,
        pass: &mut Pass,
    ) {
        let now = context.mark();
        if !is_due(self.orphans.looked_at.as_ref(), now, context.timings().orphan_check_interval) {
            return;
        }
        self.orphans.looked_at = Some(now);
        for venue in context.desk().venues.clone() {
            let Some(own) = market_state.own_listings(&venue.name).filter(|_| context.holds_marketplace(&venue.name))
            else {
                continue;
            };
            let vanished = self.orphans.vanished(&venue.name, own.all());
            let listings = self.orphans.next_batch(&venue.name, own.all(), context.timings().orphan_listings_per_check);
            for listing_id in vanished {
                pass.record(self.resolve_orphan(context, ListingKey::new(&venue.name, &listing_id)).await);
            }
            for listing in listings {
                let looked = self.check_own_listing(context, &venue, &listing).await;
                pass.record(looked);
            }
        }
    }

    async fn check_own_listing(&mut self, context: &Context, venue: &Venue, listing: &MarketListing) -> EngineResult {
        let key = ListingKey::new(&venue.name, &listing.id);
        let item = match item_by_asset(context, listing).await? {
            Some(item) if !is_listed_as(&item.value, &venue.name, &listing.id) => item,
            // A listing of something that is not an item of ours is left unchanged.
            Some(_) | None => return self.resolve_orphan(context, key).await,
        };
        let problem = (RemediationKind::ListingMismatch, Subject::InventoryItem(item.value.id));
        let grace = context.timings().orphan_report_after;
        let is_lasting = self.orphans.is_lasting(key, problem, context.mark(), grace);
        let shown_by = Some(listing.id.clone());
        let found = Some(ExternalId::from(listing.offered.price.get().unsigned_abs()));
        let shown = Evidence { shown_by, expected: None, found };
        context.report_problem_from(problem, ProblemSource::Listing, grace, Some(shown)).await?;
        if !is_lasting {
            return Ok(());
        }
        tracing::warn!(listing = %listing.id, item = %item.value.id, "orphan listing delisted");
        delist(venue, &listing.id).await.map(drop)
    }

    /// Resolves a listing that ended, or that has its item.
    async fn resolve_orphan(&mut self, context: &Context, key: ListingKey) -> EngineResult {
        match self.orphans.seen.remove(&key) {
            Some((_, problem)) => {
                context.report_problem_from(problem, ProblemSource::Listing, Duration::ZERO, None).await
            }
            None => Ok(()),
        }
    }
}

async fn item_by_asset(context: &Context, listing: &MarketListing) -> EngineResult<Option<Versioned<InventoryItem>>> {
    let (workspace_id, asset_id) = (context.desk().workspace_id, listing.asset_id.to_string());
    let find = FindInventoryItemByAssetID { workspace_id, asset_id };
    let found = match context.operations().find_inventory_item_by_asset_id(context.caller(), find).await {
        Err(refusal) if refusal.code == Code::NotFound => return Ok(None),
        found => found?.0,
    };
    Ok(context.items_by_id(vec![found]).await?.into_iter().next())
}

/// Whether an item is on sale by a listing, may be, or was sold by it.
fn is_listed_as(item: &InventoryItem, marketplace: &Marketplace, listing_id: &ExternalId) -> bool {
    let is_there = item.sale_place.as_ref().is_some_and(|place| place.marketplace == *marketplace);
    match item.status {
        ItemStatus::Listing => is_there,
        ItemStatus::Listed
        | ItemStatus::Reserved
        | ItemStatus::Delivering
        | ItemStatus::Held
        | ItemStatus::Sold
        | ItemStatus::Settled => is_there && item.sale_listing_id.as_ref() == Some(listing_id),
        ItemStatus::InInventory | ItemStatus::Missing | ItemStatus::Reverted | ItemStatus::WrittenOff => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_ports::marketplace::ListingStatus;
    use tradepost_testkit::samples::text;

    use crate::samples::item;

    fn listing(id: &str) -> MarketListing {
        MarketListing { id: text(id), ..crate::samples::listing(ListingStatus::OnSale, 1_900) }
    }

    fn key(listing_id: &str) -> ListingKey {
        ListingKey::new(&text("market"), &text(listing_id))
    }

    fn problem() -> Problem {
        (RemediationKind::ListingMismatch, Subject::InventoryItem(item(ItemStatus::InInventory).value.id))
    }

    fn is_listed(status: ItemStatus, marketplace: &str) -> [bool; 2] {
        let item = item(status).value;
        let own = item.sale_listing_id.clone().unwrap_or_else(|| text("none"));
        [own, text("other")].map(|listing_id| is_listed_as(&item, &text(marketplace), &listing_id))
    }

    #[test]
    fn the_listings_of_a_marketplace_take_turns_in_the_order_of_their_ids() {
        let (mut orphans, own) = (OrphanListings::default(), ["c", "a", "b"].map(listing));
        let mut batch = || -> Vec<_> {
            orphans.next_batch(&text("market"), &own, 2).iter().map(|listing| listing.id.to_string()).collect()
        };
        assert_eq!(batch(), ["a", "b"]);
        assert_eq!(batch(), ["c"]);
        assert_eq!(batch(), ["a", "b"]);
    }

    #[test]
    fn a_listing_without_its_item_is_delisted_once_that_has_lasted() {
        let mut orphans = OrphanListings::default();
        let mut is_lasting = |seconds| {
            let now = Mark::START.plus(Duration::seconds(seconds));
            orphans.is_lasting(key("listing-1"), problem(), now, Duration::MINUTE)
        };
        assert_eq!([0, 59, 60].map(&mut is_lasting), [false, false, true]);
    }

    #[test]
    fn a_listing_that_was_seen_and_is_no_longer_on_sale_has_vanished() {
        let (mut orphans, market) = (OrphanListings::default(), text("market"));
        for id in ["a", "b"] {
            orphans.is_lasting(key(id), problem(), Mark::START, Duration::MINUTE);
        }
        assert_eq!(orphans.vanished(&market, &[listing("b"), listing("c")]), [text("a")]);
        assert!(orphans.vanished(&text("other"), &[]).is_empty());
    }

    #[test]
    fn an_item_accounts_for_the_listing_by_which_it_is_or_was_on_sale() {
        for status in [ItemStatus::Listed, ItemStatus::Reserved, ItemStatus::Delivering, ItemStatus::Sold] {
            assert_eq!(is_listed(status, "skinport"), [true, false]);
            assert_eq!(is_listed(status, "csfloat"), [false, false]);
        }
    }

    #[test]
    fn an_item_whose_listing_call_has_no_answer_accounts_for_any_listing_at_its_marketplace() {
        assert_eq!(is_listed(ItemStatus::Listing, "skinport"), [true, true]);
        assert_eq!(is_listed(ItemStatus::Listing, "csfloat"), [false, false]);
    }

    #[test]
    fn an_item_that_is_not_on_sale_accounts_for_no_listing() {
        for status in [ItemStatus::InInventory, ItemStatus::Missing, ItemStatus::WrittenOff] {
            assert_eq!(is_listed(status, "skinport"), [false, false]);
        }
    }
}
