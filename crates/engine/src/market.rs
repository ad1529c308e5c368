//! Market: what is for sale, at which prices and fees, and which of it contracts buy.

pub(crate) mod best_asks;
pub(crate) mod buying;
pub(crate) mod contract_activity;
pub(crate) mod contract_cache;
pub(crate) mod exchange_rates;
pub(crate) mod marketplace_terms;
pub(crate) mod observation;
pub(crate) mod valuation;
