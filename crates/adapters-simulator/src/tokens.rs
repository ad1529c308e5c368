//! Tokens of sessions: those that a world issues, and where the calls of an adapter find theirs.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::trading::account_session::TokenExpiry;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::sessions::{TokenVault, Tokens};

/// When to read a vault again that could not be read.
const READ_AGAIN: Duration = Duration::from_secs(5);

/// The tokens of a session, as a world issues them. Outside of the world they have no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedTokens {
    /// The account that is signed in.
    pub user: PlatformUserId,
    /// The token of calls.
    pub access: String,
    /// The token by which it is renewed.
    pub refresh: String,
    /// How long they are accepted.
    pub expiry: TokenExpiry,
}

impl From<IssuedTokens> for Tokens {
    fn from(issued: IssuedTokens) -> Self {
        Self {
            user: issued.user,
            access: SecretString::from(issued.access),
            refresh: SecretString::from(issued.refresh),
            expiry: issued.expiry,
        }
    }
}

/// Where the calls of an adapter find the token of an account. Without a vault they have none.
#[derive(Clone)]
pub(crate) struct TokenSource(Option<Arc<dyn TokenVault>>);

/// The vault could not be read, so that the call was not made.
pub(crate) struct VaultClosed;

impl<R> From<VaultClosed> for ExternalError<R> {
    fn from(_: VaultClosed) -> Self {
        Self::RateLimited { retry_after: READ_AGAIN, effect: Effect::Nothing }
    }
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenSource")
    }
}

impl TokenSource {
    pub(crate) const fn none() -> Self {
        Self(None)
    }

    pub(crate) fn of(vault: Arc<dyn TokenVault>) -> Self {
        Self(Some(vault))
    }

    /// The token that calls of an account have now.
    pub(crate) async fn token(&self, account: PlatformUserId) -> Result<Option<String>, VaultClosed> {
        let Some(vault) = &self.0 else { return Ok(None) };
        match vault.access_token(account).await {
            Ok(token) => Ok(token.map(|token| token.expose_secret().to_owned())),
            Err(error) => {
                tracing::debug!(%account, %error, "a call was not made");
                Err(VaultClosed)
            }
        }
    }
}
