//! What is on sale, as seen in this pass; what is new of it is recorded before anything of it is bought.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use time::Duration;
use tradepost_domain::asset::AssetId;
use tradepost_domain::id::ContractId;
use tradepost_domain::markets::exchange::{Conversion, ExchangeRate};
use tradepost_domain::markets::fees::{Charges, FeeSchedule};
use tradepost_domain::markets::observation::{ListingSnapshot, ON_SALE_FOR};
use tradepost_domain::markets::pricing::{Quote, Quotes};
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::{Cents, VenueCents};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_operations::markets::PriceBasis;
use tradepost_ports::external::{ExternalError, Page};
use tradepost_ports::marketplace::{ListingQuery, ListingStatus, MarketListing};

use crate::context::Context;
use crate::desk::Venue;
use crate::desk::currency::{OurListing, convert_listing};
use crate::desk::providers::ProviderReading;
use crate::error::{EngineError, EngineResult};
use crate::market::Market;
use crate::market::best_asks::BestAsks;
use crate::market::buy_decision::{ContractDecision, Means, Shortfall};
use crate::market::buying::MarketPage;
use crate::orders::Orders;
use crate::pass::Pass;

/// Maximum number of listings requested at once.
const LISTING_PAGE: u16 = 100;

/// A listing with its cost, and its ask in the currency of the marketplace.
struct PricedListing {
    listing: OurListing,
    ask: VenueCents,
}

/// A listing, and the marketplace where it is for sale.
#[derive(Clone, Copy)]
pub(crate) struct Opportunity<'a> {
    pub(crate) marketplace: &'a Marketplace,
    pub(crate) listing: &'a OurListing,
}

impl Opportunity<'_> {
    fn key(&self) -> (Marketplace, ExternalId) {
        (self.marketplace.clone(), self.listing.id.clone())
    }
}

/// What was seen of the markets.
#[derive(Debug, Default)]
pub(crate) struct MarketState {
    /// Fees that each marketplace reports.
    pub(crate) schedules: BTreeMap<Marketplace, FeeSchedule>,
    /// The fees in the currency of the workspace, by the present rate. Without a rate, nothing is bought or listed.
    pub(crate) fees: BTreeMap<Marketplace, Charges>,
    /// What can be spent at each marketplace, less what was reserved since it was asked; in its own currency.
    pub(crate) balances: BTreeMap<Marketplace, VenueCents>,
    /// After which listing the round through all pages goes on, of each marketplace that has more than a pass reads.
    page_cursors: BTreeMap<Marketplace, ExternalId>,
    /// What others ask at each marketplace.
    asks: BTreeMap<Marketplace, BestAsks>,
    /// Our own listings at each marketplace, as they were read in this pass.
    pub(crate) own_listings: BTreeMap<Marketplace, OwnListings>,
    /// The marketplaces that did not answer when something was bought in this pass.
    unresponsive: BTreeSet<Marketplace>,
    /// What contracts have lacked in this pass.
    shortfalls: BTreeMap<ContractId, Shortfall>,
    /// What variants are valued by, as far as it was asked for in this pass.
    pub(crate) valuations: BTreeMap<Variant, PriceBasis>,
    /// What is on record of each listing.
    recorded: BTreeMap<(Marketplace, ExternalId), RecordedListing>,
    /// When each source last had something new to say of a variant.
    last_quoted: BTreeMap<(Marketplace, Variant), Timestamp>,
}

/// Our own listings of a marketplace.
#[derive(Debug)]
pub(crate) struct OwnListings {
    /// What was asked for later is not among them.
    pub(crate) read_at: Timestamp,
    listings: Vec<MarketListing>,
}

impl OwnListings {
    async fn read(venue: &Venue, read_at: Timestamp) -> EngineResult<Self> {
        let listings = venue.marketplace.own_listings().await?;
        Ok(Self { read_at, listings })
    }

    /// All of them.
    pub(crate) fn all(&self) -> &[MarketListing] {
        &self.listings
    }

    /// The listing of an item.
    pub(crate) fn of(&self, asset_id: &AssetId) -> Option<&MarketListing> {
        self.listings.iter().find(|listing| listing.asset_id == *asset_id)
    }
}

/// A listing as it is on record.
#[derive(Debug)]
struct RecordedListing {
    /// In the currency of the marketplace, because a change of the rate is not a change of the price.
    price: VenueCents,
    recorded_at: Timestamp,
    /// What contracts have decided on it at this price.
    decided: BTreeMap<ContractId, ContractDecision>,
}

impl MarketState {
    /// Returns what a contract can spend at a marketplace.
    pub(crate) fn means(&self, contract: ContractId, marketplace: &Marketplace) -> Means<'_> {
        Means {
            balance: self.balances.get(marketplace).copied(),
            conversion: self.conversion(marketplace),
            shortfall: self.shortfalls.get(&contract),
        }
    }

    /// Notes what a contract lacks for the rest of the pass.
    pub(crate) fn set_shortfall(&mut self, contract: ContractId, shortfall: Shortfall) {
        self.shortfalls.insert(contract, shortfall);
    }

    /// So much less can be spent there.
    pub(crate) fn deduct(&mut self, marketplace: &Marketplace, amount: Cents) {
        let spent = self.conversion(marketplace).asking_for(amount);
        if let Some(balance) = self.balances.get_mut(marketplace) {
            *balance = spent.and_then(|spent| balance.minus(spent)).unwrap_or(VenueCents::ZERO);
        }
    }

    fn conversion(&self, marketplace: &Marketplace) -> Conversion {
        self.fees.get(marketplace).and_then(Charges::rate).into()
    }

    /// What others ask for a variant at present, marketplace by marketplace.
    pub(crate) fn current_asks(&self, variant: &Variant, at: Timestamp) -> impl Iterator<Item = Quote> {
        let asked = self.asks.iter().filter_map(move |(marketplace, asks)| Some((marketplace, asks.lowest(variant)?)));
        asked.map(move |(marketplace, price)| Quote::of_ask(marketplace.clone(), price, at))
    }

    /// What a listing is valued by: the price of its own marketplace is that of the cheapest other listing there.
    pub(crate) fn witnesses<'a>(
        &self,
        marketplace: &Marketplace,
        listing: &OurListing,
        quotes: &'a Quotes,
    ) -> Cow<'a, Quotes> {
        let asks = self.asks.get(marketplace);
        let others = asks.and_then(|asks| asks.lowest_beyond(&listing.offered.variant, &listing.id));
        let reported = quotes.iter().find(|quote| quote.source == *marketplace);
        if reported.is_none_or(|reported| reported.lowest_ask == others) {
            return Cow::Borrowed(quotes);
        }
        Cow::Owned(
            quotes
                .iter()
                .cloned()
                .map(|quote| if quote.source == *marketplace { Quote { lowest_ask: others, ..quote } } else { quote })
                .collect(),
        )
    }

    /// Whether a marketplace has not answered in this pass when something was bought.
    pub(crate) fn is_unresponsive(&self, marketplace: &Marketplace) -> bool {
        self.unresponsive.contains(marketplace)
    }

    /// Nothing more is bought at a marketplace in this pass.
    pub(crate) fn mark_unresponsive(&mut self, marketplace: &Marketplace) {
        self.unresponsive.insert(marketplace.clone());
    }

    /// Returns whether a contract decides in another way than before, or for the first time since the price was set.
    pub(crate) fn is_new_decision(&self, offer: Opportunity<'_>, contract: ContractId, made: ContractDecision) -> bool {
        let listed = self.recorded.get(&offer.key());
        listed.is_some_and(|listed| listed.decided.get(&contract) != Some(&made))
    }

    /// Stores the decision of a contract.
    pub(crate) fn store_decision(&mut self, offer: Opportunity<'_>, contract: ContractId, made: ContractDecision) {
        if let Some(listed) = self.recorded.get_mut(&offer.key()) {
            listed.decided.insert(contract, made);
        }
    }

    /// Forgets what contracts decided.
    pub(crate) fn clear_decisions(&mut self, contracts: &[ContractId]) {
        if !contracts.is_empty() {
            let is_other = |contract: &ContractId, _: &mut ContractDecision| !contracts.contains(contract);
            self.recorded.values_mut().for_each(|listed| listed.decided.retain(is_other));
        }
    }

    fn begin_pass(&mut self, now: Timestamp) {
        self.own_listings.clear();
        self.unresponsive.clear();
        self.shortfalls.clear();
        self.valuations.clear();
        self.recorded.retain(|_, listed| now.since(listed.recorded_at) < ON_SALE_FOR);
    }

    /// The quotes that say something new.
    pub(crate) fn new_quotes(&mut self, source: Vec<(Variant, Quote)>) -> Vec<(Variant, Quote)> {
        let is_new = |(variant, quote): &(Variant, Quote)| {
            let last = self.last_quoted.insert((quote.source.clone(), variant.clone()), quote.observed_at);
            last.is_none_or(|last| last < quote.observed_at)
        };
        source.into_iter().filter(is_new).collect()
    }

    /// Takes in the asks of other sellers. Returns the listings that are to be recorded.
    fn note_listings(
        &mut self,
        marketplace: &Marketplace,
        listings: &[PricedListing],
        at: Timestamp,
        interval: Duration,
    ) -> Vec<ListingSnapshot> {
        let mut news = Vec::new();
        for PricedListing { listing, ask } in listings {
            let asks = self.asks.entry(marketplace.clone()).or_default();
            asks.record_ask(&listing.offered.variant, listing.offered.price, &listing.id);
            let key = (marketplace.clone(), listing.id.clone());
            let known = self.recorded.get(&key);
            if known.is_some_and(|known| !known.is_outdated_by(*ask, at, interval)) {
                continue;
            }
            let is_same_price = |known: &RecordedListing| known.price == *ask;
            let decided = self.recorded.remove(&key).filter(is_same_price).map(|known| known.decided);
            let recorded = RecordedListing { price: *ask, recorded_at: at, decided: decided.unwrap_or_default() };
            self.recorded.insert(key, recorded);
            news.push(ListingSnapshot {
                marketplace: marketplace.clone(),
                listing_id: listing.id.clone(),
                asset_id: Some(listing.asset_id.clone()),
                listing: listing.offered.clone(),
                observed_at: at,
            });
        }
        news
    }
}

impl RecordedListing {
    /// Returns whether a listing must be recorded again: its price has changed, or its record is old.
    fn is_outdated_by(&self, ask: VenueCents, at: Timestamp, interval: Duration) -> bool {
        self.price != ask || at.since(self.recorded_at) >= interval
    }
}

impl Market {
    /// Looks at every market, and buys what is wanted there, page by page. A market that does not answer is left out of this pass;
    /// what was said before grows stale by itself.
    pub(crate) async fn observe_markets(&mut self, context: &mut Context, orders: &mut Orders, pass: &mut Pass) {
        self.state.begin_pass(context.now());
        context.refresh_rates(pass).await;
        self.refresh_quotes(context, pass).await;
        let (venues, mut asked) = (context.desk.venues.clone(), Vec::new());
        for venue in &venues {
            asked.push(self.refresh_terms(context, venue).await);
            self.compute_fees(context, venue);
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

    /// What a marketplace takes, by the present rate.
    fn compute_fees(&mut self, context: &Context, venue: &Venue) {
        let (rate, schedule) = (context.rate_for(venue.currency), self.state.schedules.get(&venue.name));
        match rate.ok().zip(schedule.cloned()) {
            Some((rate, schedule)) => {
                self.state.fees.insert(venue.name.clone(), Charges::at(schedule, rate));
            }
            None => drop(self.state.fees.remove(&venue.name)),
        }
    }

    /// Reports the result of a call to a marketplace, in its own currency.
    async fn report_venue(&self, context: &mut Context, venue: &Venue, error: Option<&EngineError>) -> EngineResult {
        let found = || ProviderReading {
            fees: self.state.schedules.get(&venue.name).cloned(),
            balance: self.state.balances.get(&venue.name).copied(),
        };
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
        let own = OwnListings::read(venue, context.now()).await?;
        let ours: BTreeSet<ExternalId> = own.listings.iter().map(|listing| listing.id.clone()).collect();
        self.state.own_listings.insert(venue.name.clone(), own);
        let rate = context.rate_for(venue.currency)?;
        let mut round = self.state.page_cursors.get(&venue.name).cloned();
        let asks = self.state.asks.entry(venue.name.clone()).or_default();
        if round.is_none() {
            asks.begin_scan();
        }
        // What is worth its price is known once all have been seen; from then on each page is bought from as it comes.
        let (are_known, mut held_back) = (asks.is_complete(), Vec::new());
        let mut after = None;
        for _ in 0..context.timings.pages_per_scan {
            let page = self.read_page(venue, after.as_ref()).await?;
            let of_others =
                |listing: &MarketListing| listing.status == ListingStatus::OnSale && !ours.contains(&listing.id);
            let seen = convert_page(rate, page.items.into_iter().filter(of_others));
            pass.observed += seen.len();
            let recorded = self.record_observations(context, &venue.name, &seen).await;
            pass.record_at([&venue.name], recorded);
            let seen = seen.into_iter().map(|priced| priced.listing);
            if are_known {
                let page = MarketPage { marketplace: &venue.name, listings: seen.collect() };
                let bought = self.buy_from_page(context, orders, page, pass).await;
                pass.record_at([&venue.name], bought);
            } else {
                held_back.extend(seen);
            }
            after = self.advance_cursor(&venue.name, round.take().or(page.next));
            if after.is_none() {
                break;
            }
        }
        let asks = self.state.asks.entry(venue.name.clone()).or_default();
        if after.is_none() {
            asks.finish_scan();
        } else {
            asks.pause_scan();
        }
        let page = MarketPage { marketplace: &venue.name, listings: held_back };
        self.buy_from_page(context, orders, page, pass).await
    }

    async fn read_page(&mut self, venue: &Venue, after: Option<&ExternalId>) -> EngineResult<Page<MarketListing>> {
        let query = ListingQuery { market_hash_name: None, max_price: None, limit: LISTING_PAGE };
        let page = venue.marketplace.listings(&query, after).await;
        if matches!(page, Err(ExternalError::Rejected(_))) {
            // The marketplace no longer knows the cursor: the next scan starts from the first page.
            self.state.page_cursors.remove(&venue.name);
        }
        Ok(page?)
    }

    /// Notes how far the round through the pages of a marketplace has come.
    fn advance_cursor(&mut self, marketplace: &Marketplace, next: Option<ExternalId>) -> Option<ExternalId> {
        match &next {
            Some(next) => drop(self.state.page_cursors.insert(marketplace.clone(), next.clone())),
            None => drop(self.state.page_cursors.remove(marketplace)),
        }
        next
    }

    async fn record_observations(
        &mut self,
        context: &Context,
        marketplace: &Marketplace,
        seen: &[PricedListing],
    ) -> EngineResult {
        let now = context.now();
        let interval = context.timings.listing_record_interval;
        let news = self.state.note_listings(marketplace, seen, now, interval);
        if news.is_empty() {
            return Ok(());
        }
        let recorded = context.operations.record_listings(&context.caller, context.desk.workspace_id, news).await;
        if recorded.is_err() {
            self.state.recorded.retain(|_, listed| listed.recorded_at < now);
        }
        recorded?;
        Ok(())
    }
}

/// Converts listings and their asks. A listing above the maximum of an amount is skipped.
fn convert_page(rate: Option<ExchangeRate>, listings: impl Iterator<Item = MarketListing>) -> Vec<PricedListing> {
    let priced = |listing: MarketListing| {
        let ask = listing.offered.price;
        Some(PricedListing { listing: convert_listing(rate.into(), listing).ok()?, ask })
    };
    listings.filter_map(priced).collect()
}
