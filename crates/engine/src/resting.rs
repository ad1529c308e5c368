//! Every call of a desk to an external system goes through here, where it gets its end and its rest.
//!
//! A call without an answer within [`EngineTimings::call_within`] has an unknown outcome, and its system is not called again for as
//! long: a pass ends soon even where an adapter hangs. Who asks to be left alone is left alone: after an answer that names a time,
//! what is asked before that time is refused with what is left of it, and never sent.
//!
//! Orders in doubt are looked up all the same, though not over and over: money waits for them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use time::Duration;
use tokio::time::Instant;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::exchange::ExchangeRate;
use tradepost_domain::fees::FeeSchedule;
use tradepost_domain::money::{Currency, VenueCents};
use tradepost_domain::text::{ExternalId, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trade::PlatformUserId;
use tradepost_ports::clock::MarketClock;
use tradepost_ports::exchange_rates::{ExchangeRates, RateResult};
use tradepost_ports::game_platform::{
    Acceptance, AccountState, Confirmation, ConfirmationAnswer, GamePlatform, Inventory, NewOffer, Offer,
    PlatformResult, Trade,
};
use tradepost_ports::marketplace::{
    AnnouncedOffer, BuyRequest, Buyer, ListingQuery, MarketListing, MarketOrder, MarketTraits,
    Marketplace as MarketplacePort, MarketplaceResult, Mills, Sale, SellRequest, Sought, SoughtOrder, WithdrawRequest,
};
use tradepost_ports::outside::{Effect, OutsideError, Page};
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};

use crate::desk::{Desk, Venue};
use crate::mark::Mark;
use crate::timings::EngineTimings;

/// Whoever names no time is left alone for so long all the same.
const LEAST: Duration = Duration::seconds(1);
/// Nobody is left alone for longer: times are mistaken.
const MOST: Duration = Duration::hours(1);
/// The same for looking up what is in doubt.
const MOST_IN_DOUBT: Duration = Duration::seconds(10);

/// Until when each is to be left alone.
pub(crate) struct Rests<K> {
    clock: Arc<dyn MarketClock>,
    /// For how long at most.
    most: Duration,
    until: Mutex<BTreeMap<K, Mark>>,
}

impl<K: Ord> Rests<K> {
    fn new(clock: &Arc<dyn MarketClock>, most: Duration) -> Self {
        Self { clock: clock.clone(), most, until: Mutex::default() }
    }

    fn until(&self) -> MutexGuard<'_, BTreeMap<K, Mark>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long somebody is still to be left alone.
    fn left(&self, who: &K) -> Option<Duration> {
        let until = self.until().get(who).copied()?;
        Some(until.since(Mark::of(self.clock.as_ref()))).filter(|left| left.is_positive())
    }

    pub(crate) fn rests(&self, who: &K) -> bool {
        self.left(who).is_some()
    }

    /// Takes note of an answer.
    fn heed<T, R>(&self, who: K, answer: Result<T, OutsideError<R>>) -> Result<T, OutsideError<R>> {
        if let Err(OutsideError::RateLimited { retry_after, .. }) = &answer {
            let named = Duration::try_from(*retry_after).unwrap_or(self.most).clamp(LEAST, self.most);
            let left = self.left(&who).map_or(named, |left| left.max(named));
            let until = Mark::of(self.clock.as_ref()).plus(left);
            self.until().insert(who, until);
        }
        answer
    }

    /// Asks, unless it is to be left alone.
    async fn ask<T, R>(
        &self,
        who: K,
        call: impl Future<Output = Result<T, OutsideError<R>>> + Send,
    ) -> Result<T, OutsideError<R>> {
        match self.left(&who) {
            Some(left) => Err(not_sent(left.unsigned_abs())),
            None => self.heed(who, call.await),
        }
    }
}

fn not_sent<R>(retry_after: std::time::Duration) -> OutsideError<R> {
    OutsideError::RateLimited { retry_after, effect: Effect::Nothing }
}

/// The bound of every call to one system, and how long that system is silent. It is measured by a monotonic clock: a call takes as
/// long as it takes, whatever the time in the world that is traded in.
struct Line {
    within: std::time::Duration,
    silent_until: Mutex<Option<Instant>>,
}

impl Line {
    const fn new(timings: EngineTimings) -> Self {
        Self { within: timings.call_within(), silent_until: Mutex::new(None) }
    }

    fn silent_until(&self) -> MutexGuard<'_, Option<Instant>> {
        self.silent_until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to a call. Without one in time the call may have had its effect.
    async fn call<T, R>(
        &self,
        call: impl Future<Output = Result<T, OutsideError<R>>> + Send,
    ) -> Result<T, OutsideError<R>> {
        let (now, silent_until) = (Instant::now(), *self.silent_until());
        if let Some(until) = silent_until.filter(|until| now < *until) {
            return Err(not_sent(until.duration_since(now)));
        }
        if let Ok(answer) = tokio::time::timeout(self.within, call).await {
            return answer;
        }
        *self.silent_until() = Some(Instant::now() + self.within);
        Err(OutsideError::Unknown(format!("no answer within {} s", self.within.as_secs_f64())))
    }
}

/// The same desk, whose calls have an end and leave alone who asks for it; and which of its marketplaces that are.
pub(crate) fn patient(
    desk: Desk,
    clock: &Arc<dyn MarketClock>,
    timings: EngineTimings,
) -> (Desk, Arc<Rests<Marketplace>>) {
    let rests = Arc::new(Rests::new(clock, MOST));
    let venue = |Venue { name, marketplace: of, currency }| {
        let (rests, lookups) = (rests.clone(), Rests::new(clock, MOST_IN_DOUBT));
        let line = Line::new(timings);
        let marketplace = Arc::new(PatientMarketplace { of, name: name.clone(), line, rests, lookups });
        Venue { name, marketplace, currency }
    };
    let source = |of| -> Arc<dyn PriceSource> {
        Arc::new(PatientSource { of, line: Line::new(timings), rests: Rests::new(clock, MOST) })
    };
    let rates = |of| -> Arc<dyn ExchangeRates> { Arc::new(PatientRates { of, line: Line::new(timings) }) };
    let venues = desk.venues.into_iter().map(venue).collect();
    let price_sources = desk.price_sources.into_iter().map(source).collect();
    let (line, platform_rests) = (Line::new(timings), Rests::new(clock, MOST));
    let platform = Arc::new(PatientPlatform { of: desk.platform, line, rests: platform_rests });
    (Desk { venues, platform, price_sources, rates: desk.rates.map(rates), ..desk }, rests)
}

/// A marketplace, asked as one customer.
struct PatientMarketplace {
    of: Arc<dyn MarketplacePort>,
    name: Marketplace,
    line: Line,
    rests: Arc<Rests<Marketplace>>,
    lookups: Rests<()>,
}

impl PatientMarketplace {
    async fn ask<T>(&self, call: impl Future<Output = MarketplaceResult<T>> + Send) -> MarketplaceResult<T> {
        self.rests.ask(self.name.clone(), self.line.call(call)).await
    }
}

#[async_trait]
impl MarketplacePort for PatientMarketplace {
    fn traits(&self) -> MarketTraits {
        self.of.traits()
    }

    async fn listings(
        &self,
        query: &ListingQuery,
        after: Option<&ExternalId>,
    ) -> MarketplaceResult<Page<MarketListing>> {
        self.ask(self.of.listings(query, after)).await
    }

    async fn listing(&self, id: &ExternalId) -> MarketplaceResult<Option<MarketListing>> {
        self.ask(self.of.listing(id)).await
    }

    async fn buy(&self, request: &BuyRequest) -> MarketplaceResult<MarketOrder> {
        self.ask(self.of.buy(request)).await
    }

    async fn find_order(&self, sought: &SoughtOrder) -> MarketplaceResult<Sought> {
        let found = self.lookups.ask((), self.line.call(self.of.find_order(sought))).await;
        self.rests.heed(self.name.clone(), found)
    }

    async fn who_bought(&self, sought: &SoughtOrder) -> MarketplaceResult<Buyer> {
        let buyer = self.lookups.ask((), self.line.call(self.of.who_bought(sought))).await;
        self.rests.heed(self.name.clone(), buyer)
    }

    async fn order(&self, id: &ExternalId) -> MarketplaceResult<MarketOrder> {
        self.ask(self.of.order(id)).await
    }

    async fn list(&self, request: &SellRequest) -> MarketplaceResult<MarketListing> {
        self.ask(self.of.list(request)).await
    }

    async fn reprice(&self, id: &ExternalId, price: VenueCents) -> MarketplaceResult<MarketListing> {
        self.ask(self.of.reprice(id, price)).await
    }

    async fn delist(&self, id: &ExternalId) -> MarketplaceResult<()> {
        self.ask(self.of.delist(id)).await
    }

    async fn own_listings_page(&self, after: Option<&ExternalId>) -> MarketplaceResult<Page<MarketListing>> {
        self.ask(self.of.own_listings_page(after)).await
    }

    async fn sales_page(&self, since: Timestamp, after: Option<&ExternalId>) -> MarketplaceResult<Page<Sale>> {
        self.ask(self.of.sales_page(since, after)).await
    }

    async fn commit_sale(&self, id: &ExternalId) -> MarketplaceResult<Sale> {
        self.ask(self.of.commit_sale(id)).await
    }

    async fn announce_offer(&self, offer: &AnnouncedOffer) -> MarketplaceResult<()> {
        self.ask(self.of.announce_offer(offer)).await
    }

    async fn withdraw(&self, request: &WithdrawRequest) -> MarketplaceResult<()> {
        self.ask(self.of.withdraw(request)).await
    }

    async fn balance(&self) -> MarketplaceResult<VenueCents> {
        self.ask(self.of.balance()).await
    }

    async fn exact_balance(&self) -> MarketplaceResult<Mills> {
        self.ask(self.of.exact_balance()).await
    }

    async fn fee_schedule(&self) -> MarketplaceResult<FeeSchedule> {
        self.ask(self.of.fee_schedule()).await
    }
}

/// The game platform, which is asked as one account at a time; as nobody only what time it is.
struct PatientPlatform {
    of: Arc<dyn GamePlatform>,
    line: Line,
    rests: Rests<Option<PlatformUserId>>,
}

impl PatientPlatform {
    async fn ask<T>(
        &self,
        account: PlatformUserId,
        call: impl Future<Output = PlatformResult<T>> + Send,
    ) -> PlatformResult<T> {
        self.rests.ask(Some(account), self.line.call(call)).await
    }
}

#[async_trait]
impl GamePlatform for PatientPlatform {
    async fn account(&self, account: PlatformUserId) -> PlatformResult<AccountState> {
        self.ask(account, self.of.account(account)).await
    }

    async fn inventory(
        &self,
        account: PlatformUserId,
        app_id: AppId,
        context_id: ContextId,
    ) -> PlatformResult<Inventory> {
        self.ask(account, self.of.inventory(account, app_id, context_id)).await
    }

    async fn offers_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>> {
        self.ask(account, self.of.offers_page(account, since, after)).await
    }

    async fn offer(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Offer> {
        self.ask(account, self.of.offer(account, id)).await
    }

    async fn accept(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Acceptance> {
        self.ask(account, self.of.accept(account, id)).await
    }

    async fn decline(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.ask(account, self.of.decline(account, id)).await
    }

    async fn cancel(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.ask(account, self.of.cancel(account, id)).await
    }

    async fn send(&self, account: PlatformUserId, offer: &NewOffer) -> PlatformResult<Offer> {
        self.ask(account, self.of.send(account, offer)).await
    }

    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        self.ask(account, self.of.confirmations(account)).await
    }

    async fn answer(&self, account: PlatformUserId, id: &ExternalId, answer: ConfirmationAnswer) -> PlatformResult<()> {
        self.ask(account, self.of.answer(account, id, answer)).await
    }

    async fn trade(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Trade> {
        self.ask(account, self.of.trade(account, id)).await
    }

    async fn trades_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>> {
        self.ask(account, self.of.trades_page(account, since, after)).await
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        self.rests.ask(None, self.line.call(self.of.server_time())).await
    }
}

/// A source of prices.
struct PatientSource {
    of: Arc<dyn PriceSource>,
    line: Line,
    rests: Rests<()>,
}

#[async_trait]
impl PriceSource for PatientSource {
    fn name(&self) -> &Marketplace {
        self.of.name()
    }

    fn currency(&self) -> Option<Currency> {
        self.of.currency()
    }

    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        self.rests.ask((), self.line.call(self.of.quotes())).await
    }
}

/// A source of exchange rates.
struct PatientRates {
    of: Arc<dyn ExchangeRates>,
    line: Line,
}

#[async_trait]
impl ExchangeRates for PatientRates {
    async fn rate(&self, from: Currency, to: Currency) -> RateResult<ExchangeRate> {
        self.line.call(self.of.rate(from, to)).await
    }
}
