//! A second marketplace in addition to the simulated one: others sell nothing there, and a test decides the outcome of our sales.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use time::Duration;
use tradepost_adapters_simulator::Simulator;
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::markets::fees::FeeSchedule;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_engine::{Desk as Engaged, Engine, Venue};
use tradepost_ports::clock::MarketClock as _;
use tradepost_ports::external::{ExternalError, Page};
use tradepost_ports::marketplace::{
    BuyRequest, Buyer, ListingQuery, ListingStatus, MarketListing, MarketOrder, Marketplace, MarketplaceRefusal,
    MarketplaceResult, OrderStatus, Sale, SellRequest, Sought, SoughtOrder,
};
use tradepost_testkit::samples::text;

use crate::desk::{CUSTOMER, Desk, cents};
use crate::scripted_adapters::on_sale;

/// Its name.
pub(crate) const SHOP: &str = "shop";

/// The marketplace. It gives every listing the same id.
pub(crate) struct Shop {
    simulator: Simulator,
    listing_id: ExternalId,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    listing: Option<MarketListing>,
    sales: Vec<Sale>,
    /// Whether it does not show the listing at present.
    is_blank: bool,
    /// The buyer of what is on sale as soon as it is read.
    waits: Option<TradeAddress>,
    /// What it keeps of a price in basis points, where that is not what the simulated one keeps.
    keeps: Option<u16>,
}

impl Desk {
    /// A desk that has a shop as well, where everything is on sale under this id.
    pub(crate) fn engaged_with_shop(&self, listing_id: &str) -> (Engaged, Arc<Shop>) {
        let (simulator, listing_id) = (self.simulator.clone(), text(listing_id));
        let shop = Arc::new(Shop { simulator, listing_id, state: Mutex::default() });
        let mut desk = self.engaged("node-1", Arc::new(self.simulator.marketplace(CUSTOMER)));
        desk.venues.push(Venue { name: text(SHOP), marketplace: shop.clone(), currency: None });
        (desk, shop)
    }

    /// An engine for both.
    pub(crate) fn engine_with_shop(&self, listing_id: &str) -> (Engine, Arc<Shop>) {
        let (desk, shop) = self.engaged_with_shop(listing_id);
        (self.engine_for(desk), shop)
    }

    /// A buyer, who accepts offers only as a test says.
    pub(crate) fn buyer(&self) -> TradeAddress {
        self.simulator.world(|world| world.open_account("buyer"))
    }
}

impl Shop {
    /// Puts an item on sale that our records do not list.
    pub(crate) fn put(&self, asset_id: &AssetId, price: i64) {
        let listing = MarketListing { asset_id: asset_id.clone(), ..on_sale(self.listing_id.as_str(), price) };
        self.state.lock().unwrap().listing = Some(listing);
    }

    /// Whether something is on sale.
    pub(crate) fn sells(&self) -> bool {
        let state = self.state.lock().unwrap();
        state.listing.as_ref().is_some_and(|listing| listing.status == ListingStatus::OnSale)
    }

    /// Asks another price for what is on sale.
    pub(crate) fn asks(&self, price: i64) {
        let mut state = self.state.lock().unwrap();
        state.listing.as_mut().unwrap().offered.price = cents(price);
    }

    /// Keeps so many basis points of each price.
    pub(crate) fn keeps(&self, share: u16) {
        self.state.lock().unwrap().keeps = Some(share);
    }

    /// Shows nothing of what is on sale, or again.
    pub(crate) fn hides(&self, is_blank: bool) {
        self.state.lock().unwrap().is_blank = is_blank;
    }

    /// Sells what is on sale as soon as it is read.
    pub(crate) fn sells_when_looked_at(&self, buyer: &TradeAddress) {
        self.state.lock().unwrap().waits = Some(buyer.clone());
    }

    /// Sells what is on sale.
    pub(crate) fn sell(&self, buyer: &TradeAddress) {
        let (mut state, now) = (self.state.lock().unwrap(), self.simulator.market_now());
        let id = text(&format!("sale-{}", state.sales.len() + 1));
        let listing = state.listing.as_mut().unwrap();
        listing.status = ListingStatus::Sold;
        let sale = Sale {
            id,
            listing_id: listing.id.clone(),
            asset_id: listing.asset_id.clone(),
            deliver_to: Some(buyer.clone()),
            price: listing.offered.price,
            fee: VenueCents::ZERO,
            status: OrderStatus::AwaitingSeller,
            deliver_by: now.plus(Duration::days(1)),
            updated_at: now,
        };
        state.sales.push(sale);
    }

    /// Sets the outcome of the sale.
    pub(crate) fn sale_is(&self, status: OrderStatus) {
        let (mut state, now) = (self.state.lock().unwrap(), self.simulator.market_now());
        let sale = state.sales.last_mut().unwrap();
        (sale.status, sale.updated_at) = (status, now);
    }
}

fn refused<T>() -> MarketplaceResult<T> {
    Err(ExternalError::Rejected(MarketplaceRefusal::NotFound))
}

#[async_trait]
impl Marketplace for Shop {
    async fn listings(&self, _: &ListingQuery, _: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        Ok(Page { items: Vec::new(), next: None })
    }

    async fn listing(&self, _: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        let buyer = self.state.lock().unwrap().waits.take();
        if let Some(buyer) = buyer {
            self.sell(&buyer);
        }
        let state = self.state.lock().unwrap();
        Ok(state.listing.clone().filter(|_| !state.is_blank))
    }

    async fn buy(&self, _: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        refused()
    }

    async fn find_order(&self, _: &SoughtOrder) -> MarketplaceResult<Sought> {
        Ok(Sought::Absent)
    }

    async fn who_bought(&self, _: &SoughtOrder) -> MarketplaceResult<Buyer> {
        Ok(Buyer::Unknown)
    }

    async fn order(&self, _: &ExternalId) -> MarketplaceResult<MarketOrder> {
        refused()
    }

    async fn list(&self, request: &SellRequest) -> MarketplaceResult<MarketListing> {
        self.put(&request.asset_id, request.price.get());
        Ok(self.state.lock().unwrap().listing.clone().unwrap())
    }

    async fn reprice(&self, _: &ExternalId, price: VenueCents) -> MarketplaceResult<MarketListing> {
        self.asks(price.get());
        Ok(self.state.lock().unwrap().listing.clone().unwrap())
    }

    async fn delist(&self, _: &ExternalId) -> MarketplaceResult<()> {
        if !self.sells() {
            return refused();
        }
        self.state.lock().unwrap().listing.as_mut().unwrap().status = ListingStatus::Withdrawn;
        Ok(())
    }

    async fn own_listings_page(&self, _: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        let state = self.state.lock().unwrap();
        let on_sale = |listing: &MarketListing| listing.status == ListingStatus::OnSale && !state.is_blank;
        Ok(Page { items: state.listing.clone().into_iter().filter(on_sale).collect(), next: None })
    }

    async fn sales_page(&self, since: Timestamp, _: Option<&ExternalId>) -> MarketplaceResult<Page<Sale>> {
        let sales = self.state.lock().unwrap().sales.clone();
        Ok(Page { items: sales.into_iter().filter(|sale| sale.updated_at >= since).collect(), next: None })
    }

    async fn balance(&self) -> MarketplaceResult<VenueCents> {
        Ok(VenueCents::ZERO)
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        let mut fees = self.simulator.marketplace(CUSTOMER).fee_schedule().await?;
        if let Some(share) = self.state.lock().unwrap().keeps {
            fees.selling.share = BasisPoints::new(share).unwrap();
        }
        Ok(fees)
    }
}
