//! Bounds and paces every call of a desk to an external system.
//!
//! A call without an answer within [`EngineTimings::call_within`] has an unknown outcome, and its system is not called again for as
//! long: a pass ends soon even where an adapter hangs. After an answer that names a time, calls before that time are rejected here with the
//! time that is left, and never sent.
//!
//! Uncertain orders are looked up all the same, at intervals: money is reserved for them.

mod sessions;
pub(crate) mod social;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use time::Duration;
use tokio::time::Instant;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::markets::fees::FeeSchedule;
use tradepost_domain::money::{Currency, VenueCents};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::clock::MarketClock;
use tradepost_ports::exchange_rates::{ExchangeRates, RateResult};
use tradepost_ports::external::{Effect, ExternalError, Page, Pages};
use tradepost_ports::game_platform::sessions::PlatformSessions;
use tradepost_ports::game_platform::social::Social;
use tradepost_ports::game_platform::{
    Acceptance, AccountState, Confirmation, ConfirmationAnswer, GamePlatform, Hold, Inventory, NewOffer, Offer,
    PlatformResult, Trade,
};
use tradepost_ports::marketplace::{
    AnnouncedOffer, BuyRequest, Buyer, ListingQuery, MarketListing, MarketOrder, MarketTraits,
    Marketplace as MarketplacePort, MarketplaceResult, Mills, Sale, SellRequest, Sought, SoughtOrder, WithdrawRequest,
};
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};

use crate::desk::backoff::sessions::BackoffSessions;
use crate::desk::backoff::social::BackoffSocial;
use crate::desk::{Desk, Venue};
use crate::mark::Mark;
use crate::telemetry::System;
use crate::timings::EngineTimings;

/// Time until which each system is not called.
pub(crate) struct Backoff<K> {
    clock: Arc<dyn MarketClock>,
    shortest: Duration,
    longest: Duration,
    until: Mutex<BTreeMap<K, Mark>>,
}

impl<K: Ord> Backoff<K> {
    fn new(clock: &Arc<dyn MarketClock>, timings: &EngineTimings) -> Self {
        let (shortest, longest) = (timings.backoff_min, timings.backoff_max);
        Self { clock: clock.clone(), shortest, longest, until: Mutex::default() }
    }

    /// Creates a backoff of look-ups of uncertain orders.
    fn of_lookups(clock: &Arc<dyn MarketClock>, timings: &EngineTimings) -> Self {
        Self { longest: timings.lookup_backoff_max, ..Self::new(clock, timings) }
    }

    fn until(&self) -> MutexGuard<'_, BTreeMap<K, Mark>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how long a system is still not called.
    fn remaining(&self, who: &K) -> Option<Duration> {
        let until = self.until().get(who).copied()?;
        Some(until.since(Mark::of(self.clock.as_ref()))).filter(|left| left.is_positive())
    }

    pub(crate) fn is_active(&self, who: &K) -> bool {
        self.remaining(who).is_some()
    }

    /// Takes note of an answer.
    fn observe<T, R>(&self, who: K, answer: Result<T, ExternalError<R>>) -> Result<T, ExternalError<R>> {
        if let Err(ExternalError::RateLimited { retry_after, .. }) = &answer {
            let named = Duration::try_from(*retry_after).unwrap_or(self.longest).clamp(self.shortest, self.longest);
            let left = self.remaining(&who).map_or(named, |left| left.max(named));
            let until = Mark::of(self.clock.as_ref()).plus(left);
            self.until().insert(who, until);
        }
        answer
    }

    /// Makes a call, unless its system is not to be called yet.
    async fn call<T, R>(
        &self,
        who: K,
        call: impl Future<Output = Result<T, ExternalError<R>>> + Send,
    ) -> Result<T, ExternalError<R>> {
        match self.remaining(&who) {
            Some(left) => Err(not_sent(left.unsigned_abs())),
            None => self.observe(who, call.await),
        }
    }
}

fn not_sent<R>(retry_after: std::time::Duration) -> ExternalError<R> {
    ExternalError::RateLimited { retry_after, effect: Effect::Nothing }
}

/// The bound of every call to one system, and how long that system is silent. It is measured by a monotonic clock: a call takes as
/// long as it takes, whatever the time in the world that is traded in.
struct Line {
    system: System,
    within: std::time::Duration,
    silent_until: Mutex<Option<Instant>>,
}

impl Line {
    fn new(system: System, timings: &EngineTimings) -> Self {
        Self { system, within: timings.call_within.unsigned_abs(), silent_until: Mutex::new(None) }
    }

    fn silent_until(&self) -> MutexGuard<'_, Option<Instant>> {
        self.silent_until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to a call. Without one in time the call may have had its effect.
    async fn call<T, R>(
        &self,
        name: &'static str,
        call: impl Future<Output = Result<T, ExternalError<R>>> + Send,
    ) -> Result<T, ExternalError<R>> {
        let (now, silent_until) = (Instant::now(), *self.silent_until());
        if let Some(until) = silent_until.filter(|until| now < *until) {
            return Err(not_sent(until.duration_since(now)));
        }
        let answer = if let Ok(answer) = tokio::time::timeout(self.within, call).await {
            answer
        } else {
            *self.silent_until() = Some(Instant::now() + self.within);
            Err(ExternalError::Unknown(format!("no answer within {} s", self.within.as_secs_f64())))
        };
        self.system.record_call(name, now.elapsed(), &answer);
        answer
    }
}

/// Bounds a reading of several pages, each of which is a call: a system that answers slowly and always names another page would hold up
/// a pass.
async fn within<T, R>(
    most: std::time::Duration,
    reading: impl Future<Output = Result<T, ExternalError<R>>> + Send,
) -> Result<T, ExternalError<R>> {
    let read = tokio::time::timeout(most, reading).await;
    read.unwrap_or_else(|_| {
        Err(ExternalError::Unknown(format!("the pages did not end within {} s", most.as_secs_f64())))
    })
}

/// The same desk, whose calls have an end and leave alone who asks for it; and which of its marketplaces that are.
pub(crate) fn with_backoff(desk: Desk, timings: &EngineTimings) -> (Desk, Arc<Backoff<Marketplace>>) {
    let (clock, drivers) = (&desk.clock, &desk.drivers);
    let pages_within = timings.pages_within.unsigned_abs();
    let rests = Arc::new(Backoff::new(clock, timings));
    let venue = |Venue { name, marketplace: of, currency }| {
        let (rests, lookups) = (rests.clone(), Backoff::of_lookups(clock, timings));
        let line = Line::new(System::marketplace(&name, drivers), timings);
        let marketplace = Arc::new(BackoffMarketplace { of, name: name.clone(), line, rests, lookups, pages_within });
        Venue { name, marketplace, currency }
    };
    let source = |of: Arc<dyn PriceSource>| -> Arc<dyn PriceSource> {
        let line = Line::new(System::price_source(of.name(), drivers), timings);
        Arc::new(BackoffPriceSource { of, line, rests: Backoff::new(clock, timings) })
    };
    let rates = |of| -> Arc<dyn ExchangeRates> {
        Arc::new(BackoffRates { of, line: Line::new(System::exchange_rates(), timings) })
    };
    let social = |of| -> Arc<dyn Social> { Arc::new(BackoffSocial::new(of, clock, timings)) };
    let social = desk.social.map(social);
    let sessions = |of| -> Arc<dyn PlatformSessions> { Arc::new(BackoffSessions::new(of, clock, timings)) };
    let sessions = desk.sessions.map(sessions);
    let venues = desk.venues.into_iter().map(venue).collect();
    let price_sources = desk.price_sources.into_iter().map(source).collect();
    let (line, platform_rests) = (Line::new(System::platform(), timings), Backoff::new(clock, timings));
    let platform = Arc::new(BackoffPlatform { of: desk.platform, line, rests: platform_rests, pages_within });
    (Desk { venues, platform, social, sessions, price_sources, rates: desk.rates.map(rates), ..desk }, rests)
}

/// A marketplace, asked as one customer.
struct BackoffMarketplace {
    of: Arc<dyn MarketplacePort>,
    name: Marketplace,
    line: Line,
    rests: Arc<Backoff<Marketplace>>,
    lookups: Backoff<()>,
    pages_within: std::time::Duration,
}

impl BackoffMarketplace {
    async fn call<T>(
        &self,
        name: &'static str,
        call: impl Future<Output = MarketplaceResult<T>> + Send,
    ) -> MarketplaceResult<T> {
        self.rests.call(self.name.clone(), self.line.call(name, call)).await
    }
}

#[async_trait]
impl MarketplacePort for BackoffMarketplace {
    fn traits(&self) -> MarketTraits {
        self.of.traits()
    }

    async fn listings(
        &self,
        query: &ListingQuery,
        after: Option<&ExternalId>,
    ) -> MarketplaceResult<Page<MarketListing>> {
        self.call("listings", self.of.listings(query, after)).await
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        self.call("listing", self.of.listing(id)).await
    }

    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        self.call("buy", self.of.buy(request)).await
    }

    async fn find_order(&self, sought: &SoughtOrder) -> MarketplaceResult<Sought> {
        let found = self.lookups.call((), self.line.call("find_order", self.of.find_order(sought))).await;
        self.rests.observe(self.name.clone(), found)
    }

    async fn who_bought(&self, sought: &SoughtOrder) -> MarketplaceResult<Buyer> {
        let buyer = self.lookups.call((), self.line.call("who_bought", self.of.who_bought(sought))).await;
        self.rests.observe(self.name.clone(), buyer)
    }

    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        self.call("order", self.of.order(id)).await
    }

    async fn list(&self, request: &SellRequest) -> MarketplaceResult<MarketListing> {
        self.call("list", self.of.list(request)).await
    }

    async fn reprice(&self, id: &ExternalId, price: VenueCents) -> MarketplaceResult<MarketListing> {
        self.call("reprice", self.of.reprice(id, price)).await
    }

    async fn delist(&self, id: &ExternalId) -> MarketplaceResult<()> {
        self.call("delist", self.of.delist(id)).await
    }

    async fn own_listings_page(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        self.call("own_listings_page", self.of.own_listings_page(after)).await
    }

    async fn own_listings(&self) -> MarketplaceResult<Vec<MarketListing>> {
        let mut pages = Pages::of(|listing: &MarketListing| &listing.id);
        within(self.pages_within, async move {
            while !pages.are_over() {
                pages.take(self.own_listings_page(pages.after()).await?)?;
            }
            Ok(pages.items())
        })
        .await
    }

    async fn sales_page(&self, since: Timestamp, after: Option<&ExternalId>) -> MarketplaceResult<Page<Sale>> {
        self.call("sales_page", self.of.sales_page(since, after)).await
    }

    async fn sales(&self, since: Timestamp) -> MarketplaceResult<Vec<Sale>> {
        let mut pages = Pages::of(|sale: &Sale| &sale.id);
        within(self.pages_within, async move {
            while !pages.are_over() {
                pages.take(self.sales_page(since, pages.after()).await?)?;
            }
            Ok(pages.items())
        })
        .await
    }

    async fn commit_sale(&self, id: &ExternalId) -> MarketplaceResult<Sale> {
        self.call("commit_sale", self.of.commit_sale(id)).await
    }

    async fn announce_offer(&self, offer: &AnnouncedOffer) -> MarketplaceResult<()> {
        self.call("announce_offer", self.of.announce_offer(offer)).await
    }

    async fn withdraw(&self, request: &WithdrawRequest) -> MarketplaceResult<()> {
        self.call("withdraw", self.of.withdraw(request)).await
    }

    async fn balance(&self) -> MarketplaceResult<VenueCents> {
        self.call("balance", self.of.balance()).await
    }

    async fn exact_balance(&self) -> MarketplaceResult<Mills> {
        self.call("exact_balance", self.of.exact_balance()).await
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        self.call("fee_schedule", self.of.fee_schedule()).await
    }
}

/// What a call of the platform does. A driver has a budget for each, so that a spent one stops no call of the other kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Does {
    Read,
    Write,
}

/// The game platform, with a backoff for the reads of each account and one for its writes. Reading its time uses no account.
struct BackoffPlatform {
    of: Arc<dyn GamePlatform>,
    line: Line,
    rests: Backoff<(Option<PlatformUserId>, Does)>,
    pages_within: std::time::Duration,
}

impl BackoffPlatform {
    async fn call<T>(
        &self,
        name: &'static str,
        account: PlatformUserId,
        call: impl Future<Output = PlatformResult<T>> + Send,
    ) -> PlatformResult<T> {
        self.rests.call((Some(account), Does::Read), self.line.call(name, call)).await
    }

    async fn write<T>(
        &self,
        name: &'static str,
        account: PlatformUserId,
        call: impl Future<Output = PlatformResult<T>> + Send,
    ) -> PlatformResult<T> {
        self.rests.call((Some(account), Does::Write), self.line.call(name, call)).await
    }
}

#[async_trait]
impl GamePlatform for BackoffPlatform {
    async fn account(&self, account: PlatformUserId) -> PlatformResult<AccountState> {
        self.call("account", account, self.of.account(account)).await
    }

    async fn inventory(
        &self,
        account: PlatformUserId,
        app_id: AppId,
        context_id: ContextId,
    ) -> PlatformResult<Inventory> {
        self.call("inventory", account, self.of.inventory(account, app_id, context_id)).await
    }

    async fn offers_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>> {
        self.call("offers_page", account, self.of.offers_page(account, since, after)).await
    }

    async fn offers(&self, account: PlatformUserId, since: Timestamp) -> PlatformResult<Vec<Offer>> {
        let mut pages = Pages::of(|offer: &Offer| &offer.id);
        within(self.pages_within, async move {
            while !pages.are_over() {
                pages.take(self.offers_page(account, since, pages.after()).await?)?;
            }
            Ok(pages.items())
        })
        .await
    }

    async fn offer(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Offer> {
        self.call("offer", account, self.of.offer(account, id)).await
    }

    async fn accept(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Acceptance> {
        self.write("accept", account, self.of.accept(account, id)).await
    }

    async fn decline(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.write("decline", account, self.of.decline(account, id)).await
    }

    async fn cancel(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.write("cancel", account, self.of.cancel(account, id)).await
    }

    async fn send(&self, account: PlatformUserId, offer: &NewOffer) -> PlatformResult<Offer> {
        self.write("send", account, self.of.send(account, offer)).await
    }

    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        self.call("confirmations", account, self.of.confirmations(account)).await
    }

    async fn answer(
        &self,
        account: PlatformUserId,
        confirmation: &Confirmation,
        answer: ConfirmationAnswer,
    ) -> PlatformResult<()> {
        self.write("answer", account, self.of.answer(account, confirmation, answer)).await
    }

    async fn trade(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Trade> {
        self.call("trade", account, self.of.trade(account, id)).await
    }

    async fn trades_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>> {
        self.call("trades_page", account, self.of.trades_page(account, since, after)).await
    }

    async fn trades(&self, account: PlatformUserId, since: Timestamp) -> PlatformResult<Vec<Trade>> {
        let mut pages = Pages::of(|trade: &Trade| &trade.id);
        within(self.pages_within, async move {
            while !pages.are_over() {
                pages.take(self.trades_page(account, since, pages.after()).await?)?;
            }
            Ok(pages.items())
        })
        .await
    }

    async fn hold_with(&self, account: PlatformUserId, partner: &TradeAddress) -> PlatformResult<Hold> {
        self.call("hold_with", account, self.of.hold_with(account, partner)).await
    }

    async fn hold_of(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Hold> {
        self.call("hold_of", account, self.of.hold_of(account, id)).await
    }

    async fn trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.call("trade_token", account, self.of.trade_token(account)).await
    }

    async fn renew_trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.write("renew_trade_token", account, self.of.renew_trade_token(account)).await
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        self.rests.call((None, Does::Read), self.line.call("server_time", self.of.server_time())).await
    }

    fn refuses_client(&self) -> Option<String> {
        self.of.refuses_client()
    }
}

/// A source of prices.
struct BackoffPriceSource {
    of: Arc<dyn PriceSource>,
    line: Line,
    rests: Backoff<()>,
}

#[async_trait]
impl PriceSource for BackoffPriceSource {
    fn name(&self) -> &Marketplace {
        self.of.name()
    }

    fn currency(&self) -> Option<Currency> {
        self.of.currency()
    }

    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        self.rests.call((), self.line.call("quotes", self.of.quotes())).await
    }
}

/// A source of exchange rates.
struct BackoffRates {
    of: Arc<dyn ExchangeRates>,
    line: Line,
}

#[async_trait]
impl ExchangeRates for BackoffRates {
    async fn rate(&self, from: Currency, to: Currency) -> RateResult<ExchangeRate> {
        self.line.call("rate", self.of.rate(from, to)).await
    }
}
