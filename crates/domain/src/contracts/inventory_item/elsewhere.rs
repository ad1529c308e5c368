//! The sale of an item that no step of tradepost made: it was sold elsewhere, and is final when it is recorded.

use super::{InventoryItem, ItemError, ItemStatus, Proceeds, SalePlace};
use crate::contracts::chain::{Evidence, NewLink, Source};
use crate::text::{ExternalId, Marketplace};
use crate::time::Timestamp;

/// A sale that was made elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleElsewhere {
    /// Where the item was sold.
    pub marketplace: Marketplace,
    /// What the sale brought.
    pub proceeds: Proceeds,
    /// The marketplace's id of the order.
    pub order_id: Option<ExternalId>,
    /// When the item was sold.
    pub sold_at: Timestamp,
}

impl InventoryItem {
    /// Records that the item was sold elsewhere, with the link that ends its chain. `source_id` names the import that says so. A missing
    /// item may be missing because of that sale. The lock of the item must have ended when it was sold.
    ///
    /// # Errors
    /// [`ItemError::IllegalStep`] unless the item is in the inventory, or went missing from there; [`ItemError::Locked`];
    /// [`ItemError::Chain`] when the chain cannot grow.
    pub fn sell_elsewhere(
        self,
        sale: &SaleElsewhere,
        source_id: ExternalId,
        at: Timestamp,
    ) -> Result<(Self, NewLink), ItemError> {
        let from = self.0.status;
        if !from.is_movable(self.0.missing_from) {
            return Err(ItemError::IllegalStep { from, event: "sold_elsewhere" });
        }
        self.0.check_unlocked(sale.sold_at)?;
        let mut item = self.0;
        let asset_id = item.head.asset_id.clone();
        let evidence = Evidence { asset_id, source: Source::SaleElsewhere, source_id };
        let link = item.head.next(evidence, None, at)?;
        item.head = item.head.after(&link);
        item.status = ItemStatus::Settled;
        item.missing_from = None;
        item.sale_place = Some(SalePlace { marketplace: sale.marketplace.clone(), contract_id: None });
        item.sale_listing_id.clone_from(&sale.order_id);
        item.proceeds = Some(sale.proceeds);
        item.sold_at = Some(sale.sold_at);
        // A clock that runs behind another node's must not make the record younger.
        item.updated_at = at.max(item.updated_at).max(item.head.at);
        Ok((Self(item), link))
    }

    /// Returns whether the item was sold elsewhere.
    pub fn is_sold_elsewhere(&self) -> bool {
        self.0.head.source == Source::SaleElsewhere
    }
}

impl SaleElsewhere {
    /// Returns the name of the first field that is not as it was recorded of an item; `None` if all are.
    pub fn difference(&self, recorded: &InventoryItem) -> Option<&'static str> {
        let place = recorded.sale_place.as_ref().map(|place| &place.marketplace);
        let price = recorded.proceeds.map(Proceeds::sell_price);
        let fields = [
            ("price", price != Some(self.proceeds.sell_price())),
            ("fee", recorded.proceeds != Some(self.proceeds)),
            ("marketplace", place != Some(&self.marketplace)),
            ("order_id", recorded.sale_listing_id != self.order_id),
            ("sold_at", recorded.sold_at != Some(self.sold_at)),
        ];
        fields.into_iter().find(|(_, differs)| *differs).map(|(name, _)| name)
    }
}
