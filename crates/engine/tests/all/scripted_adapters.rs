//! A marketplace that says what a test wants it to, and contracts and purchases as a test wants them.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures::future::BoxFuture;
use tradepost_domain::contracts::contract::{ApprovalMode, BasisPoints, Contract, ContractParts, Counters};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseParts, PurchaseStatus, PurchaseTerms};
use tradepost_domain::id::ContractId;
use tradepost_domain::markets::fees::{FeeRate, FeeSchedule, Rounding};
use tradepost_domain::markets::listing::Listing;
use tradepost_domain::money::{Cents, VenueCents};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::changes::Changes;
use tradepost_ports::external::{ExternalError, Page};
use tradepost_ports::marketplace::{
    BuyRequest, Buyer, ListingQuery, ListingStatus, MarketListing, MarketOrder, MarketTraits, Marketplace,
    MarketplaceRefusal, MarketplaceResult, Mills, MoneyUnit, OrderIdentity, OrderStatus, Sale, SellRequest, Sought,
    SoughtOrder,
};
use tradepost_ports::store::Store as _;
use tradepost_testkit::samples::{Samples, text, variant};

use crate::desk::{Desk, MARKET, cents};
use crate::stalling::Stalling;

/// What the contracts of these tests would pay.
pub(crate) const WANTED: i64 = 1_000;

/// What a marketplace was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asked {
    Fees,
    Balance,
    Page,
    Listing,
    Buy,
    FindOrder,
    WhoBought,
    Order(ExternalId),
    OwnListings,
    Sales,
}

/// The number of the page after one.
pub(crate) type NextPage = fn(u64) -> u64;

/// A marketplace that says what a test wants it to, and remembers what it was asked.
#[derive(Default)]
pub(crate) struct Stub {
    pub(crate) pages: Mutex<Vec<Vec<MarketListing>>>,
    /// Our own listings.
    pub(crate) own: Mutex<Vec<MarketListing>>,
    pub(crate) asked: Mutex<Vec<Asked>>,
    /// Whether orders cannot be looked up by their keys.
    pub(crate) is_mute: AtomicBool,
    /// Whether calls of a purchase return no outcome.
    pub(crate) loses_answers: AtomicBool,
    /// Whether it sells the next listing that is bought to another customer.
    pub(crate) rejects_next: AtomicBool,
    /// Whether it knows of no order.
    pub(crate) hides_orders: AtomicBool,
    /// What was charged to the balance, in cents.
    pub(crate) charged: AtomicI64,
    /// What was charged in addition, in thousandths.
    pub(crate) charged_mills: AtomicI64,
    /// How long each page of sales and own listings takes, and the number of the page after one.
    pub(crate) leads: Option<(std::time::Duration, NextPage)>,
    /// By what it identifies an order.
    pub(crate) orders: OrderIdentity,
    /// Whether it keeps purchases in custody, where its orders name neither seller nor deadline.
    pub(crate) has_custody: bool,
    /// In what it counts.
    pub(crate) unit: MoneyUnit,
    /// What it says to everything.
    pub(crate) refuses: Mutex<Option<ExternalError<MarketplaceRefusal>>>,
    /// Whether it does not show orders yet.
    pub(crate) shows_late: AtomicBool,
    /// Which order a search finds, if it is not that of the key.
    pub(crate) finds: Mutex<Option<ExternalId>>,
    /// The buyer of every listing; another customer by default.
    pub(crate) buyer: Mutex<Option<Buyer>>,
    /// What came back of every order, in cents.
    pub(crate) refunded: AtomicI64,
    /// The status of every order.
    pub(crate) order_status: Mutex<Option<OrderStatus>>,
    /// What happens the next time that a page is asked for.
    pub(crate) befalls: Mutex<Option<BoxFuture<'static, ()>>>,
    /// What stalls after a listing was asked for.
    pub(crate) stalls: Option<Arc<Stalling>>,
}

impl Stub {
    fn note(&self, asked: Asked) -> MarketplaceResult<()> {
        self.asked.lock().unwrap().push(asked);
        self.refuses.lock().unwrap().clone().map_or(Ok(()), Err)
    }

    /// What it was asked since the last time.
    pub(crate) fn take(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    /// How often it was asked this since the last time.
    pub(crate) fn count(&self, wanted: &Asked) -> usize {
        self.take().iter().filter(|asked| *asked == wanted).count()
    }

    /// The orders that were asked for since the last time.
    pub(crate) fn orders(&self) -> Vec<ExternalId> {
        let order = |asked| if let Asked::Order(id) = asked { Some(id) } else { None };
        self.take().into_iter().filter_map(order).collect()
    }

    pub(crate) fn offer(&self, pages: Vec<Vec<MarketListing>>) {
        *self.pages.lock().unwrap() = pages;
    }

    /// What can be spent: so much that less than a cent can go without a cent less.
    fn exact(&self) -> Mills {
        let charged = 10 * self.charged.load(Ordering::SeqCst) + self.charged_mills.load(Ordering::SeqCst);
        Mills::new(10_000_009 - charged).unwrap()
    }

    pub(crate) fn answer(&self, id: &ExternalId, key: &ExternalId) -> MarketOrder {
        MarketOrder {
            id: id.clone(),
            key: Some(key.clone()).filter(|_| self.orders == OrderIdentity::Keyed),
            listing_id: text("listed"),
            asset_id: Some(Samples::seeded(8).asset_id()),
            seller: NonZeroU64::new(7).map(PlatformUserId::new).filter(|_| !self.has_custody),
            price: cents(WANTED),
            fee: VenueCents::ZERO,
            status: self.order_status.lock().unwrap().unwrap_or(OrderStatus::AwaitingSeller),
            trade_offer_id: None,
            deliver_by: (!self.has_custody).then_some(Timestamp::MAX),
            refunded: cents(self.refunded.load(Ordering::SeqCst)),
        }
    }
}

impl Stub {
    /// An empty page, and what it leads to.
    async fn page<T>(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<T>> {
        let Some((takes, following)) = self.leads else { return Ok(Page { items: Vec::new(), next: None }) };
        drop(tokio::time::timeout(takes, std::future::pending::<()>()).await);
        let number = after.map_or(0, |after| after.as_str().parse().unwrap());
        Ok(Page { items: Vec::new(), next: Some(following(number).into()) })
    }
}

fn unknown<T>() -> MarketplaceResult<T> {
    Err(ExternalError::Unknown("no answer".to_owned()))
}

fn refused<T>() -> MarketplaceResult<T> {
    Err(ExternalError::Rejected(MarketplaceRefusal::NotFound))
}

#[async_trait]
impl Marketplace for Stub {
    fn traits(&self) -> MarketTraits {
        MarketTraits { orders: self.orders, unit: self.unit, custody: self.has_custody, ..MarketTraits::default() }
    }

    async fn listings(&self, _: &ListingQuery, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        self.note(Asked::Page)?;
        let befalls = self.befalls.lock().unwrap().take();
        if let Some(befalls) = befalls {
            befalls.await;
        }
        let number: usize = after.map_or(0, |after| after.as_str().parse().unwrap());
        let pages = self.pages.lock().unwrap();
        let next = (number + 1 < pages.len()).then(|| text(&(number + 1).to_string()));
        Ok(Page { items: pages.get(number).cloned().unwrap_or_default(), next })
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        self.note(Asked::Listing)?;
        if let Some(stalls) = &self.stalls {
            stalls.stall_next();
        }
        Ok(self.pages.lock().unwrap().iter().flatten().find(|listing| listing.id == *id).cloned())
    }

    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        self.note(Asked::Buy)?;
        if self.rejects_next.swap(false, Ordering::SeqCst) {
            return Err(ExternalError::Rejected(MarketplaceRefusal::SoldAlready));
        }
        if self.loses_answers.load(Ordering::SeqCst) {
            return unknown();
        }
        Ok(MarketOrder { price: request.max_price, ..self.answer(&request.listing_id, &request.key) })
    }

    async fn find_order(&self, sought: &SoughtOrder) -> MarketplaceResult<Sought> {
        self.note(Asked::FindOrder)?;
        if self.is_mute.load(Ordering::SeqCst) {
            return unknown();
        }
        if self.shows_late.load(Ordering::SeqCst) {
            return Ok(Sought::NotShown);
        }
        if let Some(id) = &*self.finds.lock().unwrap() {
            return Ok(Sought::Found(self.answer(id, &sought.key)));
        }
        let is_hidden = self.hides_orders.load(Ordering::SeqCst);
        Ok(if is_hidden { Sought::Absent } else { Sought::Found(self.answer(&sought.key, &sought.key)) })
    }

    async fn who_bought(&self, _: &SoughtOrder) -> MarketplaceResult<Buyer> {
        self.note(Asked::WhoBought)?;
        Ok(self.buyer.lock().unwrap().clone().unwrap_or(Buyer::AnotherCustomer))
    }

    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        self.note(Asked::Order(id.clone()))?;
        Ok(self.answer(id, id))
    }

    async fn list(&self, _: &SellRequest) -> MarketplaceResult<MarketListing> {
        refused()
    }

    async fn reprice(&self, _: &ExternalId, _: VenueCents) -> MarketplaceResult<MarketListing> {
        refused()
    }

    async fn delist(&self, _: &ExternalId) -> MarketplaceResult<()> {
        refused()
    }

    async fn own_listings_page(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        self.note(Asked::OwnListings)?;
        let page = self.page(after).await?;
        Ok(Page { items: self.own.lock().unwrap().clone(), ..page })
    }

    async fn sales_page(&self, _: Timestamp, after: Option<&ExternalId>) -> MarketplaceResult<Page<Sale>> {
        self.note(Asked::Sales)?;
        self.page(after).await
    }

    async fn balance(&self) -> MarketplaceResult<VenueCents> {
        self.note(Asked::Balance)?;
        Ok(self.exact().as_proceeds())
    }

    async fn exact_balance(&self) -> MarketplaceResult<Mills> {
        self.note(Asked::Balance)?;
        Ok(self.exact())
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        self.note(Asked::Fees)?;
        let nothing =
            FeeRate { share: BasisPoints::new(0).unwrap(), minimum: VenueCents::ZERO, rounding: Rounding::HalfUp };
        Ok(FeeSchedule { buying: nothing, selling: nothing, overrides: Vec::new() })
    }
}

pub(crate) fn on_sale(id: &str, price: i64) -> MarketListing {
    MarketListing {
        id: text(id),
        asset_id: Samples::seeded(9).asset_id(),
        offered: Listing {
            variant: variant("AK-47 | Redline (Field-Tested)"),
            rarity: None,
            float_value: None,
            paint_seed: None,
            paint_index: None,
            stickers: Vec::new(),
            charms: Vec::new(),
            price: cents(price),
            trade_lock_days: 0,
            seller_success: None,
        },
        status: ListingStatus::OnSale,
    }
}

/// Active contracts with these approval modes, in this order of priority.
pub(crate) async fn with_contracts(desk: &Desk, modes: [ApprovalMode; 2]) -> [ContractId; 2] {
    let (samples, mut changes) = (Samples::seeded(7), Changes::by(&tradepost_ports::changes::Caller::system()));
    let ids = modes.map(|approval_mode| {
        let parts = samples.contract(desk.workspace_id).into_parts();
        let id = parts.id;
        let marketplaces = vec![text(MARKET)];
        changes.insert(Contract::restore(ContractParts { approval_mode, marketplaces, ..parts }).unwrap());
        id
    });
    desk.store.commit(changes).await.unwrap();
    ids
}

/// An active contract that has made so many purchases, all in this status.
pub(crate) async fn with_purchases(desk: &Desk, number: usize, status: PurchaseStatus) -> Vec<Purchase> {
    let samples = Samples::seeded(7);
    let contract = samples.contract(desk.workspace_id);
    let made: Vec<Purchase> = (0..number)
        .map(|_| {
            let parts = samples.purchase(desk.workspace_id, contract.id, status).into_parts();
            let terms = PurchaseTerms { marketplace: text(MARKET), account_name: text("bot-1"), ..parts.terms };
            Purchase::restore(PurchaseParts { terms, ..parts }).unwrap()
        })
        .collect();
    let footprints: Vec<_> = made.iter().map(Purchase::counter_delta).collect();
    let sum = |amounts: Vec<Cents>| cents(amounts.iter().map(|amount| amount.get()).sum());
    let counters = Counters {
        filled_quantity: footprints.iter().map(|footprint| footprint.filled_quantity).sum(),
        open_quantity: footprints.iter().map(|footprint| footprint.open_quantity).sum(),
        spent: sum(footprints.iter().map(|footprint| footprint.spent).collect()),
        reserved: sum(footprints.iter().map(|footprint| footprint.reserved).collect()),
    };
    let parts = ContractParts { counters, marketplaces: vec![text(MARKET)], ..contract.into_parts() };
    let mut changes = Changes::by(&tradepost_ports::changes::Caller::system());
    changes.insert(Contract::restore(parts).unwrap());
    for purchase in &made {
        changes.insert(purchase.clone());
    }
    desk.store.commit(changes).await.unwrap();
    made
}
