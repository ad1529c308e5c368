//! The contract of signing in, over the facades. All of its promises hold over Steam's wire.
//!
//! The contract of a game platform is about offers that are sent and accepted. Steam is read alone, so that the tests of reads take its
//! place: they compare each read with what the world itself answers.

use std::sync::Arc;

use async_trait::async_trait;
use secrecy::SecretString;
use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_adapters_steam::SteamPlatform;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::Guard;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::GamePlatform as _;
use tradepost_ports::game_platform::sessions::{PlatformSessions, SignInAs};
use tradepost_testkit::external::FaultInjection;
use tradepost_testkit::external::sessions::SessionsFixture;

use crate::scene::Scene;
use crate::vault::OneToken;

#[async_trait]
impl FaultInjection for Scene {
    async fn lose_next_answer(&self) {
        self.lose_next_renewal().await;
    }

    async fn limit_rate(&self) {
        self.inject(Fault::RateLimitStorm { side: Side::Platform, seconds: 60 });
    }

    async fn lose_session(&self) {
        self.inject(Fault::SessionLost { side: Side::Platform, seconds: 60 });
    }
}

#[async_trait]
impl SessionsFixture for Scene {
    fn sessions(&self) -> &dyn PlatformSessions {
        &self.sessions
    }

    fn account(&self, asked: Option<Guard>) -> (PlatformUserId, SignInAs) {
        let account = self.asked(asked);
        (account.address.user, account.who())
    }

    async fn code(&self, guard: Guard) -> SecretString {
        Scene::code(self, guard)
    }

    async fn decide(&self, approve: bool) {
        let user = self.asked(Some(Guard::DeviceApproval)).address.user;
        assert!(self.facades.world(|world| world.approve_sign_in(user, approve)));
    }

    async fn answers(&self, user: PlatformUserId, access: &SecretString) -> bool {
        let platform = SteamPlatform::new(self.services.clone(), Arc::new(OneToken(access.clone())));
        platform.account(user).await.is_ok()
    }

    async fn now(&self) -> Timestamp {
        self.facades.fakes.now()
    }

    async fn pass(&self, by: Duration) {
        Scene::pass(self, by);
    }

    async fn lose_next_renewal(&self) {
        self.inject(Fault::TimeoutAfterCommit { call: Call::Renew });
    }

    async fn lose_next_tokens(&self) {
        self.inject(Fault::TimeoutAfterCommit { call: Call::Poll });
    }
}

tradepost_testkit::sessions_contract!(Scene::new().await);
