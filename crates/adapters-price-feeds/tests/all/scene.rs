//! A facade, and the driver that calls it.

use std::sync::Arc;
use std::time::Duration;

use tradepost_adapters_outside::{Budget, Egress, ServiceLimits};
use tradepost_adapters_price_feeds::{Connection, DMarketKey, OperatorKeys, Service, Source};
use tradepost_domain::money::Currency;
use tradepost_domain::time::Timestamp;
use tradepost_fakes::{Addresses, Fakes, Fault, FaultRule, Served, serve};
use tradepost_ports::clock::Clock;
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};

/// The clock of a world, seen from a computer whose own is off by this.
pub(crate) struct ClockOf(pub(crate) Fakes, pub(crate) time::Duration);

impl Clock for ClockOf {
    fn now(&self) -> Timestamp {
        self.0.now().plus(self.1)
    }
}

/// The key that `CSFloat` is called with.
pub(crate) const KEY: &str = "a-secret-key";

pub(crate) struct Scene {
    pub(crate) fakes: Fakes,
    pub(crate) source: Source,
    pub(crate) service: Box<dyn Service>,
    pub(crate) prices: Arc<dyn PriceSource>,
    _served: Served,
}

/// Where the facade of a source is.
pub(crate) fn address_of(served: &Served, source: Source) -> &str {
    match source {
        Source::Skinport => &served.skinport,
        Source::MarketCsgo => &served.market_csgo,
        Source::Waxpeer => &served.waxpeer,
        Source::CsFloat => &served.csfloat,
        Source::DMarket => &served.dmarket,
        Source::SteamMarket => &served.steam_market,
    }
}

/// The limits in which only the facade counts calls, and nothing takes long.
pub(crate) fn unpaced(source: Source) -> ServiceLimits {
    without_pace(source.limits())
}

/// The same of any limits.
pub(crate) fn without_pace(limits: ServiceLimits) -> ServiceLimits {
    let budget = Budget { calls: 1_000, gap: Duration::ZERO, ..limits.budget };
    let (whole, patience) = (Duration::from_secs(2), Duration::ZERO);
    ServiceLimits { budget, whole, patience, answer_bytes: 2 * 1024 * 1024, ..limits }
}

impl Scene {
    pub(crate) async fn unpaced(source: Source) -> Self {
        Self::with(source, unpaced(source), time::Duration::ZERO).await
    }

    pub(crate) async fn with(source: Source, limits: ServiceLimits, clock_is_off_by: time::Duration) -> Self {
        let fakes = Fakes::of_seed(7).unwrap();
        let served = serve(&fakes, Addresses::default(), "token").await.unwrap();
        let address = Egress::default().admit(address_of(&served, source)).unwrap();
        let clock = Arc::new(ClockOf(fakes.clone(), clock_is_off_by));
        let dmarket = DMarketKey::parse(&Fakes::dmarket_key().into()).unwrap();
        let keys = OperatorKeys { csfloat: Some(KEY.into()), dmarket: Some(dmarket), ..OperatorKeys::default() };
        let bid_limits = without_pace(source.bid_limits());
        let service = source.connect(Connection { address, limits, bid_limits, clock, keys }).unwrap();
        let prices = service.prices(Currency::new("USD").unwrap()).unwrap();
        Self { fakes, source, service, prices, _served: served }
    }

    /// The route of the list, or of its pages.
    pub(crate) const fn route(&self) -> &'static str {
        match self.source {
            Source::Skinport => "GET /v1/items",
            Source::MarketCsgo => "GET /api/v2/prices/USD.json",
            Source::Waxpeer => "GET /v1/prices",
            Source::CsFloat => "GET /api/v1/listings/price-list",
            Source::DMarket => "POST /marketplace-api/v1/aggregated-prices",
            Source::SteamMarket => "GET /market/search/render/",
        }
    }

    /// The route of the bids, where these are not a part of the list.
    pub(crate) const fn bid_route(&self) -> Option<&'static str> {
        match self.source {
            Source::MarketCsgo => Some("GET /api/v2/prices/orders/USD.json"),
            Source::Waxpeer => Some("GET /v1/buy-orders/snapshot"),
            Source::CsFloat => Some("POST /api/v1/buy-orders/similar-orders"),
            Source::Skinport | Source::DMarket | Source::SteamMarket => None,
        }
    }

    pub(crate) async fn read(&self) -> PriceResult<Vec<VariantQuote>> {
        self.prices.quotes().await
    }

    /// Lets this happen to the next call of a list, and returns the result of the read.
    pub(crate) async fn read_with(&self, fault: Fault) -> PriceResult<Vec<VariantQuote>> {
        self.fakes.arm(vec![FaultRule::next(self.route(), fault)]);
        self.read().await
    }

    /// The statuses of the answers so far.
    pub(crate) fn statuses(&self) -> Vec<u16> {
        self.fakes.ledger().iter().map(|entry| entry.status).collect()
    }
}

/// Moves the clock of the budget, while no call is open.
pub(crate) async fn wait(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}
