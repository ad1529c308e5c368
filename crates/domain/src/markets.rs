//! Prices and their sources: listings, recorded observations, prices, fees, exchange rates, providers, and the desk they make.

pub mod desk;
pub mod exchange;
pub mod fees;
pub mod listing;
pub mod observation;
pub mod price_history;
pub mod price_override;
pub mod pricing;
pub mod pricing_rules;
pub mod provider;
pub mod variant;
