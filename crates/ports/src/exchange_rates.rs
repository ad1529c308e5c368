//! A source of exchange rates. It exchanges no money.

use async_trait::async_trait;
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::Currency;

use crate::external::ExternalError;

/// The result of a request for a rate.
pub type RateResult<T> = Result<T, ExternalError<RateRefusal>>;

/// The reason why a source rejected a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RateRefusal {
    /// It does not know this currency.
    #[error("it does not know the currency {0}")]
    UnknownCurrency(Currency),
    /// Another reason, in the source's own words.
    #[error("{0}")]
    Other(String),
}

/// A source of exchange rates of currencies.
#[async_trait]
pub trait ExchangeRates: Send + Sync {
    /// Returns the value of one unit of `from` in `to`, and since when it applies.
    ///
    /// # Errors
    /// [`ExternalError`]; [`RateRefusal::UnknownCurrency`].
    async fn rate(&self, from: Currency, to: Currency) -> RateResult<ExchangeRate>;
}
