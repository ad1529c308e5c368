//! What a buying contract allows, and how its purchases move its counters.

use ::time::Duration;

use super::activity::{Activity, Proposed};
use super::{
    ApprovalMode, BasisPoints, BuyingTerms, ClosingReason, Contract, ContractParts, ContractStatus, Counters,
    SuspensionCause, Terms,
};
use crate::contracts::purchase::{CounterDelta, Purchase, PurchaseTerms};
use crate::money::{Cents, MoneyError};
use crate::text::Marketplace;
use crate::time::Timestamp;

/// Why a purchase does not fit its contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AdmissionError {
    /// Only an active contract buys.
    #[error("a contract that is {0} makes no purchases")]
    NotActive(
        /// The current status.
        ContractStatus,
    ),
    /// A selling contract or a dry run never buys.
    #[error("this contract never buys")]
    NeverBuys,
    /// A buying contract sells nothing.
    #[error("this contract never sells")]
    NeverSells,
    /// The price is below what the contract sells for.
    #[error("the price of {} is below the floor of {}", .given.decimal(), .least.decimal())]
    BelowFloor {
        /// The price.
        given: Cents,
        /// The least price.
        least: Cents,
    },
    /// The sale would earn less than the contract asks for.
    #[error("the sale would not earn {least} basis points of what the item has cost")]
    MarginTooLow {
        /// What it is to earn at least.
        least: BasisPoints,
    },
    /// The item is on sale for another contract, or for none.
    #[error("the item is not on sale for this contract")]
    OtherContract,
    /// It works on other marketplaces.
    #[error("the contract does not work on this marketplace")]
    OtherMarketplace,
    /// Outside the time in which it works.
    #[error("the contract does not work at this time")]
    OutOfTime,
    /// The purchase may cost more than the contract allows.
    #[error("the purchase may cost {}, the contract allows {} for an item", .given.decimal(), .most.decimal())]
    TooExpensive {
        /// What the purchase may cost.
        given: Cents,
        /// What the contract allows.
        most: Cents,
    },
    /// Enough is bought or in transit.
    #[error("the target quantity of {target_quantity} is reached")]
    QuantityReached {
        /// The target.
        target_quantity: u32,
    },
    /// The limit of open purchases is reached.
    #[error("{most} purchases are open, the maximum")]
    TooManyOpen {
        /// The most open purchases.
        most: u32,
    },
    /// The limit of listed items is reached.
    #[error("{most} items are on sale under the contract, the maximum")]
    TooManyListed {
        /// The most items on sale.
        most: u32,
    },
    /// The budget does not cover it.
    #[error("{} of the budget is left, the purchase reserves {}", .left.decimal(), .needed.decimal())]
    BudgetTooLow {
        /// What is left of the budget.
        left: Cents,
        /// What the purchase reserves.
        needed: Cents,
    },
    /// The day's budget does not cover it.
    #[error("{} of the day's budget is left, the purchase reserves {}", .left.decimal(), .needed.decimal())]
    DailyBudgetTooLow {
        /// What is left of the day's budget.
        left: Cents,
        /// What the purchase reserves.
        needed: Cents,
    },
    /// Enough items of the market name are bought or in transit.
    #[error("{most} items of this name are bought or in transit, the maximum")]
    EnoughOfName {
        /// The most items of one market name.
        most: u32,
    },
    /// Its last purchase is not long enough ago.
    #[error("the contract buys again at {until}")]
    CoolingDown {
        /// When it does.
        until: Timestamp,
    },
}

/// The counters cannot follow the purchases or the items: they were not made from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the counters of the contract do not match its purchases or items")]
pub struct CounterMismatch;

impl Contract {
    /// Checks that the contract allows a new purchase with these terms, after what it did lately: as far as its limits ask for
    /// that, of items of the purchase's name, and not read before the contract itself.
    ///
    /// # Errors
    /// The first [`AdmissionError`] found.
    pub fn admit(&self, purchase: &PurchaseTerms, lately: Activity, at: Timestamp) -> Result<(), AdmissionError> {
        if !self.takes_on() {
            return Err(AdmissionError::NotActive(self.0.status));
        }
        let (Terms::Buying(limits), ApprovalMode::Automatic | ApprovalMode::Manual) =
            (&self.0.terms, self.0.approval_mode)
        else {
            return Err(AdmissionError::NeverBuys);
        };
        self.0.check_place_and_time(Some(&purchase.marketplace), at)?;
        check_price(purchase.max_buy_price, limits.max_buy_price)?;
        // What was proposed does not count against what it leads to.
        self.check_room(limits, Proposed::default(), purchase.max_buy_price)?;
        limits.admit_after(lately, purchase.max_buy_price, at)?;
        // What closed for being full says so above, as long as it is.
        if self.0.status == ContractStatus::Active { Ok(()) } else { Err(AdmissionError::NotActive(self.0.status)) }
    }

    /// Checks that the limits leave room to propose something that may cost so much, after what the contract did and proposed lately.
    ///
    /// # Errors
    /// The first [`AdmissionError`] found.
    pub fn admit_proposal(&self, most: Cents, lately: Activity, at: Timestamp) -> Result<(), AdmissionError> {
        let Terms::Buying(limits) = &self.0.terms else { return Err(AdmissionError::NeverBuys) };
        self.check_room(limits, lately.proposed, most)?;
        limits.admit_after(lately, most, at)
    }

    fn check_room(&self, limits: &BuyingTerms, proposed: Proposed, needed: Cents) -> Result<(), AdmissionError> {
        let (counters, sum) = (&self.0.counters, u32::saturating_add);
        if sum(sum(counters.filled_quantity, counters.open_quantity), proposed.quantity) >= limits.target_quantity {
            return Err(AdmissionError::QuantityReached { target_quantity: limits.target_quantity });
        }
        let open = sum(counters.open_quantity, proposed.open);
        if let Some(most) = limits.max_open_purchases.filter(|most| open >= *most) {
            return Err(AdmissionError::TooManyOpen { most });
        }
        let left = counters.left_of(limits.budget).minus(proposed.cost).unwrap_or(Cents::ZERO);
        if needed > left { Err(AdmissionError::BudgetTooLow { left, needed }) } else { Ok(()) }
    }

    /// Whether it takes on what its limits allow.
    fn takes_on(&self) -> bool {
        let is_full = self.0.closing_reason.is_some_and(ClosingReason::is_full);
        self.0.status == ContractStatus::Active || (self.0.status == ContractStatus::Closing && is_full)
    }

    /// Whether a purchase that was recorded may be sent. The one that filled the contract closed it, and is sent all the same; a
    /// pool that was paused has given its money before.
    pub fn may_send(&self) -> bool {
        self.takes_on() || self.0.suspended_for() == Some(SuspensionCause::PoolPaused)
    }

    /// Moves the counters as a purchase of the contract went from `before` (`None` when it was recorded) to `after`.
    ///
    /// In every state: what has been bought counts, whether the contract still works or not.
    ///
    /// # Errors
    /// [`CounterMismatch`] when the counters do not hold what `before` added to them.
    pub fn count(self, before: Option<&Purchase>, after: &Purchase, at: Timestamp) -> Result<Self, CounterMismatch> {
        let mut parts = self.0;
        let taken = before.map_or_else(CounterDelta::default, Purchase::counter_delta);
        parts.counters = parts.counters.moved(taken, after.counter_delta()).ok_or(CounterMismatch)?;
        parts.updated_at = at.max(parts.updated_at);
        Ok(Self(parts))
    }
}

impl BuyingTerms {
    /// Checks the limits that depend on the recent activity of the contract.
    fn admit_after(&self, lately: Activity, needed: Cents, at: Timestamp) -> Result<(), AdmissionError> {
        if let Some(most) = self.max_per_item_name.filter(|most| lately.of_item_name >= *most) {
            return Err(AdmissionError::EnoughOfName { most });
        }
        let rested = lately.last_purchase_at.zip(self.cooldown_seconds);
        let until = rested.map(|(last, seconds)| last.plus(Duration::seconds(seconds.into())));
        if let Some(until) = until.filter(|until| at < *until) {
            return Err(AdmissionError::CoolingDown { until });
        }
        let left = |budget: Cents| budget.minus(lately.spent_today).unwrap_or(Cents::ZERO);
        match self.daily_budget.map(left).filter(|left| needed > *left) {
            Some(left) => Err(AdmissionError::DailyBudgetTooLow { left, needed }),
            None => Ok(()),
        }
    }
}

/// Checks what a purchase may cost against what the contract allows for an item.
pub(super) fn check_price(given: Cents, most: Cents) -> Result<(), AdmissionError> {
    if given > most { Err(AdmissionError::TooExpensive { given, most }) } else { Ok(()) }
}

impl ContractParts {
    pub(super) fn check_place_and_time(
        &self,
        place: Option<&Marketplace>,
        at: Timestamp,
    ) -> Result<(), AdmissionError> {
        if place.is_some_and(|place| !self.marketplaces.is_empty() && !self.marketplaces.contains(place)) {
            return Err(AdmissionError::OtherMarketplace);
        }
        let started = self.starts_at.is_none_or(|starts_at| starts_at <= at);
        let ended = self.ends_at.is_some_and(|ends_at| ends_at <= at);
        if started && !ended { Ok(()) } else { Err(AdmissionError::OutOfTime) }
    }
}

impl Counters {
    /// What is left of `budget`; nothing when overpaid purchases went beyond it.
    fn left_of(&self, budget: Cents) -> Cents {
        let used = self.spent.plus(self.reserved).unwrap_or(Cents::MAX);
        budget.minus(used).unwrap_or(Cents::ZERO)
    }

    pub(super) fn moved(self, taken: CounterDelta, given: CounterDelta) -> Option<Self> {
        let count = |had: u32, taken: u32, given: u32| had.checked_sub(taken)?.checked_add(given);
        let money =
            |had: Cents, taken: Cents, given: Cents| -> Result<Cents, MoneyError> { had.minus(taken)?.plus(given) };
        Some(Self {
            filled_quantity: count(self.filled_quantity, taken.filled_quantity, given.filled_quantity)?,
            open_quantity: count(self.open_quantity, taken.open_quantity, given.open_quantity)?,
            spent: money(self.spent, taken.spent, given.spent).ok()?,
            reserved: money(self.reserved, taken.reserved, given.reserved).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_in_a_refusal_have_two_decimals() {
        let refusal = AdmissionError::BudgetTooLow { left: Cents::ONE, needed: Cents::MAX };
        assert_eq!(refusal.to_string(), "0.01 of the budget is left, the purchase reserves 100000000000.00");
    }
}
