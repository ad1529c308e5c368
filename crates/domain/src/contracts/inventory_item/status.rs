//! The states of an inventory item, and which links of its chain may come in which of them.

use crate::contracts::chain::Source;
use crate::names::names;

/// The status of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemStatus {
    /// Ours, not on sale.
    InInventory = 1,
    /// A marketplace is being asked to list it.
    Listing = 2,
    /// On sale.
    Listed = 3,
    /// A buyer paid the marketplace; we must deliver.
    Reserved = 4,
    /// Our trade offer to the buyer is out.
    Delivering = 5,
    /// The trade with the buyer is held in escrow.
    Held = 6,
    /// Given to the buyer; the trade can still be reversed.
    Sold = 7,
    /// Final: sold, the proceeds are booked.
    Settled = 8,
    /// Not where it should be, and no trade explains it.
    Missing = 9,
    /// Final: the purchase was reversed and the item is lost.
    Reverted = 10,
    /// Final: written off.
    WrittenOff = 11,
}

names! { ItemStatus, "inventory item status":
    InInventory => "IN_INVENTORY",
    Listing => "LISTING",
    Listed => "LISTED",
    Reserved => "RESERVED",
    Delivering => "DELIVERING",
    Held => "HELD",
    Sold => "SOLD",
    Settled => "SETTLED",
    Missing => "MISSING",
    Reverted => "REVERTED",
    WrittenOff => "WRITTEN_OFF",
}

impl ItemStatus {
    /// Whether the item's life has ended and it never changes again.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Settled | Self::Reverted | Self::WrittenOff)
    }

    /// Whether the item is ours, and not given to a buyer; also when it is looked for.
    pub const fn is_open(self) -> bool {
        !matches!(self, Self::Sold) && !self.is_terminal()
    }

    /// The states that an item can go missing from. In escrow and once sold a trade explains its absence.
    pub const fn can_go_missing(self) -> bool {
        matches!(self, Self::InInventory | Self::Listing | Self::Listed | Self::Reserved | Self::Delivering)
    }

    /// Whether a trade between two of our accounts can have moved an item: it was not on sale, and was not sold, reverted or written off. Its
    /// trade may show only after it was missed.
    ///
    /// `missing_from` is the state that a missing item went missing from.
    pub fn is_movable(self, missing_from: Option<Self>) -> bool {
        self == Self::InInventory || (self == Self::Missing && missing_from == Some(Self::InInventory))
    }

    /// The states that a link of `source` leaves as they are, so that a store may append it without reading the item.
    ///
    /// Empty for sources that mean a step of the item: those are decided on the whole item.
    pub const fn unmoved_by(source: Source) -> &'static [Self] {
        match source {
            Source::Inventory => &[Self::InInventory, Self::Listing, Self::Listed, Self::Reserved, Self::Delivering],
            Source::Transfer => &[Self::InInventory],
            Source::Listing
            | Source::PurchaseTrade
            | Source::SaleListing
            | Source::SaleTrade
            | Source::SaleReturn
            | Source::PurchaseReversal
            | Source::Import
            | Source::SaleElsewhere => &[],
        }
    }

    /// The state after a link of `source` is appended to the chain of an item in this state; `None` where it may not be.
    ///
    /// `found_in` is the state that a missing item went missing from.
    #[expect(clippy::match_same_arms, reason = "one row for each legal step, with its reason next to it")]
    pub fn after_link(self, source: Source, found_in: Option<Self>) -> Option<Self> {
        use ItemStatus as Is;
        use Source as By;
        Some(match (self, source) {
            (Is::InInventory, By::Inventory | By::Transfer) => Is::InInventory,
            (Is::Listing | Is::Listed | Is::Reserved | Is::Delivering, By::Inventory) => self,
            // A trade that fails inside the platform gives the item back.
            (Is::Held, By::Inventory) => Is::InInventory,
            (Is::Missing, By::Inventory) => return found_in,
            (Is::InInventory | Is::Listing | Is::Listed, By::SaleListing) => Is::Listed,
            // A trade is the truth wherever the item was thought to be, and may turn out to be why it was missing.
            (
                Is::InInventory | Is::Listing | Is::Listed | Is::Reserved | Is::Delivering | Is::Held | Is::Missing,
                By::SaleTrade,
            ) => Is::Sold,
            (Is::Sold, By::SaleReturn) => Is::InInventory,
            // An item in an offer to a buyer has left protection, so its purchase can no longer be reversed. A missing item often is a
            // reversed one: the engine learns of the reversal after the absence.
            (Is::InInventory | Is::Listing | Is::Listed | Is::Reserved | Is::Missing, By::PurchaseReversal) => {
                Is::Reverted
            }
            _ => return None,
        })
    }
}

/// What keeps an item from being traded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockKind {
    /// The trade that brought it can be reversed.
    TradeProtection = 1,
    /// The platform holds the account's trades.
    TradeHold = 2,
    /// The platform's market keeps it from sale.
    MarketRestriction = 3,
}

names! { LockKind, "kind of lock":
    TradeProtection => "TRADE_PROTECTION",
    TradeHold => "TRADE_HOLD",
    MarketRestriction => "MARKET_RESTRICTION",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_a_link_leaves_alone_is_where_the_link_leads() {
        for source in Source::ALL {
            for status in ItemStatus::unmoved_by(*source) {
                assert_eq!(status.after_link(*source, None), Some(*status), "{source} in {status}");
            }
        }
    }
}
