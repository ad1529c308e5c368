//! A source of prices: what variants are asked, bid and sold for somewhere. Nothing is bought there.

use async_trait::async_trait;
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::{Currency, VenueCurrency};
use tradepost_domain::text::Marketplace;

use crate::external::ExternalError;

/// The result of asking a source of prices.
pub type PriceResult<T> = Result<T, ExternalError<PriceRefusal>>;

/// Why a source refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PriceRefusal {
    /// Refused for a reason that the source gives in words of its own.
    #[error("{0}")]
    Other(String),
}

/// What a source says of a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantQuote {
    /// The variant.
    pub variant: Variant,
    /// What it says of it, in the currency of the source.
    pub quote: Quote<VenueCurrency>,
}

/// A source of prices, asked for all that it knows: sources give whole lists, and ask not to be asked item by item.
#[async_trait]
pub trait PriceSource: Send + Sync {
    /// The name under which contracts refer to it; the source of every quote that it gives.
    fn name(&self) -> &Marketplace;

    /// The currency of its prices; `None` if it has that of whoever asks.
    fn currency(&self) -> Option<Currency> {
        None
    }

    /// What it says of every variant that it knows, each once.
    ///
    /// # Errors
    /// [`ExternalError`].
    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>>;
}
