//! Friends and chats of a simulated platform that does some calls otherwise.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use tradepost_adapters_simulator::SimulatedSocial;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation};
use tradepost_domain::trading::friend::ShownFriend;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_engine::{Desk as Engaged, Engine};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::social::{MessagePage, Social, SocialRefusal, SocialResult};

use crate::desk::{CUSTOMER, Desk};

/// What the platform does otherwise, and what it was asked.
#[derive(Debug, Default)]
pub(crate) struct SocialMood {
    /// It limits requests for friendship for ten minutes, and does nothing about them.
    pub(crate) limits_adding: bool,
    /// So many of the next lists of friends are empty: they lag.
    pub(crate) empty_lists: usize,
    /// So many of the next conversations are not marked as read, because the driver finds no request for it.
    pub(crate) marks_not_done: usize,
    /// How often it was asked for friendship.
    pub(crate) adds: usize,
}

pub(crate) struct FlakySocial {
    social: SimulatedSocial,
    mood: Mutex<SocialMood>,
}

impl FlakySocial {
    pub(crate) fn of(desk: &Desk) -> Arc<Self> {
        Arc::new(Self { social: desk.simulator.social(), mood: Mutex::default() })
    }

    pub(crate) fn mood(&self) -> MutexGuard<'_, SocialMood> {
        self.mood.lock().unwrap()
    }

    /// An engine whose desk has these friends and chats.
    pub(crate) fn engine(self: &Arc<Self>, on: &Desk) -> Engine {
        let desk = on.engaged("node-1", Arc::new(on.simulator.marketplace(CUSTOMER)));
        on.engine_for(Engaged { social: Some(self.clone()), ..desk })
    }

    /// Whether a call is one of those that are done otherwise. Each counts once.
    fn is_odd(&self, calls: impl FnOnce(&mut SocialMood) -> &mut usize) -> bool {
        let mut mood = self.mood();
        let left = calls(&mut mood);
        let is_odd = *left > 0;
        *left = left.saturating_sub(1);
        is_odd
    }
}

#[async_trait]
impl Social for FlakySocial {
    async fn friends(&self, account: PlatformUserId) -> SocialResult<Vec<ShownFriend>> {
        if self.is_odd(|mood| &mut mood.empty_lists) { Ok(Vec::new()) } else { self.social.friends(account).await }
    }

    async fn add(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        let is_limited = {
            let mut mood = self.mood();
            mood.adds += 1;
            mood.limits_adding
        };
        if is_limited {
            let retry_after = Duration::from_mins(10);
            return Err(ExternalError::RateLimited { retry_after, effect: Effect::Unknown });
        }
        self.social.add(account, user).await
    }

    async fn accept(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.social.accept(account, user).await
    }

    async fn remove(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.social.remove(account, user).await
    }

    async fn block(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.social.block(account, user).await
    }

    async fn unblock(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.social.unblock(account, user).await
    }

    async fn conversations(&self, account: PlatformUserId) -> SocialResult<Vec<ShownConversation>> {
        self.social.conversations(account).await
    }

    async fn messages(
        &self,
        account: PlatformUserId,
        partner: PlatformUserId,
        before: Option<MessagePlace>,
    ) -> SocialResult<MessagePage> {
        self.social.messages(account, partner, before).await
    }

    async fn say(
        &self,
        account: PlatformUserId,
        partner: PlatformUserId,
        text: &ChatText,
        client_id: &ExternalId,
    ) -> SocialResult<MessagePlace> {
        self.social.say(account, partner, text, client_id).await
    }

    async fn mark_read(&self, account: PlatformUserId, partner: PlatformUserId, until: Timestamp) -> SocialResult<()> {
        if self.is_odd(|mood| &mut mood.marks_not_done) {
            return Err(ExternalError::Rejected(SocialRefusal::NotDone("not on record".to_owned())));
        }
        self.social.mark_read(account, partner, until).await
    }
}
