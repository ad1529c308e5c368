//! The check that separates users from scripts, by a third party's widget.

use std::net::IpAddr;

use async_trait::async_trait;
use secrecy::SecretString;

/// The reason why a check did not pass.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BotCheckError {
    /// The service rejects the token: it is wrong, used or expired, or it belongs to another host or action.
    #[error("the bot check was not passed")]
    Refused,
    /// The service did not answer. The server rejects the caller then, too.
    #[error("the bot-check service did not answer: {0}")]
    Unavailable(String),
}

/// The service whose widget a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WidgetKind {
    /// Cloudflare Turnstile.
    Turnstile,
    /// hCaptcha.
    HCaptcha,
    /// None: the one public token of development passes.
    Development,
    /// Another one, which the program's own pages know.
    Other,
}

/// The widget that a page shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Widget {
    /// The service.
    pub kind: WidgetKind,
    /// The public key under which the service knows this site, if the operator has set it.
    pub site_key: Option<String>,
}

/// Verifies the token that a widget gave to the browser.
#[async_trait]
pub trait BotCheck: Send + Sync {
    /// Returns whether a service is set up at all.
    fn is_set_up(&self) -> bool {
        true
    }

    /// Returns the widget that gives the tokens.
    fn widget(&self) -> Widget {
        Widget { kind: WidgetKind::Other, site_key: None }
    }

    /// Checks a token for an action of ours, such as `add_email_credential`.
    ///
    /// # Errors
    /// [`BotCheckError`] unless the service accepts the token.
    async fn check(&self, token: SecretString, action: &str, client: Option<IpAddr>) -> Result<(), BotCheckError>;
}
