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
}

impl Flow {
    /// What an entry says of a marketplace. What people put in or take out is booked for no marketplace.
    pub fn of(entry: &LedgerEntry, marketplace: &Marketplace) -> Self {
        let Some(trade) = &entry.trade else { return Self::default() };
        let amount = |account| entry.amounts.of(account).get();
        let is_bought_there = trade.marketplace == *marketplace;
        let is_sold_there = trade.sale.as_ref().is_some_and(|sale| sale.marketplace == *marketplace);
        match entry.posting {
            Posting::Paid if is_bought_there => Self { spent: amount(Account::PaidInTransit), received: 0 },
            Posting::Refunded if is_bought_there => Self { spent: 0, received: amount(Account::Available) },
            Posting::PaidOut if is_sold_there => Self { spent: 0, received: amount(Account::Available) },
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
            | Posting::PaidOut => Self::default(),
        }
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { spent: self.spent.saturating_add(other.spent), received: self.received.saturating_add(other.received) }
    }

    /// What is left without a part of it.
    #[must_use]
    pub const fn less(self, part: Self) -> Self {
        Self { spent: self.spent.saturating_sub(part.spent), received: self.received.saturating_sub(part.received) }
    }

    /// By how much a balance changes.
    pub const fn net(self) -> i64 {
        self.received.saturating_sub(self.spent)
    }
}
