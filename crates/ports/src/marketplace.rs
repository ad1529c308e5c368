//! A marketplace where items are bought and sold for money, seen by one of its customers.
//!
//! A deal is struck here and carried out on the game platform: the seller sends a trade offer, the buyer accepts it, and the
//! marketplace holds the money until the trade can no longer be reversed.
//!
//! All amounts here are in the currency of the marketplace ([`VenueCents`]): an adapter neither knows nor applies a rate. The engine
//! converts them, and reads the same types in the currency of its workspace (`MarketOrder<WorkspaceCurrency>`).
//!
//! Marketplaces differ in how they get there. [`MarketTraits`] names the differences; an adapter answers with those of its marketplace, and
//! implements the methods that they ask for.

mod mills;
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

pub use mills::Mills;
pub use traits::{Announcement, MarketTraits, MoneyUnit, OrderIdentity};

/// The result of a call to a marketplace.
pub type MarketplaceResult<T> = Result<T, ExternalError<MarketplaceRefusal>>;

/// Why a marketplace refused. It charged nothing and changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MarketplaceRefusal {
    /// There is nothing under this id, or it is somebody else's.
    #[error("there is no such listing or order of this customer")]
    NotFound,
    /// The listing was sold or withdrawn.
    #[error("the listing is not on sale any more")]
    SoldAlready,
    /// The listing costs more than may be paid.
    #[error("the listing costs {price} cents by now")]
    PriceChanged {
        /// The price without fees.
        price: VenueCents,
    },
    /// The balance does not cover price and fee.
    #[error("the balance of {available} cents does not cover price and fee")]
    BalanceTooLow {
        /// What there is.
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
    /// The price is outside of what the marketplace takes.
    #[error("the marketplace does not take this price")]
    PriceRefused,
    /// Refused for a reason that the marketplace gives in words of its own.
    #[error("{0}")]
    Other(String),
}

/// Which listings are wanted, and how many at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingQuery {
    /// Of this variant only.
    pub market_hash_name: Option<MarketHashName>,
    /// At this price or below.
    pub max_price: Option<VenueCents>,
    /// At most so many, at least 1; the marketplace may give fewer.
    pub limit: u16,
}

/// A listing as the marketplace knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarketListing<Of = VenueCurrency> {
    /// The marketplace's id of it.
    pub id: ExternalId,
    /// The item, as its seller has it.
    pub asset_id: AssetId,
    /// What the item is, and what it costs.
    pub offered: Listing<Of>,
    /// Whether it can be bought.
    pub status: ListingStatus,
}

/// Whether a listing can be bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListingStatus {
    /// It can.
    OnSale,
    /// Somebody has bought it.
    Sold,
    /// Its seller took it back.
    Withdrawn,
    /// A state that the adapter does not know, by the marketplace's number. Nothing follows from it.
    Other(u32),
}

/// What to buy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuyRequest<Of = VenueCurrency> {
    /// Ours for this purchase: asked twice with one key, the marketplace sells once, if it keeps keys.
    pub key: ExternalId,
    /// The listing.
    pub listing_id: ExternalId,
    /// The most that it may cost without fees.
    pub max_price: Amount<Of>,
    /// The trading account that gets the item.
    pub deliver_to: TradeAddress,
}

/// A purchase whose answer was lost, by everything that a marketplace may know it by.
///
/// Some marketplaces keep the customer's key; on others an order can only be found by its listing or asset id, or by name, price and
/// time among the customer's orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoughtOrder<Of = VenueCurrency> {
    /// The key of the request.
    pub key: ExternalId,
    /// The listing.
    pub listing_id: ExternalId,
    /// The item as it was listed.
    pub asset_id: AssetId,
    /// What the item is.
    pub market_hash_name: MarketHashName,
    /// The most that it may have cost without fees.
    pub max_price: Amount<Of>,
    /// The trading account that gets the item.
    pub deliver_to: TradeAddress,
    /// The request was sent at this time or later.
    pub sent_since: Timestamp,
}

impl SoughtOrder {
    /// The order that a request for this listing may have led to.
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
    /// The marketplace does not show it yet, or not all of the customer's orders could be read. Nothing follows from this.
    NotShown,
    /// All orders that the customer has made since then were read, and it is not among them.
    Absent,
}

/// The buyer of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Buyer<Of = VenueCurrency> {
    /// The customer, by this order.
    Us(MarketOrder<Of>),
    /// Another customer.
    SomebodyElse,
    /// No one: the listing is on sale, or was withdrawn.
    Nobody,
    /// The marketplace does not say. Nothing follows from this.
    Unknown,
}

/// A purchase as the marketplace knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarketOrder<Of = VenueCurrency> {
    /// The marketplace's id of it.
    pub id: ExternalId,
    /// The key it was made with; nothing where the marketplace keeps none.
    pub key: Option<ExternalId>,
    /// The listing.
    pub listing_id: ExternalId,
    /// The item as it was listed, if the marketplace says so.
    pub asset_id: Option<AssetId>,
    /// Who delivers it; nothing where the marketplace does not say. Its delivery is then recognised by the trade offer that the
    /// marketplace names and by the item.
    pub seller: Option<PlatformUserId>,
    /// The price that was charged, without the fee.
    pub price: Amount<Of>,
    /// The fee that was charged.
    pub fee: Amount<Of>,
    /// Where it stands.
    pub status: OrderStatus,
    /// The trade offer that the marketplace takes for the delivery.
    pub trade_offer_id: Option<ExternalId>,
    /// Until when the seller has to deliver; nothing where nobody has to yet.
    pub deliver_by: Option<Timestamp>,
    /// What came back.
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
    /// To whom it has to be sent; nothing as long as the marketplace does not say, as before the sale is committed.
    pub deliver_to: Option<TradeAddress>,
    /// The price that the buyer paid.
    pub price: Amount<Of>,
    /// What the marketplace keeps of it.
    pub fee: Amount<Of>,
    /// Where it stands.
    pub status: OrderStatus,
    /// Until when we have to deliver.
    pub deliver_by: Timestamp,
    /// When this changed last.
    pub updated_at: Timestamp,
}

/// Where a deal between a seller and a buyer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderStatus {
    /// Paid; the seller has to accept the sale, see [`Marketplace::commit_sale`].
    AwaitingCommit,
    /// Paid; the seller has to send a trade offer.
    AwaitingSeller,
    /// Paid; the marketplace keeps the item until the buyer withdraws it, see [`Marketplace::withdraw`].
    InCustody {
        /// From when on it can be withdrawn; nothing when it can be at once.
        withdrawable_at: Option<Timestamp>,
    },
    /// The seller's trade offer is out.
    Offered,
    /// The trade is complete and can be reversed; the marketplace holds the money.
    Delivered,
    /// Final: the seller has been paid.
    Settled,
    /// It was not delivered; the money goes back to the buyer soon.
    Failed(FailureCode),
    /// The trade was reversed; the money goes back to the buyer soon.
    Reverted,
    /// Final: the buyer has the money back.
    Refunded,
    /// A state that the adapter does not know, by the marketplace's number. Nothing follows from it: the deal stays as it was, and an
    /// operator is told.
    Other(u32),
}

/// What to sell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SellRequest<Of = VenueCurrency> {
    /// The trading account that has the item.
    pub owner: PlatformUserId,
    /// The item.
    pub asset_id: AssetId,
    /// The price asked, without fees.
    pub price: Amount<Of>,
}

/// What to withdraw from the marketplace's custody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithdrawRequest {
    /// Ours for this withdrawal: the key of the purchase.
    pub key: ExternalId,
    /// The order whose item is withdrawn.
    pub order_id: ExternalId,
    /// The trading account that gets the item.
    pub deliver_to: TradeAddress,
}

/// The trade offer that delivers a sale, as the marketplace is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnouncedOffer {
    /// The sale.
    pub sale_id: ExternalId,
    /// The platform's id of the offer.
    pub offer_id: ExternalId,
    /// What the offer gives.
    pub gives: Vec<AssetId>,
}

fn not_offered<T>(what: &str) -> MarketplaceResult<T> {
    Err(ExternalError::Rejected(MarketplaceRefusal::Other(format!("this marketplace has no {what}"))))
}

/// A marketplace, seen by one of its customers.
///
/// Of what others have, only listings show. A call that changes something and ends [`ExternalError::Unknown`] may have changed
/// it; every other error means that nothing was changed.
#[async_trait]
pub trait Marketplace: Send + Sync {
    /// How this marketplace works. It does not change while the adapter lives.
    fn traits(&self) -> MarketTraits {
        MarketTraits::default()
    }

    /// Items on sale, those of others and our own, in an order in which each that stays on sale shows up once; `after` is
    /// [`Page::next`] of the page before.
    ///
    /// # Errors
    /// [`ExternalError`]; [`MarketplaceRefusal::NotFound`] for an `after` that was never given.
    async fn listings(
        &self,
        query: &ListingQuery,
        after: Option<&ExternalId>,
    ) -> MarketplaceResult<Page<MarketListing>>;

    /// One listing as it is now; nothing when the marketplace does not know it, or not any more.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>>;

    /// Buys a listing. Called again with the same key and listing, answers with the order that exists; a marketplace that keeps no
    /// keys refuses it as sold.
    ///
    /// # Errors
    /// [`ExternalError`]; refused by [`MarketplaceRefusal::SoldAlready`], [`PriceChanged`](MarketplaceRefusal::PriceChanged),
    /// [`BalanceTooLow`](MarketplaceRefusal::BalanceTooLow), [`KeyReused`](MarketplaceRefusal::KeyReused),
    /// [`AccountBlocked`](MarketplaceRefusal::AccountBlocked), [`NotFound`](MarketplaceRefusal::NotFound).
    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder>;

    /// Searches for the order of a purchase whose answer was lost. This only reads.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn find_order(&self, sought: &SoughtOrder) -> MarketplaceResult<Sought>;

    /// Reads who bought the listing of a purchase whose answer was lost: [`Buyer::Us`] also while [`Marketplace::find_order`] does not
    /// show the order yet. A marketplace that cannot say answers [`Buyer::Unknown`].
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn who_bought(&self, sought: &SoughtOrder) -> MarketplaceResult<Buyer>;

    /// Where an order stands.
    ///
    /// # Errors
    /// [`ExternalError`]; [`MarketplaceRefusal::NotFound`].
    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder>;

    /// Puts an item of ours on sale.
    ///
    /// # Errors
    /// [`ExternalError`]; refused by [`MarketplaceRefusal::ItemUnavailable`],
    /// [`AccountBlocked`](MarketplaceRefusal::AccountBlocked), [`PriceRefused`](MarketplaceRefusal::PriceRefused).
    async fn list(&self, request: &SellRequest) -> MarketplaceResult<MarketListing>;

    /// Asks another price for a listing of ours.
    ///
    /// # Errors
    /// [`ExternalError`]; refused by [`MarketplaceRefusal::NotFound`], [`SoldAlready`](MarketplaceRefusal::SoldAlready),
    /// [`PriceRefused`](MarketplaceRefusal::PriceRefused).
    async fn reprice(&self, id: &ExternalId, price: VenueCents) -> MarketplaceResult<MarketListing>;

    /// Takes a listing of ours back.
    ///
    /// # Errors
    /// [`ExternalError`]; refused by [`MarketplaceRefusal::NotFound`], [`SoldAlready`](MarketplaceRefusal::SoldAlready).
    async fn delist(&self, id: &ExternalId) -> MarketplaceResult<()>;

    /// A page of our listings that are on sale; `after` as for [`Marketplace::listings`].
    ///
    /// # Errors
    /// [`ExternalError`]; [`MarketplaceRefusal::NotFound`] for an `after` that was never given.
    async fn own_listings_page(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>>;

    /// All our listings that are on sale.
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

    /// A page of our sales that were made or changed at this time or later, oldest change first; `after` as for [`Marketplace::listings`].
    /// A sale that changes meanwhile may show up once more, and none is left out.
    ///
    /// # Errors
    /// [`ExternalError`]; [`MarketplaceRefusal::NotFound`] for an `after` that was never given.
    async fn sales_page(&self, since: Timestamp, after: Option<&ExternalId>) -> MarketplaceResult<Page<Sale>>;

    /// All our sales that were made or changed at this time or later, each as it was seen last.
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

    /// Accepts a sale that waits for it, and answers with the sale and its buyer's address. Called again, answers with the sale as it is.
    ///
    /// Only for marketplaces with [`MarketTraits::commits_sales`].
    ///
    /// # Errors
    /// [`ExternalError`]; refused by [`MarketplaceRefusal::NotFound`], [`Other`](MarketplaceRefusal::Other) when the sale is over.
    async fn commit_sale(&self, _id: &ExternalId) -> MarketplaceResult<Sale> {
        not_offered("sales to be committed")
    }

    /// Tells the marketplace of the trade offer that delivers a sale. Called again with the same offer, it changes nothing.
    ///
    /// Only for marketplaces with an [`Announcement`].
    ///
    /// # Errors
    /// [`ExternalError`]; refused by [`MarketplaceRefusal::NotFound`], [`Other`](MarketplaceRefusal::Other) when the marketplace does not
    /// take this offer for the delivery.
    async fn announce_offer(&self, _offer: &AnnouncedOffer) -> MarketplaceResult<()> {
        not_offered("offers to be announced")
    }

    /// Has the item of an order sent that is in the marketplace's custody; the order names the trade offer once it is out. Called again,
    /// it sends no second offer.
    ///
    /// Only for marketplaces with [`MarketTraits::custody`].
    ///
    /// # Errors
    /// [`ExternalError`]; refused by [`MarketplaceRefusal::NotFound`], [`AccountBlocked`](MarketplaceRefusal::AccountBlocked),
    /// [`ItemUnavailable`](MarketplaceRefusal::ItemUnavailable) before it can be withdrawn.
    async fn withdraw(&self, _request: &WithdrawRequest) -> MarketplaceResult<()> {
        not_offered("custody")
    }

    /// What can be spent.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn balance(&self) -> MarketplaceResult<VenueCents>;

    /// What can be spent, in thousandths. Whether a purchase without an answer was charged is judged by this, so a marketplace that
    /// counts finer than in cents answers with every part of a cent: a charge below a cent must not look like none.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn exact_balance(&self) -> MarketplaceResult<Mills> {
        Ok(self.balance().await?.into())
    }

    /// What the marketplace takes at present. What it booked stands on the order or the sale.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule>;
}
