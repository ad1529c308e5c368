//! markets.v1.Markets: what was seen on markets, what items are worth by it, and the providers that a workspace works with.
//!
//! The engine or an embedder uses further commands, which the interface does not offer. They report what it saw:
//! [`Operations::record_sightings`](crate::Operations::record_sightings),
//! [`Operations::record_quotes`](crate::Operations::record_quotes), [`RecordProviderHealth`] and [`KeepBaseline`].
//! [`Operations::quotes_of`](crate::Operations::quotes_of) reads the prices that value items, [`ReadProviderCredentials`] what
//! a driver authenticates with. Nothing here calls a marketplace, except through a [probe](crate::Operations::offer_probe).

mod count_market_observations;
mod create_provider;
mod delete_price_override;
mod delete_provider;
mod enable_provider;
mod estimate_sale;
mod get_market_observation;
mod get_market_observations;
mod get_order_book;
mod get_prices;
mod get_provider;
mod keep_baseline;
mod list_market_observations;
mod list_price_history;
mod list_price_overrides;
mod list_providers;
mod price_basis;
mod pricing_rules;
mod provider_fields;
mod providers;
mod record_market_observations;
mod record_provider_health;
mod set_price_override;
mod sightings;
mod test_provider;
mod told_fees;
mod update_provider;
mod variants;

pub use count_market_observations::CountMarketObservations;
pub use create_provider::CreateProvider;
pub use delete_price_override::DeletePriceOverride;
pub use delete_provider::DeleteProvider;
pub use enable_provider::{DisableProvider, EnableProvider};
pub use estimate_sale::{EstimateSale, ForSale, SaleEstimate};
pub use get_market_observation::GetMarketObservation;
pub use get_market_observations::{FoundObservations, GetMarketObservations};
pub use get_order_book::{Bid, GetOrderBook, OrderBook};
pub use get_prices::{GetPrice, GetPrices, PriceOf};
pub use get_provider::{FoundProviders, GetProvider, GetProviderHealth, GetProviders};
pub use keep_baseline::{KeepBaseline, SumFlow};
pub use list_market_observations::ListMarketObservations;
pub use list_price_history::{ListPriceHistory, PricePoint};
pub use list_price_overrides::ListPriceOverrides;
pub use list_providers::{ListProviderDrivers, ListProviders};
pub use price_basis::PriceBasis;
pub use pricing_rules::{GetPricingRules, RulesInForce, UpdatePricingRules};
pub use provider_fields::{ProviderCredentials, ReadProviderCredentials};
pub use providers::ShownProvider;
pub use record_market_observations::{ObservedListing, RecordMarketObservations};
pub use record_provider_health::RecordProviderHealth;
pub use set_price_override::SetPriceOverride;
pub use sightings::SightingOutcome;
pub use test_provider::TestProvider;
pub use update_provider::UpdateProvider;
pub use variants::VariantName;
