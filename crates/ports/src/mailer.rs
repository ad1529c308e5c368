//! Sending mail.

use async_trait::async_trait;
use tradepost_domain::accounts::email::EmailAddress;

/// One mail, in both forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// The recipient.
    pub to: EmailAddress,
    /// Subject line.
    pub subject: String,
    /// The plain-text body.
    pub text: String,
    /// The HTML body.
    pub html: String,
}

/// The transport rejected the mail.
#[derive(Debug, thiserror::Error)]
#[error("mail was not accepted: {reason}")]
pub struct MailError {
    /// The transport's answer, for the log; never shown to callers.
    pub reason: String,
    /// Whether the transport may accept the same mail later.
    pub is_transient: bool,
}

/// Hands mail to a transport.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Returns whether a transport is set up at all.
    fn is_set_up(&self) -> bool {
        true
    }

    /// Hands over a mail. Returns once the transport has taken responsibility for it.
    ///
    /// # Errors
    /// [`MailError`] when it did not.
    async fn send(&self, mail: Mail) -> Result<(), MailError>;
}
