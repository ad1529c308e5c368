//! Purchases of which nobody knows whether they were made: looked up until the order is found, or its absence proven.

use std::collections::BTreeMap;

use tradepost_domain::id::PurchaseId;
use tradepost_domain::money::Cents;
use tradepost_domain::purchase::{
    Absence, CancelCause, LOOKUP_SPACING, PENDING_LIFETIME, Purchase, PurchaseEvent, PurchaseStatus,
};
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_operations::Versioned;
use tradepost_ports::marketplace::ListingStatus;

use crate::Engine;
use crate::pass::Pass;
use crate::sending::{key_of, order_of};
use crate::trouble::Tried;

/// The first look-up of each purchase in doubt.
#[derive(Debug, Default)]
pub(crate) struct Doubts(BTreeMap<PurchaseId, FirstLookup>);

/// A look-up that found no order, and what could be spent at the marketplace then.
#[derive(Debug, Clone)]
struct FirstLookup {
    marketplace: Marketplace,
    at: Timestamp,
    balance: Cents,
}

impl Doubts {
    /// Whether a purchase of this marketplace is in doubt. As long as one is, nothing new is sent there: else what is spent on
    /// other things could not be told from what the purchase in doubt has cost.
    pub(crate) fn at(&self, marketplace: &Marketplace) -> bool {
        self.0.values().any(|first| first.marketplace == *marketplace)
    }
}

impl Engine {
    /// Purchases that were being sent when a pass ended are in doubt, and those that were never sent are over after a minute.
    pub(crate) async fn settle_doubts(&mut self, pass: &mut Pass) -> Tried {
        for cut_short in self.purchases(PurchaseStatus::Submitted).await? {
            pass.note(self.tell(&cut_short, PurchaseEvent::OutcomeLost).await.map(drop));
        }
        let now = self.now();
        for pending in self.purchases(PurchaseStatus::Pending).await? {
            if pending.value.created_at.plus(PENDING_LIFETIME) <= now {
                pass.note(self.tell(&pending, PurchaseEvent::Cancelled(CancelCause::Expired)).await.map(drop));
            }
        }
        let in_doubt = self.purchases(PurchaseStatus::Uncertain).await?;
        self.doubts.0.retain(|id, _| in_doubt.iter().any(|purchase| purchase.value.terms.id == *id));
        for purchase in in_doubt {
            let settled = self.settle_doubt(&purchase).await;
            pass.note(settled);
        }
        Ok(())
    }

    async fn settle_doubt(&mut self, purchase: &Versioned<Purchase>) -> Tried {
        let terms = &purchase.value.terms;
        let venue = self.venue(&terms.marketplace)?;
        if let Some(order) = venue.marketplace.find_order(&key_of(&purchase.value)).await? {
            return self.tell(purchase, PurchaseEvent::OrderFound(order_of(&order))).await.map(drop);
        }
        let (now, balance) = (self.now(), venue.marketplace.balance().await?);
        let looked_up = FirstLookup { marketplace: terms.marketplace.clone(), at: now, balance };
        let first = self.doubts.0.entry(terms.id).or_insert_with(|| looked_up.clone());
        if balance < first.balance {
            // Money went out since, by whatever: between these two nothing is proven, and the proof begins anew.
            *first = looked_up;
        }
        let first = first.clone();
        if now.since(first.at) < LOOKUP_SPACING {
            return Ok(());
        }
        let listing = venue.marketplace.listing(&terms.listing_id).await?;
        let absence = Absence {
            first_lookup_at: first.at,
            last_lookup_at: now,
            listing_explained: listing.is_some_and(|listing| listing.status != ListingStatus::Withdrawn),
            // Refunds and proceeds may come in between; money that goes out would be what this purchase has cost.
            balance_unchanged: balance >= first.balance,
        };
        self.tell(purchase, PurchaseEvent::OrderAbsent(absence)).await.map(drop)
    }
}
