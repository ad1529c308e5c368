//! Sales of items that our records do not list there: a buyer has paid, and no step would deliver.

use std::collections::BTreeSet;

use time::Duration;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::FindInventoryItemByAssetID;
use tradepost_operations::{Code, Versioned};
use tradepost_ports::marketplace::Sale;

use crate::context::Context;
use crate::context::delisting::delist_item;
use crate::context::problems::{Problem, ProblemSource};
use crate::error::EngineResult;
use crate::pass::Pass;
use crate::sales::Sales;

/// What a sale is of.
#[derive(Debug, PartialEq, Eq)]
enum SaleOrigin {
    /// An item that was listed there, or one without a record.
    Explained,
    /// An item of which it is not known yet whether it is on sale.
    Unsettled,
    /// An item that our records do not list there.
    Unexpected(Box<Versioned<InventoryItem>>),
}

impl Sales {
    /// Reports items that were sold where our records do not list them, as long as the buyers wait.
    pub(crate) async fn find_unexpected_sales(&mut self, context: &Context, pass: &mut Pass) {
        let open = self.reported.unexplained().filter(|(key, _)| context.holds_marketplace(&key.marketplace));
        let waiting: Vec<_> = open
            .take(context.timings().unexpected_sales_per_pass)
            .map(|(key, sale)| (key.clone(), sale.clone()))
            .collect();
        let mut strays = BTreeSet::new();
        for (key, sale) in waiting {
            match sale_origin(context, &key.marketplace, &sale).await {
                Ok(SaleOrigin::Explained) => self.reported.mark_explained(key),
                Ok(SaleOrigin::Unsettled) => {}
                Ok(SaleOrigin::Unexpected(item)) => {
                    strays.insert(item.value.id);
                    let shown = Evidence { shown_by: Some(sale.id), ..Evidence::default() };
                    pass.record(
                        context
                            .report_problem_from(
                                unexpected_sale_problem(item.value.id),
                                ProblemSource::Sale,
                                context.timings().unexpected_sale_report_after,
                                Some(shown),
                            )
                            .await,
                    );
                    pass.record(hold_for_buyer(context, &item).await);
                }
                Err(error) => pass.record_at([&key.marketplace], Err(error)),
            }
        }
        for id in self.reported.replace_unexpected(strays) {
            let problem = unexpected_sale_problem(id);
            pass.record(context.report_problem_from(problem, ProblemSource::Sale, Duration::ZERO, None).await);
        }
    }
}

async fn sale_origin(context: &Context, marketplace: &Marketplace, sale: &Sale) -> EngineResult<SaleOrigin> {
    let (workspace_id, asset_id) = (context.desk().workspace_id, sale.asset_id.to_string());
    let find = FindInventoryItemByAssetID { workspace_id, asset_id };
    let found = match context.operations().find_inventory_item_by_asset_id(context.caller(), find).await {
        Err(refusal) if refusal.code == Code::NotFound => {
            tracing::warn!(%marketplace, sale = %sale.id, "sale reported for an unknown item");
            return Ok(SaleOrigin::Explained);
        }
        found => found?.0,
    };
    let item = context.items_by_id(vec![found]).await?.into_iter().next();
    Ok(item.map_or(SaleOrigin::Explained, |item| origin_of(item, marketplace, &sale.listing_id)))
}

/// Delists an item that was sold elsewhere: no second buyer is to pay for it.
async fn hold_for_buyer(context: &Context, item: &Versioned<InventoryItem>) -> EngineResult {
    let (Some(venue), Some(listing_id)) = (context.sale_venue(&item.value), second_listing(&item.value)) else {
        return Ok(());
    };
    tracing::warn!(item = %item.value.id, "item sold elsewhere; delisted here");
    delist_item(context, item, venue, listing_id).await.map(drop)
}

impl Sales {
    /// Returns whether an item was sold where our records do not list it: it is not listed again as long as that buyer waits.
    pub(crate) fn is_held_for_buyer(&self, context: &Context, id: InventoryItemId) -> bool {
        let problem = unexpected_sale_problem(id);
        self.reported.is_unexpected(id) || context.is_problem_reported(problem, ProblemSource::Sale)
    }

    /// Returns whether the buyer of a reported sale may wait for an item: a node that does not work at all marketplaces does not know all
    /// sales.
    pub(crate) fn may_be_unexpected(&self, context: &Context, id: InventoryItemId, sale: Option<&ExternalId>) -> bool {
        let are_all_read = self.reported.covers_all(context.desk().venues.iter().map(|venue| &venue.name));
        self.reported.may_be_unexpected(id, sale, are_all_read)
    }
}

fn unexpected_sale_problem(id: InventoryItemId) -> Problem {
    (RemediationKind::ListingMismatch, Subject::InventoryItem(id))
}

fn origin_of(seen: Versioned<InventoryItem>, marketplace: &Marketplace, listing_id: &ExternalId) -> SaleOrigin {
    let item = &seen.value;
    let is_there = item.sale_place.as_ref().is_none_or(|place| place.marketplace == *marketplace);
    if item.sale_listing_id.as_ref() == Some(listing_id) && is_there {
        return SaleOrigin::Explained;
    }
    if item.status == ItemStatus::Listing && is_there {
        SaleOrigin::Unsettled
    } else {
        SaleOrigin::Unexpected(Box::new(seen))
    }
}

/// Returns the listing by which an item that was sold elsewhere could be sold once more.
fn second_listing(item: &InventoryItem) -> Option<&ExternalId> {
    item.sale_listing_id.as_ref().filter(|_| item.status == ItemStatus::Listed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_testkit::samples::text;

    use crate::samples::item;

    fn origin(seen: Versioned<InventoryItem>, marketplace: &str, listing_id: &str) -> SaleOrigin {
        origin_of(seen, &text(marketplace), &text(listing_id))
    }

    /// An item that is on sale at `skinport`, where its listing has this id.
    fn listed() -> (Versioned<InventoryItem>, String) {
        let item = item(ItemStatus::Listed);
        let listing_id = item.value.sale_listing_id.as_ref().unwrap().to_string();
        (item, listing_id)
    }

    #[test]
    fn a_sale_by_the_listing_of_its_item_is_explained() {
        let (item, listing_id) = listed();
        assert_eq!(origin(item, "skinport", &listing_id), SaleOrigin::Explained);
    }

    #[test]
    fn a_sale_at_another_marketplace_or_by_another_listing_is_unexpected() {
        let (item, listing_id) = listed();
        let unexpected = SaleOrigin::Unexpected(Box::new(item.clone()));
        assert_eq!(origin(item.clone(), "csfloat", &listing_id), unexpected);
        assert_eq!(origin(item, "skinport", "other"), unexpected);
    }

    #[test]
    fn a_sale_of_an_item_whose_listing_call_has_no_answer_is_unsettled_at_its_marketplace() {
        let listing = item(ItemStatus::Listing);
        assert_eq!(origin(listing.clone(), "skinport", "other"), SaleOrigin::Unsettled);
        assert_ne!(origin(listing, "csfloat", "other"), SaleOrigin::Unsettled);
    }

    #[test]
    fn only_an_item_on_sale_could_be_sold_once_more() {
        let (item, _) = listed();
        assert_eq!(second_listing(&item.value), item.value.sale_listing_id.as_ref());
        assert_eq!(second_listing(&crate::samples::item(ItemStatus::Reserved).value), None);
    }
}
