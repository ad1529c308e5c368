//! The states of a purchase. Each is a place where money or item sits with a different party.

use crate::names::names;

/// The status of a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PurchaseStatus {
    /// Recorded, money reserved, nothing sent.
    Pending = 1,
    /// The marketplace is being asked to sell.
    Submitted = 2,
    /// The call ended without a definite answer; the reservation is frozen until the truth is known.
    Uncertain = 3,
    /// Paid; waiting for the seller.
    Paid = 4,
    /// The seller's trade offer was seen.
    Offered = 5,
    /// The trade is accepted and held in escrow.
    TradeHeld = 6,
    /// The item is in our inventory; the trade can still be reversed.
    Traded = 7,
    /// Final: the trade can no longer be reversed.
    Settled = 8,
    /// Final: refused, or proven never made. Only an order that is found after all makes it paid.
    Failed = 9,
    /// Final: withdrawn by us before anything was sent.
    Cancelled = 10,
    /// Paid but not delivered; the money is owed to us.
    RefundPending = 11,
    /// Final: the money came back.
    Refunded = 12,
    /// A reversal took the item back; the money is owed to us.
    Reverted = 13,
    /// Final: written off, a loss.
    WrittenOff = 14,
}

names! { PurchaseStatus, "purchase status":
    Pending => "PENDING",
    Submitted => "SUBMITTED",
    Uncertain => "UNCERTAIN",
    Paid => "PAID",
    Offered => "OFFERED",
    TradeHeld => "TRADE_HELD",
    Traded => "TRADED",
    Settled => "SETTLED",
    Failed => "FAILED",
    Cancelled => "CANCELLED",
    RefundPending => "REFUND_PENDING",
    Refunded => "REFUNDED",
    Reverted => "REVERTED",
    WrittenOff => "WRITTEN_OFF",
}

impl PurchaseStatus {
    /// Whether the purchase has ended. Only an order that appears late or a further refund changes it again.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Settled | Self::Failed | Self::Cancelled | Self::Refunded | Self::WrittenOff)
    }

    /// Whether the purchase has still to bring its item, or the money for it back.
    pub const fn is_open(self) -> bool {
        !self.is_terminal() && !matches!(self, Self::Traded)
    }

    /// Whether its item is ours, or may still come to be: it counts against what its contract may buy.
    pub const fn takes_quantity(self) -> bool {
        self.is_open() || matches!(self, Self::Traded | Self::Settled)
    }

    /// Whether it was paid, and the payment was not undone.
    pub const fn is_bought(self) -> bool {
        matches!(self, Self::Paid | Self::Offered | Self::TradeHeld | Self::Traded | Self::Settled)
    }

    /// Whether money is reserved for it: while it may still be charged at any time.
    pub const fn holds_reservation(self) -> bool {
        matches!(self, Self::Pending | Self::Submitted | Self::Uncertain)
    }

    /// Whether the marketplace has our money or had it: from [`PurchaseStatus::Paid`] on.
    pub const fn was_paid(self) -> bool {
        !self.holds_reservation() && !matches!(self, Self::Failed | Self::Cancelled)
    }
}

/// Why a purchase failed or was not delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureCode {
    /// The listing went to another buyer.
    SoldAlready = 1,
    /// The listing's price changed.
    PriceChanged = 2,
    /// The marketplace balance does not cover the price.
    BalanceTooLow = 3,
    /// The marketplace or the platform refuses this account.
    AccountBlocked = 4,
    /// The order was never placed: its absence is proven.
    NotPlaced = 5,
    /// The seller let the deadline pass.
    SellerLate = 6,
    /// The marketplace cancelled the order.
    CancelledByMarketplace = 7,
    /// The seller's offer was declined, expired or named missing items.
    OfferEnded = 8,
    /// The trade was rolled back out of escrow.
    EscrowRolledBack = 9,
    /// Refused for a reason that the marketplace does not name.
    Other = 10,
}

names! { FailureCode, "purchase failure code":
    SoldAlready => "SOLD_ALREADY",
    PriceChanged => "PRICE_CHANGED",
    BalanceTooLow => "BALANCE_TOO_LOW",
    AccountBlocked => "ACCOUNT_BLOCKED",
    NotPlaced => "NOT_PLACED",
    SellerLate => "SELLER_LATE",
    CancelledByMarketplace => "CANCELLED_BY_MARKETPLACE",
    OfferEnded => "OFFER_ENDED",
    EscrowRolledBack => "ESCROW_ROLLED_BACK",
    Other => "OTHER",
}
