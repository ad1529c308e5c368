//! Rows of providers, prices and observations.

pub(crate) mod market_observation;
pub(crate) mod price_override;
pub(crate) mod price_snapshot;
pub(crate) mod pricing_rules;
pub(crate) mod provider;
pub(crate) mod provider_health;
