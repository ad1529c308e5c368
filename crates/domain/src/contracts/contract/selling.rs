//! What a selling contract allows, and how its items move its counters.

use super::{AdmissionError, ApprovalMode, Contract, ContractStatus, CounterMismatch, SellingTerms, Terms};
use crate::contracts::inventory_item::InventoryItem;
use crate::money::Cents;
use crate::text::Marketplace;
use crate::time::Timestamp;

impl Contract {
    /// Checks that the contract allows one more item to be put on sale there, at this price.
    ///
    /// # Errors
    /// The first [`AdmissionError`] found.
    pub fn admit_listing(&self, marketplace: &Marketplace, price: Cents, at: Timestamp) -> Result<(), AdmissionError> {
        if self.0.status != ContractStatus::Active {
            return Err(AdmissionError::NotActive(self.0.status));
        }
        let (Terms::Selling(limits), ApprovalMode::Automatic | ApprovalMode::Manual) =
            (&self.0.terms, self.0.approval_mode)
        else {
            return Err(AdmissionError::NeverSells);
        };
        self.0.check_place_and_time(Some(marketplace), at)?;
        self.check_asking_price(price)?;
        self.check_listings(limits, 0)
    }

    /// Checks that the contract leaves room to propose one more item for sale, besides so many that it has proposed.
    ///
    /// # Errors
    /// [`AdmissionError::TooManyListed`].
    pub fn admit_listing_proposal(&self, proposed: u32) -> Result<(), AdmissionError> {
        match &self.0.terms {
            Terms::Selling(limits) => self.check_listings(limits, proposed),
            Terms::Buying(_) => Err(AdmissionError::NeverSells),
        }
    }

    fn check_listings(&self, limits: &SellingTerms, proposed: u32) -> Result<(), AdmissionError> {
        let listed = self.0.counters.open_quantity.saturating_add(proposed);
        match limits.max_listings.filter(|most| listed >= *most) {
            Some(most) => Err(AdmissionError::TooManyListed { most }),
            None => Ok(()),
        }
    }

    /// Moves the counters as an item that the contract sells went from `before` to `after`.
    ///
    /// In every state: what is on sale counts, whether the contract still works or not.
    ///
    /// # Errors
    /// [`CounterMismatch`] when the counters do not hold what `before` added to them.
    pub fn count_sale(
        self,
        before: &InventoryItem,
        after: &InventoryItem,
        at: Timestamp,
    ) -> Result<Self, CounterMismatch> {
        let mut parts = self.0;
        let (taken, given) = (before.sale_counter_delta(parts.id), after.sale_counter_delta(parts.id));
        parts.counters = parts.counters.moved(taken, given).ok_or(CounterMismatch)?;
        parts.updated_at = at.max(parts.updated_at);
        Ok(Self(parts))
    }
}
