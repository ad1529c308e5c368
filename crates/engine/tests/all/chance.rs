//! Chance that comes from a seed, and systems outside whose answers it loses.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tradepost_adapters_simulator::SimulatedPlatform;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::external::{ExternalError, Page};
use tradepost_ports::game_platform::{
    Acceptance, AccountState, Confirmation, ConfirmationAnswer, GamePlatform, Hold, Inventory, NewOffer, Offer,
    PlatformResult, Trade,
};
use tradepost_ports::marketplace::MarketplaceRefusal;

use crate::reached::{Kind, Manner};

/// The same draws for a seed in every run (xorshift64, Marsaglia 2003).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn of(seed: u64) -> Self {
        // Seeds that follow each other are far apart, and none is zero.
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below an end that is not zero.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    /// One of what there is.
    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        let count = u64::try_from(all.len()).ok().filter(|count| *count > 0)?;
        usize::try_from(self.below(count)).ok().and_then(|at| all.get(at))
    }
}

/// Loses calls: half of them before they are carried out, and half of them after.
pub(crate) struct Losses {
    chance: Mutex<Chance>,
    /// How many of 1,000 calls are lost.
    per_thousand: u64,
    lost: AtomicU64,
}

impl Losses {
    pub(crate) fn of(seed: u64, per_thousand: u64) -> Arc<Self> {
        Arc::new(Self { chance: Mutex::new(Chance::of(seed)), per_thousand, lost: AtomicU64::new(0) })
    }

    /// How many calls were lost so far.
    pub(crate) fn count(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Whether a call is lost at one of its two ends.
    fn strike(&self) -> bool {
        let is_lost = self.chance.lock().unwrap().below(2_000) < self.per_thousand;
        self.lost.fetch_add(u64::from(is_lost), Ordering::Relaxed);
        is_lost
    }

    async fn call<T, R>(
        &self,
        call: impl Future<Output = Result<T, ExternalError<R>>> + Send,
    ) -> Result<T, ExternalError<R>> {
        if self.strike() {
            return Err(no_answer());
        }
        let answer = call.await;
        if self.strike() { Err(no_answer()) } else { answer }
    }
}

fn no_answer<R>() -> ExternalError<R> {
    ExternalError::Unknown("no answer came".to_owned())
}

#[async_trait]
impl Manner for Arc<Losses> {
    async fn before(&self, _: Kind) {}

    fn loses(&self, _: Kind) -> Option<ExternalError<MarketplaceRefusal>> {
        self.strike().then(no_answer)
    }

    async fn after(&self, _: Kind) -> Option<ExternalError<MarketplaceRefusal>> {
        self.strike().then(no_answer)
    }
}

/// The simulated platform, some of whose answers are lost.
pub(crate) struct LossyPlatform {
    pub(crate) platform: SimulatedPlatform,
    pub(crate) losses: Arc<Losses>,
}

#[async_trait]
impl GamePlatform for LossyPlatform {
    async fn account(&self, account: PlatformUserId) -> PlatformResult<AccountState> {
        self.losses.call(self.platform.account(account)).await
    }

    async fn inventory(&self, of: PlatformUserId, app_id: AppId, context_id: ContextId) -> PlatformResult<Inventory> {
        self.losses.call(self.platform.inventory(of, app_id, context_id)).await
    }

    async fn offers_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>> {
        self.losses.call(self.platform.offers_page(account, since, after)).await
    }

    async fn offer(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Offer> {
        self.losses.call(self.platform.offer(account, id)).await
    }

    async fn accept(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Acceptance> {
        self.losses.call(self.platform.accept(account, id)).await
    }

    async fn decline(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.losses.call(self.platform.decline(account, id)).await
    }

    async fn cancel(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.losses.call(self.platform.cancel(account, id)).await
    }

    async fn send(&self, account: PlatformUserId, offer: &NewOffer) -> PlatformResult<Offer> {
        self.losses.call(self.platform.send(account, offer)).await
    }

    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        self.losses.call(self.platform.confirmations(account)).await
    }

    async fn answer(
        &self,
        account: PlatformUserId,
        confirmation: &Confirmation,
        answer: ConfirmationAnswer,
    ) -> PlatformResult<()> {
        self.losses.call(self.platform.answer(account, confirmation, answer)).await
    }

    async fn trade(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Trade> {
        self.losses.call(self.platform.trade(account, id)).await
    }

    async fn trades_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>> {
        self.losses.call(self.platform.trades_page(account, since, after)).await
    }

    async fn hold_with(&self, account: PlatformUserId, partner: &TradeAddress) -> PlatformResult<Hold> {
        self.losses.call(self.platform.hold_with(account, partner)).await
    }

    async fn hold_of(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Hold> {
        self.losses.call(self.platform.hold_of(account, id)).await
    }

    async fn trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.losses.call(self.platform.trade_token(account)).await
    }

    async fn renew_trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.losses.call(self.platform.renew_trade_token(account)).await
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        self.losses.call(self.platform.server_time()).await
    }
}
