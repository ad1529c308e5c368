//! The port of a source of prices over the world: an index that knows the market's price of each kind of item.

use async_trait::async_trait;
use tradepost_domain::text::Marketplace;
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};

use crate::simulator::Simulator;

/// The simulated index of prices.
#[derive(Debug, Clone)]
pub struct SimulatedPrices {
    simulator: Simulator,
    name: Marketplace,
}

impl SimulatedPrices {
    pub(crate) const fn new(simulator: Simulator, name: Marketplace) -> Self {
        Self { simulator, name }
    }
}

#[async_trait]
impl PriceSource for SimulatedPrices {
    fn name(&self) -> &Marketplace {
        &self.name
    }

    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        Ok(self.simulator.world(|world| world.market_prices(&self.name)))
    }
}
