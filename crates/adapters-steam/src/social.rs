//! The port of friends and chats. What reads is a call of Steam. What changes anything is one too, if the record shows that a person asked for it,
//! and is rejected without a call otherwise.

mod acts;
mod chats;
mod friends;
mod saying;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation};
use tradepost_domain::trading::friend::{FriendAction, ShownFriend};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::TokenVault;
use tradepost_ports::game_platform::social::{MessagePage, Social, SocialChange, SocialRefusal, SocialResult};
use tradepost_ports::game_platform::{PlatformRefusal, PlatformResult};

use crate::services::Services;
use crate::signed_in::SignedIn;
use crate::writing::Writing;

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

    /// The account, if this change is on record as begun.
    async fn writing(&self, account: PlatformUserId, change: &SocialChange) -> SocialResult<Writing<'_>> {
        of_social(Writing::of_change(&self.services, self.vault.as_ref(), account, change).await)
    }

    async fn act(&self, account: PlatformUserId, user: PlatformUserId, action: FriendAction) -> SocialResult<()> {
        let writing = self.writing(account, &SocialChange::Friend { user, action }).await?;
        acts::act(&writing, user, action).await
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
        PlatformRefusal::NotDone(why) => SocialRefusal::NotDone(why),
        PlatformRefusal::Other(text) => SocialRefusal::Other(text),
        PlatformRefusal::OfferEnded(_)
        | PlatformRefusal::AssetUnavailable(_)
        | PlatformRefusal::EmptyOffer
        | PlatformRefusal::PartnerRefused => SocialRefusal::Other(refusal.to_string()),
    }
}

/// The refusal of a call that was not made, or that certainly did nothing.
const fn refused<T>(refusal: SocialRefusal) -> SocialResult<T> {
    Err(ExternalError::Rejected(refusal))
}

#[async_trait]
impl Social for SteamSocial {
    async fn friends(&self, account: PlatformUserId) -> SocialResult<Vec<ShownFriend>> {
        of_social(friends::friends(&self.signed_in(account).await?).await)
    }

    async fn add(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.act(account, user, FriendAction::Add).await
    }

    async fn accept(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.act(account, user, FriendAction::Accept).await
    }

    async fn remove(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.act(account, user, FriendAction::Remove).await
    }

    async fn block(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.act(account, user, FriendAction::Block).await
    }

    async fn unblock(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.act(account, user, FriendAction::Unblock).await
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
        account: PlatformUserId,
        partner: PlatformUserId,
        text: &ChatText,
        client_id: &ExternalId,
    ) -> SocialResult<MessagePlace> {
        let change = SocialChange::Message { partner, client_id: client_id.clone() };
        saying::say(&self.writing(account, &change).await?, partner, text, client_id).await
    }

    async fn mark_read(&self, account: PlatformUserId, partner: PlatformUserId, until: Timestamp) -> SocialResult<()> {
        let change = SocialChange::Read { partner, until };
        saying::mark_read(&self.writing(account, &change).await?, partner, until).await
    }
}

#[cfg(test)]
mod tests;
