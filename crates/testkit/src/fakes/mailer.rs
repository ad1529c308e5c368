//! A mailer that keeps what it is given.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tradepost_domain::accounts::email::EmailAddress;

use tradepost_ports::mailer::{Mail, MailError, Mailer};

/// Keeps mails in the order in which they were sent, unless told to refuse them.
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
    /// Every mail that was taken, the oldest first.
    pub fn sent(&self) -> Vec<Mail> {
        self.inner().sent.clone()
    }

    /// The latest mail to an address.
    pub fn last_to(&self, to: &EmailAddress) -> Option<Mail> {
        self.inner().sent.iter().rev().find(|mail| mail.to == *to).cloned()
    }

    /// From now on refuses every mail, or takes them again.
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
