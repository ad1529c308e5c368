//! The contracts of the three ports, over a quiet world.

mod signing_in;

use async_trait::async_trait;
use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side, SimulatedPrices, SimulatedSocial};
use tradepost_domain::asset::AssetId;
use tradepost_domain::money::Currency;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::clock::MarketClock as _;
use tradepost_ports::exchange_rates::ExchangeRates;
use tradepost_ports::game_platform::GamePlatform;
use tradepost_ports::game_platform::social::Social;
use tradepost_ports::marketplace::{Announcement, MarketTraits, Marketplace, OrderIdentity, Sale};
use tradepost_ports::price_source::PriceSource;
use tradepost_testkit::external::FaultInjection;
use tradepost_testkit::external::exchange_rates::RatesFixture;
use tradepost_testkit::external::game_platform::PlatformFixture;
use tradepost_testkit::external::marketplace::MarketplaceFixture;
use tradepost_testkit::external::price_source::PriceSourceFixture;
use tradepost_testkit::external::social::SocialFixture;
use tradepost_testkit::samples::text;

use crate::desk::{CUSTOMER, Desk};

#[async_trait]
impl FaultInjection for Desk {
    async fn lose_next_answer(&self) {
        for call in [Call::Buy, Call::Accept, Call::RenewToken] {
            self.inject(Fault::TimeoutAfterCommit { call });
        }
    }

    async fn limit_rate(&self) {
        for side in [Side::Marketplace, Side::Platform, Side::Rates] {
            self.inject(Fault::RateLimitStorm { side, seconds: 60 });
        }
    }

    async fn lose_session(&self) {
        for side in [Side::Marketplace, Side::Platform] {
            self.inject(Fault::SessionLost { side, seconds: 60 });
        }
    }
}

#[async_trait]
impl MarketplaceFixture for Desk {
    fn marketplace(&self) -> &dyn Marketplace {
        &self.market
    }

    fn address(&self) -> TradeAddress {
        self.account.clone()
    }

    async fn own_item(&self) -> AssetId {
        Desk::own_item(self)
    }

    async fn sell(&self, listing: &ExternalId) {
        assert!(self.simulator.world(|world| world.sell_to_stranger(listing)));
    }

    async fn catch_up(&self) {
        self.pass(Duration::minutes(5));
    }

    async fn send_offer(&self, sale: &Sale) -> ExternalId {
        let sent = self.send(sale, &sale.asset_id).await.unwrap();
        if self.market.traits().announcement == Announcement::AfterConfirming {
            self.pass(Duration::seconds(5));
            self.confirm_all().await;
        }
        sent.id
    }
}

#[async_trait]
impl RatesFixture for Desk {
    fn rates(&self) -> &dyn ExchangeRates {
        &self.rates
    }

    fn pair(&self) -> (Currency, Currency) {
        (Currency::new("EUR").unwrap(), Currency::USD)
    }

    fn unknown(&self) -> Currency {
        Currency::new("XXX").unwrap()
    }

    fn now(&self) -> Timestamp {
        self.simulator.market_now()
    }
}

/// The desk with a second trading account.
struct TwoAccounts {
    desk: Desk,
    second: TradeAddress,
    social: SimulatedSocial,
}

impl TwoAccounts {
    fn new() -> Self {
        let desk = Desk::quiet();
        let second = desk.simulator.world(|world| world.open_account(CUSTOMER));
        let social = desk.simulator.social();
        Self { desk, second, social }
    }
}

#[async_trait]
impl FaultInjection for TwoAccounts {
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
impl PlatformFixture for TwoAccounts {
    fn platform(&self) -> &dyn GamePlatform {
        &self.desk.platform
    }

    fn accounts(&self) -> [TradeAddress; 2] {
        [self.desk.account.clone(), self.second.clone()]
    }

    async fn item_of(&self, account: PlatformUserId) -> AssetId {
        self.desk.simulator.world(|world| world.give_item(account)).unwrap()
    }

    async fn catch_up(&self) {
        self.desk.pass(Duration::seconds(5));
    }
}

#[async_trait]
impl SocialFixture for TwoAccounts {
    fn social(&self) -> &dyn Social {
        &self.social
    }

    fn pair(&self) -> [PlatformUserId; 2] {
        [self.desk.account.user, self.second.user]
    }

    fn unknown_user(&self) -> PlatformUserId {
        PlatformUserId::new(std::num::NonZeroU64::MIN)
    }

    async fn wait(&self) {
        self.desk.pass(Duration::seconds(5));
    }

    async fn lose_next_friend_answer(&self) {
        self.desk.inject(Fault::TimeoutAfterCommit { call: Call::Befriend });
    }

    async fn lose_next_message_answer(&self) {
        self.desk.inject(Fault::TimeoutAfterCommit { call: Call::Say });
    }
}

/// The index of a world in which prices move.
struct Index {
    desk: Desk,
    prices: SimulatedPrices,
}

impl Index {
    fn new() -> Self {
        let desk = Desk::slow(7);
        let prices = desk.simulator.prices(text("index"));
        Self { desk, prices }
    }
}

#[async_trait]
impl PriceSourceFixture for Index {
    fn source(&self) -> &dyn PriceSource {
        &self.prices
    }

    async fn now(&self) -> Timestamp {
        self.desk.simulator.world(|world| world.now())
    }

    async fn pass_an_hour(&self) {
        self.desk.pass(Duration::hours(1));
    }
}

tradepost_testkit::marketplace_contract!(Desk::quiet());

/// The same of marketplaces of every other shape.
macro_rules! shapes {
    ($($shape:ident: $traits:expr;)+) => {$(
        mod $shape {
            use super::*;

            tradepost_testkit::marketplace_contract!(Desk::quiet_with($traits));
        }
    )+};
}

shapes! {
    by_listing: MarketTraits { orders: OrderIdentity::ByListing, ..MarketTraits::KEYED };
    custody: MarketTraits { custody: true, ..MarketTraits::KEYED };
    commits_sales: MarketTraits { commits_sales: true, ..MarketTraits::KEYED };
    announced_before: MarketTraits { announcement: Announcement::BeforeConfirming, ..MarketTraits::KEYED };
    announced_after: MarketTraits { announcement: Announcement::AfterConfirming, ..MarketTraits::KEYED };
    everything: MarketTraits {
        orders: OrderIdentity::ByListing,
        custody: true,
        commits_sales: true,
        announcement: Announcement::BeforeConfirming,
        ..MarketTraits::KEYED
    };
}

tradepost_testkit::price_source_contract!(Index::new());
tradepost_testkit::game_platform_contract!(TwoAccounts::new());
tradepost_testkit::social_contract!(TwoAccounts::new());
tradepost_testkit::exchange_rates_contract!(Desk::quiet());
