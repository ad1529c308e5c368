//! A marketplace that counts in thousandths: what it charges is never believed less, and what it pays never more than it was.

use async_trait::async_trait;
use tradepost_adapters_simulator::{Fault, Fees, InMills, Settings, SimulatedMarketplace, World};
use tradepost_domain::asset::AssetId;
use tradepost_domain::markets::fees::FeeSchedule;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_ports::external::{ExternalError, Page};
use tradepost_ports::marketplace::{
    BuyRequest, Buyer, ListingQuery, MarketListing, MarketOrder, MarketTraits, Marketplace, MarketplaceRefusal,
    MarketplaceResult, Mills, MoneyUnit, OrderStatus, Sale, SellRequest, Sought, SoughtOrder,
};
use tradepost_testkit::external::FaultInjection;
use tradepost_testkit::external::marketplace::{self as promises, MarketplaceFixture};

use crate::desk::{CUSTOMER, Desk, cents, external, quiet};

/// What another customer asks, in thousandths.
const CHARGES: [i64; 6] = [1, 4, 5, 9, 10, 14];

/// A desk that deals in cents in a world of thousandths, where buyers pay no fee and many have something on sale.
struct Fine {
    desk: Desk,
    market: InMills<SimulatedMarketplace>,
}

impl Fine {
    fn new() -> Self {
        let fees = Fees { buying: 0, selling: 500, minimum: 1 };
        let desk = Desk::over(World::new(7, Settings { fees, first_listings: 500, ..quiet() }));
        let market = InMills::new(desk.market.clone());
        Self { desk, market }
    }

    fn exact(&self) -> i64 {
        self.desk.simulator.world(|world| world.balance_of("desk")).get()
    }

    /// What another customer has on sale for so many thousandths.
    async fn on_sale(&self, mills: i64) -> BuyRequest {
        let (owner, asset_id) = self.desk.simulator.world(|world| {
            world.pay_in("other", VenueCents::ZERO);
            let owner = world.open_account("other").user;
            (owner, world.give_item(owner).unwrap())
        });
        let request = SellRequest { owner, asset_id, price: cents(mills) };
        let listing = self.desk.simulator.marketplace("other").list(&request).await.unwrap();
        BuyRequest {
            key: external(&format!("key-{mills}")),
            listing_id: listing.id,
            max_price: Mills::new(mills).unwrap().as_cost(),
            deliver_to: self.desk.account.clone(),
        }
    }
}

#[async_trait]
impl FaultInjection for Fine {
    async fn lose_next_answer(&self) {
        self.desk.lose_next_answer().await;
    }

    async fn limit_rate(&self) {
        self.desk.limit_rate().await;
    }

    async fn lose_session(&self) {
        self.desk.lose_session().await;
    }
}

#[async_trait]
impl MarketplaceFixture for Fine {
    fn marketplace(&self) -> &dyn Marketplace {
        &self.market
    }

    fn address(&self) -> TradeAddress {
        self.desk.account.clone()
    }

    async fn own_item(&self) -> AssetId {
        self.desk.own_item()
    }

    async fn sell(&self, listing: &ExternalId) {
        MarketplaceFixture::sell(&self.desk, listing).await;
    }

    async fn charge_a_thousandth(&self) {
        self.desk.inject(Fault::BalanceDrift { customer: CUSTOMER.to_owned(), cents: -1 });
    }
}

tradepost_testkit::marketplace_contract!(Fine::new());

#[tokio::test]
async fn whatever_is_charged_shows_in_the_exact_balance_and_is_booked_as_no_less() {
    let fine = Fine::new();
    assert_eq!(fine.market.traits().unit, MoneyUnit::Mills);
    for mills in CHARGES {
        let (request, before) = (fine.on_sale(mills).await, fine.exact());
        assert_eq!(fine.market.exact_balance().await, Ok(Mills::new(before).unwrap()));
        let order = fine.market.buy(&request).await.unwrap();
        assert_eq!((before - fine.exact(), order.price), (mills, request.max_price), "{mills} thousandths");
        assert!(Mills::from(order.price).get() >= mills && order.fee == VenueCents::ZERO);
        assert_eq!(fine.market.exact_balance().await, Ok(Mills::new(before - mills).unwrap()));
        assert_eq!(fine.market.balance().await, Ok(cents((before - mills) / 10)), "what can be spent is rounded down");
    }
}

#[tokio::test]
async fn what_costs_no_whole_number_of_cents_is_not_shown_and_not_bought_for_less_than_it_costs() {
    let fine = Fine::new();
    let query = ListingQuery { market_hash_name: None, max_price: Some(cents(1)), limit: 100 };
    for mills in CHARGES {
        let request = fine.on_sale(mills).await;
        let shown = fine.market.listings(&query, None).await.unwrap().items;
        assert_eq!(shown.iter().any(|listing| listing.id == request.listing_id), mills == 10, "{mills} thousandths");
        let cheaper = BuyRequest { max_price: Mills::new(mills).unwrap().as_proceeds(), ..request.clone() };
        let answer = fine.market.buy(&cheaper).await;
        let price = request.max_price;
        let dearer = Err(ExternalError::Rejected(MarketplaceRefusal::PriceChanged { price }));
        assert!(if mills == 10 { answer.is_ok() } else { answer == dearer }, "{mills} thousandths: {answer:?}");
    }
}

#[tokio::test]
async fn a_refund_of_everything_is_the_rounded_price() {
    let fine = Fine::new();
    for mills in CHARGES {
        let order = fine.market.buy(&fine.on_sale(mills).await).await.unwrap();
        fine.desk.pass(time::Duration::hours(2));
        let order = fine.market.order(&order.id).await.unwrap();
        assert_eq!((order.status, order.refunded), (OrderStatus::Refunded, order.price), "{mills} thousandths");
    }
}

/// The same marketplace through an adapter that says nothing of parts of cents.
struct Coarse {
    fine: Fine,
    market: WithoutParts,
}

/// An adapter that has the default exact balance.
struct WithoutParts(InMills<SimulatedMarketplace>);

impl Coarse {
    fn new() -> Self {
        let fine = Fine::new();
        let market = WithoutParts(fine.market.clone());
        Self { fine, market }
    }
}

#[async_trait]
impl Marketplace for WithoutParts {
    fn traits(&self) -> MarketTraits {
        self.0.traits()
    }

    async fn listings(
        &self,
        query: &ListingQuery,
        after: Option<&ExternalId>,
    ) -> MarketplaceResult<Page<MarketListing>> {
        self.0.listings(query, after).await
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        self.0.listing(id).await
    }

    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        self.0.buy(request).await
    }

    async fn find_order(&self, sought: &SoughtOrder) -> MarketplaceResult<Sought> {
        self.0.find_order(sought).await
    }

    async fn who_bought(&self, sought: &SoughtOrder) -> MarketplaceResult<Buyer> {
        self.0.who_bought(sought).await
    }

    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        self.0.order(id).await
    }

    async fn list(&self, request: &SellRequest) -> MarketplaceResult<MarketListing> {
        self.0.list(request).await
    }

    async fn reprice(&self, id: &ExternalId, price: VenueCents) -> MarketplaceResult<MarketListing> {
        self.0.reprice(id, price).await
    }

    async fn delist(&self, id: &ExternalId) -> MarketplaceResult<()> {
        self.0.delist(id).await
    }

    async fn own_listings_page(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        self.0.own_listings_page(after).await
    }

    async fn sales_page(&self, since: Timestamp, after: Option<&ExternalId>) -> MarketplaceResult<Page<Sale>> {
        self.0.sales_page(since, after).await
    }

    async fn balance(&self) -> MarketplaceResult<VenueCents> {
        self.0.balance().await
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        self.0.fee_schedule().await
    }
}

#[async_trait]
impl FaultInjection for Coarse {
    async fn lose_next_answer(&self) {
        self.fine.lose_next_answer().await;
    }

    async fn limit_rate(&self) {
        self.fine.limit_rate().await;
    }

    async fn lose_session(&self) {
        self.fine.lose_session().await;
    }
}

#[async_trait]
impl MarketplaceFixture for Coarse {
    fn marketplace(&self) -> &dyn Marketplace {
        &self.market
    }

    fn address(&self) -> TradeAddress {
        self.fine.address()
    }

    async fn own_item(&self) -> AssetId {
        MarketplaceFixture::own_item(&self.fine).await
    }

    async fn sell(&self, listing: &ExternalId) {
        self.fine.sell(listing).await;
    }

    async fn charge_a_thousandth(&self) {
        self.fine.charge_a_thousandth().await;
    }
}

#[tokio::test]
#[should_panic(expected = "charge 1 of a thousandth")]
async fn an_adapter_in_thousandths_with_the_default_exact_balance_breaks_the_contract() {
    promises::a_charge_below_a_cent_shows_in_the_exact_balance(&Coarse::new()).await;
}
