//! Market observations: recorded listings and quotes.

mod keep_baseline;
mod read;
mod record_listings;
mod record_market_observations;
pub(crate) mod variants;

pub use keep_baseline::{KeepBaseline, SumFlow};
pub use read::*;
pub use record_listings::SightingOutcome;
pub use record_market_observations::{ObservedListing, RecordMarketObservations};
pub use variants::VariantName;
