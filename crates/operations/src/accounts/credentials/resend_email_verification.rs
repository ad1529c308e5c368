//! `ResendEmailVerification`: the link of a sign-up once more.

use crate::accounts::credentials::add_email_credential::check_bot;
use crate::accounts::credentials::email_links::decoy_link;
use crate::accounts::credentials::email_links::email_link;
use crate::mails::verify_email_mail;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::{About, AuditKind};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::PurposeKind;
use tradepost_ports::changes::{Caller, Changes};

use crate::accounts::two_factor::guesses::UNKNOWN_USER;
use crate::calls::response_timing::on_grid;
use crate::{OpResult, Operations, fields};

/// The address to which to resend the link.
#[derive(Debug, Clone)]
pub struct ResendEmailVerification {
    /// The address.
    pub email: String,
    /// The token of the bot-check widget.
    pub bot_check_token: SecretString,
}

impl Operations {
    /// Mails a new link for the latest sign-up with the address; the link mailed before no longer works.
    ///
    /// If no sign-up waits for confirmation, the mail says so, and the response is the same.
    ///
    /// # Errors
    /// `invalid_argument`; `failed_precondition` with `BOT_CHECK_FAILED`; `internal` with `BOT_CHECK_UNAVAILABLE`;
    /// `resource_exhausted`.
    pub async fn resend_email_verification(&self, caller: &Caller, command: ResendEmailVerification) -> OpResult<()> {
        let email = fields::email("email", &command.email)?;
        fields::bot_check_token(&command.bot_check_token)?;
        check_bot(self, caller, command.bot_check_token, "resend_email_verification").await?;
        self.charge_strangers_mail(caller.client, &email).await?;
        on_grid(self.mail_verification(caller, &email)).await
    }

    async fn mail_verification(&self, caller: &Caller, email: &EmailAddress) -> OpResult<()> {
        // All are read whatever the first one finds, so that the response time reveals nothing about an address.
        let known = self.ports.store.users().find_by_email(email).await?.is_some();
        let waiting = self.ports.store.email_links().find_to(email, PurposeKind::Add).await?;
        let whose = waiting.as_ref().map_or(UNKNOWN_USER, |link| link.peek().user_id);
        let user = self.ports.store.users().find(whose).await?;
        let mut changes = Changes::by(caller);
        if let (false, Some(link), Some(user)) = (known, waiting, user) {
            let (link, _) = link.into_display();
            changes.audit(AuditKind::CredentialVerificationRequested, link.user_id);
            let token = email_link(self, link.user_id, link.purpose, &mut changes);
            self.post(&mut changes, verify_email_mail(self, email, &user.peek().display_name, token.expose_secret()));
        } else {
            decoy_link(self, email, &mut changes);
            changes.audit(AuditKind::CredentialVerificationRequested, About::NO_SUBJECT);
            let mail = if known { Self::account_exists_mail(email) } else { Self::no_account_mail(email) };
            self.post(&mut changes, mail);
        }
        self.commit(caller, changes).await.map(drop)
    }
}
