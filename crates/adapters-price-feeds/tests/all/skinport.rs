//! Skinport against its facade: the contract of a source of prices, and every fault of a read.

mod contract;
mod faults;

use std::sync::Arc;
use std::time::Duration;

use tradepost_adapters_outside::{Budget, Egress, ServiceLimits};
use tradepost_adapters_price_feeds::{Skinport, SkinportPrices, limits};
use tradepost_domain::money::Currency;
use tradepost_domain::time::Timestamp;
use tradepost_fakes::{Addresses, Fakes, FaultRule, Served, serve};
use tradepost_ports::clock::Clock;
use tradepost_ports::price_source::{PriceResult, PriceSource as _, VariantQuote};

pub(crate) const ITEMS: &str = "GET /v1/items";
/// What the facade allows in five minutes.
pub(crate) const ALLOWED: usize = 8;

struct ClockOf(Fakes);

impl Clock for ClockOf {
    fn now(&self) -> Timestamp {
        self.0.now()
    }
}

/// A facade, and the driver that calls it.
pub(crate) struct Scene {
    pub(crate) fakes: Fakes,
    pub(crate) prices: SkinportPrices,
    _served: Served,
}

impl Scene {
    pub(crate) async fn new() -> Self {
        Self::with_limits(limits()).await
    }

    /// A scene in which only the facade counts calls, and nothing takes long.
    pub(crate) async fn unpaced() -> Self {
        let budget = Budget { calls: 1_000, ..limits().budget };
        let whole = Duration::from_secs(2);
        Self::with_limits(ServiceLimits { budget, whole, answer_bytes: 2 * 1024 * 1024, ..limits() }).await
    }

    async fn with_limits(limits: ServiceLimits) -> Self {
        let fakes = Fakes::of_seed(7).unwrap();
        let served = serve(&fakes, Addresses::default(), "token").await.unwrap();
        let address = Egress::default().admit(&served.skinport).unwrap();
        let skinport = Skinport::new(address, limits, Arc::new(ClockOf(fakes.clone()))).unwrap();
        let prices = skinport.prices(Currency::new("USD").unwrap()).unwrap();
        Self { fakes, prices, _served: served }
    }

    pub(crate) async fn read(&self) -> PriceResult<Vec<VariantQuote>> {
        self.prices.quotes().await
    }

    /// Lets this happen to the next read, and returns its result.
    pub(crate) async fn read_with(&self, fault: tradepost_fakes::Fault) -> PriceResult<Vec<VariantQuote>> {
        self.fakes.arm(vec![FaultRule::next(ITEMS, fault)]);
        self.read().await
    }
}

#[test]
fn a_currency_that_skinport_does_not_have_has_no_prices() {
    let address = Egress::default().admit("http://127.0.0.1:1").unwrap();
    let fakes = Fakes::of_seed(7).unwrap();
    let skinport = Skinport::new(address, limits(), Arc::new(ClockOf(fakes))).unwrap();
    assert!(skinport.prices(Currency::new("EUR").unwrap()).is_some());
    assert!(skinport.prices(Currency::new("JPY").unwrap()).is_none());
}
