//! A mail that waits to be sent: when it is tried, how often, and when it is abandoned.
//!
//! What it says is sealed before it comes here: mails hold codes and links that open accounts.

use time::Duration;

use crate::accounts::email::EmailAddress;
use crate::id::MailId;
use crate::time::Timestamp;

/// How often handing over a mail is tried.
pub const MOST_TRIES: u8 = 8;

/// How long after the first try the second one comes. It is more than a try can take, since it is also what keeps two
/// processes from handing over the same mail at once.
const FIRST_PAUSE: Duration = Duration::minutes(1);

/// How much longer each pause is than the one before: eight tries take 18 hours, so that a server that is out for a night
/// costs no mail.
const GROWTH: i32 = 3;

/// A mail in the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingMail {
    /// Identifier.
    pub id: MailId,
    /// To whom.
    pub to: EmailAddress,
    /// Subject and bodies, sealed.
    pub sealed: Vec<u8>,
    /// How many tries were begun.
    pub tries: u8,
    /// When it is to be tried next.
    pub due_at: Timestamp,
    /// When it was written.
    pub created_at: Timestamp,
}

/// The mail is not to be tried now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the mail is not due")]
pub struct NotDue;

impl OutgoingMail {
    /// A mail to be tried at once.
    pub const fn new(id: MailId, to: EmailAddress, sealed: Vec<u8>, at: Timestamp) -> Self {
        Self { id, to, sealed, tries: 0, due_at: at, created_at: at }
    }

    /// Begins a try. The node that stores this owns the mail until it is due again. If the try fails or the process ends during
    /// it, the mail is tried again then, without another write.
    ///
    /// # Errors
    /// [`NotDue`] when it is not to be tried now.
    pub fn claim(self, at: Timestamp) -> Result<Self, NotDue> {
        if at < self.due_at {
            return Err(NotDue);
        }
        let pause = FIRST_PAUSE.saturating_mul(GROWTH.saturating_pow(u32::from(self.tries)));
        Ok(Self { tries: self.tries.saturating_add(1), due_at: at.plus(pause), ..self })
    }

    /// Whether no try comes after the one that was begun.
    pub const fn is_last_try(&self) -> bool {
        self.tries >= MOST_TRIES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail() -> OutgoingMail {
        let to = EmailAddress::new("ada@example.com").unwrap();
        OutgoingMail::new(MailId::from_bytes([1; 16]), to, vec![1, 2, 3], start())
    }

    fn start() -> Timestamp {
        Timestamp::from_micros(0).unwrap()
    }

    #[test]
    fn a_new_mail_is_tried_at_once() {
        assert_eq!(mail().claim(start()).unwrap().tries, 1);
    }

    #[test]
    fn a_claimed_mail_is_nobody_elses_until_it_is_due_again() {
        let claimed = mail().claim(start()).unwrap();
        assert_eq!(claimed.clone().claim(start().plus(Duration::seconds(59))), Err(NotDue));
        assert!(claimed.claim(start().plus(Duration::seconds(60))).is_ok());
    }

    #[test]
    fn pauses_grow_threefold() {
        let mut mail = mail();
        let mut pauses = Vec::new();
        while !mail.is_last_try() {
            let at = mail.due_at;
            mail = mail.claim(at).unwrap();
            pauses.push(mail.due_at.as_micros().saturating_sub(at.as_micros()) / 60_000_000);
        }
        assert_eq!(pauses, [1, 3, 9, 27, 81, 243, 729, 2187]);
    }
}
