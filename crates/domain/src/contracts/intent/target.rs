//! What an intent acts on.

use super::{IntentKind, ProposalError};
use crate::asset::{AppId, AssetId};
use crate::contracts::inventory_item::Traits;
use crate::id::InventoryItemId;
use crate::markets::variant::Variant;
use crate::money::Cents;
use crate::text::{AccountName, ExternalId, MarketHashName, Marketplace, Name};

/// What an intent acts on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A listing of another seller.
    Listing(ListingTarget),
    /// An item of ours.
    Item(ItemTarget),
    /// A trade offer to us.
    Offer(ExternalId),
}

/// A listing that is to be bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingTarget {
    /// The marketplace.
    pub marketplace: Marketplace,
    /// The marketplace's id of the listing.
    pub listing_id: ExternalId,
    /// The item's asset id while with its seller.
    pub listing_asset_id: AssetId,
    /// The game.
    pub app_id: AppId,
    /// The game market's name of the item.
    pub market_hash_name: MarketHashName,
    /// The phase of a pattern that is sold under one market name.
    pub phase: Option<Name>,
    /// The traits of the item, as the listing shows them. On the heap, since it is only passed on.
    pub traits: Box<Traits>,
    /// The price.
    pub price: Cents,
    /// What the marketplace takes on top of the price.
    pub platform_fee: Cents,
    /// The most that price and fee may come to; this much is reserved.
    pub max_buy_price: Cents,
}

/// An item of ours that something is to be done with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemTarget {
    /// The item.
    pub inventory_item_id: InventoryItemId,
    /// The marketplace; `None` where none has a part in it.
    pub marketplace: Option<Marketplace>,
    /// The price to ask; `None` where none is asked.
    pub price: Option<Cents>,
    /// The account of ours that receives it; `None` unless it is transferred.
    pub to_account: Option<AccountName>,
}

impl ListingTarget {
    /// What is priced as one.
    pub fn variant(&self) -> Variant {
        Variant { app_id: self.app_id, market_hash_name: self.market_hash_name.clone(), phase: self.phase.clone() }
    }

    fn check(&self) -> Result<(), ProposalError> {
        if self.price == Cents::ZERO {
            return Err(ProposalError::FreeOfCharge);
        }
        let all_in = self.price.plus(self.platform_fee)?;
        let max_buy_price = self.max_buy_price;
        if all_in > max_buy_price { Err(ProposalError::AboveMaximum { all_in, max_buy_price }) } else { Ok(()) }
    }
}

impl ItemTarget {
    fn check(&self, kind: IntentKind) -> Result<(), ProposalError> {
        if matches!(kind, IntentKind::List | IntentKind::Reprice) {
            match self.price {
                None => return Err(ProposalError::NoPrice(kind)),
                Some(Cents::ZERO) => return Err(ProposalError::FreeOfCharge),
                Some(_) => {}
            }
        }
        if kind == IntentKind::List && self.marketplace.is_none() {
            return Err(ProposalError::NoMarketplace);
        }
        match (kind, &self.to_account) {
            (IntentKind::Transfer, None) => Err(ProposalError::NoRecipient),
            (IntentKind::Transfer, Some(_)) | (_, None) => Ok(()),
            (_, Some(_)) => Err(ProposalError::OtherTarget(kind)),
        }
    }
}

impl Target {
    /// Checks that an intent of this kind acts on such a thing, at a price that can be.
    ///
    /// # Errors
    /// [`ProposalError`] says what does not fit.
    pub fn check(&self, kind: IntentKind) -> Result<(), ProposalError> {
        match (self, kind) {
            (Self::Listing(listing), IntentKind::Buy) => listing.check(),
            (
                Self::Item(item),
                IntentKind::List
                | IntentKind::Reprice
                | IntentKind::Delist
                | IntentKind::Deliver
                | IntentKind::Transfer,
            ) => item.check(kind),
            (Self::Offer(_), IntentKind::AcceptOffer) => Ok(()),
            (Self::Listing(_) | Self::Item(_) | Self::Offer(_), _) => Err(ProposalError::OtherTarget(kind)),
        }
    }
}
