//! A mailer that keeps every mail.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tradepost_domain::accounts::email::EmailAddress;

use tradepost_ports::mailer::{Mail, MailError, Mailer};

/// Keeps mails in the order in which they were sent, unless a test makes it reject them.
#[derive(Debug, Default)]
pub struct RecordingMailer {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    sent: Vec<Mail>,
    refuses: bool,
}

impl RecordingMailer {
    /// Returns every accepted mail, the oldest first.
    pub fn sent(&self) -> Vec<Mail> {
        self.inner().sent.clone()
    }

    /// Returns the latest mail to an address.
    pub fn last_to(&self, to: &EmailAddress) -> Option<Mail> {
        self.inner().sent.iter().rev().find(|mail| mail.to == *to).cloned()
    }

    /// Makes it reject every mail from now on, or accept them again.
    pub fn refuse(&self, refuses: bool) {
        self.inner().refuses = refuses;
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Mailer for RecordingMailer {
    async fn send(&self, mail: Mail) -> Result<(), MailError> {
        let mut inner = self.inner();
        if inner.refuses {
            return Err(MailError { reason: "refused by the test".to_owned(), is_transient: true });
        }
        inner.sent.push(mail);
        Ok(())
    }
}
