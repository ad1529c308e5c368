//! markets.v1.Markets: what was seen on markets, and what items are worth by it.
//!
//! Beside the operations of the interface this holds the commands through which an engine or an embedder tells what it saw:
//! [`Operations::record_sightings`](crate::Operations::record_sightings) and
//! [`Operations::record_quotes`](crate::Operations::record_quotes), and by which it reads what to value items by:
//! [`Operations::quotes_of`](crate::Operations::quotes_of). Nothing here asks a marketplace.

mod count_market_observations;
mod delete_price_override;
mod get_market_observation;
mod get_market_observations;
mod get_order_book;
mod get_prices;
mod list_market_observations;
mod list_price_history;
mod list_price_overrides;
mod price_basis;
mod pricing_rules;
mod record_market_observations;
mod set_price_override;
mod sightings;
mod variants;

pub use count_market_observations::CountMarketObservations;
pub use delete_price_override::DeletePriceOverride;
pub use get_market_observation::GetMarketObservation;
pub use get_market_observations::{FoundObservations, GetMarketObservations};
pub use get_order_book::{Bid, GetOrderBook, OrderBook};
pub use get_prices::{GetPrice, GetPrices, PriceOf};
pub use list_market_observations::ListMarketObservations;
pub use list_price_history::{ListPriceHistory, PricePoint};
pub use list_price_overrides::ListPriceOverrides;
pub use price_basis::PriceBasis;
pub use pricing_rules::{GetPricingRules, RulesInForce, UpdatePricingRules};
pub use record_market_observations::{ObservedListing, RecordMarketObservations};
pub use set_price_override::SetPriceOverride;
pub use sightings::SightingOutcome;
pub use variants::VariantName;
