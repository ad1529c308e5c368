//! Sending alerts to the people who asked for them.

use std::time::Duration;

use async_trait::async_trait;
use secrecy::SecretString;
use tradepost_domain::time::Timestamp;

/// A kind of channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AlertKind {
    /// Mail.
    Mail,
    /// A chat of a Telegram bot.
    Telegram,
    /// A channel of Discord, by its webhook.
    Discord,
    /// A signed webhook.
    Webhook,
    /// A URL that is called while the engine is well.
    Heartbeat,
}

/// Where an alert goes, with what is secret of it.
#[derive(Debug, Clone)]
pub enum AlertTarget {
    /// Mail.
    Mail {
        /// A verified address of a member.
        address: String,
    },
    /// A chat of a Telegram bot.
    Telegram {
        /// The token of the bot.
        token: SecretString,
        /// The chat.
        chat_id: String,
    },
    /// A channel of Discord.
    Discord {
        /// The URL of its webhook, which contains the token.
        url: SecretString,
    },
    /// A receiver of signed webhooks.
    Webhook {
        /// The address.
        url: String,
        /// The secrets that sign a message, the newest first.
        secrets: Vec<SecretString>,
    },
    /// A URL that is called while the engine is well.
    Heartbeat {
        /// The URL.
        url: SecretString,
    },
}

impl AlertTarget {
    /// The kind of channel.
    pub const fn kind(&self) -> AlertKind {
        match self {
            Self::Mail { .. } => AlertKind::Mail,
            Self::Telegram { .. } => AlertKind::Telegram,
            Self::Discord { .. } => AlertKind::Discord,
            Self::Webhook { .. } => AlertKind::Webhook,
            Self::Heartbeat { .. } => AlertKind::Heartbeat,
        }
    }
}

/// How urgent an alert is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AlertSeverity {
    /// Something that is good to know.
    Info,
    /// Something to look at.
    Warning,
    /// Money or trading needs someone.
    Critical,
}

/// What an alert says. Plain text; each channel writes it in its own format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertText {
    /// The id of the message: the same in every try.
    pub id: String,
    /// What it is about, such as `remediation`.
    pub topic: &'static str,
    /// How urgent it is.
    pub severity: AlertSeverity,
    /// The name of the workspace.
    pub workspace: String,
    /// The title, one line.
    pub title: String,
    /// Further lines.
    pub lines: Vec<String>,
    /// Opens the problem in the console.
    pub link: Option<String>,
    /// The time of the try.
    pub sent_at: Timestamp,
}

/// An alert did not arrive, or it is not known whether it did.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct AlertError {
    /// Why, without secrets: callers see it.
    pub reason: String,
    /// The pause that the channel asks for.
    pub retry_after: Option<Duration>,
    /// Whether the channel will never accept it: its token was revoked, or its chat no longer exists.
    pub is_final: bool,
}

/// A target that no alert is sent to. The text completes the name of the field: "must …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnusableTarget(pub String);

/// Sends alerts, and calls the URLs of heartbeats.
#[async_trait]
pub trait AlertSender: Send + Sync {
    /// Returns whether this installation sends alerts of this kind.
    fn is_set_up(&self, kind: AlertKind) -> bool;

    /// Checks the text of a target: URL, token, chat. What a name resolves to is judged at every call.
    ///
    /// # Errors
    /// [`UnusableTarget`] with the rule that it breaks.
    fn check(&self, target: &AlertTarget) -> Result<(), UnusableTarget>;

    /// Makes one try.
    ///
    /// # Errors
    /// [`AlertError`] unless the channel accepted it.
    async fn send(&self, target: &AlertTarget, text: &AlertText) -> Result<(), AlertError>;

    /// Calls the URL of a heartbeat.
    ///
    /// # Errors
    /// [`AlertError`] unless it answered with success.
    async fn beat(&self, url: &SecretString) -> Result<(), AlertError>;
}
