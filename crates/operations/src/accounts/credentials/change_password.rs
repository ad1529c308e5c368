//! `ChangePassword`: a new password, authorised by the current one.

use crate::accounts::credentials::new_password::check_guesses;
use crate::accounts::credentials::new_password::check_password_rules;
use crate::accounts::credentials::new_password::notify_of_new_password;
use crate::accounts::credentials::new_password::verify_password;
use crate::accounts::credentials::new_password::words_of;
use crate::accounts::sessions::end_sessions;
use crate::accounts::sessions::live_session;
use crate::accounts::two_factor::guesses::forget_wrong_passwords;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::session::Proof;
use tradepost_domain::id::UserId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::RateClass;

use crate::accounts::sessions::current;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// Both passwords.
#[derive(Debug, Clone)]
pub struct ChangePassword {
    /// The current one.
    pub current_password: SecretString,
    /// The new one: 15 to 128 characters, hard to guess.
    pub new_password: SecretString,
}

impl Operations {
    /// Changes the password of the caller's user, ends their other sessions and notifies them by mail. API keys remain valid.
    ///
    /// # Errors
    /// `invalid_argument` with `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG`, `PASSWORD_TOO_WEAK` or `PASSWORD_BREACHED`; `permission_denied`
    /// with `PASSWORD_MISMATCH`; `failed_precondition` with `NO_PASSWORD`, `PASSWORD_UNCHANGED` or `STEP_UP_REQUIRED`.
    pub async fn change_password(&self, caller: &Caller, command: ChangePassword) -> OpResult<()> {
        self.refunding(self.replace_password(caller, command)).await
    }

    async fn replace_password(&self, caller: &Caller, command: ChangePassword) -> OpResult<()> {
        let user_id = caller.principal.act_as_user()?;
        fields::given("currentPassword", &command.current_password)?;
        let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
        let words = words_of(self, user.peek()).await?;
        check_password_rules(self, "newPassword", &command.new_password, &words)?;
        let at = self.now();
        let mut changes = Changes::by(caller);
        self.require_step_up(caller, rules::CHANGE_PASSWORD, &mut changes).await?;
        if user.peek().password.is_none() {
            return Err(OpError::failed_precondition(Reason::NoPassword, "this account has no password"));
        }
        self.charge_user(user_id, RateClass::Password).await?;
        verify_password(self, user.peek(), &command.current_password).await?;
        if command.current_password.expose_secret() == command.new_password.expose_secret() {
            return Err(OpError::failed_precondition(Reason::PasswordUnchanged, "the new password is the current one"));
        }
        check_guesses(self, "newPassword", &command.new_password, words).await?;
        let hash = self.ports.passwords.hash(command.new_password).await?;
        let revised = changes.revise(user, |user| Ok::<_, OpError>(user.with_password(hash, at)))?;
        changes.audit(AuditKind::CredentialPasswordChanged, user_id);
        forget_wrong_passwords(self, &mut changes, user_id).await?;
        self.end_other_sessions(caller, user_id, &mut changes, at).await?;
        notify_of_new_password(self, &mut changes, &revised.value).await?;
        self.commit(caller, changes).await.map(drop)
    }

    /// Ends every session but the one that calls, which was just proved by the password.
    async fn end_other_sessions(
        &self,
        caller: &Caller,
        user_id: UserId,
        changes: &mut Changes,
        at: Timestamp,
    ) -> OpResult<()> {
        let current = current(caller);
        end_sessions(self, user_id, current, changes).await?;
        let Some(id) = current else { return Ok(()) };
        let session = live_session(self, user_id, id).await?.ok_or_else(OpError::unauthenticated)?;
        changes.revise(session, |session| Ok(session.proved(Proof::Password, at))).map(drop)
    }
}
