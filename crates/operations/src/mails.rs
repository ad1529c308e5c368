//! The mails that operations send, in plain text and HTML.
//!
//! What a user typed appears in a mail only escaped; a code is the only number of six to eight digits in its text.

mod alerts;
mod notices;
mod outbox;
mod second_factors;

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::accounts::api_key::ApiKey;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::text::Name;
use tradepost_ports::mailer::Mail;

use crate::Operations;

pub(crate) use notices::Notice;
use notices::known;

/// A mail in parts: a greeting line, paragraphs, and one highlighted element, a code or a link.
struct Letter<'a> {
    subject: String,
    paragraphs: Vec<String>,
    code: Option<&'a str>,
    link: Option<String>,
    closing: &'static str,
}

const NOT_YOU: &str = "If this was not you, change your password and look through your API keys.";

impl Operations {
    fn link(&self, page: &str, token: &str) -> String {
        // The token follows the #, so that it reaches no server log.
        format!("{}/email/{page}#{token}", self.public_url)
    }

    /// Returns the mail with the code of a step-up challenge.
    pub(crate) fn step_up_mail(to: &EmailAddress, code: &str) -> Mail {
        Letter {
            subject: "Your verification code".to_owned(),
            paragraphs: vec!["Someone, hopefully you, is about to do something sensitive on tradepost. The code is:".to_owned()],
            code: Some(code),
            link: None,
            closing: "It works once, within ten minutes. If this was not you, do not pass it on, and end the session or revoke the API key that asked.",
        }
        .to(to)
    }

    /// Returns the mail for a sign-up with an address that already has an account.
    pub(crate) fn account_exists_mail(to: &EmailAddress) -> Mail {
        Letter {
            subject: "You have an account already".to_owned(),
            paragraphs: vec![
                "Someone, hopefully you, asked for a tradepost account with this address. It has one already."
                    .to_owned(),
                "Sign in with it; if you have forgotten the password, ask for a new one.".to_owned(),
            ],
            code: None,
            link: None,
            closing: "If you did not ask for this, ignore this mail: nothing changes.",
        }
        .to(to)
    }

    /// Returns the mail for a request with an address that has no account.
    pub(crate) fn no_account_mail(to: &EmailAddress) -> Mail {
        Letter {
            subject: "There is no account with this address".to_owned(),
            paragraphs: vec![
                "Someone, hopefully you, asked for a link to a tradepost account with this address. There is none."
                    .to_owned(),
                "If you have an account, it uses another address; otherwise you can sign up.".to_owned(),
            ],
            code: None,
            link: None,
            closing: "If you did not ask for this, ignore this mail: nothing changes.",
        }
        .to(to)
    }

    /// Returns the notice of an identity of another platform that was linked.
    pub(crate) fn identity_linked_mail(to: &EmailAddress, provider: Provider) -> Mail {
        Letter {
            subject: format!("{provider} was linked to your account"),
            paragraphs: vec![format!(
                "An identity at {provider} was linked to your tradepost account: anyone who has it can sign in with it."
            )],
            code: None,
            link: None,
            closing: NOT_YOU,
        }
        .to(to)
    }

    /// Returns the notice of an identity of another platform that was unlinked.
    pub(crate) fn identity_unlinked_mail(to: &EmailAddress, provider: Provider) -> Mail {
        Letter {
            subject: format!("{provider} was unlinked from your account"),
            paragraphs: vec![format!(
                "An identity at {provider} was unlinked from your tradepost account and can no longer be used to sign in."
            )],
            code: None,
            link: None,
            closing: NOT_YOU,
        }
        .to(to)
    }

    /// Returns the notice of a change to the address in use, while a previous address can still restore the account.
    pub(crate) fn further_change_notice_mail(to: &EmailAddress, new: &EmailAddress) -> Mail {
        Letter {
            subject: "Your e-mail address is about to change".to_owned(),
            paragraphs: vec![
                format!("Someone, hopefully you, asked to move your tradepost account to {new}."),
                "The address that you had before this one was mailed a link that takes the account back there, for seven days from then."
                    .to_owned(),
            ],
            code: None,
            link: None,
            closing: "If this was not you, follow that link, change your password and look through your API keys.",
        }
        .to(to)
    }

    /// Returns the notice of a new password, with the keys that remain valid.
    pub(crate) fn password_changed_mail(to: &EmailAddress, keys: &[ApiKey]) -> Mail {
        let names: Vec<String> = keys.iter().map(known).collect();
        let stay = format!("These API keys of yours still work: {}.", names.join(", "));
        Letter {
            subject: "Your password was changed".to_owned(),
            paragraphs: ["The password of your tradepost account was changed. Other sessions have ended.".to_owned()]
                .into_iter()
                .chain((!names.is_empty()).then_some(stay))
                .collect(),
            code: None,
            link: None,
            closing: NOT_YOU,
        }
        .to(to)
    }

    /// Returns the notice of a new key.
    pub(crate) fn key_created_mail(to: &EmailAddress, key: &ApiKey) -> Mail {
        Letter {
            subject: "An API key was created".to_owned(),
            paragraphs: vec![format!("The API key {} was created with your account.", known(key))],
            code: None,
            link: None,
            closing: NOT_YOU,
        }
        .to(to)
    }
}

/// Returns the address of the page that sets a new password, with the token of the link.
pub(crate) fn reset_url(operations: &Operations, token: &SecretString) -> SecretString {
    SecretString::from(operations.link("reset", token.expose_secret()))
}

/// Returns the mail with the link that sets a new password.
pub(crate) fn reset_password_mail(operations: &Operations, to: &EmailAddress, token: &str) -> Mail {
    Letter {
        subject: "Set a new password".to_owned(),
        paragraphs: vec!["Follow this link within 30 minutes to set a new password for tradepost:".to_owned()],
        code: None,
        link: Some(operations.link("reset", token)),
        closing: "If you did not ask for this, ignore this mail: your password stays.",
    }
    .to(to)
}

/// Returns the mail with the link that confirms a first address, and the name under which it was entered.
pub(crate) fn verify_email_mail(operations: &Operations, to: &EmailAddress, name: &Name, token: &str) -> Mail {
    Letter {
        subject: "Confirm your e-mail address".to_owned(),
        paragraphs: vec![
            format!("Someone, hopefully you, entered this address on tradepost at {}, under the name \"{name}\".", operations.public_url),
            "To sign in with this address, follow this link within 24 hours and enter the password that was chosen with it:"
                .to_owned(),
        ],
        code: None,
        link: Some(operations.link("verify", token)),
        closing: "If you did not ask for this, ignore this mail, and enter no password of yours there: nothing changes.",
    }
    .to(to)
}

/// Returns the mail to a new address with the link that confirms it, and the name of the account.
pub(crate) fn confirm_change_mail(operations: &Operations, to: &EmailAddress, name: &Name, token: &str) -> Mail {
    Letter {
        subject: "Confirm your new e-mail address".to_owned(),
        paragraphs: vec![
            format!("Someone, hopefully you, asked to move the tradepost account of \"{name}\" to this address."),
            "Follow this link within 24 hours and enter the password of that account:".to_owned(),
        ],
        code: None,
        link: Some(operations.link("confirm", token)),
        closing: "If you did not ask for this, ignore this mail, and enter no password of yours there: nothing changes.",
    }
    .to(to)
}

/// Returns the notice of a change to the address in use, with the link that reverts it.
pub(crate) fn change_notice_mail(operations: &Operations, to: &EmailAddress, new: &EmailAddress, token: &str) -> Mail {
    Letter {
        subject: "Your e-mail address is about to change".to_owned(),
        paragraphs: vec![
            format!("Someone, hopefully you, asked to move your tradepost account to {new}."),
            "For seven days this link keeps your account at this address, or brings it back:".to_owned(),
        ],
        code: None,
        link: Some(operations.link("revert", token)),
        closing: "If this was not you, follow it, change your password and look through your API keys.",
    }
    .to(to)
}

/// Returns the invitation into a workspace.
pub(crate) fn invitation_mail(
    operations: &Operations,
    to: &EmailAddress,
    workspace: &str,
    membership: &str,
    token: &str,
) -> Mail {
    Letter {
        subject: format!("You are invited to {workspace}"),
        paragraphs: vec![
            format!("You are invited to join the workspace \"{workspace}\" on tradepost at {}.", operations.public_url),
            format!("To accept, call AcceptMembership within seven days with the membership {membership}."),
            "This link shows who invites you:".to_owned(),
        ],
        code: None,
        link: Some(operations.link("invitation", token)),
        closing: "If you do not know who sent this, ignore it: nothing happens.",
    }
    .to(to)
}

impl Letter<'_> {
    fn to(self, to: &EmailAddress) -> Mail {
        let standout = self.code.map(str::to_owned).or(self.link.clone());
        let text: Vec<String> =
            self.paragraphs.iter().cloned().chain(standout).chain([self.closing.to_owned()]).collect();
        Mail { to: to.clone(), subject: self.subject.clone(), text: text.join("\n\n"), html: self.html() }
    }

    fn html(&self) -> String {
        let paragraph = |words: &str| format!("<p>{}</p>", escaped(words).replace('\n', "<br>"));
        let code = |code: &str| {
            format!("<p style=\"font-size:1.6em;letter-spacing:.15em\"><strong>{}</strong></p>", escaped(code))
        };
        let link = |link: &String| format!("<p><a href=\"{0}\">{0}</a></p>", escaped(link));
        let paragraphs = self.paragraphs.iter().map(|words| paragraph(words));
        paragraphs
            .chain(self.code.map(code))
            .chain(self.link.as_ref().map(link))
            .chain([paragraph(self.closing)])
            .collect()
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_user_typed_is_escaped_in_html() {
        let to = EmailAddress::new("ada@example.com").unwrap();
        let mail = Operations::passkey_removed_mail(&to, "<b>x</b>");
        assert!(mail.html.contains("&lt;b&gt;x&lt;/b&gt;") && !mail.html.contains("<b>x"));
        assert!(mail.text.contains("<b>x</b>"));
    }
}
