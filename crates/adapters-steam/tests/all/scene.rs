//! Accounts that have to be signed in, each of which is asked for something else, and the driver that does so.

use secrecy::SecretString;
use time::Duration;
use tradepost_adapters_simulator::{AccountSignIn, Fault, SimulatedGuard};
use tradepost_adapters_steam::{Services, SteamSessions};
use tradepost_domain::trading::account_session::Guard;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_ports::game_platform::sessions::{PlatformSessions as _, SignInAs, Tokens};

use crate::facades::{Facades, unpaced};

pub(crate) const PASSWORD: &str = "tV8-copper-Falcon-61";
/// What an authenticator shares with the platform: the example of steamguard-cli (src/token.rs).
const SHARED_SECRET: &str = "zvIayp3JPvtvX/QGHqsqKBk/44s=";

pub(crate) struct Account {
    /// What it is asked for after its password.
    asked: Option<Guard>,
    pub(crate) login_name: &'static str,
    pub(crate) address: TradeAddress,
}

pub(crate) struct Scene {
    pub(crate) facades: Facades,
    pub(crate) services: Services,
    pub(crate) sessions: SteamSessions,
    pub(crate) accounts: Vec<Account>,
}

impl Account {
    pub(crate) fn who(&self) -> SignInAs {
        SignInAs { login_name: SecretString::from(self.login_name), password: SecretString::from(PASSWORD) }
    }
}

impl Scene {
    pub(crate) async fn new() -> Self {
        let facades = Facades::new().await;
        let device = SimulatedGuard::DeviceCode { shared_secret: SHARED_SECRET.to_owned() };
        let accounts = [
            (None, "qx7-lantern-204", SimulatedGuard::None),
            (None, "kd3-harbour-918", SimulatedGuard::None),
            (Some(Guard::EmailCode), "vm9-juniper-355", SimulatedGuard::EmailCode),
            (Some(Guard::DeviceCode), "zr2-meadow-671", device),
            (Some(Guard::DeviceApproval), "hb5-saffron-842", SimulatedGuard::Approval),
        ];
        let accounts = accounts.map(|(asked, login_name, guard)| {
            let by = AccountSignIn { login_name: login_name.to_owned(), password: PASSWORD.to_owned(), guard };
            Account { asked, login_name, address: facades.open_account(by) }
        });
        let services = facades.services(&unpaced());
        let sessions = SteamSessions::new(services.clone());
        Self { facades, services, sessions, accounts: accounts.into() }
    }

    /// Returns the first account that is asked for this.
    pub(crate) fn asked(&self, asked: Option<Guard>) -> &Account {
        self.accounts.iter().find(|account| account.asked == asked).unwrap()
    }

    /// Signs an account in that is asked for nothing further.
    pub(crate) async fn sign_in(&self, account: &Account) -> Tokens {
        let begun = self.sessions.begin(&account.who()).await.unwrap();
        self.sessions.poll(&begun.attempt).await.unwrap().unwrap()
    }

    /// Returns the code that answers a guard now.
    pub(crate) fn code(&self, guard: Guard) -> SecretString {
        let user = self.asked(Some(guard)).address.user;
        let code = self.facades.world(|world| match guard {
            Guard::DeviceCode => world.device_code(user),
            Guard::EmailCode | Guard::DeviceApproval | Guard::EmailApproval => world.sent_code(user),
        });
        SecretString::from(code.unwrap())
    }

    /// Lets a fault happen in the world.
    pub(crate) fn inject(&self, fault: Fault) {
        self.facades.world(|world| world.inject(fault));
    }

    pub(crate) fn pass(&self, by: Duration) {
        self.facades.fakes.advance(by);
    }

    /// Lets the time pass in which the world limits the sign-ins of an account.
    pub(crate) fn rest(&self) {
        self.pass(Duration::minutes(10));
    }
}
