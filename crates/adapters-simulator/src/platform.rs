//! The port of the game platform: every method becomes a request, and its answer a result.

use std::sync::Arc;

use async_trait::async_trait;
use tradepost_domain::asset::{AppId, ContextId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::external::Page;
use tradepost_ports::game_platform::sessions::TokenVault;
use tradepost_ports::game_platform::{
    Acceptance, AccountState, Confirmation, ConfirmationAnswer, GamePlatform, Hold, Inventory, NewOffer, Offer,
    PlatformResult, Trade,
};

use crate::call::{Answer, PlatformCall, Request};
use crate::simulator::Simulator;
use crate::tokens::TokenSource;
use crate::world_transport::{WorldTransport, expected};

/// The simulated game platform: in process, or over a line of another kind.
#[derive(Debug, Clone)]
pub struct SimulatedPlatform<L = Simulator> {
    line: L,
    tokens: TokenSource,
}

impl<L: WorldTransport> SimulatedPlatform<L> {
    /// The game platform at the end of a line.
    pub fn new(line: L) -> Self {
        Self { line, tokens: TokenSource::none() }
    }

    /// The same, whose calls have the tokens of a vault.
    #[must_use]
    pub fn with_vault(self, vault: Arc<dyn TokenVault>) -> Self {
        Self { tokens: TokenSource::of(vault), ..self }
    }

    async fn call<T>(&self, account: PlatformUserId, call: PlatformCall) -> PlatformResult<T>
    where
        T: TryFrom<Answer, Error = Answer>,
    {
        let token = self.tokens.token(account).await?;
        self.ask(Request::Platform { account, token, call }).await
    }

    async fn ask<T>(&self, request: Request) -> PlatformResult<T>
    where
        T: TryFrom<Answer, Error = Answer>,
    {
        let answer = self.line.ask(request).await?;
        expected(answer, |answer| if let Answer::PlatformFailed(error) = answer { Some(error) } else { None })
    }
}

impl Simulator {
    /// The game platform, for every trading account of a customer.
    pub fn platform(&self) -> SimulatedPlatform {
        SimulatedPlatform::new(self.clone())
    }
}

#[async_trait]
impl<L: WorldTransport> GamePlatform for SimulatedPlatform<L> {
    async fn account(&self, account: PlatformUserId) -> PlatformResult<AccountState> {
        self.call(account, PlatformCall::Account).await
    }

    async fn inventory(
        &self,
        account: PlatformUserId,
        app_id: AppId,
        context_id: ContextId,
    ) -> PlatformResult<Inventory> {
        self.call(account, PlatformCall::Inventory { app_id, context_id }).await
    }

    async fn offers_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Offer>> {
        self.call(account, PlatformCall::Offers { since, after: after.cloned() }).await
    }

    async fn offer(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Offer> {
        self.call(account, PlatformCall::Offer { id: id.clone() }).await
    }

    async fn accept(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Acceptance> {
        self.call(account, PlatformCall::Accept { id: id.clone() }).await
    }

    async fn decline(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.call(account, PlatformCall::Decline { id: id.clone() }).await
    }

    async fn cancel(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<()> {
        self.call(account, PlatformCall::Cancel { id: id.clone() }).await
    }

    async fn send(&self, account: PlatformUserId, offer: &NewOffer) -> PlatformResult<Offer> {
        self.call(account, PlatformCall::Send { offer: offer.clone() }).await
    }

    async fn confirmations(&self, account: PlatformUserId) -> PlatformResult<Vec<Confirmation>> {
        self.call(account, PlatformCall::Confirmations).await
    }

    async fn answer(
        &self,
        account: PlatformUserId,
        confirmation: &Confirmation,
        answer: ConfirmationAnswer,
    ) -> PlatformResult<()> {
        self.call(account, PlatformCall::Answer { id: confirmation.id.clone(), answer }).await
    }

    async fn trade(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Trade> {
        self.call(account, PlatformCall::Trade { id: id.clone() }).await
    }

    async fn trades_page(
        &self,
        account: PlatformUserId,
        since: Timestamp,
        after: Option<&ExternalId>,
    ) -> PlatformResult<Page<Trade>> {
        self.call(account, PlatformCall::Trades { since, after: after.cloned() }).await
    }

    async fn hold_with(&self, account: PlatformUserId, partner: &TradeAddress) -> PlatformResult<Hold> {
        self.call(account, PlatformCall::HoldWith { partner: partner.clone() }).await
    }

    async fn hold_of(&self, account: PlatformUserId, id: &ExternalId) -> PlatformResult<Hold> {
        self.call(account, PlatformCall::HoldOf { id: id.clone() }).await
    }

    async fn trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.call(account, PlatformCall::TradeToken).await
    }

    async fn renew_trade_token(&self, account: PlatformUserId) -> PlatformResult<ExternalId> {
        self.call(account, PlatformCall::RenewTradeToken).await
    }

    async fn server_time(&self) -> PlatformResult<Timestamp> {
        self.ask(Request::PlatformTime).await
    }
}
