//! A marketplace where items are bought and sold for money, seen by one of its customers.
//!
//! The marketplace makes the deal, and the game platform carries it out. The seller sends a trade offer, and the buyer accepts it. The
//! marketplace holds the money until the trade can no longer be reversed.
//!
//! All amounts here are in the currency of the marketplace ([`VenueCents`]): an adapter neither knows nor applies a rate. The engine
//! converts them, and reads the same types in the currency of its workspace (`MarketOrder<WorkspaceCurrency>`).
//!
//! Marketplaces differ in how they carry out a deal. [`MarketTraits`] names the differences. An adapter returns the traits of its
//! marketplace, and implements the methods that they require.

mod feed;
mod mills;
mod standing;
mod traits;

use async_trait::async_trait;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::purchase::FailureCode;
use tradepost_domain::markets::fees::FeeSchedule;
use tradepost_domain::markets::listing::Listing;
use tradepost_domain::money::{Amount, VenueCents, VenueCurrency};
use tradepost_domain::text::{ExternalId, MarketHashName};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};

use crate::external::{ExternalError, Page, Pages};

pub use feed::{ListingFeed, SoughtListing};
pub use mills::Mills;
pub use standing::{MarketStanding, OwnAccount, OwnListing, OwnOrder};
pub use traits::{Announcement, MarketTraits, MoneyUnit, OrderIdentity};

/// The result of a call to a marketplace.
pub type MarketplaceResult<T> = Result<T, ExternalError<MarketplaceRefusal>>;

/// The reason why a marketplace rejected a call. It charged nothing and changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MarketplaceRefusal {
    /// Nothing exists under this id, or it belongs to another customer.
    #[error("there is no such listing or order of this customer")]
    NotFound,
    /// The listing was sold or withdrawn.
    #[error("the listing is no longer on sale")]
    SoldAlready,
    /// The listing costs more than the request allows.
    #[error("the listing costs {price} cents by now")]
    PriceChanged {
        /// The price without fees.
        price: VenueCents,
    },
    /// The balance does not cover price and fee.
    #[error("the balance of {available} cents does not cover price and fee")]
    BalanceTooLow {
        /// The available balance.
        available: VenueCents,
    },
    /// The key was used for another listing.
    #[error("the key was used for another listing")]
    KeyReused,
    /// The trading account may not trade here, or its address is wrong.
    #[error("the marketplace does not deal with this trading account")]
    AccountBlocked,
    /// The item is not in the account, cannot be traded by now, or is on sale already.
    #[error("the item cannot be listed")]
    ItemUnavailable,
    /// The price is outside of the range that the marketplace accepts.
    #[error("the marketplace does not take this price")]
    PriceRefused,
    /// Another reason, in the marketplace's own words.
    #[error("{0}")]
    Other(String),
}

/// The wanted listings, and how many at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingQuery {
    /// Of this variant only.
    pub market_hash_name: Option<MarketHashName>,
    /// At this price or below.
    pub max_price: Option<VenueCents>,
    /// The most listings, at least 1; the marketplace may return fewer.
    pub limit: u16,
}

/// A listing as the marketplace knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarketListing<Of = VenueCurrency> {
    /// The marketplace's id of it.
    pub id: ExternalId,
    /// The item, as its seller has it.
    pub asset_id: AssetId,
    /// The item's variant and traits, and its price.
    pub offered: Listing<Of>,
    /// Whether it can be bought.
    pub status: ListingStatus,
}

/// Whether a listing can be bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListingStatus {
    /// It can be bought.
    OnSale,
    /// A customer has bought it.
    Sold,
    /// Its seller withdrew it.
    Withdrawn,
    /// A state that the adapter does not know, by the marketplace's number. It proves nothing.
    Other(u32),
}

/// A request to buy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuyRequest<Of = VenueCurrency> {
    /// Our key for this purchase. If we ask twice with one key, the marketplace sells once, provided that it keeps keys.
    pub key: ExternalId,
    /// The listing.
    pub listing_id: ExternalId,
    /// The highest price without fees.
    pub max_price: Amount<Of>,
    /// The trading account that gets the item.
    pub deliver_to: TradeAddress,
}

/// A purchase whose answer was lost, with everything by which a marketplace may identify it.
///
/// Some marketplaces keep the customer's key. On others an order can only be found by its listing or asset id, or by name, price and time
/// among the customer's orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoughtOrder<Of = VenueCurrency> {
    /// The key of the request.
    pub key: ExternalId,
    /// The listing.
    pub listing_id: ExternalId,
    /// The item as it was listed.
    pub asset_id: AssetId,
    /// The item's variant.
    pub market_hash_name: MarketHashName,
    /// The highest price without fees.
    pub max_price: Amount<Of>,
    /// The trading account that gets the item.
    pub deliver_to: TradeAddress,
    /// The request was sent at this time or later.
    pub sent_since: Timestamp,
}

impl SoughtOrder {
    /// Returns the order that a request for this listing may have placed.
    pub fn of(request: &BuyRequest, listing: &MarketListing, sent_since: Timestamp) -> Self {
        Self {
            key: request.key.clone(),
            listing_id: request.listing_id.clone(),
            asset_id: listing.asset_id.clone(),
            market_hash_name: listing.offered.variant.market_hash_name.clone(),
            max_price: request.max_price,
            deliver_to: request.deliver_to.clone(),
            sent_since,
        }
    }
}

/// The result of a search for an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sought<Of = VenueCurrency> {
    /// The order.
    Found(MarketOrder<Of>),
    /// The marketplace does not show it yet, or not all of the customer's orders could be read. This proves nothing.
    NotShown,
    /// All orders of the customer since then were read, and it is not among them.
    Absent,
}

/// The buyer of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Buyer<Of = VenueCurrency> {
    /// The customer, by this order.
    Us(MarketOrder<Of>),
    /// Another customer.
    AnotherCustomer,
    /// None: the listing is on sale, or was withdrawn.
    NotSold,
    /// The marketplace does not report it. This proves nothing.
    Unknown,
}

/// A purchase as the marketplace knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarketOrder<Of = VenueCurrency> {
    /// The marketplace's id of it.
    pub id: ExternalId,
    /// The key of its request; nothing if the marketplace keeps none.
    pub key: Option<ExternalId>,
    /// The listing.
    pub listing_id: ExternalId,
    /// The item as it was listed, if the marketplace reports it.
    pub asset_id: Option<AssetId>,
    /// The seller, who delivers it; nothing if the marketplace does not report one. Then the engine recognises the delivery by the trade
    /// offer that the marketplace names and by the item.
    pub seller: Option<PlatformUserId>,
    /// The price that was charged, without the fee.
    pub price: Amount<Of>,
    /// The fee that was charged.
    pub fee: Amount<Of>,
    /// Its status.
    pub status: OrderStatus,
    /// The trade offer that the marketplace accepts as the delivery.
    pub trade_offer_id: Option<ExternalId>,
    /// The time until which the seller has to deliver; nothing while no delivery is due.
    pub deliver_by: Option<Timestamp>,
    /// The refunded amount.
    pub refunded: Amount<Of>,
}

/// A sale of ours as the marketplace knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sale<Of = VenueCurrency> {
    /// The marketplace's id of it.
    pub id: ExternalId,
    /// Our listing.
    pub listing_id: ExternalId,
    /// Our item as it was listed.
    pub asset_id: AssetId,
    /// The address that we have to deliver to; nothing while the marketplace does not report it, as before the sale is committed.
    pub deliver_to: Option<TradeAddress>,
    /// The price that the buyer paid.
    pub price: Amount<Of>,
    /// The marketplace's fee.
    pub fee: Amount<Of>,
    /// Its status.
    pub status: OrderStatus,
    /// The time until which we have to deliver.
    pub deliver_by: Timestamp,
    /// The time of the last change.
    pub updated_at: Timestamp,
}

/// The status of a deal between a seller and a buyer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderStatus {
    /// Paid; the seller has to accept the sale, see [`Marketplace::commit_sale`].
    AwaitingCommit,
    /// Paid; the seller has to send a trade offer.
    AwaitingSeller,
    /// Paid; the marketplace keeps the item until the buyer withdraws it, see [`Marketplace::withdraw`].
    InCustody {
        /// The time from which it can be withdrawn; nothing when it can be at once.
        withdrawable_at: Option<Timestamp>,
    },
    /// The seller has sent the trade offer.
    Offered,
    /// The trade is complete and can be reversed; the marketplace holds the money.
    Delivered,
    /// Final: the seller has been paid.
    Settled,
    /// The item was not delivered; the money returns to the buyer soon.
    Failed(FailureCode),
    /// The trade was reversed; the money returns to the buyer soon.
    Reverted,
    /// Final: the buyer has the money back.
    Refunded,
    /// A state that the adapter does not know, by the marketplace's number. It proves nothing: the deal keeps its status, and the engine
    /// notifies an operator.
    Other(u32),
}

/// A request to sell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SellRequest<Of = VenueCurrency> {
    /// The trading account that has the item.
    pub owner: PlatformUserId,
    /// The item.
    pub asset_id: AssetId,
    /// The price at which we list it, without fees.
    pub price: Amount<Of>,
}

/// A request to withdraw an item from the marketplace's custody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithdrawRequest {
    /// Our key for this withdrawal: the key of the purchase.
    pub key: ExternalId,
    /// The order whose item is withdrawn.
    pub order_id: ExternalId,
    /// The trading account that gets the item.
    pub deliver_to: TradeAddress,
}

/// The trade offer that delivers a sale, as we announce it to the marketplace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnouncedOffer {
    /// The sale.
    pub sale_id: ExternalId,
    /// The platform's id of the offer.
    pub offer_id: ExternalId,
    /// The items that the offer gives.
    pub gives: Vec<AssetId>,
}

fn not_offered<T>(what: &str) -> MarketplaceResult<T> {
    Err(ExternalError::Rejected(MarketplaceRefusal::Other(format!("this marketplace has no {what}"))))
}

/// A marketplace, seen by one of its customers.
///
/// Other customers' records do not show, except their listings. If a call that changes something ends with [`ExternalError::Unknown`], it
/// may have had its effect; so may one that is rate limited or lost its session, unless [`ExternalError::did_nothing`].
#[async_trait]
pub trait Marketplace: Send + Sync {
    /// Returns how this marketplace works. The traits do not change during the life of the adapter.
    fn traits(&self) -> MarketTraits {
        MarketTraits::default()
    }

    /// Returns items on sale, those of others and our own. In their order, each item that remains on sale appears once. `after` is
    /// [`Page::next`] of the page before.
    ///
    /// # Errors
    /// [`ExternalError`]; [`MarketplaceRefusal::NotFound`] for an `after` that the marketplace never returned.
    async fn listings(
        &self,
        query: &ListingQuery,
        after: Option<&ExternalId>,
    ) -> MarketplaceResult<Page<MarketListing>>;

    /// Returns one listing as it is now; nothing when the marketplace does not know it, or no longer knows it.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>>;

    /// Buys a listing. Called again with the same key and listing, it returns the order that exists. A marketplace that keeps no keys
    /// rejects the second call, because the listing is sold.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`MarketplaceRefusal::SoldAlready`], [`PriceChanged`](MarketplaceRefusal::PriceChanged),
    /// [`BalanceTooLow`](MarketplaceRefusal::BalanceTooLow), [`KeyReused`](MarketplaceRefusal::KeyReused),
    /// [`AccountBlocked`](MarketplaceRefusal::AccountBlocked), [`NotFound`](MarketplaceRefusal::NotFound).
    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder>;

    /// Searches for the order of a purchase whose answer was lost. It only reads.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn find_order(&self, sought: &SoughtOrder) -> MarketplaceResult<Sought>;

    /// Returns the buyer of the listing of a purchase whose answer was lost. It returns [`Buyer::Us`] even while
    /// [`Marketplace::find_order`] does not show the order yet. A marketplace that cannot report the buyer returns [`Buyer::Unknown`].
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn who_bought(&self, sought: &SoughtOrder) -> MarketplaceResult<Buyer>;

    /// Returns an order with its status.
    ///
    /// # Errors
    /// [`ExternalError`]; [`MarketplaceRefusal::NotFound`].
    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder>;

    /// Puts an item of ours on sale.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`MarketplaceRefusal::ItemUnavailable`], [`AccountBlocked`](MarketplaceRefusal::AccountBlocked),
    /// [`PriceRefused`](MarketplaceRefusal::PriceRefused).
    async fn list(&self, request: &SellRequest) -> MarketplaceResult<MarketListing>;

    /// Changes the price of a listing of ours.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`MarketplaceRefusal::NotFound`], [`SoldAlready`](MarketplaceRefusal::SoldAlready),
    /// [`PriceRefused`](MarketplaceRefusal::PriceRefused).
    async fn reprice(&self, id: &ExternalId, price: VenueCents) -> MarketplaceResult<MarketListing>;

    /// Delists an item of ours.
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`MarketplaceRefusal::NotFound`], [`SoldAlready`](MarketplaceRefusal::SoldAlready).
    async fn delist(&self, id: &ExternalId) -> MarketplaceResult<()>;

    /// Returns a page of our listings that are on sale; `after` as for [`Marketplace::listings`].
    ///
    /// # Errors
    /// [`ExternalError`]; [`MarketplaceRefusal::NotFound`] for an `after` that the marketplace never returned.
    async fn own_listings_page(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>>;

    /// Returns all our listings that are on sale.
    ///
    /// # Errors
    /// As [`Marketplace::own_listings_page`]; [`ExternalError::Unknown`] for pages that do not end.
    async fn own_listings(&self) -> MarketplaceResult<Vec<MarketListing>> {
        let mut pages = Pages::of(|listing: &MarketListing| &listing.id);
        while !pages.are_over() {
            pages.take(self.own_listings_page(pages.after()).await?)?;
        }
        Ok(pages.items())
    }

    /// Returns a page of our sales that were made or changed at this time or later, oldest change first. `after` as for
    /// [`Marketplace::listings`]. A sale that changes during the scan may appear once more, and none is left out.
    ///
    /// # Errors
    /// [`ExternalError`]; [`MarketplaceRefusal::NotFound`] for an `after` that the marketplace never returned.
    async fn sales_page(&self, since: Timestamp, after: Option<&ExternalId>) -> MarketplaceResult<Page<Sale>>;

    /// Returns all our sales that were made or changed at this time or later, each as it was last seen.
    ///
    /// # Errors
    /// As [`Marketplace::sales_page`]; [`ExternalError::Unknown`] for pages that do not end.
    async fn sales(&self, since: Timestamp) -> MarketplaceResult<Vec<Sale>> {
        let mut pages = Pages::of(|sale: &Sale| &sale.id);
        while !pages.are_over() {
            pages.take(self.sales_page(since, pages.after()).await?)?;
        }
        Ok(pages.items())
    }

    /// Accepts a sale that waits for it, and returns the sale with its buyer's address. Called again, it returns the sale as it is.
    ///
    /// Only for marketplaces with [`MarketTraits::commits_sales`].
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`MarketplaceRefusal::NotFound`], [`Other`](MarketplaceRefusal::Other) when the sale is over.
    async fn commit_sale(&self, _id: &ExternalId) -> MarketplaceResult<Sale> {
        not_offered("sales to be committed")
    }

    /// Announces to the marketplace the trade offer that delivers a sale. Called again with the same offer, it changes nothing.
    ///
    /// Only for marketplaces with an [`Announcement`].
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`MarketplaceRefusal::NotFound`], [`Other`](MarketplaceRefusal::Other) when the marketplace does
    /// not accept this offer as the delivery.
    async fn announce_offer(&self, _offer: &AnnouncedOffer) -> MarketplaceResult<()> {
        not_offered("offers to be announced")
    }

    /// Withdraws the item of an order from the marketplace's custody. The order names the trade offer once it is sent. Called again, it
    /// sends no second offer.
    ///
    /// Only for marketplaces with [`MarketTraits::custody`].
    ///
    /// # Errors
    /// [`ExternalError`]; rejected with [`MarketplaceRefusal::NotFound`], [`AccountBlocked`](MarketplaceRefusal::AccountBlocked),
    /// [`ItemUnavailable`](MarketplaceRefusal::ItemUnavailable) before it can be withdrawn.
    async fn withdraw(&self, _request: &WithdrawRequest) -> MarketplaceResult<()> {
        not_offered("custody")
    }

    /// Returns the available balance.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn balance(&self) -> MarketplaceResult<VenueCents>;

    /// Returns the available balance in thousandths. The engine judges by it whether a purchase without an answer was charged. So a
    /// marketplace that counts finer than in cents returns every part of a cent: a charge below a cent must not look like none.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn exact_balance(&self) -> MarketplaceResult<Mills> {
        Ok(self.balance().await?.into())
    }

    /// Returns the current fees of the marketplace. The order or the sale has the fee that the marketplace booked.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule>;
}
