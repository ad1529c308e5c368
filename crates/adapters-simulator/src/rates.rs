//! The port of a source of exchange rates over the world.

use async_trait::async_trait;
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::Currency;
use tradepost_ports::exchange_rates::{ExchangeRates, RateResult};

use crate::call::{Answer, Request};
use crate::simulator::Simulator;
use crate::world_transport::{WorldTransport, expected};

/// The simulated source of exchange rates: in process, or over a line of another kind.
#[derive(Debug, Clone)]
pub struct SimulatedRates<L = Simulator> {
    line: L,
}

impl<L: WorldTransport> SimulatedRates<L> {
    /// The source at the end of a line.
    pub const fn new(line: L) -> Self {
        Self { line }
    }
}

impl Simulator {
    /// The source of exchange rates.
    pub fn rates(&self) -> SimulatedRates {
        SimulatedRates::new(self.clone())
    }
}

#[async_trait]
impl<L: WorldTransport> ExchangeRates for SimulatedRates<L> {
    async fn rate(&self, from: Currency, to: Currency) -> RateResult<ExchangeRate> {
        let answer = self.line.ask(Request::Rate { of: from, against: to }).await?;
        expected(answer, |answer| if let Answer::RateFailed(error) = answer { Some(error) } else { None })
    }
}
