//! The port of the game platform. What reads is a call of Steam; what would change anything is rejected without one.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::{ExternalError, Page};
use tradepost_ports::game_platform::sessions::TokenVault;
use tradepost_ports::game_platform::{
    Acceptance, AccountState, Confirmation, ConfirmationAnswer, GamePlatform, Inventory, NewOffer, Offer,
    PlatformRefusal, PlatformResult, Trade,
};

use crate::account::States;
use crate::services::Services;
use crate::signed_in::SignedIn;
use crate::{account, confirmations, inventory, offers, trades};

/// Steam, for trading accounts whose access tokens are in a vault.
#[derive(Clone)]
pub struct SteamPlatform {
    services: Services,
    vault: Arc<dyn TokenVault>,
    states: Arc<States>,
}

impl SteamPlatform {
    /// Steam by these services. The vault is read for each call, because the tokens are renewed.
    pub fn new(services: Services, vault: Arc<dyn TokenVault>) -> Self {
        Self { services, vault, states: Arc::default() }
    }

    async fn signed_in(&self, account: PlatformUserId) -> PlatformResult<SignedIn<'_>> {
        SignedIn::of(&self.services, self.vault.as_ref(), account).await
    }
}

impl fmt::Debug for SteamPlatform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SteamPlatform")
    }
}

/// The answer to a call that was not made.
fn rejected<T>(what: &str) -> PlatformResult<T> {
    Err(ExternalError::Rejected(PlatformRefusal::Other(format!("Steam is read alone: {what}"))))
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

    async fn accept(&self, _: PlatformUserId, _: &ExternalId) -> PlatformResult<Acceptance> {
        rejected("offers are not accepted")
    }

    async fn decline(&self, _: PlatformUserId, _: &ExternalId) -> PlatformResult<()> {
        rejected("offers are not declined")
    }

    async fn cancel(&self, _: PlatformUserId, _: &ExternalId) -> PlatformResult<()> {
        rejected("offers are not cancelled")
    }

    async fn send(&self, _: PlatformUserId, _: &NewOffer) -> PlatformResult<Offer> {
        rejected("offers are not sent")
    }

    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        confirmations::confirmations(&self.services, self.vault.as_ref(), account).await
    }

    async fn answer(&self, _: PlatformUserId, _: &Confirmation, _: ConfirmationAnswer) -> PlatformResult<()> {
        rejected("confirmations are not answered")
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

    async fn trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        account::trade_token(&self.signed_in(account).await?).await
    }

    async fn renew_trade_token(&self, _: PlatformUserId) -> PlatformResult<ExternalId> {
        rejected("trade URLs are not renewed")
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        account::server_time(&self.services).await
    }
}

#[cfg(test)]
mod tests;
