//! A source of prices: asks, bids and sale prices of variants. Nothing is bought there.

mod feed;

use async_trait::async_trait;
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::{Currency, VenueCurrency};
use tradepost_domain::text::Marketplace;

use crate::external::ExternalError;

pub use feed::{FeedUnavailable, PriceFeed};

/// The result of a request to a source of prices.
pub type PriceResult<T> = Result<T, ExternalError<PriceRefusal>>;

/// The reason why a source rejected a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PriceRefusal {
    /// It does not want this client, whatever its pace. An operator has to know; nothing works around it.
    #[error("it refuses this client, whatever its pace")]
    AsClient,
    /// Another reason, in the source's own words.
    #[error("{0}")]
    Other(String),
}

/// A source's quote of a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantQuote {
    /// The variant.
    pub variant: Variant,
    /// The quote, in the currency of the source.
    pub quote: Quote<VenueCurrency>,
}

/// A source of prices. It returns all its quotes at once: sources serve whole lists, and ask clients not to read item by item.
#[async_trait]
pub trait PriceSource: Send + Sync {
    /// Returns the name under which contracts refer to it; the source of every quote that it returns.
    fn name(&self) -> &Marketplace;

    /// Returns the currency of its prices; `None` if it has that of the caller.
    fn currency(&self) -> Option<Currency> {
        None
    }

    /// Returns its quote of every variant that it knows, each once. A source that is read page by page returns those that it has read
    /// since; the others keep their age.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>>;

    /// Returns what its answers have had since the process began and no card of facts describes, as sentences without a value.
    fn new_shapes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns what one call shows, for a test of the source. It takes nothing from the next read.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn sample(&self) -> PriceResult<Vec<VariantQuote>> {
        self.quotes().await
    }
}
