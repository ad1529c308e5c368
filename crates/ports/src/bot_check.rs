//! Telling people from scripts, by a third party's widget.

use std::net::IpAddr;

use async_trait::async_trait;
use secrecy::SecretString;

/// Why a check did not pass.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BotCheckError {
    /// The service says no: wrong, used or expired token, other host, other action.
    #[error("the bot check was not passed")]
    Refused,
    /// The service did not give an answer. Callers are refused then, too.
    #[error("the bot-check service did not answer: {0}")]
    Unavailable(String),
}

/// Verifies the token that a widget gave to the browser.
#[async_trait]
pub trait BotCheck: Send + Sync {
    /// Whether there is a service at all.
    fn is_set_up(&self) -> bool {
        true
    }

    /// Checks a token for an action of ours, such as `add_email_credential`.
    ///
    /// # Errors
    /// [`BotCheckError`] unless the service says that it is good.
    async fn check(&self, token: SecretString, action: &str, client: Option<IpAddr>) -> Result<(), BotCheckError>;
}
