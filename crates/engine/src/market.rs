//! Market: reads what is for sale, page by page, and buys what contracts want.
//!
//! What is new is recorded before anything of it is bought.

pub(crate) mod best_asks;
pub(crate) mod buy_decision;
pub(crate) mod buying;
pub(crate) mod contract_activity;
pub(crate) mod contract_cache;
pub(crate) mod marketplace_terms;
pub(crate) mod own_listings;
pub(crate) mod state;
pub(crate) mod valuation;

use std::collections::BTreeSet;

use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_ports::external::{ExternalError, Page};
use tradepost_ports::marketplace::{ListingQuery, ListingStatus, MarketListing};

use crate::context::Context;
use crate::context::providers::ProviderReading;
use crate::desk::Venue;
use crate::desk::currency::convert_listing;
use crate::error::{EngineError, EngineResult};
use crate::market::buying::MarketPage;
use crate::market::contract_activity::ContractActivityCache;
use crate::market::contract_cache::ContractCache;
use crate::market::marketplace_terms::RefreshTimes;
use crate::market::own_listings::OwnListings;
use crate::market::state::{MarketState, PricedListing};
use crate::orders::Orders;
use crate::pass::Pass;

/// Maximum number of listings requested at once.
const LISTING_PAGE: u16 = 100;

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

    /// Looks at every market, and buys what is wanted there, page by page. A market that does not answer is left out of this pass;
    /// what was said before grows stale by itself.
    async fn observe_markets(&mut self, context: &mut Context, orders: &mut Orders, pass: &mut Pass) {
        self.state.begin_pass(context.now());
        context.refresh_rates(pass).await;
        self.refresh_quotes(context, pass).await;
        let (venues, mut asked) = (context.desk().venues.clone(), Vec::new());
        for venue in &venues {
            asked.push(self.refresh_terms(context, venue).await);
            self.state.compute_fees(&venue.name, context.rate_for(venue.currency));
        }
        for (venue, asked) in venues.iter().zip(asked) {
            // The node that holds another marketplace records its listings and its health.
            if context.holds_marketplace(&venue.name) {
                let seen = self.scan_marketplace(context, orders, venue, pass).await;
                let reported = self.report_venue(context, venue, asked.as_ref().err().or(seen.as_ref().err())).await;
                pass.record_at([&venue.name], seen);
                pass.record_at([&venue.name], reported);
            }
            pass.record_at([&venue.name], asked);
        }
    }

    /// Reports the result of a call to a marketplace, in its own currency.
    async fn report_venue(&self, context: &mut Context, venue: &Venue, error: Option<&EngineError>) -> EngineResult {
        let (fees, balance) = (self.state.schedule(&venue.name), self.state.balance(&venue.name));
        let found = || ProviderReading::of_marketplace(fees.cloned(), balance);
        let look = error.map_or_else(|| Ok(found()), Err);
        context.report_provider((ProviderKind::Marketplace, venue.name.clone()), look).await
    }

    async fn scan_marketplace(
        &mut self,
        context: &Context,
        orders: &mut Orders,
        venue: &Venue,
        pass: &mut Pass,
    ) -> EngineResult {
        let ours = self.read_own_listings(context, venue).await?;
        let rate = context.rate_for(venue.currency)?;
        let mut round = self.state.page_cursor(&venue.name).cloned();
        let asks = self.state.asks_at(&venue.name);
        if round.is_none() {
            asks.begin_scan();
        }
        // What is worth its price is known once all have been seen; from then on each page is bought from as it comes.
        let (are_known, mut held_back) = (asks.is_complete(), Vec::new());
        let mut after = None;
        for _ in 0..context.timings().pages_per_scan {
            let page = self.read_page(venue, after.as_ref()).await?;
            let of_others =
                |listing: &MarketListing| listing.status == ListingStatus::OnSale && !ours.contains(&listing.id);
            let seen = convert_page(rate, page.items.into_iter().filter(of_others));
            pass.observed += seen.len();
            let recorded = self.record_observations(context, &venue.name, &seen).await;
            pass.record_at([&venue.name], recorded);
            let seen = seen.into_iter().map(PricedListing::into_listing);
            if are_known {
                let page = MarketPage::new(&venue.name, seen.collect());
                let bought = self.buy_from_page(context, orders, page, pass).await;
                pass.record_at([&venue.name], bought);
            } else {
                held_back.extend(seen);
            }
            after = round.take().or(page.next);
            self.state.advance_cursor(&venue.name, after.as_ref());
            if after.is_none() {
                break;
            }
        }
        let asks = self.state.asks_at(&venue.name);
        if after.is_none() {
            asks.finish_scan();
        } else {
            asks.pause_scan();
        }
        let page = MarketPage::new(&venue.name, held_back);
        self.buy_from_page(context, orders, page, pass).await
    }

    /// Reads our own listings at a marketplace, and returns their ids.
    async fn read_own_listings(&mut self, context: &Context, venue: &Venue) -> EngineResult<BTreeSet<ExternalId>> {
        let own = OwnListings::new(context.now(), venue.marketplace.own_listings().await?);
        let ids = own.all().iter().map(|listing| listing.id.clone()).collect();
        self.state.set_own_listings(&venue.name, own);
        Ok(ids)
    }

    async fn read_page(&mut self, venue: &Venue, after: Option<&ExternalId>) -> EngineResult<Page<MarketListing>> {
        let query = ListingQuery { market_hash_name: None, max_price: None, limit: LISTING_PAGE };
        let page = venue.marketplace.listings(&query, after).await;
        if matches!(page, Err(ExternalError::Rejected(_))) {
            // The marketplace no longer knows the cursor: the next scan starts from the first page.
            self.state.advance_cursor(&venue.name, None);
        }
        Ok(page?)
    }

    async fn record_observations(
        &mut self,
        context: &Context,
        marketplace: &Marketplace,
        seen: &[PricedListing],
    ) -> EngineResult {
        let now = context.now();
        let interval = context.timings().listing_record_interval;
        let news = self.state.note_listings(marketplace, seen, now, interval);
        if news.is_empty() {
            return Ok(());
        }
        let recorded = context.operations().record_listings(context.caller(), context.desk().workspace_id, news).await;
        if recorded.is_err() {
            self.state.forget_recorded_at(now);
        }
        recorded?;
        Ok(())
    }
}

/// Converts listings and their asks. A listing above the maximum of an amount is skipped.
fn convert_page(rate: Option<ExchangeRate>, listings: impl Iterator<Item = MarketListing>) -> Vec<PricedListing> {
    let priced = |listing: MarketListing| {
        let ask = listing.offered.price;
        Some(PricedListing::new(convert_listing(rate.into(), listing).ok()?, ask))
    };
    listings.filter_map(priced).collect()
}
