//! A source of exchange rates. Nothing is exchanged there.

use async_trait::async_trait;
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::Currency;

use crate::external::ExternalError;

/// The result of asking for a rate.
pub type RateResult<T> = Result<T, ExternalError<RateRefusal>>;

/// Why a source refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RateRefusal {
    /// It does not know this currency.
    #[error("it does not know the currency {0}")]
    UnknownCurrency(Currency),
    /// Refused for a reason that the source gives in words of its own.
    #[error("{0}")]
    Other(String),
}

/// Tells what currencies are worth.
#[async_trait]
pub trait ExchangeRates: Send + Sync {
    /// What one unit of `from` is worth in `to`, and since when.
    ///
    /// # Errors
    /// [`ExternalError`]; [`RateRefusal::UnknownCurrency`].
    async fn rate(&self, from: Currency, to: Currency) -> RateResult<ExchangeRate>;
}
