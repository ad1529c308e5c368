//! A game platform on which nothing happens: the sellers of the shop have not sent their trade offers yet.

use tradepost::domain::asset::{AppId, ContextId};
use tradepost::domain::text::ExternalId;
use tradepost::domain::time::Timestamp;
use tradepost::domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost::ports::clock::Clock as _;
use tradepost::ports::external::{ExternalError, Page};
use tradepost::ports::game_platform::{
    Acceptance, AccountState, Confirmation, ConfirmationAnswer, GamePlatform, Hold, Inventory, NewOffer, Offer,
    PlatformRefusal, PlatformResult, Trade,
};
use tradepost::{SystemClock, async_trait};

/// The platform.
pub(crate) struct QuietPlatform;

/// No offer, trade or confirmation exists.
const fn unknown<T>() -> PlatformResult<T> {
    Err(ExternalError::Rejected(PlatformRefusal::NotFound))
}

#[async_trait]
impl GamePlatform for QuietPlatform {
    async fn account(&self, _account: PlatformUserId) -> PlatformResult<AccountState> {
        Ok(AccountState {
            authenticator_since: None,
            restriction: None,
            is_banned: false,
            inventory_count: Some(0),
            is_api_key_ours: Some(true),
            unread: None,
        })
    }

    async fn inventory(&self, _: PlatformUserId, _: AppId, _: ContextId) -> PlatformResult<Inventory> {
        Ok(Inventory { assets: Vec::new(), is_complete: true, seen_at: SystemClock.now() })
    }

    async fn offers_page(
        &self,
        _account: PlatformUserId,
        _since: Timestamp,
        _after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>> {
        Ok(Page { items: Vec::new(), next: None })
    }

    async fn offer(&self, _account: PlatformUserId, _id: &ExternalId) -> PlatformResult<Offer> {
        unknown()
    }

    async fn accept(&self, _account: PlatformUserId, _id: &ExternalId) -> PlatformResult<Acceptance> {
        unknown()
    }

    async fn decline(&self, _account: PlatformUserId, _id: &ExternalId) -> PlatformResult<()> {
        unknown()
    }

    async fn cancel(&self, _account: PlatformUserId, _id: &ExternalId) -> PlatformResult<()> {
        unknown()
    }

    async fn send(&self, _account: PlatformUserId, _offer: &NewOffer) -> PlatformResult<Offer> {
        unknown()
    }

    async fn confirmations(&self, _account: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        Ok(Vec::new())
    }

    async fn answer(&self, _: PlatformUserId, _: &Confirmation, _: ConfirmationAnswer) -> PlatformResult<()> {
        unknown()
    }

    async fn trade(&self, _account: PlatformUserId, _id: &ExternalId) -> PlatformResult<Trade> {
        unknown()
    }

    async fn trades_page(
        &self,
        _account: PlatformUserId,
        _since: Timestamp,
        _after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>> {
        Ok(Page { items: Vec::new(), next: None })
    }

    async fn hold_with(&self, _account: PlatformUserId, _partner: &TradeAddress) -> PlatformResult<Hold> {
        unknown()
    }

    async fn hold_of(&self, _account: PlatformUserId, _id: &ExternalId) -> PlatformResult<Hold> {
        unknown()
    }

    async fn trade_token(&self, _account: PlatformUserId) -> PlatformResult<ExternalId> {
        unknown()
    }

    async fn renew_trade_token(&self, _account: PlatformUserId) -> PlatformResult<ExternalId> {
        unknown()
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        Ok(SystemClock.now())
    }
}
