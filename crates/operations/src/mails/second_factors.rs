//! Mails that report a change of second factors to their user. Nothing depends on their arrival.

use tradepost_domain::accounts::email::EmailAddress;
use tradepost_ports::mailer::Mail;

use super::{Letter, NOT_YOU};
use crate::Operations;

impl Operations {
    /// Returns the notice of new recovery codes.
    pub(crate) fn recovery_codes_made_mail(to: &EmailAddress) -> Mail {
        Letter {
            subject: "Your recovery codes were replaced".to_owned(),
            paragraphs: vec![
                "New recovery codes were made for your tradepost account. The ones before work no longer.".to_owned(),
            ],
            code: None,
            link: None,
            closing: NOT_YOU,
        }
        .to(to)
    }

    /// Returns the notice of the use of a recovery code.
    pub(crate) fn recovery_code_used_mail(to: &EmailAddress, left: usize) -> Mail {
        Letter {
            subject: "A recovery code was used".to_owned(),
            paragraphs: vec![format!(
                "A recovery code of your tradepost account was used instead of your authenticator app. It no longer works. \
                 Codes left: {left}."
            )],
            code: None,
            link: None,
            closing: NOT_YOU,
        }
        .to(to)
    }

    /// Returns the notice that the authenticator app was removed.
    pub(crate) fn totp_disabled_mail(to: &EmailAddress) -> Mail {
        Letter {
            subject: "Your authenticator app was removed".to_owned(),
            paragraphs: vec![
                "The authenticator app of your tradepost account was removed, and its recovery codes with it."
                    .to_owned(),
            ],
            code: None,
            link: None,
            closing: NOT_YOU,
        }
        .to(to)
    }

    /// Returns the notice that a passkey was removed.
    pub(crate) fn passkey_removed_mail(to: &EmailAddress, name: &str) -> Mail {
        Letter {
            subject: "A passkey was removed".to_owned(),
            paragraphs: vec![format!("The passkey \"{name}\" was removed from your tradepost account.")],
            code: None,
            link: None,
            closing: NOT_YOU,
        }
        .to(to)
    }

    /// Returns the notice that a passkey was copied.
    pub(crate) fn passkey_copied_mail(to: &EmailAddress, name: &str) -> Mail {
        Letter {
            subject: "A passkey was disabled".to_owned(),
            paragraphs: vec![
                format!(
                    "The passkey \"{name}\" of your tradepost account was used with a counter that had not increased."
                ),
                "Only a copy of it does that, so it is disabled. Remove it, and add a new one.".to_owned(),
            ],
            code: None,
            link: None,
            closing: NOT_YOU,
        }
        .to(to)
    }
}
