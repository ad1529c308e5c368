//! What the tests of signing in share: accounts that need it, and vaults.

use async_trait::async_trait;
use secrecy::SecretString;
use tradepost_adapters_simulator::{AccountSignIn, SimulatedGuard};
use tradepost_domain::trading::account_session::Guard;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::game_platform::sessions::{SignInAs, TokenVault, VaultUnavailable};

pub(crate) const PASSWORD: &str = "copper lantern";
/// What an authenticator shares with the platform: the example of steamguard-cli (src/token.rs).
pub(crate) const SHARED_SECRET: &str = "zvIayp3JPvtvX/QGHqsqKBk/44s=";

/// What an account signs in by.
pub(crate) fn by(login_name: &str, guard: SimulatedGuard) -> AccountSignIn {
    AccountSignIn { login_name: login_name.to_owned(), password: PASSWORD.to_owned(), guard }
}

/// The same, as the port takes it.
pub(crate) fn who(login_name: &str) -> SignInAs {
    SignInAs { login_name: SecretString::from(login_name), password: SecretString::from(PASSWORD) }
}

/// An account of the contract: what it is asked for, and its login name.
pub(crate) struct Known {
    pub(crate) asked: Option<Guard>,
    pub(crate) user: PlatformUserId,
    pub(crate) login_name: String,
}

/// What the accounts of the contract sign in by.
pub(crate) fn contract_accounts() -> [(Option<Guard>, AccountSignIn); 4] {
    let device = SimulatedGuard::DeviceCode { shared_secret: SHARED_SECRET.to_owned() };
    [
        (None, by("plain", SimulatedGuard::None)),
        (Some(Guard::EmailCode), by("mail", SimulatedGuard::EmailCode)),
        (Some(Guard::DeviceCode), by("device", device)),
        (Some(Guard::DeviceApproval), by("app", SimulatedGuard::Approval)),
    ]
}

/// The account of the contract that is asked for this.
pub(crate) fn asked(accounts: &[Known], asked: Option<Guard>) -> &Known {
    accounts.iter().find(|account| account.asked == asked).unwrap()
}

/// A vault that has this token for every account.
pub(crate) struct OneToken(pub(crate) SecretString);

#[async_trait]
impl TokenVault for OneToken {
    async fn access_token(&self, _account: PlatformUserId) -> Result<Option<SecretString>, VaultUnavailable> {
        Ok(Some(self.0.clone()))
    }
}

/// A vault that has no token.
pub(crate) struct EmptyVault;

#[async_trait]
impl TokenVault for EmptyVault {
    async fn access_token(&self, _account: PlatformUserId) -> Result<Option<SecretString>, VaultUnavailable> {
        Ok(None)
    }
}

/// A vault that cannot be read.
pub(crate) struct ClosedVault;

#[async_trait]
impl TokenVault for ClosedVault {
    async fn access_token(&self, _account: PlatformUserId) -> Result<Option<SecretString>, VaultUnavailable> {
        Err(VaultUnavailable("the database does not answer".to_owned()))
    }
}
