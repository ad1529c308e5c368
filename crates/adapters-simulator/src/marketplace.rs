//! The port of the marketplace over the world. A customer who was never heard of is not let in.

use async_trait::async_trait;
use tradepost_domain::fees::FeeSchedule;
use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::marketplace::{
    BuyRequest, ListingQuery, MarketListing, MarketOrder, Marketplace, MarketplaceRefusal, MarketplaceResult, Page,
    Sale, SellRequest,
};
use tradepost_ports::outside::OutsideError;

use crate::fault::{Call, Side};
use crate::simulator::Simulator;
use crate::world::World;

/// The simulated marketplace, as one customer sees it.
#[derive(Debug, Clone)]
pub struct SimulatedMarketplace {
    simulator: Simulator,
    customer: String,
}

impl SimulatedMarketplace {
    pub(crate) fn new(simulator: Simulator, customer: String) -> Self {
        Self { simulator, customer }
    }

    fn call<T>(
        &self,
        call: Option<Call>,
        act: impl FnOnce(&mut World, &str) -> Result<T, MarketplaceRefusal>,
    ) -> MarketplaceResult<T> {
        self.simulator.world(|world| {
            if !world.knows(&self.customer) {
                return Err(OutsideError::AuthLost);
            }
            world.called(Side::Marketplace, call, |world| act(world, &self.customer))
        })
    }
}

#[async_trait]
impl Marketplace for SimulatedMarketplace {
    async fn listings(
        &self,
        query: &ListingQuery,
        after: Option<&ExternalId>,
    ) -> MarketplaceResult<Page<MarketListing>> {
        self.call(None, |world, _| world.listings(query, after))
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        self.call(None, |world, _| Ok(world.listing(id)))
    }

    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        self.call(Some(Call::Buy), |world, customer| world.buy(customer, request))
    }

    async fn find_order(&self, key: &ExternalId) -> MarketplaceResult<Option<MarketOrder>> {
        self.call(None, |world, customer| Ok(world.find_order(customer, key)))
    }

    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        self.call(None, |world, customer| world.order(customer, id))
    }

    async fn list(&self, request: &SellRequest) -> MarketplaceResult<MarketListing> {
        self.call(Some(Call::List), |world, customer| world.list(customer, request))
    }

    async fn reprice(&self, id: &ExternalId, price: Cents) -> MarketplaceResult<MarketListing> {
        self.call(Some(Call::Reprice), |world, customer| world.reprice(customer, id, price))
    }

    async fn delist(&self, id: &ExternalId) -> MarketplaceResult<()> {
        self.call(Some(Call::Delist), |world, customer| world.delist(customer, id))
    }

    async fn own_listings(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        self.call(None, |world, customer| world.own_listings(customer, after))
    }

    async fn sales(&self, since: Timestamp) -> MarketplaceResult<Vec<Sale>> {
        self.call(None, |world, customer| Ok(world.sales(customer, since)))
    }

    async fn balance(&self) -> MarketplaceResult<Cents> {
        self.call(None, |world, customer| Ok(world.balance_of(customer)))
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        self.call(None, |world, _| Ok(world.fee_schedule()))
    }
}
