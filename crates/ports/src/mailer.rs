//! Sending mail.

use async_trait::async_trait;
use tradepost_domain::accounts::email::EmailAddress;

/// One mail, in both forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// To whom.
    pub to: EmailAddress,
    /// Subject line.
    pub subject: String,
    /// The plain-text body.
    pub text: String,
    /// The HTML body.
    pub html: String,
}

/// The mail was not taken.
#[derive(Debug, thiserror::Error)]
#[error("mail was not accepted: {reason}")]
pub struct MailError {
    /// What the transport said, for the log; never shown to callers.
    pub reason: String,
    /// Whether the same mail may be taken later.
    pub is_transient: bool,
}

/// Hands mail to a transport.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Whether there is a transport at all.
    fn is_set_up(&self) -> bool {
        true
    }

    /// Returns once the transport has taken responsibility for the mail.
    ///
    /// # Errors
    /// [`MailError`] when it did not.
    async fn send(&self, mail: Mail) -> Result<(), MailError>;
}
