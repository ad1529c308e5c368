//! The contract of signing in, over a world that is served.

use std::sync::Arc;

use async_trait::async_trait;
use secrecy::SecretString;
use time::Duration;
use tradepost_adapters_simulator::{Answer, Call, Fault, RemoteSimulator, SimulatedSessions, WorldCommand};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::Guard;
use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost_ports::game_platform::GamePlatform as _;
use tradepost_ports::game_platform::sessions::{PlatformSessions, SignInAs};
use tradepost_testkit::external::FaultInjection;
use tradepost_testkit::external::sessions::SessionsFixture;

use super::Far;
use crate::desk::CUSTOMER;
use crate::signing::{Known, OneToken, asked, contract_accounts, who};

/// The far customer with accounts that need a sign-in.
struct FarSigningIn {
    far: Far,
    sessions: SimulatedSessions<RemoteSimulator>,
    accounts: Vec<Known>,
}

impl FarSigningIn {
    async fn quiet() -> Self {
        let (far, mut accounts) = (Far::quiet().await, Vec::new());
        for (asked, sign_in) in contract_accounts() {
            let opened = far.perform(WorldCommand::OpenAccount { customer: CUSTOMER.to_owned() }).await;
            let account = TradeAddress::try_from(opened).unwrap().user;
            accounts.push(Known { asked, user: account, login_name: sign_in.login_name.clone() });
            assert_eq!(far.perform(WorldCommand::RequireSignIn { account, sign_in }).await, Answer::Done);
        }
        let sessions = far.remote.sessions();
        Self { far, sessions, accounts }
    }
}

#[async_trait]
impl FaultInjection for FarSigningIn {
    async fn lose_next_answer(&self) {
        self.far.lose_next_answer().await;
    }

    async fn limit_rate(&self) {
        self.far.limit_rate().await;
    }

    async fn lose_session(&self) {
        self.far.lose_session().await;
    }
}

#[async_trait]
impl SessionsFixture for FarSigningIn {
    fn sessions(&self) -> &dyn PlatformSessions {
        &self.sessions
    }

    fn account(&self, guard: Option<Guard>) -> (PlatformUserId, SignInAs) {
        let account = asked(&self.accounts, guard);
        (account.user, who(&account.login_name))
    }

    async fn code(&self, guard: Guard) -> SecretString {
        let account = asked(&self.accounts, Some(guard)).user;
        let command = match guard {
            Guard::DeviceCode => WorldCommand::DeviceCode { account },
            Guard::EmailCode | Guard::DeviceApproval | Guard::EmailApproval => WorldCommand::SentCode { account },
        };
        let code: Option<String> = self.far.perform(command).await.try_into().unwrap();
        SecretString::from(code.unwrap())
    }

    async fn decide(&self, approve: bool) {
        let account = asked(&self.accounts, Some(Guard::DeviceApproval)).user;
        let command = WorldCommand::ApproveSignIn { account, approve };
        assert_eq!(self.far.perform(command).await, Answer::Whether(true));
    }

    async fn answers(&self, user: PlatformUserId, access: &SecretString) -> bool {
        let platform = self.far.remote.platform().with_vault(Arc::new(OneToken(access.clone())));
        platform.account(user).await.is_ok()
    }

    async fn now(&self) -> Timestamp {
        self.far.platform.server_time().await.unwrap()
    }

    async fn pass(&self, by: Duration) {
        let micros = u64::try_from(by.whole_microseconds()).unwrap();
        assert_eq!(self.far.perform(WorldCommand::Advance { micros }).await, Answer::Done);
    }

    async fn lose_next_renewal(&self) {
        self.far.inject(Fault::TimeoutAfterCommit { call: Call::Renew }).await;
    }

    async fn lose_next_tokens(&self) {
        self.far.inject(Fault::TimeoutAfterCommit { call: Call::Poll }).await;
    }
}

tradepost_testkit::sessions_contract!(FarSigningIn::quiet().await);
