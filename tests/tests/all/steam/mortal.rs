//! Steam as a process reaches it that ends at one of its calls: before the call is made, or before its answer is read.

use std::future::pending;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use tokio::sync::Notify;
use tradepost::steam::SteamPlatform;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::external::Page;
use tradepost_ports::game_platform::{
    Acceptance, AccountState, Confirmation, ConfirmationAnswer, GamePlatform, Hold, Inventory, NewOffer, Offer,
    PlatformResult, Trade,
};

/// Where in a call the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Death {
    /// The call is not made.
    Before,
    /// The call is made, and its answer is not read.
    After,
}

impl Death {
    pub(super) const BOTH: [Self; 2] = [Self::Before, Self::After];
}

/// The calls among which the last one of a process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    Every,
    /// Those that change something.
    Writes,
}

/// The end of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) among: Among,
    /// How many of these calls it makes before its last one.
    pub(super) calls: u64,
    pub(super) death: Death,
}

/// The platform.
pub(super) struct Mortal {
    platform: SteamPlatform,
    end: Option<End>,
    calls: AtomicU64,
    died: Notify,
}

impl Mortal {
    pub(super) fn new(platform: SteamPlatform, end: Option<End>) -> Self {
        Self { platform, end, calls: AtomicU64::new(0), died: Notify::new() }
    }

    /// Waits until the process has come to its last call.
    pub(super) async fn died(&self) {
        self.died.notified().await;
    }

    /// Where the process ends in this call, if it does.
    fn strike(&self, among: Among) -> Option<Death> {
        let end = self.end?;
        if end.among == Among::Writes && among == Among::Every {
            return None;
        }
        (self.calls.fetch_add(1, Ordering::SeqCst) == end.calls).then_some(end.death)
    }

    async fn die<T>(&self) -> T {
        self.died.notify_one();
        pending().await
    }

    async fn call<T>(&self, among: Among, call: impl Future<Output = PlatformResult<T>> + Send) -> PlatformResult<T> {
        match self.strike(among) {
            None => call.await,
            Some(Death::Before) => self.die().await,
            Some(Death::After) => {
                drop(call.await);
                self.die().await
            }
        }
    }

    async fn read<T>(&self, call: impl Future<Output = PlatformResult<T>> + Send) -> PlatformResult<T> {
        self.call(Among::Every, call).await
    }

    async fn write<T>(&self, call: impl Future<Output = PlatformResult<T>> + Send) -> PlatformResult<T> {
        self.call(Among::Writes, call).await
    }
}

#[async_trait]
impl GamePlatform for Mortal {
    async fn account(&self, account: PlatformUserId) -> PlatformResult<AccountState> {
        self.read(self.platform.account(account)).await
    }

    async fn inventory(&self, of: PlatformUserId, app_id: AppId, context_id: ContextId) -> PlatformResult<Inventory> {
        self.read(self.platform.inventory(of, app_id, context_id)).await
    }

    async fn offers_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>> {
        self.read(self.platform.offers_page(account, since, after)).await
    }

    async fn offer(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Offer> {
        self.read(self.platform.offer(account, id)).await
    }

    async fn accept(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Acceptance> {
        self.write(self.platform.accept(account, id)).await
    }

    async fn decline(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.write(self.platform.decline(account, id)).await
    }

    async fn cancel(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.write(self.platform.cancel(account, id)).await
    }

    async fn send(&self, account: PlatformUserId, offer: &NewOffer) -> PlatformResult<Offer> {
        self.write(self.platform.send(account, offer)).await
    }

    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        self.read(self.platform.confirmations(account)).await
    }

    async fn answer(
        &self,
        account: PlatformUserId,
        confirmation: &Confirmation,
        answer: ConfirmationAnswer,
    ) -> PlatformResult<()> {
        self.write(self.platform.answer(account, confirmation, answer)).await
    }

    async fn trade(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Trade> {
        self.read(self.platform.trade(account, id)).await
    }

    async fn trades_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>> {
        self.read(self.platform.trades_page(account, since, after)).await
    }

    async fn hold_with(&self, account: PlatformUserId, partner: &TradeAddress) -> PlatformResult<Hold> {
        self.read(self.platform.hold_with(account, partner)).await
    }

    async fn trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.read(self.platform.trade_token(account)).await
    }

    async fn renew_trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.write(self.platform.renew_trade_token(account)).await
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        self.read(self.platform.server_time()).await
    }
}
