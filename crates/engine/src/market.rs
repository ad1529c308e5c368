//! Market: what is for sale, at which prices and fees, and which of it contracts buy.

pub(crate) mod best_asks;
pub(crate) mod buy_decision;
pub(crate) mod buyer;
pub(crate) mod buying;
pub(crate) mod contract_activity;
pub(crate) mod contract_cache;
pub(crate) mod marketplace_terms;
pub(crate) mod observation;
pub(crate) mod own_listings;
pub(crate) mod state;
pub(crate) mod valuation;

use crate::context::Context;
use crate::error::EngineResult;
use crate::market::contract_activity::ContractActivityCache;
use crate::market::contract_cache::ContractCache;
use crate::market::marketplace_terms::RefreshTimes;
use crate::market::state::MarketState;
use crate::orders::Orders;
use crate::pass::Pass;

/// Market state that lasts from pass to pass.
#[derive(Default)]
pub(crate) struct Market {
    /// Active contracts with their filter sets.
    contracts: ContractCache,
    /// What each contract bought lately.
    activity: ContractActivityCache,
    /// Listings, asks, balances and fees of every marketplace.
    state: MarketState,
    /// When fees, balances and quotes were last read.
    refresh_times: RefreshTimes,
    /// Position of the account that buys next.
    next_account: usize,
}

impl Market {
    pub(crate) const fn state(&self) -> &MarketState {
        &self.state
    }

    pub(crate) const fn state_mut(&mut self) -> &mut MarketState {
        &mut self.state
    }

    pub(crate) const fn contracts(&self) -> &ContractCache {
        &self.contracts
    }
}

impl Market {
    /// Refreshes contracts and providers, then scans the marketplaces and buys what the contracts want.
    pub(crate) async fn step(&mut self, context: &mut Context, orders: &mut Orders, pass: &mut Pass) {
        let refreshed = self.refresh(context).await;
        if refreshed.is_ok() {
            self.observe_markets(context, orders, pass).await;
        }
        pass.record(refreshed);
    }

    async fn refresh(&mut self, context: &mut Context) -> EngineResult {
        self.refresh_contracts(context).await?;
        context.refresh_providers().await
    }
}
