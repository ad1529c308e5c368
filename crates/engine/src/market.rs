//! Market: what is for sale, at which prices and fees, and which of it contracts buy.

pub(crate) mod best_asks;
pub(crate) mod buying;
pub(crate) mod contract_activity;
pub(crate) mod contract_cache;
pub(crate) mod exchange_rates;
pub(crate) mod marketplace_terms;
pub(crate) mod observation;
pub(crate) mod valuation;

use crate::market::contract_activity::ContractActivityCache;
use crate::market::contract_cache::ContractCache;
use crate::market::marketplace_terms::RefreshTimes;
use crate::market::observation::MarketState;

/// Market state that lasts from pass to pass.
#[derive(Default)]
pub(crate) struct Market {
    /// Active contracts with their filter sets.
    pub(crate) contracts: ContractCache,
    /// What each contract bought lately.
    pub(crate) activity: ContractActivityCache,
    /// Listings, asks, balances and fees of every marketplace.
    pub(crate) state: MarketState,
    /// When fees, balances and quotes were last read.
    pub(crate) refresh_times: RefreshTimes,
    /// Position of the account that buys next.
    pub(crate) next_account: usize,
}
