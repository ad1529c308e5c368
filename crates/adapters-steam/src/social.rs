//! The port of friends and chats. What reads is a call of Steam; what would change anything is rejected without one.

mod chats;
mod friends;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation};
use tradepost_domain::trading::friend::ShownFriend;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::TokenVault;
use tradepost_ports::game_platform::social::{MessagePage, Social, SocialRefusal, SocialResult};
use tradepost_ports::game_platform::{PlatformRefusal, PlatformResult};

use crate::services::Services;
use crate::signed_in::SignedIn;

/// Friends and chats at Steam, for trading accounts whose access tokens are in a vault.
#[derive(Clone)]
pub struct SteamSocial {
    services: Services,
    vault: Arc<dyn TokenVault>,
}

impl SteamSocial {
    /// Steam by these services. The vault is read for each call, because the tokens are renewed.
    pub const fn new(services: Services, vault: Arc<dyn TokenVault>) -> Self {
        Self { services, vault }
    }

    async fn signed_in(&self, account: PlatformUserId) -> SocialResult<SignedIn<'_>> {
        of_social(SignedIn::of(&self.services, self.vault.as_ref(), account).await)
    }
}

impl fmt::Debug for SteamSocial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SteamSocial")
    }
}

/// A result with the refusals of this port. Calls of an account are the same for both ports.
fn of_social<T>(result: PlatformResult<T>) -> SocialResult<T> {
    result.map_err(|error| match error {
        ExternalError::Rejected(refusal) => ExternalError::Rejected(of_refusal(refusal)),
        ExternalError::Unknown(text) => ExternalError::Unknown(text),
        ExternalError::RateLimited { retry_after, effect } => ExternalError::RateLimited { retry_after, effect },
        ExternalError::AuthLost { effect } => ExternalError::AuthLost { effect },
    })
}

fn of_refusal(refusal: PlatformRefusal) -> SocialRefusal {
    match refusal {
        PlatformRefusal::NotFound => SocialRefusal::NotFound,
        PlatformRefusal::Other(text) => SocialRefusal::Other(text),
        PlatformRefusal::OfferEnded(_)
        | PlatformRefusal::NotDone(_)
        | PlatformRefusal::AssetUnavailable(_)
        | PlatformRefusal::EmptyOffer
        | PlatformRefusal::PartnerRefused => SocialRefusal::Other(refusal.to_string()),
    }
}

/// The answer to a call that was not made.
fn rejected<T>(what: &str) -> SocialResult<T> {
    Err(ExternalError::Rejected(SocialRefusal::Other(format!("Steam is read alone: {what}"))))
}

#[async_trait]
impl Social for SteamSocial {
    async fn friends(&self, account: PlatformUserId) -> SocialResult<Vec<ShownFriend>> {
        of_social(friends::friends(&self.signed_in(account).await?).await)
    }

    async fn add(&self, _: PlatformUserId, _: PlatformUserId) -> SocialResult<()> {
        rejected("no account is asked for friendship")
    }

    async fn accept(&self, _: PlatformUserId, _: PlatformUserId) -> SocialResult<()> {
        rejected("requests for friendship are not accepted")
    }

    async fn remove(&self, _: PlatformUserId, _: PlatformUserId) -> SocialResult<()> {
        rejected("friends are not removed")
    }

    async fn block(&self, _: PlatformUserId, _: PlatformUserId) -> SocialResult<()> {
        rejected("accounts are not blocked")
    }

    async fn unblock(&self, _: PlatformUserId, _: PlatformUserId) -> SocialResult<()> {
        rejected("accounts stay blocked")
    }

    async fn conversations(&self, account: PlatformUserId) -> SocialResult<Vec<ShownConversation>> {
        of_social(chats::conversations(&self.signed_in(account).await?).await)
    }

    async fn messages(
        &self,
        account: PlatformUserId,
        partner: PlatformUserId,
        before: Option<MessagePlace>,
    ) -> SocialResult<MessagePage> {
        of_social(chats::messages(&self.signed_in(account).await?, partner, before).await)
    }

    async fn say(
        &self,
        _: PlatformUserId,
        _: PlatformUserId,
        _: &ChatText,
        _: &ExternalId,
    ) -> SocialResult<MessagePlace> {
        rejected("messages are not sent")
    }

    async fn mark_read(&self, _: PlatformUserId, _: PlatformUserId, _: Timestamp) -> SocialResult<()> {
        rejected("conversations are not marked as read")
    }
}

#[cfg(test)]
mod tests;
