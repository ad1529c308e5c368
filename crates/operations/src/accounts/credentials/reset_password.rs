//! `ResetPassword`: a new password for the holder of the mailed link. It does not bypass the second factor.

use crate::accounts::credentials::email_links::{find_link, void_setup_link};
use crate::accounts::credentials::new_password::check_guesses;
use crate::accounts::credentials::new_password::check_password_rules;
use crate::accounts::credentials::new_password::notify_of_new_password;
use crate::accounts::credentials::new_password::words_of;
use crate::accounts::sessions::end_sessions;
use crate::accounts::sign_in::complete_sign_in::use_code;
use crate::accounts::two_factor::guesses::charge_code;
use crate::accounts::two_factor::guesses::forget_guesses;
use secrecy::SecretString;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email_link::{EmailLink, PurposeKind};
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::UserId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::limiter::RateClass;

use super::email_links::invalid;
use crate::accounts::sign_in::EnteredCode;
use crate::accounts::two_factor::guesses::ATTEMPTS;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The link and the new password.
#[derive(Debug, Clone)]
pub struct ResetPassword {
    /// `tpe_…`
    pub token: SecretString,
    /// The new password: 15 to 128 characters, hard to guess.
    pub new_password: SecretString,
    /// A code of the authenticator app or a recovery code, for users who have an app.
    pub code: Option<(Method, SecretString)>,
}

impl Operations {
    /// Sets the password and ends every session. API keys go on working. The link works once, and a rejection does not spend it.
    ///
    /// # Errors
    /// `failed_precondition` with `TOKEN_INVALID` for a link that is unknown, used, replaced, expired or older than the
    /// password, with `CODE_REQUIRED` for a user with an authenticator app, or `OTHER_METHOD`; `permission_denied` with
    /// `CODE_MISMATCH`; `invalid_argument` with `PASSWORD_TOO_SHORT`, `PASSWORD_TOO_LONG`, `PASSWORD_TOO_WEAK` or
    /// `PASSWORD_BREACHED`.
    pub async fn reset_password(&self, caller: &Caller, command: ResetPassword) -> OpResult<()> {
        self.refunding(self.set_password(caller, command)).await
    }

    async fn set_password(&self, caller: &Caller, command: ResetPassword) -> OpResult<()> {
        let at = self.now();
        let (link, user) = self.find_reset(&command.token, at).await?;
        let words = words_of(self, user.peek()).await?;
        check_password_rules(self, "newPassword", &command.new_password, &words)?;
        let user_id = user.peek().id;
        self.charge_user(user_id, RateClass::Password).await?;
        check_guesses(self, "newPassword", &command.new_password, words).await?;
        let mut changes = Changes::by(caller);
        if self.ports.store.second_factors().find_all(user_id).await?.totp {
            let (method, code) = command.code.as_ref().ok_or_else(code_required)?;
            is_of_app(*method)?;
            self.charge_reset_code(caller, user_id, *method, at).await?;
            if !use_code(self, user_id, EnteredCode { method: *method, code }, &mut changes, at).await? {
                return Err(OpError::permission_denied(Reason::CodeMismatch, "the code is not right"));
            }
        }
        let hash = self.ports.passwords.hash(command.new_password).await?;
        if link.peek().is_setup(user.peek()) {
            void_setup_link(self, &mut changes, link)?;
        } else {
            changes.remove(link);
        }
        let revised = changes.revise(user, |user| Ok::<_, OpError>(user.with_password(hash, at)))?;
        changes.audit(AuditKind::CredentialPasswordReset, user_id);
        forget_guesses(self, &mut changes, user_id).await?;
        end_sessions(self, user_id, None, &mut changes).await?;
        notify_of_new_password(self, &mut changes, &revised.value).await?;
        self.commit(caller, changes).await.map(drop)
    }

    /// Charges a code before it is looked at.
    async fn charge_reset_code(&self, caller: &Caller, user_id: UserId, method: Method, at: Timestamp) -> OpResult<()> {
        self.charge_user(user_id, RateClass::Code).await?;
        self.retrying_up_to(ATTEMPTS, || async {
            let mut changes = Changes::detached(caller);
            charge_code(self, &mut changes, user_id, method, at).await?;
            self.commit(caller, changes).await.map(drop)
        })
        .await
    }

    /// Returns the link and the user whose password it sets, if it may be followed.
    async fn find_reset(&self, token: &SecretString, at: Timestamp) -> OpResult<(Seen<EmailLink>, Seen<User>)> {
        fields::given("token", token)?;
        let link = find_link(self, token).await?;
        let link = link.filter(|link| link.peek().purpose.kind() == PurposeKind::Reset && link.peek().is_live(at));
        let link = link.ok_or_else(invalid)?;
        let user = self.ports.store.users().find(link.peek().user_id).await?.ok_or_else(invalid)?;
        if is_overtaken(link.peek(), user.peek()) { Err(invalid()) } else { Ok((link, user)) }
    }
}

/// Returns whether the account has moved to another address, got another password or was disabled after the link was mailed.
fn is_overtaken(link: &EmailLink, user: &User) -> bool {
    let changed = user.password.as_ref().map(|password| password.changed_at);
    user.disabled
        || user.email.as_ref() != Some(link.purpose.email())
        || changed.is_some_and(|changed| link.created_at < changed)
}

/// Rejects methods that are not answered by a code of the app or one made with it.
fn is_of_app(method: Method) -> OpResult<()> {
    match method {
        Method::Totp | Method::RecoveryCode => Ok(()),
        Method::Email | Method::Passkey => Err(OpError::failed_precondition(
            Reason::OtherMethod,
            "this is answered by a code of the authenticator app or a recovery code; no try was spent",
        )),
    }
}

fn code_required() -> OpError {
    let message = "this account has an authenticator app: send a code of it or a recovery code, with its method";
    OpError::failed_precondition(Reason::CodeRequired, message)
}
