//! The port of a source of prices over the world: an index that knows the market's price of each kind of item.

use async_trait::async_trait;
use tradepost_domain::money::Currency;
use tradepost_domain::text::Marketplace;
use tradepost_ports::external::ExternalError;
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};

use crate::call::Request;
use crate::simulator::Simulator;
use crate::world_transport::{WorldTransport, expected};

/// The simulated index of prices: in process, or over a line of another kind.
#[derive(Debug, Clone)]
pub struct SimulatedPrices<L = Simulator> {
    line: L,
    name: Marketplace,
    currency: Option<Currency>,
}

impl<L: WorldTransport> SimulatedPrices<L> {
    /// The index of this name at the end of a line.
    pub const fn new(line: L, name: Marketplace) -> Self {
        Self { line, name, currency: None }
    }

    /// The same, whose prices are said to be in a currency.
    #[must_use]
    pub fn in_currency(self, currency: Option<Currency>) -> Self {
        Self { currency, ..self }
    }
}

impl Simulator {
    /// An index of prices under this name.
    pub fn prices(&self, name: Marketplace) -> SimulatedPrices {
        SimulatedPrices::new(self.clone(), name)
    }
}

#[async_trait]
impl<L: WorldTransport> PriceSource for SimulatedPrices<L> {
    fn name(&self) -> &Marketplace {
        &self.name
    }

    fn currency(&self) -> Option<Currency> {
        self.currency
    }

    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        let answer = self.line.ask(Request::Prices { index: self.name.clone() }).await?;
        expected(answer, |_| None::<ExternalError<_>>)
    }
}
