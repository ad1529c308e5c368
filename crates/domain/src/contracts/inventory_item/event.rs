//! What can happen to an inventory item, each event with the evidence that it rests on.

use super::SalePlace;
use crate::asset::{AssetId, ContextId};
use crate::markets::exchange::ExchangeRate;
use crate::money::{Cents, MoneyError};
use crate::text::{AccountName, ExternalId};
use crate::time::Timestamp;

/// Something that happened to an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemEvent {
    /// A marketplace is about to be asked to list the item.
    ListingStarted {
        /// Where, and for which contract.
        place: SalePlace,
        /// The price asked.
        price: Cents,
        /// Whether the marketplace lists items that are still locked.
        takes_locked: bool,
        /// By which rate the price is asked, where that is in another currency.
        exchange_rate: Option<ExchangeRate>,
    },
    /// The marketplace listed the item.
    ListingAccepted {
        /// The marketplace's id of the listing.
        listing_id: ExternalId,
        /// The item's asset id as listed: another one where the marketplace takes custody.
        asset_id: AssetId,
    },
    /// The marketplace refused to list the item.
    ListingRefused,
    /// The marketplace asks another price for the listing.
    Repriced {
        /// The price asked from now on.
        price: Cents,
        /// By which rate it is asked, where that is in another currency.
        exchange_rate: Option<ExchangeRate>,
    },
    /// The listing ended without a sale.
    ListingEnded {
        /// Where the item was seen since.
        seen: AssetEvidence,
    },
    /// A buyer paid the marketplace.
    SaleNoticed {
        /// The listing that was sold.
        listing_id: ExternalId,
        /// What the sale brings.
        proceeds: Proceeds,
    },
    /// Our trade offer to the buyer is out.
    DeliveryStarted {
        /// The asset that the offer gives.
        asset_id: AssetId,
    },
    /// The buyer or the marketplace cancelled, or our offer ended.
    SaleFellThrough {
        /// Whether the marketplace still has the item on sale.
        still_listed: bool,
        /// Where the item was seen since; it must still be ours.
        seen: AssetEvidence,
    },
    /// The trade with the buyer is held in escrow.
    DeliveryHeld,
    /// The escrow was rolled back and the item returned.
    HoldRolledBack {
        /// The item as it came back; the trade is the evidence.
        seen: AssetEvidence,
    },
    /// The trade with the buyer is complete.
    Given {
        /// The trade.
        trade_id: ExternalId,
        /// The asset id that the item has with its buyer.
        asset_id: AssetId,
    },
    /// The sale can no longer be reversed and its proceeds are booked.
    ProceedsBooked {
        /// What the marketplace booked.
        proceeds: Proceeds,
        /// Until when the sale could be reversed.
        protected_until: Timestamp,
        /// Whether the marketplace has paid them out with it, so that it owes us nothing for the sale.
        paid_out: bool,
    },
    /// The trade with the buyer was reversed and the item came back.
    SaleReversed {
        /// The trade that brought it back.
        rollback_trade_id: ExternalId,
        /// The asset id it has now; possibly an earlier one.
        asset_id: AssetId,
    },
    /// A trade between two of our accounts has moved the item.
    Transferred {
        /// The trade.
        trade_id: ExternalId,
        /// The account that received it.
        to: AccountName,
        /// The context of that account's inventory in which it is.
        context_id: ContextId,
        /// The asset id that it has there.
        asset_id: AssetId,
        /// Until when the trade can be reversed, if it can.
        protected_until: Option<Timestamp>,
    },
    /// The item is absent from two complete snapshots and no trade explains it.
    WentMissing {
        /// When the first of the snapshots was taken.
        first_absent_at: Timestamp,
        /// When the last of the snapshots was taken.
        last_absent_at: Timestamp,
    },
    /// A missing item was found.
    Found {
        /// Where.
        seen: AssetEvidence,
    },
    /// An operator gave an item up that is missing, or that a buyer has who has the money as well.
    GivenUp,
    /// The purchase was reversed; a listing or order of the item was cancelled before.
    PurchaseReversed {
        /// The trade that gave the item back.
        rollback_trade_id: ExternalId,
        /// The asset id that it was given back with; the current one if unknown.
        asset_id: Option<AssetId>,
    },
}

/// An item seen in our inventory under an asset id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetEvidence {
    /// The asset id.
    pub asset_id: AssetId,
    /// The snapshot or trade that shows it.
    pub source_id: ExternalId,
}

/// What a sale brings: the price paid by the buyer and what the marketplace keeps of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proceeds {
    sell_price: Cents,
    sale_fee: Cents,
}

impl Proceeds {
    /// The proceeds of a sale.
    ///
    /// # Errors
    /// [`MoneyError::Negative`] when the fee is more than the price.
    pub const fn new(sell_price: Cents, sale_fee: Cents) -> Result<Self, MoneyError> {
        match sell_price.minus(sale_fee) {
            Ok(_) => Ok(Self { sell_price, sale_fee }),
            Err(error) => Err(error),
        }
    }

    /// The price that the buyer paid.
    pub const fn sell_price(self) -> Cents {
        self.sell_price
    }

    /// What the marketplace keeps of it.
    pub const fn sale_fee(self) -> Cents {
        self.sale_fee
    }
}

impl ItemEvent {
    /// The name of the event, as the trigger of a transition.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ListingStarted { .. } => "listing_started",
            Self::ListingAccepted { .. } => "listing_accepted",
            Self::ListingRefused => "listing_refused",
            Self::Repriced { .. } => "repriced",
            Self::ListingEnded { .. } => "listing_ended",
            Self::SaleNoticed { .. } => "sale_noticed",
            Self::DeliveryStarted { .. } => "delivery_started",
            Self::SaleFellThrough { .. } => "sale_fell_through",
            Self::DeliveryHeld => "delivery_held",
            Self::HoldRolledBack { .. } => "hold_rolled_back",
            Self::Given { .. } => "given",
            Self::ProceedsBooked { .. } => "proceeds_booked",
            Self::SaleReversed { .. } => "sale_reversed",
            Self::Transferred { .. } => "transferred",
            Self::WentMissing { .. } => "went_missing",
            Self::Found { .. } => "found",
            Self::GivenUp => "given_up",
            Self::PurchaseReversed { .. } => "purchase_reversed",
        }
    }
}
