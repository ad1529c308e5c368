//! The contract of signing in, over a quiet world in process.

use std::sync::Arc;

use async_trait::async_trait;
use secrecy::SecretString;
use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, SimulatedSessions};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::Guard;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::GamePlatform as _;
use tradepost_ports::game_platform::sessions::{PlatformSessions, SignInAs};
use tradepost_testkit::external::FaultInjection;
use tradepost_testkit::external::sessions::SessionsFixture;

use crate::desk::{CUSTOMER, Desk};
use crate::signing::{Known, OneToken, asked, contract_accounts, who};

/// The desk with accounts that need a sign-in.
struct SigningIn {
    desk: Desk,
    sessions: SimulatedSessions,
    accounts: Vec<Known>,
}

impl SigningIn {
    fn new() -> Self {
        let desk = Desk::quiet();
        let accounts = contract_accounts().map(|(asked, by)| {
            let login_name = by.login_name.clone();
            let user = desk.simulator.world(|world| {
                let user = world.open_account(CUSTOMER).user;
                world.require_sign_in(user, by).unwrap();
                user
            });
            Known { asked, user, login_name }
        });
        let sessions = desk.simulator.sessions();
        Self { desk, sessions, accounts: accounts.into() }
    }
}

#[async_trait]
impl FaultInjection for SigningIn {
    async fn lose_next_answer(&self) {
        self.desk.lose_next_answer().await;
    }

    async fn limit_rate(&self) {
        self.desk.limit_rate().await;
    }

    async fn lose_session(&self) {
        self.desk.lose_session().await;
    }
}

#[async_trait]
impl SessionsFixture for SigningIn {
    fn sessions(&self) -> &dyn PlatformSessions {
        &self.sessions
    }

    fn account(&self, guard: Option<Guard>) -> (PlatformUserId, SignInAs) {
        let account = asked(&self.accounts, guard);
        (account.user, who(&account.login_name))
    }

    async fn code(&self, guard: Guard) -> SecretString {
        let user = asked(&self.accounts, Some(guard)).user;
        let code = self.desk.simulator.world(|world| match guard {
            Guard::DeviceCode => world.device_code(user),
            Guard::EmailCode | Guard::DeviceApproval | Guard::EmailApproval => world.sent_code(user),
        });
        SecretString::from(code.unwrap())
    }

    async fn decide(&self, approve: bool) {
        let user = asked(&self.accounts, Some(Guard::DeviceApproval)).user;
        assert!(self.desk.simulator.world(|world| world.approve_sign_in(user, approve)));
    }

    async fn answers(&self, user: PlatformUserId, access: &SecretString) -> bool {
        let platform = self.desk.simulator.platform().with_vault(Arc::new(OneToken(access.clone())));
        platform.account(user).await.is_ok()
    }

    async fn now(&self) -> Timestamp {
        self.desk.simulator.world(|world| world.now())
    }

    async fn pass(&self, by: Duration) {
        self.desk.pass(by);
    }

    async fn lose_next_renewal(&self) {
        self.desk.inject(Fault::TimeoutAfterCommit { call: Call::Renew });
    }

    async fn lose_next_tokens(&self) {
        self.desk.inject(Fault::TimeoutAfterCommit { call: Call::Poll });
    }
}

tradepost_testkit::sessions_contract!(SigningIn::new());
