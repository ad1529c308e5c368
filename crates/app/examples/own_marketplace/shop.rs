//! A marketplace of one's own: the adapter with which the engine trades there.
//!
//! A real adapter sends HTTP requests; this one keeps the listings, orders and sales of the shop in memory. Every method returns what
//! the port documents, and the contract suite of the feature `testkit` checks it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tradepost::domain::asset::{AppId, AssetId};
use tradepost::domain::contracts::contract::BasisPoints;
use tradepost::domain::markets::fees::{FeeRate, FeeSchedule, Rounding};
use tradepost::domain::markets::listing::Listing;
use tradepost::domain::markets::variant::Variant;
use tradepost::domain::money::VenueCents;
use tradepost::domain::text::ExternalId;
use tradepost::domain::time::Timestamp;
use tradepost::domain::trading::trade::TradeAddress;
use tradepost::ports::clock::Clock as _;
use tradepost::ports::external::{Effect, ExternalError, Page};
use tradepost::ports::marketplace::{
    BuyRequest, Buyer, ListingQuery, ListingStatus, MarketListing, MarketOrder, Marketplace, MarketplaceRefusal,
    MarketplaceResult, OrderStatus, Sale, SellRequest, Sought, SoughtOrder,
};
use tradepost::{SystemClock, async_trait};

use super::{Failure, text};

/// The item that is for sale.
pub(crate) const ITEM: &str = "AK-47 | Redline (Field-Tested)";
/// Sellers deliver within this time.
pub(crate) const DELIVERY: time::Duration = time::Duration::hours(12);

/// The shop, as one customer sees it.
pub(crate) struct Shop {
    pub(crate) account: TradeAddress,
    state: Mutex<State>,
}

pub(crate) struct State {
    balance: VenueCents,
    pub(crate) listings: BTreeMap<ExternalId, Offered>,
    orders: Vec<MarketOrder>,
    pub(crate) sales: Vec<Sale>,
    /// Items in the customer's trading account.
    pub(crate) items: Vec<AssetId>,
    pub(crate) trouble: FaultInjection,
}

/// A listing, and whether it is the customer's own.
pub(crate) struct Offered {
    pub(crate) listing: MarketListing,
    is_ours: bool,
}

/// What goes wrong at the shop. The contract suite sets it.
#[derive(Default)]
pub(crate) struct FaultInjection {
    pub(crate) loses_next_answer: bool,
    pub(crate) limits_calls: bool,
    pub(crate) is_signed_out: bool,
}

impl Shop {
    /// A shop in which others sell eight items, and a customer with 100.00 whose trading account has this address.
    pub(crate) fn open(account: TradeAddress) -> Result<Self, Failure> {
        let mut listings = BTreeMap::new();
        for number in 1..=8_i64 {
            let (id, asset_id) = (text(&number.to_string())?, AssetId::new(&(1_000 + number).to_string())?);
            let listing = listing(id, asset_id, VenueCents::new(1_100 + 50 * number)?)?;
            listings.insert(listing.id.clone(), Offered { listing, is_ours: false });
        }
        let (orders, sales, items, trouble) = (Vec::new(), Vec::new(), Vec::new(), FaultInjection::default());
        let state = State { balance: VenueCents::new(10_000)?, listings, orders, sales, items, trouble };
        Ok(Self { account, state: Mutex::new(state) })
    }

    /// The state for a read. A read has no effect, whatever the shop answers.
    fn read(&self) -> MarketplaceResult<MutexGuard<'_, State>> {
        let state = self.locked();
        if state.trouble.is_signed_out {
            return Err(ExternalError::AuthLost { effect: Effect::Nothing });
        }
        if state.trouble.limits_calls {
            return Err(ExternalError::RateLimited { retry_after: Duration::from_secs(30), effect: Effect::Nothing });
        }
        Ok(state)
    }

    /// The state for a write. This shop is known to turn calls away before it acts; an adapter that does not know this answers with
    /// [`Effect::Unknown`].
    fn write(&self) -> MarketplaceResult<MutexGuard<'_, State>> {
        self.read()
    }

    pub(crate) fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Marketplace for Shop {
    async fn listings(
        &self,
        query: &ListingQuery,
        after: Option<&ExternalId>,
    ) -> MarketplaceResult<Page<MarketListing>> {
        let state = self.read()?;
        if after.is_some_and(|after| !state.listings.contains_key(after)) {
            return Err(refused(MarketplaceRefusal::NotFound));
        }
        let fits = |listing: &&MarketListing| {
            let names = query.market_hash_name.as_ref();
            listing.status == ListingStatus::OnSale
                && after.is_none_or(|after| listing.id > *after)
                && names.is_none_or(|name| listing.offered.variant.market_hash_name == *name)
                && query.max_price.is_none_or(|most| listing.offered.price <= most)
        };
        let mut found = state.listings.values().map(|offered| &offered.listing).filter(fits);
        let items: Vec<MarketListing> = found.by_ref().take(query.limit.into()).cloned().collect();
        let next = if found.next().is_some() { items.last().map(|last| last.id.clone()) } else { None };
        Ok(Page { items, next })
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        Ok(self.read()?.listings.get(id).map(|offered| offered.listing.clone()))
    }

    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        let mut state = self.write()?;
        // The key makes a repeated call harmless.
        if let Some(order) = state.orders.iter().find(|order| order.key.as_ref() == Some(&request.key)) {
            let is_same = order.listing_id == request.listing_id;
            return if is_same { Ok(order.clone()) } else { Err(refused(MarketplaceRefusal::KeyReused)) };
        }
        if request.deliver_to != self.account {
            return Err(refused(MarketplaceRefusal::AccountBlocked));
        }
        let order = state.sell_to_us(request)?;
        if std::mem::take(&mut state.trouble.loses_next_answer) {
            return Err(ExternalError::Unknown("the connection was closed".to_owned()));
        }
        Ok(order)
    }

    async fn find_order(&self, sought: &SoughtOrder) -> MarketplaceResult<Sought> {
        let state = self.read()?;
        let order = state.orders.iter().find(|order| order.key.as_ref() == Some(&sought.key));
        // `Absent` is a proof. An adapter that cannot read all of the customer's orders answers with `NotShown`.
        Ok(order.cloned().map_or(Sought::Absent, Sought::Found))
    }

    async fn who_bought(&self, sought: &SoughtOrder) -> MarketplaceResult<Buyer> {
        let state = self.read()?;
        if let Some(order) = state.orders.iter().find(|order| order.listing_id == sought.listing_id) {
            return Ok(Buyer::Us(order.clone()));
        }
        let listing = state.listings.get(&sought.listing_id);
        let is_sold = listing.is_some_and(|offered| offered.listing.status == ListingStatus::Sold);
        Ok(if is_sold { Buyer::AnotherCustomer } else { Buyer::NotSold })
    }

    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        let state = self.read()?;
        let order = state.orders.iter().find(|order| order.id == *id).cloned();
        order.ok_or(refused(MarketplaceRefusal::NotFound))
    }

    async fn list(&self, request: &SellRequest) -> MarketplaceResult<MarketListing> {
        let mut state = self.write()?;
        let is_offered = |offered: &Offered| {
            offered.listing.asset_id == request.asset_id && offered.listing.status != ListingStatus::Withdrawn
        };
        if !state.items.contains(&request.asset_id) || state.listings.values().any(is_offered) {
            return Err(refused(MarketplaceRefusal::ItemUnavailable));
        }
        let id = text(&format!("ours-{}", state.listings.len()));
        let listing = id.and_then(|id| listing(id, request.asset_id.clone(), positive(request.price)?));
        let listing = listing.map_err(|_| refused(MarketplaceRefusal::PriceRefused))?;
        state.listings.insert(listing.id.clone(), Offered { listing: listing.clone(), is_ours: true });
        Ok(listing)
    }

    async fn reprice(&self, id: &ExternalId, price: VenueCents) -> MarketplaceResult<MarketListing> {
        let mut state = self.write()?;
        let listing = state.ours_on_sale(id)?;
        if price == VenueCents::ZERO {
            return Err(refused(MarketplaceRefusal::PriceRefused));
        }
        listing.offered.price = price;
        Ok(listing.clone())
    }

    async fn delist(&self, id: &ExternalId) -> MarketplaceResult<()> {
        self.write()?.ours_on_sale(id)?.status = ListingStatus::Withdrawn;
        Ok(())
    }

    async fn own_listings_page(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        let state = self.read()?;
        only_page(after)?;
        let ours = state.listings.values().filter(|offered| offered.is_ours).map(|offered| &offered.listing);
        let items = ours.filter(|listing| listing.status == ListingStatus::OnSale).cloned().collect();
        Ok(Page { items, next: None })
    }

    async fn sales_page(&self, since: Timestamp, after: Option<&ExternalId>) -> MarketplaceResult<Page<Sale>> {
        let state = self.read()?;
        only_page(after)?;
        let items = state.sales.iter().filter(|sale| sale.updated_at >= since).cloned().collect();
        Ok(Page { items, next: None })
    }

    async fn balance(&self) -> MarketplaceResult<VenueCents> {
        Ok(self.read()?.balance)
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        self.read().map(|_| fees())
    }
}

impl State {
    /// Carries a purchase out, if the listing and the balance allow it.
    fn sell_to_us(&mut self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        let offered = self.listings.get_mut(&request.listing_id).filter(|offered| !offered.is_ours);
        let offered = offered.ok_or(refused(MarketplaceRefusal::NotFound))?;
        let price = offered.listing.offered.price;
        if offered.listing.status != ListingStatus::OnSale {
            return Err(refused(MarketplaceRefusal::SoldAlready));
        }
        if price > request.max_price {
            return Err(refused(MarketplaceRefusal::PriceChanged { price }));
        }
        let (fee, too_low) = (fees().buying.of(price), MarketplaceRefusal::BalanceTooLow { available: self.balance });
        let left = price.plus(fee).and_then(|charged| self.balance.minus(charged));
        self.balance = left.map_err(|_| refused(too_low))?;
        offered.listing.status = ListingStatus::Sold;
        let order = MarketOrder {
            id: request.listing_id.clone(),
            key: Some(request.key.clone()),
            listing_id: request.listing_id.clone(),
            asset_id: Some(offered.listing.asset_id.clone()),
            seller: None,
            price,
            fee,
            status: OrderStatus::AwaitingSeller,
            trade_offer_id: None,
            deliver_by: Some(SystemClock.now().plus(DELIVERY)),
            refunded: VenueCents::ZERO,
        };
        self.orders.push(order.clone());
        Ok(order)
    }

    fn ours_on_sale(&mut self, id: &ExternalId) -> MarketplaceResult<&mut MarketListing> {
        let offered = self.listings.get_mut(id).filter(|offered| offered.is_ours);
        let listing = &mut offered.ok_or(refused(MarketplaceRefusal::NotFound))?.listing;
        if listing.status == ListingStatus::OnSale {
            Ok(listing)
        } else {
            Err(refused(MarketplaceRefusal::SoldAlready))
        }
    }
}

const fn refused(reason: MarketplaceRefusal) -> ExternalError<MarketplaceRefusal> {
    ExternalError::Rejected(reason)
}

/// A list of one page gave no cursor, so that every cursor is unknown.
fn only_page(after: Option<&ExternalId>) -> MarketplaceResult<()> {
    if after.is_none() { Ok(()) } else { Err(refused(MarketplaceRefusal::NotFound)) }
}

fn positive(price: VenueCents) -> Result<VenueCents, Failure> {
    if price == VenueCents::ZERO { Err("a price is above zero".into()) } else { Ok(price) }
}

/// A buyer pays 2.5 % on top of the price, a seller pays the same.
pub(crate) fn fees() -> FeeSchedule {
    let share = BasisPoints::new(250).unwrap_or_default();
    let rate = FeeRate { share, minimum: VenueCents::ZERO, rounding: Rounding::Ceil };
    FeeSchedule { buying: rate, selling: rate, overrides: Vec::new() }
}

fn listing(id: ExternalId, asset_id: AssetId, price: VenueCents) -> Result<MarketListing, Failure> {
    let variant = Variant { app_id: AppId::CS2, market_hash_name: text(ITEM)?, phase: None };
    let offered = Listing {
        variant,
        rarity: None,
        float_value: None,
        paint_seed: None,
        paint_index: None,
        stickers: Vec::new(),
        charms: Vec::new(),
        price,
        trade_lock_days: 0,
        seller_success: None,
    };
    Ok(MarketListing { id, asset_id, offered, status: ListingStatus::OnSale })
}
