//! `ChangeEmail`: a new address, authorised by the password. The old one stays until the new one is confirmed.

use crate::accounts::credentials::email_links::email_link;
use crate::accounts::credentials::new_password::verify_password;
use crate::mails::change_notice_mail;
use crate::mails::confirm_change_mail;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::{Purpose, PurposeKind};
use tradepost_domain::accounts::user::{ChangeEmailError, User};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::RateClass;

use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The new address and the password.
#[derive(Debug, Clone)]
pub struct ChangeEmail {
    /// The address to move to.
    pub new_email: String,
    /// The current password.
    pub password: SecretString,
}

impl Operations {
    /// Mails a link to the new address that completes the change, and one to the address in use that takes it back. While an
    /// address before that one can still take the account back, only that one can.
    ///
    /// # Errors
    /// `permission_denied` with `PASSWORD_MISMATCH`; `failed_precondition` with `NO_PASSWORD`, `EMAIL_UNCHANGED`,
    /// `EMAIL_CHANGE_LOCKED` or `STEP_UP_REQUIRED`; `already_exists` with `EMAIL_TAKEN`.
    pub async fn change_email(&self, caller: &Caller, command: ChangeEmail) -> OpResult<()> {
        self.refunding(self.ask_to_change_email(caller, command)).await
    }

    async fn ask_to_change_email(&self, caller: &Caller, command: ChangeEmail) -> OpResult<()> {
        let user_id = caller.principal.act_as_user()?;
        let new = fields::email("newEmail", &command.new_email)?;
        fields::given("password", &command.password)?;
        let at = self.now();
        let mut changes = Changes::by(caller);
        self.require_step_up(caller, rules::CHANGE_EMAIL, &mut changes).await?;
        let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
        let user = changes.rely_on(user);
        user.may_change_email(&new, at).map_err(refusal)?;
        self.charge_user(user_id, RateClass::Password).await?;
        self.charge_mail(user_id).await?;
        self.charge_mail_to(&new).await?;
        verify_password(self, &user, &command.password).await?;
        if self.ports.store.users().find_by_email(&new).await?.is_some() {
            return Err(OpError::already_exists(Reason::EmailTaken, "another account uses this e-mail address"));
        }
        self.mail_change(caller, changes, &user, &new).await
    }

    async fn mail_change(
        &self,
        caller: &Caller,
        mut changes: Changes,
        user: &User,
        new: &EmailAddress,
    ) -> OpResult<()> {
        changes.audit(AuditKind::CredentialEmailChangeRequested, user.id);
        let confirm = email_link(self, user.id, Purpose::Change { to: new.clone() }, &mut changes);
        self.post(&mut changes, confirm_change_mail(self, new, &user.display_name, confirm.expose_secret()));
        if let Some(old) = &user.email {
            let notice = if self.can_be_taken_back(user, old).await? {
                Self::further_change_notice_mail(old, new)
            } else {
                let revert = email_link(self, user.id, Purpose::Revert { to: old.clone() }, &mut changes);
                change_notice_mail(self, old, new, revert.expose_secret())
            };
            self.post(&mut changes, notice);
        }
        self.commit(caller, changes).await.map(drop)
    }

    /// Returns whether the previous address can still restore the account. Its link then stays.
    ///
    /// A link for the address in use would replace it. An attacker who took the account over could then discard it with a second change.
    async fn can_be_taken_back(&self, user: &User, in_use: &EmailAddress) -> OpResult<bool> {
        let (link, at) = (self.ports.store.email_links().find_own(user.id, PurposeKind::Revert).await?, self.now());
        Ok(link.is_some_and(|link| link.peek().is_live(at) && link.peek().purpose.email() != in_use))
    }
}

fn refusal(error: ChangeEmailError) -> OpError {
    let reason = match error {
        ChangeEmailError::NoPassword => Reason::NoPassword,
        ChangeEmailError::Unchanged => Reason::EmailUnchanged,
        ChangeEmailError::Locked => Reason::EmailChangeLocked,
    };
    OpError::failed_precondition(reason, error.to_string())
}
