//! What shows that the order of a purchase without an answer was never placed, or whose order a marketplace shows instead.

mod words;

use super::Purchase;
use crate::text::ExternalId;
use crate::time::Timestamp;

/// What shows that an order was never placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absence {
    /// The first look-up that found no order.
    pub first_lookup_at: Timestamp,
    /// The latest look-up that found no order.
    pub last_lookup_at: Timestamp,
    /// The outcome of the listing.
    pub listing: ListingOutcome,
    /// No charge contradicts it: the balance of the marketplace is at least the one before the call, that one is not known because another
    /// process made the call, or an operator named another cause of a lower balance.
    pub charge_excluded: bool,
    /// The balances that were read; `None` if no one read them.
    pub balances: Option<BalancesRead>,
}

/// The outcome of the listing of a purchase whose order was not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingOutcome {
    /// It is unknown, so it proves nothing.
    Unexplained,
    /// No one has bought it: it is on sale, or was withdrawn.
    NotSold,
    /// Another customer has bought it.
    SoldToAnother,
    /// We have bought it by this order of another purchase.
    SoldByOrder(ExternalId),
    /// An operator states that it is on sale or was sold to another buyer.
    Stated,
}

/// Balances of a marketplace around a call, in thousandths of a unit of its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BalancesRead {
    /// Before the call; `None` if another process made the call.
    pub before: Option<u64>,
    /// After the last look-up.
    pub last: u64,
}

/// Whose order a marketplace shows for a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderOrigin {
    /// The purchase's own.
    Own,
    /// That of another purchase, which took the listing: so this purchase did not.
    Another,
    /// It cannot be known, so it proves nothing.
    Unclear,
}

impl OrderOrigin {
    /// Returns whose order it is, by the key of its request and the purchase that has it on record.
    ///
    /// A listing sells once. But a listing whose sale failed can be on sale again under its id: an older order for it leaves open whether
    /// this purchase bought it again.
    pub fn of(purchase: &Purchase, key: Option<&ExternalId>, holder: Option<&Purchase>) -> Self {
        let own = purchase.terms.order_key();
        let Some(holder) = holder.filter(|holder| holder.terms.id != purchase.terms.id) else {
            return if key.is_none_or(|key| *key == own) { Self::Own } else { Self::Another };
        };
        let is_own_key = key.is_some_and(|key| *key == own);
        if !is_own_key && holder.took_listing_of(purchase) { Self::Another } else { Self::Unclear }
    }
}

impl Purchase {
    /// Whether the order of this purchase took the listing of another: its item came, or is still due.
    fn took_listing_of(&self, other: &Self) -> bool {
        let (terms, others) = (&self.terms, &other.terms);
        let is_same = terms.marketplace == others.marketplace && terms.listing_id == others.listing_id;
        is_same && (self.is_live() || self.was_traded())
    }
}

impl BalancesRead {
    /// Whether the last balance is below the one before the call.
    pub fn is_lower(&self) -> bool {
        self.before.is_some_and(|before| self.last < before)
    }
}

impl ListingOutcome {
    /// Whether it shows that the purchase did not take the listing.
    pub const fn is_explained(&self) -> bool {
        match self {
            Self::Unexplained => false,
            Self::NotSold | Self::SoldToAnother | Self::SoldByOrder(_) | Self::Stated => true,
        }
    }
}
