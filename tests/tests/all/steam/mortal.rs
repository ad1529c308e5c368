//! Steam as a process reaches it that ends at one of its calls: before the call is made, or before its answer is read.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use tokio::sync::Notify;
use tradepost::steam::{SteamPlatform, SteamSocial};
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation};
use tradepost_domain::trading::friend::ShownFriend;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::external::Page;
use tradepost_ports::game_platform::social::{MessagePage, Social, SocialResult};
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

/// When a process ends, by the calls of all its ports.
pub(super) struct Fate {
    end: Option<End>,
    calls: AtomicU64,
    died: Notify,
}

impl Fate {
    pub(super) fn new(end: Option<End>) -> Self {
        Self { end, calls: AtomicU64::new(0), died: Notify::new() }
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

    async fn call<T, E>(&self, among: Among, call: impl Future<Output = Result<T, E>> + Send) -> Result<T, E> {
        match self.strike(among) {
            None => call.await,
            Some(Death::Before) => self.die().await,
            Some(Death::After) => {
                drop(call.await);
                self.die().await
            }
        }
    }

    async fn read<T, E>(&self, call: impl Future<Output = Result<T, E>> + Send) -> Result<T, E> {
        self.call(Among::Every, call).await
    }

    async fn write<T, E>(&self, call: impl Future<Output = Result<T, E>> + Send) -> Result<T, E> {
        self.call(Among::Writes, call).await
    }
}

/// The platform.
pub(super) struct Mortal {
    platform: SteamPlatform,
    fate: Arc<Fate>,
}

impl Mortal {
    pub(super) const fn new(platform: SteamPlatform, fate: Arc<Fate>) -> Self {
        Self { platform, fate }
    }
}

#[async_trait]
impl GamePlatform for Mortal {
    async fn account(&self, account: PlatformUserId) -> PlatformResult<AccountState> {
        self.fate.read(self.platform.account(account)).await
    }

    async fn inventory(&self, of: PlatformUserId, app_id: AppId, context_id: ContextId) -> PlatformResult<Inventory> {
        self.fate.read(self.platform.inventory(of, app_id, context_id)).await
    }

    async fn offers_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>> {
        self.fate.read(self.platform.offers_page(account, since, after)).await
    }

    async fn offer(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Offer> {
        self.fate.read(self.platform.offer(account, id)).await
    }

    async fn accept(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Acceptance> {
        self.fate.write(self.platform.accept(account, id)).await
    }

    async fn decline(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.fate.write(self.platform.decline(account, id)).await
    }

    async fn cancel(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.fate.write(self.platform.cancel(account, id)).await
    }

    async fn send(&self, account: PlatformUserId, offer: &NewOffer) -> PlatformResult<Offer> {
        self.fate.write(self.platform.send(account, offer)).await
    }

    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        self.fate.read(self.platform.confirmations(account)).await
    }

    async fn answer(
        &self,
        account: PlatformUserId,
        confirmation: &Confirmation,
        answer: ConfirmationAnswer,
    ) -> PlatformResult<()> {
        self.fate.write(self.platform.answer(account, confirmation, answer)).await
    }

    async fn trade(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Trade> {
        self.fate.read(self.platform.trade(account, id)).await
    }

    async fn trades_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>> {
        self.fate.read(self.platform.trades_page(account, since, after)).await
    }

    async fn hold_with(&self, account: PlatformUserId, partner: &TradeAddress) -> PlatformResult<Hold> {
        self.fate.read(self.platform.hold_with(account, partner)).await
    }

    async fn hold_of(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Hold> {
        self.fate.read(self.platform.hold_of(account, id)).await
    }

    async fn trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.fate.read(self.platform.trade_token(account)).await
    }

    async fn renew_trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.fate.write(self.platform.renew_trade_token(account)).await
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        self.fate.read(self.platform.server_time()).await
    }
}

/// Its friends and chats.
pub(super) struct MortalSocial {
    social: SteamSocial,
    fate: Arc<Fate>,
}

impl MortalSocial {
    pub(super) const fn new(social: SteamSocial, fate: Arc<Fate>) -> Self {
        Self { social, fate }
    }
}

#[async_trait]
impl Social for MortalSocial {
    async fn friends(&self, account: PlatformUserId) -> SocialResult<Vec<ShownFriend>> {
        self.fate.read(self.social.friends(account)).await
    }

    async fn add(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.fate.write(self.social.add(account, user)).await
    }

    async fn accept(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.fate.write(self.social.accept(account, user)).await
    }

    async fn remove(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.fate.write(self.social.remove(account, user)).await
    }

    async fn block(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.fate.write(self.social.block(account, user)).await
    }

    async fn unblock(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.fate.write(self.social.unblock(account, user)).await
    }

    async fn conversations(&self, account: PlatformUserId) -> SocialResult<Vec<ShownConversation>> {
        self.fate.read(self.social.conversations(account)).await
    }

    async fn messages(
        &self,
        account: PlatformUserId,
        partner: PlatformUserId,
        before: Option<MessagePlace>,
    ) -> SocialResult<MessagePage> {
        self.fate.read(self.social.messages(account, partner, before)).await
    }

    async fn say(
        &self,
        account: PlatformUserId,
        partner: PlatformUserId,
        text: &ChatText,
        client_id: &ExternalId,
    ) -> SocialResult<MessagePlace> {
        self.fate.write(self.social.say(account, partner, text, client_id)).await
    }

    async fn mark_read(&self, account: PlatformUserId, partner: PlatformUserId, until: Timestamp) -> SocialResult<()> {
        self.fate.write(self.social.mark_read(account, partner, until)).await
    }
}
