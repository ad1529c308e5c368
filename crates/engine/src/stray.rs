//! Sales of items of ours that are not on sale by the books: somebody has paid, and nobody would deliver.

use std::collections::BTreeSet;

use time::Duration;
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::remediation::{Evidence, RemediationKind};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::FindInventoryItemByAssetID;
use tradepost_operations::{Code, Versioned};
use tradepost_ports::marketplace::Sale;

use crate::Engine;
use crate::pass::Pass;
use crate::problems::{Problem, Sight};
use crate::sale::waits;
use crate::trouble::Tried;

/// A sale that nothing explains for this time is not explained by an answer that is on its way.
const UNEXPLAINED: Duration = Duration::minutes(5);
/// As many sales as are looked into in one pass.
const LOOKED_INTO: usize = 200;

/// What a sale is of.
enum Sold {
    /// An item that was put on sale for it, or one that nobody has on record.
    Explained,
    /// An item of which it is not known yet whether it is on sale.
    Unsettled,
    /// An item that is not on sale for it by the books.
    Stray(Box<Versioned<InventoryItem>>),
}

impl Engine {
    /// Tells of the items that somebody has bought although they are not on sale by the books, as long as the buyers wait.
    pub(crate) async fn look_for_strays(&mut self, pass: &mut Pass) {
        let is_open = |key: &(Marketplace, ExternalId), sale: &Sale| {
            waits(sale) && self.works_at(&key.0) && !self.sales.is_explained(key)
        };
        let open = self.sales.known.iter().filter(|(key, sale)| is_open(key, sale));
        let waiting: Vec<_> = open.take(LOOKED_INTO).map(|(key, sale)| (key.clone(), sale.clone())).collect();
        let mut strays = BTreeSet::new();
        for (key, sale) in waiting {
            match self.sold_by(&key, &sale).await {
                Ok(Sold::Explained) => self.sales.explain(key),
                Ok(Sold::Unsettled) => {}
                Ok(Sold::Stray(item)) => {
                    strays.insert(item.value.id);
                    let shown = Evidence { shown_by: Some(sale.id), ..Evidence::default() };
                    pass.note(self.tell_sight(stray(item.value.id), UNEXPLAINED, Some(shown)).await);
                    pass.note(self.keep_for_buyer(&item).await);
                }
                Err(trouble) => pass.note_at([&key.0], Err(trouble)),
            }
        }
        for id in std::mem::replace(&mut self.sales.strays, strays) {
            if !self.sales.strays.contains(&id) {
                pass.note(self.tell_sight(stray(id), Duration::ZERO, None).await);
            }
        }
    }

    async fn sold_by(&self, (marketplace, listing_id): &(Marketplace, ExternalId), sale: &Sale) -> Tried<Sold> {
        let (workspace_id, asset_id) = (self.desk.workspace_id, sale.asset_id.to_string());
        let find = FindInventoryItemByAssetID { workspace_id, asset_id };
        let found = match self.operations.find_inventory_item_by_asset_id(&self.caller, find).await {
            Err(refusal) if refusal.code == Code::NotFound => {
                tracing::warn!(%marketplace, sale = %sale.id, "something was sold that no item on record is");
                return Ok(Sold::Explained);
            }
            found => found?.0,
        };
        let item = self.items_by_id(vec![found]).await?.into_iter().next();
        Ok(item.map_or(Sold::Explained, |item| what_was_sold(item, (marketplace, listing_id))))
    }

    /// Takes an item off sale that somebody has bought elsewhere: no other is to pay for it as well.
    async fn keep_for_buyer(&self, item: &Versioned<InventoryItem>) -> Tried {
        let (Some(venue), Some(listing_id)) = (self.venue_of(&item.value), &item.value.sale_listing_id) else {
            return Ok(());
        };
        if item.value.status != ItemStatus::Listed {
            return Ok(());
        }
        tracing::warn!(item = %item.value.id, "an item that is sold elsewhere is taken off sale");
        self.take_off_sale(item, (venue, listing_id)).await.map(drop)
    }

    /// Whether somebody has bought an item that is not on sale for it by the books: it is not put on sale meanwhile.
    pub(crate) fn is_promised(&self, id: InventoryItemId) -> bool {
        let (problem, sight) = stray(id);
        self.sales.strays.contains(&id) || self.problems.is_told(problem, sight)
    }

    /// Whether the buyer of a sale that was told may wait for an item: a node that does not work at all marketplaces does not know all
    /// sales.
    pub(crate) fn may_be_stray(&self, id: InventoryItemId, sale: Option<&ExternalId>) -> bool {
        if self.sales.strays.contains(&id) {
            return true;
        }
        let mut told = self.sales.known.iter().filter(|(_, known)| Some(&known.id) == sale).peekable();
        if told.peek().is_none() {
            return !self.sales.are_read_of(self.desk.venues.iter().map(|venue| &venue.name));
        }
        told.any(|(key, known)| waits(known) && !self.sales.is_explained(key))
    }
}

fn stray(id: InventoryItemId) -> (Problem, Sight) {
    ((RemediationKind::ListingMismatch, Subject::InventoryItem(id)), Sight::Sale)
}

fn what_was_sold(seen: Versioned<InventoryItem>, (marketplace, listing_id): (&Marketplace, &ExternalId)) -> Sold {
    let item = &seen.value;
    let is_there = item.sale_place.as_ref().is_none_or(|place| place.marketplace == *marketplace);
    if item.sale_listing_id.as_ref() == Some(listing_id) && is_there {
        return Sold::Explained;
    }
    if item.status == ItemStatus::Listing && is_there { Sold::Unsettled } else { Sold::Stray(Box::new(seen)) }
}
