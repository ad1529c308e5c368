//! The port of the game platform. What reads is a call of Steam. What changes anything is one too, for an account that a person lets give items,
//! and is rejected without a call for every other one.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::external::{ExternalError, Page};
use tradepost_ports::game_platform::sessions::TokenVault;
use tradepost_ports::game_platform::{
    Acceptance, AccountState, Confirmation, ConfirmationAnswer, GamePlatform, Hold, Inventory, NewOffer, Offer,
    PlatformRefusal, PlatformResult, Trade,
};

use crate::account::States;
use crate::confirmations::{AnswerTimes, WithoutKey};
use crate::services::Services;
use crate::signed_in::SignedIn;
use crate::writing::{Writing, renew_trade_token};
use crate::{account, confirmations, inventory, offers, trades};

/// Steam, for trading accounts whose access tokens are in a vault.
#[derive(Clone)]
pub struct SteamPlatform {
    services: Services,
    vault: Arc<dyn TokenVault>,
    states: Arc<States>,
    answer_times: Arc<AnswerTimes>,
    without_key: Arc<WithoutKey>,
}

impl SteamPlatform {
    /// Steam by these services. The vault is read for each call, because the tokens are renewed.
    pub fn new(services: Services, vault: Arc<dyn TokenVault>) -> Self {
        let (states, answer_times) = (Arc::default(), Arc::default());
        Self { services, vault, states, answer_times, without_key: Arc::default() }
    }

    async fn signed_in(&self, account: PlatformUserId) -> PlatformResult<SignedIn<'_>> {
        SignedIn::of(&self.services, self.vault.as_ref(), account).await
    }

    /// The account, if a person lets it give items now.
    async fn writing(&self, account: PlatformUserId) -> PlatformResult<Writing<'_>> {
        Writing::of(&self.services, self.vault.as_ref(), account).await
    }
}

impl fmt::Debug for SteamPlatform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SteamPlatform")
    }
}

/// Rejects the position of a page. The driver returns all records on one page, and so no position.
fn first_page_alone(after: Option<&ExternalId>) -> PlatformResult<()> {
    match after {
        None => Ok(()),
        Some(_) => Err(ExternalError::Rejected(PlatformRefusal::NotFound)),
    }
}

#[async_trait]
impl GamePlatform for SteamPlatform {
    async fn account(&self, account: PlatformUserId) -> PlatformResult<AccountState> {
        self.states.of(&self.signed_in(account).await?).await
    }

    async fn inventory(
        &self,
        account: PlatformUserId,
        app_id: AppId,
        context_id: ContextId,
    ) -> PlatformResult<Inventory> {
        inventory::inventory(&self.signed_in(account).await?, app_id, context_id).await
    }

    async fn offers_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>> {
        first_page_alone(after)?;
        offers::offers(&self.signed_in(account).await?, since).await
    }

    async fn offer(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Offer> {
        offers::offer(&self.signed_in(account).await?, id).await
    }

    async fn accept(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Acceptance> {
        offers::accept(&self.writing(account).await?, id).await
    }

    async fn decline(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        offers::decline(&self.writing(account).await?, id).await
    }

    async fn cancel(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        offers::cancel(&self.writing(account).await?, id).await
    }

    async fn send(&self, account: PlatformUserId, offer: &NewOffer) -> PlatformResult<Offer> {
        offers::send(&self.writing(account).await?, offer).await
    }

    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        confirmations::confirmations(&self.services, self.vault.as_ref(), account, &self.without_key).await
    }

    async fn answer(
        &self,
        account: PlatformUserId,
        confirmation: &Confirmation,
        answer: ConfirmationAnswer,
    ) -> PlatformResult<()> {
        let (writing, vault) = (self.writing(account).await?, self.vault.as_ref());
        confirmations::answer(&writing, vault, &self.answer_times, confirmation, answer).await
    }

    async fn trade(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Trade> {
        trades::trade(&self.signed_in(account).await?, id).await
    }

    async fn trades_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>> {
        first_page_alone(after)?;
        trades::trades(&self.signed_in(account).await?, since).await
    }

    async fn hold_with(&self, account: PlatformUserId, partner: &TradeAddress) -> PlatformResult<Hold> {
        trades::hold_with(&self.signed_in(account).await?, partner).await
    }

    async fn hold_of(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Hold> {
        trades::hold_of(&self.signed_in(account).await?, id).await
    }

    async fn trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        account::trade_token(&self.signed_in(account).await?).await
    }

    async fn renew_trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        renew_trade_token(&self.writing(account).await?).await
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        account::server_time(&self.services).await
    }

    fn refuses_client(&self) -> Option<String> {
        self.services.refusal()
    }
}

#[cfg(test)]
mod tests;
