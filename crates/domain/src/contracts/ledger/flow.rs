//! What entries say was paid and received at a marketplace: by how much its balance should have changed with them.

use super::{Account, LedgerEntry, Posting};
use crate::text::Marketplace;

/// What went out and came in, in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flow {
    /// Paid for purchases.
    pub spent: i64,
    /// Refunds, and what sales have brought.
    pub received: i64,
    /// The number of these payments, refunds and proceeds.
    pub movements: i64,
    /// The number of refunds among them.
    pub refunds: i64,
}

impl Flow {
    /// What an entry says of a marketplace. What people put in or take out is booked for no marketplace.
    pub fn of(entry: &LedgerEntry, marketplace: &Marketplace) -> Self {
        let Some(trade) = &entry.trade else { return Self::default() };
        let amount = |account| entry.amounts.of(account).get();
        let is_bought_there = trade.marketplace == *marketplace;
        let is_sold_there = trade.sale.as_ref().is_some_and(|sale| sale.marketplace == *marketplace);
        match entry.posting {
            Posting::Paid if is_bought_there => Self::spent(amount(Account::PaidInTransit)),
            Posting::Refunded if is_bought_there => Self { refunds: 1, ..Self::received(amount(Account::Available)) },
            Posting::PaidOut if is_sold_there => Self::received(amount(Account::Available)),
            Posting::Reserved
            | Posting::Released
            | Posting::Paid
            | Posting::RefundDue
            | Posting::Refunded
            | Posting::Received
            | Posting::Reverted
            | Posting::PurchaseWrittenOff
            | Posting::Delivered
            | Posting::SaleReversed
            | Posting::SaleSettled
            | Posting::ItemWrittenOff
            | Posting::FundsAdjusted
            | Posting::PaidOut
            | Posting::Imported => Self::default(),
        }
    }

    /// A payment for a purchase.
    pub const fn spent(cents: i64) -> Self {
        Self { spent: cents, received: 0, movements: 1, refunds: 0 }
    }

    /// The proceeds of a sale.
    pub const fn received(cents: i64) -> Self {
        Self { spent: 0, received: cents, movements: 1, refunds: 0 }
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            spent: self.spent.saturating_add(other.spent),
            received: self.received.saturating_add(other.received),
            movements: self.movements.saturating_add(other.movements),
            refunds: self.refunds.saturating_add(other.refunds),
        }
    }

    /// What is left without a part of it.
    #[must_use]
    pub const fn less(self, part: Self) -> Self {
        Self {
            spent: self.spent.saturating_sub(part.spent),
            received: self.received.saturating_sub(part.received),
            movements: self.movements.saturating_sub(part.movements),
            refunds: self.refunds.saturating_sub(part.refunds),
        }
    }

    /// By how much a balance changes.
    pub const fn net(self) -> i64 {
        self.received.saturating_sub(self.spent)
    }
}
