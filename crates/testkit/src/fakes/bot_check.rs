//! A bot check that knows one good token.

use std::net::IpAddr;

use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};

use tradepost_ports::bot_check::{BotCheck, BotCheckError};

/// Accepts [`FakeBotCheck::HUMAN`], is unavailable for [`FakeBotCheck::OUT`], and rejects everything else.
#[derive(Debug, Default)]
pub struct FakeBotCheck;

impl FakeBotCheck {
    /// The token that passes.
    pub const HUMAN: &str = "human";
    /// The token for which the service gives no answer.
    pub const OUT: &str = "out";
}

#[async_trait]
impl BotCheck for FakeBotCheck {
    async fn check(&self, token: SecretString, _action: &str, _client: Option<IpAddr>) -> Result<(), BotCheckError> {
        match token.expose_secret() {
            Self::HUMAN => Ok(()),
            Self::OUT => Err(BotCheckError::Unavailable("connection refused".to_owned())),
            _ => Err(BotCheckError::Refused),
        }
    }
}
