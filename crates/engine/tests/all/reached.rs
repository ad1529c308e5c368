//! The simulated marketplace, reached in the manner that a test wants: slowly, never, or by a process that dies.

use std::sync::Arc;

use async_trait::async_trait;
use tradepost_adapters_simulator::SimulatedMarketplace;
use tradepost_domain::markets::fees::FeeSchedule;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::external::{ExternalError, Page};
use tradepost_ports::marketplace::{
    AnnouncedOffer, BuyRequest, Buyer, ListingQuery, MarketListing, MarketOrder, MarketTraits, Marketplace,
    MarketplaceRefusal, MarketplaceResult, Mills, Sale, SellRequest, Sought, SoughtOrder, WithdrawRequest,
};

use crate::desk::{CUSTOMER, Desk};

/// Whether a call changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    Write,
}

/// What happens around each call.
#[async_trait]
pub(crate) trait Manner: Send + Sync {
    /// Before the marketplace carries it out.
    async fn before(&self, call: Kind);
    /// What is answered to a call that is lost and never carried out.
    fn loses(&self, _: Kind) -> Option<ExternalError<MarketplaceRefusal>> {
        None
    }
    /// Before its answer is read, or what is answered in its place.
    async fn after(&self, call: Kind) -> Option<ExternalError<MarketplaceRefusal>>;
}

/// The marketplace.
pub(crate) struct Reached<M> {
    market: SimulatedMarketplace,
    pub(crate) manner: M,
}

impl Desk {
    /// The simulated marketplace, reached in this manner.
    pub(crate) fn reached<M: Manner>(&self, manner: M) -> Arc<Reached<M>> {
        Arc::new(Reached { market: self.simulator.marketplace(CUSTOMER), manner })
    }
}

impl<M: Manner> Reached<M> {
    async fn call<T>(
        &self,
        kind: Kind,
        call: impl Future<Output = MarketplaceResult<T>> + Send,
    ) -> MarketplaceResult<T> {
        self.manner.before(kind).await;
        if let Some(lost) = self.manner.loses(kind) {
            return Err(lost);
        }
        let answer = call.await;
        self.manner.after(kind).await.map_or(answer, Err)
    }
}

#[async_trait]
impl<M: Manner> Marketplace for Reached<M> {
    fn traits(&self) -> MarketTraits {
        self.market.traits()
    }

    async fn listings(
        &self,
        query: &ListingQuery,
        after: Option<&ExternalId>,
    ) -> MarketplaceResult<Page<MarketListing>> {
        self.call(Kind::Read, self.market.listings(query, after)).await
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        self.call(Kind::Read, self.market.listing(id)).await
    }

    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        self.call(Kind::Write, self.market.buy(request)).await
    }

    async fn find_order(&self, sought: &SoughtOrder) -> MarketplaceResult<Sought> {
        self.call(Kind::Read, self.market.find_order(sought)).await
    }

    async fn who_bought(&self, sought: &SoughtOrder) -> MarketplaceResult<Buyer> {
        self.call(Kind::Read, self.market.who_bought(sought)).await
    }

    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        self.call(Kind::Read, self.market.order(id)).await
    }

    async fn list(&self, request: &SellRequest) -> MarketplaceResult<MarketListing> {
        self.call(Kind::Write, self.market.list(request)).await
    }

    async fn reprice(&self, id: &ExternalId, price: VenueCents) -> MarketplaceResult<MarketListing> {
        self.call(Kind::Write, self.market.reprice(id, price)).await
    }

    async fn delist(&self, id: &ExternalId) -> MarketplaceResult<()> {
        self.call(Kind::Write, self.market.delist(id)).await
    }

    async fn own_listings_page(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        self.call(Kind::Read, self.market.own_listings_page(after)).await
    }

    async fn sales_page(&self, since: Timestamp, after: Option<&ExternalId>) -> MarketplaceResult<Page<Sale>> {
        self.call(Kind::Read, self.market.sales_page(since, after)).await
    }

    async fn commit_sale(&self, id: &ExternalId) -> MarketplaceResult<Sale> {
        self.call(Kind::Write, self.market.commit_sale(id)).await
    }

    async fn announce_offer(&self, offer: &AnnouncedOffer) -> MarketplaceResult<()> {
        self.call(Kind::Write, self.market.announce_offer(offer)).await
    }

    async fn withdraw(&self, request: &WithdrawRequest) -> MarketplaceResult<()> {
        self.call(Kind::Write, self.market.withdraw(request)).await
    }

    async fn balance(&self) -> MarketplaceResult<VenueCents> {
        self.call(Kind::Read, self.market.balance()).await
    }

    async fn exact_balance(&self) -> MarketplaceResult<Mills> {
        self.call(Kind::Read, self.market.exact_balance()).await
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        self.call(Kind::Read, self.market.fee_schedule()).await
    }
}
