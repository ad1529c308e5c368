//! A check for work on one computer. It must not be chosen by default: it keeps no script out.

use std::net::IpAddr;

use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_ports::bot_check::{BotCheck, BotCheckError, Widget, WidgetKind};

/// Passes for one public token. To be used only where a setting asks for it by name.
#[derive(Debug, Clone, Copy, Default)]
pub struct DevelopmentCheck;

impl DevelopmentCheck {
    /// The token that passes.
    pub const TOKEN: &str = "development";
}

#[async_trait]
impl BotCheck for DevelopmentCheck {
    fn widget(&self) -> Widget {
        Widget { kind: WidgetKind::Development, site_key: None }
    }

    async fn check(&self, token: SecretString, _action: &str, _client: Option<IpAddr>) -> Result<(), BotCheckError> {
        if token.expose_secret() == Self::TOKEN { Ok(()) } else { Err(BotCheckError::Refused) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_one_token_passes() {
        for (token, passes) in [("development", true), ("Development", false), ("", false), ("development ", false)] {
            let checked = DevelopmentCheck.check(token.into(), "add_email_credential", None).await;
            assert_eq!(checked.is_ok(), passes, "{token:?}");
        }
    }
}
