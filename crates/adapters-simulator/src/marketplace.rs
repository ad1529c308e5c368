//! The port of the marketplace: every method becomes a request, and its answer a result.

use async_trait::async_trait;
use tradepost_domain::markets::fees::FeeSchedule;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::external::Page;
use tradepost_ports::marketplace::{
    AnnouncedOffer, BuyRequest, Buyer, ListingQuery, MarketListing, MarketOrder, MarketTraits, Marketplace,
    MarketplaceResult, Sale, SellRequest, Sought, SoughtOrder, WithdrawRequest,
};

use crate::call::{Answer, MarketplaceCall, Request};
use crate::simulator::Simulator;
use crate::world_transport::{WorldTransport, expected};

/// The simulated marketplace, as one customer sees it: in process, or over a line of another kind.
#[derive(Debug, Clone)]
pub struct SimulatedMarketplace<L = Simulator> {
    line: L,
    customer: String,
    traits: MarketTraits,
}

impl<L: WorldTransport> SimulatedMarketplace<L> {
    /// The marketplace at the end of a line, as this customer sees it.
    pub fn new(line: L, customer: String) -> Self {
        Self { line, customer, traits: MarketTraits::default() }
    }

    /// The same in a world whose marketplace works like this.
    #[must_use]
    pub fn with_traits(self, traits: MarketTraits) -> Self {
        Self { traits, ..self }
    }

    async fn call<T>(&self, call: MarketplaceCall) -> MarketplaceResult<T>
    where
        T: TryFrom<Answer, Error = Answer>,
    {
        let answer = self.line.ask(Request::Marketplace { customer: self.customer.clone(), call }).await?;
        expected(answer, |answer| if let Answer::MarketplaceFailed(error) = answer { Some(error) } else { None })
    }
}

impl Simulator {
    /// The marketplace, as this customer sees it.
    pub fn marketplace(&self, customer: &str) -> SimulatedMarketplace {
        let traits = self.world(|world| world.traits());
        SimulatedMarketplace::new(self.clone(), customer.to_owned()).with_traits(traits)
    }
}

#[async_trait]
impl<L: WorldTransport> Marketplace for SimulatedMarketplace<L> {
    fn traits(&self) -> MarketTraits {
        self.traits
    }

    async fn listings(
        &self,
        query: &ListingQuery,
        after: Option<&ExternalId>,
    ) -> MarketplaceResult<Page<MarketListing>> {
        self.call(MarketplaceCall::Listings { query: query.clone(), after: after.cloned() }).await
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        self.call(MarketplaceCall::Listing { id: id.clone() }).await
    }

    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        self.call(MarketplaceCall::Buy { request: request.clone() }).await
    }

    async fn find_order(&self, sought: &SoughtOrder) -> MarketplaceResult<Sought> {
        self.call(MarketplaceCall::FindOrder { sought: sought.clone() }).await
    }

    async fn who_bought(&self, sought: &SoughtOrder) -> MarketplaceResult<Buyer> {
        self.call(MarketplaceCall::WhoBought { sought: sought.clone() }).await
    }

    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        self.call(MarketplaceCall::Order { id: id.clone() }).await
    }

    async fn list(&self, request: &SellRequest) -> MarketplaceResult<MarketListing> {
        self.call(MarketplaceCall::List { request: request.clone() }).await
    }

    async fn reprice(&self, id: &ExternalId, price: VenueCents) -> MarketplaceResult<MarketListing> {
        self.call(MarketplaceCall::Reprice { id: id.clone(), price }).await
    }

    async fn delist(&self, id: &ExternalId) -> MarketplaceResult<()> {
        self.call(MarketplaceCall::Delist { id: id.clone() }).await
    }

    async fn own_listings_page(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        self.call(MarketplaceCall::OwnListings { after: after.cloned() }).await
    }

    async fn sales_page(&self, since: Timestamp, after: Option<&ExternalId>) -> MarketplaceResult<Page<Sale>> {
        self.call(MarketplaceCall::Sales { since, after: after.cloned() }).await
    }

    async fn commit_sale(&self, id: &ExternalId) -> MarketplaceResult<Sale> {
        self.call(MarketplaceCall::CommitSale { id: id.clone() }).await
    }

    async fn announce_offer(&self, offer: &AnnouncedOffer) -> MarketplaceResult<()> {
        self.call(MarketplaceCall::AnnounceOffer { offer: offer.clone() }).await
    }

    async fn withdraw(&self, request: &WithdrawRequest) -> MarketplaceResult<()> {
        self.call(MarketplaceCall::Withdraw { request: request.clone() }).await
    }

    async fn balance(&self) -> MarketplaceResult<VenueCents> {
        self.call(MarketplaceCall::Balance).await
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        self.call(MarketplaceCall::FeeSchedule).await
    }
}
