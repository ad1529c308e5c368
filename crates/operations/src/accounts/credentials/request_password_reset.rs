//! `RequestPasswordReset`: a link for a user who forgot their password.

use crate::accounts::credentials::add_email_credential::check_bot;
use crate::accounts::credentials::email_links::decoy_link;
use crate::accounts::credentials::email_links::email_link;
use crate::mails::reset_password_mail;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::{About, AuditKind};
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::Purpose;
use tradepost_ports::changes::{Caller, Changes};

use crate::calls::response_timing::on_grid;
use crate::{OpResult, Operations, fields};

/// The account whose password to reset.
#[derive(Debug, Clone)]
pub struct RequestPasswordReset {
    /// The address.
    pub email: String,
    /// The token of the bot-check widget.
    pub bot_check_token: SecretString,
}

impl Operations {
    /// Mails a link that sets a new password within 30 minutes; a link mailed before no longer works.
    ///
    /// An address without an account receives a mail that says so, and the response is the same.
    ///
    /// # Errors
    /// `invalid_argument`; `failed_precondition` with `BOT_CHECK_FAILED`; `internal` with `BOT_CHECK_UNAVAILABLE`;
    /// `resource_exhausted`.
    pub async fn request_password_reset(&self, caller: &Caller, command: RequestPasswordReset) -> OpResult<()> {
        let email = fields::email("email", &command.email)?;
        fields::bot_check_token(&command.bot_check_token)?;
        check_bot(self, caller, command.bot_check_token, "request_password_reset").await?;
        self.charge_strangers_mail(caller.client, &email).await?;
        on_grid(self.mail_reset(caller, &email)).await
    }

    async fn mail_reset(&self, caller: &Caller, email: &EmailAddress) -> OpResult<()> {
        let user = self.ports.store.users().find_by_email(email).await?.filter(|user| !user.peek().disabled);
        let mut changes = Changes::by(caller);
        changes
            .audit(AuditKind::CredentialPasswordResetRequested, About::maybe(user.as_ref().map(|user| user.peek().id)));
        if let Some(user) = user {
            let token = email_link(self, user.peek().id, Purpose::Reset { to: email.clone() }, &mut changes);
            self.post(&mut changes, reset_password_mail(self, email, token.expose_secret()));
        } else {
            decoy_link(self, email, &mut changes);
            self.post(&mut changes, Self::no_account_mail(email));
        }
        self.commit(caller, changes).await.map(drop)
    }
}
