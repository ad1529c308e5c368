//! Friends and chats of the game platform, bounded and paced as its other calls are. The reads of an account, what it changes of friends and what
//! it does in chats have a backoff each: a driver has a budget for each, and the list that proves an outcome is read whatever a write waits for.

use std::sync::Arc;

use async_trait::async_trait;
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation};
use tradepost_domain::trading::friend::ShownFriend;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::clock::MarketClock;
use tradepost_ports::game_platform::social::{MessagePage, Social, SocialResult};

use super::{Backoff, Line};
use crate::telemetry::System;
use crate::timings::EngineTimings;

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Does {
    Read,
    Befriend,
    Chat,
}

pub(super) struct BackoffSocial {
    of: Arc<dyn Social>,
    line: Line,
    rests: Backoff<(PlatformUserId, Does)>,
}

impl BackoffSocial {
    pub(super) fn new(of: Arc<dyn Social>, clock: &Arc<dyn MarketClock>, timings: &EngineTimings) -> Self {
        Self { of, line: Line::new(System::platform(), timings), rests: Backoff::new(clock, timings) }
    }

    async fn call<T>(
        &self,
        name: &'static str,
        of: (PlatformUserId, Does),
        call: impl Future<Output = SocialResult<T>> + Send,
    ) -> SocialResult<T> {
        self.rests.call(of, self.line.call(name, call)).await
    }
}

#[async_trait]
impl Social for BackoffSocial {
    async fn friends(&self, account: PlatformUserId) -> SocialResult<Vec<ShownFriend>> {
        self.call("friends", (account, Does::Read), self.of.friends(account)).await
    }

    async fn add(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.call("add_friend", (account, Does::Befriend), self.of.add(account, user)).await
    }

    async fn accept(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.call("accept_friend", (account, Does::Befriend), self.of.accept(account, user)).await
    }

    async fn remove(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.call("remove_friend", (account, Does::Befriend), self.of.remove(account, user)).await
    }

    async fn block(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.call("block_friend", (account, Does::Befriend), self.of.block(account, user)).await
    }

    async fn unblock(&self, account: PlatformUserId, user: PlatformUserId) -> SocialResult<()> {
        self.call("unblock_friend", (account, Does::Befriend), self.of.unblock(account, user)).await
    }

    async fn conversations(&self, account: PlatformUserId) -> SocialResult<Vec<ShownConversation>> {
        self.call("conversations", (account, Does::Read), self.of.conversations(account)).await
    }

    async fn messages(
        &self,
        account: PlatformUserId,
        partner: PlatformUserId,
        before: Option<MessagePlace>,
    ) -> SocialResult<MessagePage> {
        self.call("messages", (account, Does::Read), self.of.messages(account, partner, before)).await
    }

    async fn say(
        &self,
        account: PlatformUserId,
        partner: PlatformUserId,
        text: &ChatText,
        client_id: &ExternalId,
    ) -> SocialResult<MessagePlace> {
        self.call("say", (account, Does::Chat), self.of.say(account, partner, text, client_id)).await
    }

    async fn mark_read(&self, account: PlatformUserId, partner: PlatformUserId, until: Timestamp) -> SocialResult<()> {
        self.call("mark_read", (account, Does::Chat), self.of.mark_read(account, partner, until)).await
    }
}
