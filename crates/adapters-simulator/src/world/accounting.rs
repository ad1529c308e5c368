//! The marketplace's money: double entry, so that nothing is ever made or lost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tradepost_domain::money::VenueCents;

use super::ids::DealId;

/// Where money can be.
#[derive(Debug, Clone, Copy)]
pub(super) enum MoneyAccount<'a> {
    /// With strangers, and in the banks of customers.
    Outside,
    /// A customer's balance.
    Customer(&'a str),
    /// Held for a deal until it is settled or refunded.
    Held(DealId),
    /// What the marketplace has earned.
    Fees,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Accounting {
    outside: i64,
    fees: i64,
    /// What drifted off without a reason, or came from nowhere when it is below zero.
    drifted: i64,
    customers: BTreeMap<String, i64>,
    held: BTreeMap<DealId, i64>,
}

impl Accounting {
    /// Moves money. Whether it is there is for the caller to see to.
    pub(super) fn pay(&mut self, from: MoneyAccount<'_>, to: MoneyAccount<'_>, amount: VenueCents) {
        *self.purse(from) -= amount.get();
        *self.purse(to) += amount.get();
        if let MoneyAccount::Held(deal) = from
            && self.held.get(&deal) == Some(&0)
        {
            self.held.remove(&deal);
        }
    }

    /// Whether there is such a customer.
    pub(super) fn has(&self, customer: &str) -> bool {
        self.customers.contains_key(customer)
    }

    /// What a customer can spend.
    pub(super) fn balance(&self, customer: &str) -> VenueCents {
        self.customers.get(customer).and_then(|cents| VenueCents::new(*cents).ok()).unwrap_or(VenueCents::ZERO)
    }

    /// What is held for a deal.
    pub(super) fn held(&self, deal: DealId) -> VenueCents {
        self.held.get(&deal).and_then(|cents| VenueCents::new(*cents).ok()).unwrap_or(VenueCents::ZERO)
    }

    /// Changes a balance without a reason, though never below nothing.
    pub(super) fn drift(&mut self, customer: &str, cents: i64) {
        if let Some(balance) = self.customers.get_mut(customer) {
            let moved = cents.max(-*balance);
            *balance += moved;
            self.drifted -= moved;
        }
    }

    /// The sum of all purses, which is always nothing.
    pub(super) fn sum(&self) -> i64 {
        let all = [self.outside, self.fees, self.drifted].into_iter();
        all.chain(self.customers.values().copied()).chain(self.held.values().copied()).sum()
    }

    /// Whether an account is overdrawn that must not be.
    pub(super) fn is_overdrawn(&self) -> bool {
        self.fees < 0 || self.customers.values().chain(self.held.values()).any(|cents| *cents < 0)
    }

    /// For how many deals money is held.
    pub(super) fn deals_held(&self) -> usize {
        self.held.len()
    }

    fn purse(&mut self, purse: MoneyAccount<'_>) -> &mut i64 {
        match purse {
            MoneyAccount::Outside => &mut self.outside,
            MoneyAccount::Customer(customer) => self.customers.entry(customer.to_owned()).or_default(),
            MoneyAccount::Held(deal) => self.held.entry(deal).or_default(),
            MoneyAccount::Fees => &mut self.fees,
        }
    }
}
