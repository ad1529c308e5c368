//! A customer of a small world, and the steps that most tests take with it.

use time::Duration;
use tradepost_adapters_simulator::{
    Fault, Settings, SimulatedMarketplace, SimulatedPlatform, SimulatedRates, Simulator, Spread, World,
};
use tradepost_domain::asset::{AppId, AssetId, ContextId};
use tradepost_domain::float_value::FloatValue;
use tradepost_domain::markets::listing::Listing;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{OfferStatus, TradeAddress};
use tradepost_ports::game_platform::{
    Acceptance, Asset, ConfirmationAnswer, GamePlatform as _, NewOffer, Offer, PlatformResult, Trade,
};
use tradepost_ports::marketplace::{
    BuyRequest, ListingQuery, MarketListing, MarketOrder, MarketTraits, Marketplace as _, MarketplaceResult, Sale,
    SellRequest, Sought, SoughtOrder,
};

pub(crate) const CUSTOMER: &str = "desk";

pub(crate) struct Desk {
    pub(crate) simulator: Simulator,
    pub(crate) market: SimulatedMarketplace,
    pub(crate) platform: SimulatedPlatform,
    pub(crate) rates: SimulatedRates,
    pub(crate) account: TradeAddress,
}

pub(crate) fn cents(amount: i64) -> VenueCents {
    VenueCents::new(amount).unwrap()
}

pub(crate) fn external(text: &str) -> ExternalId {
    ExternalId::new(text).unwrap()
}

/// Checks that an asset is the item that was listed, under whichever id.
pub(crate) fn assert_is_listed_item(asset: &Asset, listing: &MarketListing) {
    let Asset { app_id, market_hash_name, traits, .. } = asset.clone();
    let wear = traits.wear.as_ref().map(FloatValue::from);
    let variant = Variant { app_id, market_hash_name, phase: traits.phase };
    let Listing { float_value, paint_seed, .. } = listing.offered;
    assert_eq!((&variant, wear, traits.paint_seed), (&listing.offered.variant, float_value, paint_seed));
}

/// A world in which strangers list and buy only what a test lets them, so that each test has one story.
pub(crate) fn quiet() -> Settings {
    let never = u32::MAX;
    Settings {
        next_listing: Spread::new(never, never),
        stays_listed: Spread::new(never, never),
        price_interval: never,
        buyer_interval: never,
        ..Settings::default()
    }
}

impl Desk {
    /// A customer with 10 000 in the currency, in a world where nothing happens by itself.
    pub(crate) fn quiet() -> Self {
        Self::over(World::new(7, quiet()))
    }

    /// The same where the marketplace works like this.
    pub(crate) fn quiet_with(traits: MarketTraits) -> Self {
        Self::over(World::new(7, Settings { traits, ..quiet() }))
    }

    /// The same in a lively world.
    pub(crate) fn lively(seed: u64) -> Self {
        Self::over(World::new(seed, Settings::default()))
    }

    /// The same where strangers take their time, so that many days pass quickly.
    pub(crate) fn slow(seed: u64) -> Self {
        let (next_listing, buyer_interval) = (Spread::new(60, 7_200), 7_200);
        let settings = Settings { next_listing, buyer_interval, price_interval: 7_200, ..Settings::default() };
        Self::over(World::new(seed, settings))
    }

    /// The same in this world.
    pub(crate) fn over(mut world: World) -> Self {
        world.pay_in(CUSTOMER, cents(1_000_000));
        let account = world.open_account(CUSTOMER);
        Self::at(world, account)
    }

    fn at(world: World, account: TradeAddress) -> Self {
        let simulator = Simulator::new(world);
        let (market, platform, rates) = (simulator.marketplace(CUSTOMER), simulator.platform(), simulator.rates());
        Self { simulator, market, platform, rates, account }
    }

    /// The same customer in a world that was this one.
    pub(crate) fn in_another(&self, world: World) -> Self {
        Self::at(world, self.account.clone())
    }

    pub(crate) fn inject(&self, fault: Fault) {
        self.simulator.world(|world| world.inject(fault));
    }

    pub(crate) fn pass(&self, by: Duration) {
        self.simulator.advance(by);
    }

    pub(crate) fn own_item(&self) -> AssetId {
        self.simulator.world(|world| world.give_item(self.account.user)).unwrap()
    }

    pub(crate) async fn balance(&self) -> VenueCents {
        self.market.balance().await.unwrap()
    }

    /// What is on sale, the dearest first, so that a swapped item is always another kind.
    pub(crate) async fn listings(&self) -> Vec<MarketListing> {
        let query = ListingQuery { market_hash_name: None, max_price: None, limit: 100 };
        let mut listings = self.market.listings(&query, None).await.unwrap().items;
        listings.sort_by_key(|listing| std::cmp::Reverse(listing.offered.price));
        listings
    }

    pub(crate) fn request(&self, listing: &MarketListing, key: &str) -> BuyRequest {
        BuyRequest {
            key: external(key),
            listing_id: listing.id.clone(),
            max_price: listing.offered.price,
            deliver_to: self.account.clone(),
        }
    }

    /// Searches for the order of a request for this listing.
    pub(crate) async fn find(&self, listing: &MarketListing, key: &str) -> Sought {
        let sought = SoughtOrder::of(&self.request(listing, key), listing, Timestamp::MIN);
        self.market.find_order(&sought).await.unwrap()
    }

    pub(crate) async fn try_to_buy(&self) -> (MarketListing, MarketplaceResult<MarketOrder>) {
        let listing = self.listings().await.swap_remove(0);
        let answer = self.market.buy(&self.request(&listing, "key-1")).await;
        (listing, answer)
    }

    pub(crate) async fn buy(&self) -> (MarketListing, MarketOrder) {
        let (listing, answer) = self.try_to_buy().await;
        (listing, answer.unwrap())
    }

    pub(crate) async fn order(&self, order: &MarketOrder) -> MarketOrder {
        self.market.order(&order.id).await.unwrap()
    }

    /// The offer of the seller, once it is out.
    pub(crate) async fn offer_for(&self, order: &MarketOrder) -> Offer {
        self.pass(Duration::minutes(5));
        let id = self.order(order).await.trade_offer_id.unwrap();
        self.platform.offer(self.account.user, &id).await.unwrap()
    }

    pub(crate) async fn accept(&self, offer: &Offer) -> Trade {
        let accepted = self.platform.accept(self.account.user, &offer.id).await.unwrap();
        let Acceptance::Begun { trade_id } = accepted else { panic!("nothing of ours is given: {accepted:?}") };
        self.trade(&trade_id).await
    }

    pub(crate) async fn trade(&self, id: &ExternalId) -> Trade {
        self.platform.trade(self.account.user, id).await.unwrap()
    }

    /// Buys something and receives it.
    pub(crate) async fn receive(&self) -> (MarketListing, MarketOrder, Trade) {
        let (listing, order) = self.buy().await;
        let offer = self.offer_for(&order).await;
        let trade = self.accept(&offer).await;
        (listing, order, trade)
    }

    pub(crate) async fn inventory(&self, context: ContextId) -> Vec<Asset> {
        self.platform.inventory(self.account.user, AppId::CS2, context).await.unwrap().assets
    }

    pub(crate) async fn offers(&self) -> Vec<Offer> {
        self.platform.offers(self.account.user, Timestamp::MIN).await.unwrap()
    }

    /// Lists an item, which a stranger buys at once.
    pub(crate) async fn sell(&self) -> (AssetId, Sale) {
        let asset_id = self.own_item();
        let request = SellRequest { owner: self.account.user, asset_id: asset_id.clone(), price: cents(5_000) };
        let listing = self.market.list(&request).await.unwrap();
        assert!(self.simulator.world(|world| world.sell_to_stranger(&listing.id)));
        (asset_id, self.sale().await)
    }

    /// The only sale.
    pub(crate) async fn sale(&self) -> Sale {
        let mut sales = self.market.sales(Timestamp::MIN).await.unwrap();
        assert_eq!(sales.len(), 1);
        sales.swap_remove(0)
    }

    pub(crate) async fn send(&self, sale: &Sale, asset_id: &AssetId) -> PlatformResult<Offer> {
        let offer = NewOffer {
            to: sale.deliver_to.clone().unwrap(),
            give: vec![asset_id.clone()],
            receive: Vec::new(),
            message: None,
        };
        self.platform.send(self.account.user, &offer).await
    }

    /// Sends what was sold, confirms it, and waits for the buyer.
    pub(crate) async fn deliver(&self, sale: &Sale, asset_id: &AssetId) -> Offer {
        let sent = self.send(sale, asset_id).await.unwrap();
        assert_eq!(sent.status, OfferStatus::NeedsConfirmation);
        self.pass(Duration::seconds(5));
        self.confirm_all().await;
        self.pass(Duration::minutes(10));
        self.platform.offer(self.account.user, &sent.id).await.unwrap()
    }

    pub(crate) async fn confirm_all(&self) {
        for confirmation in self.platform.confirmations(self.account.user).await.unwrap() {
            self.platform.answer(self.account.user, &confirmation, ConfirmationAnswer::Allow).await.unwrap();
        }
    }

    pub(crate) fn check_books(&self) {
        self.simulator.world(|world| world.check_books()).unwrap();
    }
}
