//! The outbox: a mail is written with the changes of the operation that it reports, and sent once those are committed.
//!
//! A mail server outage therefore affects no caller, and no mail reports what did not happen. The content of a mail is sealed while it
//! waits, and deleted once the mail server accepts it.

use futures::future::join_all;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::mail::OutgoingMail;
use tradepost_domain::id::{MailId, UserId};
use tradepost_ports::changes::{Caller, Changes, Revised, Seen};
use tradepost_ports::mailer::{Mail, MailError};

use super::Notice;
use crate::commit::turns::Turns;
use crate::{OpResult, Operations};

/// The number of mails that are sent at once.
const AT_ONCE: u32 = 16;

/// The separator between subject and bodies. None of them contains it: names and addresses have no control characters.
const SEPARATOR: &str = "\0";

impl Operations {
    /// Sends a mail once the changes are committed.
    pub(crate) fn post(&self, changes: &mut Changes, mail: Mail) {
        let at = self.now();
        let id = self.mint();
        let content = [mail.subject, mail.text, mail.html].join(SEPARATOR);
        let sealed = self.ports.secrets.seal(&place(id), content.as_bytes());
        changes.insert(OutgoingMail::new(id, mail.to, sealed, at));
    }

    /// Sends a notice to each address that the changes concern, once they are committed.
    pub(crate) fn send_notice<'a>(
        &self,
        changes: &mut Changes,
        concerned: impl IntoIterator<Item = &'a EmailAddress>,
        notice: &Notice,
    ) {
        for to in concerned {
            self.post(changes, notice.to(to));
        }
    }

    /// Mails a user; one without an address receives nothing.
    pub(crate) async fn notify_user(
        &self,
        changes: &mut Changes,
        user_id: UserId,
        mail: impl FnOnce(&EmailAddress) -> Mail + Send,
    ) -> OpResult<()> {
        let user = self.ports.store.users().find(user_id).await?;
        if let Some(email) = user.and_then(|seen| seen.into_display().0.email) {
            self.post(changes, mail(&email));
        }
        Ok(())
    }

    /// Waits until a mail is posted in this process; returns at once if one was since the last time.
    pub async fn mail_posted(&self) {
        self.posted.notified().await;
    }

    /// Hands over the mails that are due, some at a time; `false` when there was none. What is not taken is tried again later,
    /// up to eight times. Any number of processes may do this at once, and a mail is handed over twice only if one of them
    /// ends between the handing over and the note of it.
    ///
    /// # Errors
    /// `internal` when storage fails; the first error of a mail, once no other one was handed over. Each mail has its turn before.
    pub async fn hand_over_mails(&self) -> OpResult<bool> {
        let due = self.ports.store.outbox().list_due(self.now(), AT_ONCE).await?;
        let any = !due.is_empty();
        let mut turns = Turns::default();
        // All of them end, because one that is cut off would be sent twice.
        for outcome in join_all(due.into_iter().map(|mail| self.hand_over(mail))).await {
            turns.take(outcome)?;
        }
        match turns.into_parts() {
            // Those that failed are listed first again, and nothing else is left.
            (0, Some(error)) => Err(error),
            (_, Some(_) | None) => Ok(any),
        }
    }

    async fn hand_over(&self, mail: Seen<OutgoingMail>) -> OpResult<()> {
        let Some(claimed) = self.claim(mail).await? else { return Ok(()) };
        let (id, tries) = (claimed.value.id, claimed.value.tries);
        match self.try_to_send(&claimed.value).await {
            Ok(()) => tracing::debug!(mail = %id, "mail was handed over"),
            Err(error) if error.is_transient && !claimed.value.is_last_try() => {
                tracing::warn!(mail = %id, tries, again_at = %claimed.value.due_at, error = %error.reason, "mail was not taken");
                return Ok(());
            }
            Err(error) => tracing::error!(mail = %id, tries, error = %error.reason, "mail was abandoned"),
        }
        let relay = Caller::system();
        let mut changes = Changes::by(&relay);
        changes.remove(claimed.committed());
        self.commit(&relay, changes).await.map(drop)
    }

    /// Makes the mail this process's for a while; `None` when another process was faster.
    async fn claim(&self, mail: Seen<OutgoingMail>) -> OpResult<Option<Revised<OutgoingMail>>> {
        let relay = Caller::system();
        let mut changes = Changes::by(&relay);
        let Ok(claimed) = changes.revise(mail, |mail| mail.claim(self.now())) else { return Ok(None) };
        match self.commit(&relay, changes).await {
            Ok(_) => Ok(Some(claimed)),
            Err(error) if error.is_conflict() => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn try_to_send(&self, waiting: &OutgoingMail) -> Result<(), MailError> {
        let content = self.ports.secrets.open(&place(waiting.id), &waiting.sealed).ok();
        let content = content.and_then(|content| String::from_utf8(content).ok()).ok_or_else(unreadable)?;
        let mut parts = content.split(SEPARATOR).map(str::to_owned);
        let (Some(subject), Some(text), Some(html)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(unreadable());
        };
        self.ports.mailer.send(Mail { to: waiting.to.clone(), subject, text, html }).await
    }
}

fn place(id: MailId) -> String {
    format!("outgoing_mails.sealed/{id}")
}

fn unreadable() -> MailError {
    MailError { reason: "its content was sealed under another root secret or damaged".to_owned(), is_transient: false }
}
