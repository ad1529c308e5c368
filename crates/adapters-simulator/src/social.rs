//! The port of friends and chats: every method becomes a request, and its answer a result.

use std::sync::Arc;

use async_trait::async_trait;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation};
use tradepost_domain::trading::friend::{FriendAction, ShownFriend};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::sessions::TokenVault;
use tradepost_ports::game_platform::social::{MessagePage, Social, SocialResult};

use crate::call::{Answer, Request, SocialCall};
use crate::simulator::Simulator;
use crate::tokens::TokenSource;
use crate::world_transport::{WorldTransport, expected};

/// Friends and chats of the simulated game platform: in process, or over a line of another kind.
#[derive(Debug, Clone)]
pub struct SimulatedSocial<L = Simulator> {
    line: L,
    tokens: TokenSource,
}

impl<L: WorldTransport> SimulatedSocial<L> {
    /// Friends and chats at the end of a line.
    pub const fn new(line: L) -> Self {
        Self { line, tokens: TokenSource::none() }
    }

    /// The same, whose calls have the tokens of a vault.
    #[must_use]
    pub fn with_vault(self, vault: Arc<dyn TokenVault>) -> Self {
        Self { tokens: TokenSource::of(vault), ..self }
    }

    async fn call<T>(&self, account: PlatformUserId, call: SocialCall) -> SocialResult<T>
    where
        T: TryFrom<Answer, Error = Answer>,
    {
        let token = self.tokens.token(account).await?;
        let answer = self.line.ask(Request::Social { account, token, call }).await?;
        expected(answer, |answer| if let Answer::SocialFailed(error) = answer { Some(error) } else { None })
    }

    async fn act(&self, account: PlatformUserId, action: FriendAction, user: PlatformUserId) -> SocialResult<()> {
        self.call(account, SocialCall::Act { action, user }).await
    }
}

impl Simulator {
    /// Friends and chats, for every trading account of a customer.
    pub fn social(&self) -> SimulatedSocial {
        SimulatedSocial::new(self.clone())
    }
}

#[async_trait]
impl<L: WorldTransport> Social for SimulatedSocial<L> {
    async fn friends(&self, account: PlatformUserId) -> SocialResult<Vec<ShownFriend>> {
        self.call(account, SocialCall::Friends).await
    }

    async fn add(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.act(account, FriendAction::Add, user).await
    }

    async fn accept(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.act(account, FriendAction::Accept, user).await
    }

    async fn remove(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.act(account, FriendAction::Remove, user).await
    }

    async fn block(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.act(account, FriendAction::Block, user).await
    }

    async fn unblock(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.act(account, FriendAction::Unblock, user).await
    }

    async fn conversations(&self, account: PlatformUserId) -> SocialResult<Vec<ShownConversation>> {
        self.call(account, SocialCall::Conversations).await
    }

    async fn messages(
        &self,
        account: PlatformUserId,
        partner: PlatformUserId,
        before: Option<MessagePlace>,
    ) -> SocialResult<MessagePage> {
        self.call(account, SocialCall::Messages { partner, before }).await
    }

    /// The world does not know ids of clients: a message that is sent twice is there twice.
    async fn say(
        &self,
        account: PlatformUserId,
        partner: PlatformUserId,
        text: &ChatText,
        _client_id: &ExternalId,
    ) -> SocialResult<MessagePlace> {
        self.call(account, SocialCall::Say { partner, text: text.clone() }).await
    }

    async fn mark_read(&self, account: PlatformUserId, partner: PlatformUserId, until: Timestamp) -> SocialResult<()> {
        self.call(account, SocialCall::MarkRead { partner, until }).await
    }
}
