//! Sales of items of ours that are not on sale by the books: somebody has paid, and nobody would deliver.

use std::collections::BTreeSet;

use time::Duration;
use tradepost_domain::id::InventoryItemId;
use tradepost_domain::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::remediation::{Evidence, RemediationKind};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::transition::Subject;
use tradepost_operations::Code;
use tradepost_operations::contracts::FindInventoryItemByAssetID;
use tradepost_ports::marketplace::Sale;

use crate::Engine;
use crate::pass::Pass;
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
    /// An item that is not on sale by the books.
    Stray(InventoryItemId),
}

impl Engine {
    /// Tells of the items that somebody has bought although they are not on sale by the books, as long as the buyers wait.
    pub(crate) async fn look_for_strays(&mut self, pass: &mut Pass) {
        let is_open = |key: &(Marketplace, ExternalId), sale: &Sale| {
            waits(sale) && self.works_at(&key.0) && !self.sales.explained.contains(key)
        };
        let open = self.sales.known.iter().filter(|(key, sale)| is_open(key, sale));
        let waiting: Vec<_> = open.take(LOOKED_INTO).map(|(key, sale)| (key.clone(), sale.clone())).collect();
        let mut strays = BTreeSet::new();
        for (key, sale) in waiting {
            match self.sold_by(&key, &sale).await {
                Ok(Sold::Explained) => drop(self.sales.explained.insert(key)),
                Ok(Sold::Unsettled) => {}
                Ok(Sold::Stray(id)) => {
                    strays.insert(id);
                    let shown = Evidence { shown_by: Some(sale.id), ..Evidence::default() };
                    pass.note(self.tell_problem(stray(id), UNEXPLAINED, Some(shown)).await);
                }
                Err(trouble) => pass.note_at([&key.0], Err(trouble)),
            }
        }
        for id in std::mem::replace(&mut self.sales.strays, strays) {
            if !self.sales.strays.contains(&id) {
                pass.note(self.tell_problem(stray(id), Duration::ZERO, None).await);
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
        Ok(item.map_or(Sold::Explained, |item| what_was_sold(&item.value, (marketplace, listing_id))))
    }

    /// Whether an item is one that a buyer waits for, or may be: a node that does not work at all marketplaces does not know.
    pub(crate) fn may_be_stray(&self, id: InventoryItemId) -> bool {
        let venues = self.desk.venues.iter().map(|venue| &venue.name);
        self.sales.strays.contains(&id) || !self.sales.are_read_of(venues)
    }
}

fn stray(id: InventoryItemId) -> (RemediationKind, Subject) {
    (RemediationKind::ListingMismatch, Subject::InventoryItem(id))
}

fn what_was_sold(item: &InventoryItem, (marketplace, listing_id): (&Marketplace, &ExternalId)) -> Sold {
    let is_there = item.sale_place.as_ref().is_none_or(|place| place.marketplace == *marketplace);
    if item.sale_listing_id.as_ref() == Some(listing_id) && is_there {
        return Sold::Explained;
    }
    if item.status == ItemStatus::Listing && is_there { Sold::Unsettled } else { Sold::Stray(item.id) }
}
