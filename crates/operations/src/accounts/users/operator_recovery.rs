//! Commands that an operator runs on the database's machine for a user who is locked out. No request reaches these commands; an operator
//! who can read the root secret and write to the database needs no other right.

use crate::accounts::credentials::email_links::email_link;
use crate::accounts::sessions::end_sessions;
use crate::accounts::two_factor::guesses::forget_guesses;
use crate::mails::reset_url;
use secrecy::SecretString;
use tradepost_domain::accounts::access::{Denied, Principal};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email_link::Purpose;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::UserId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::mails::Notice;
use crate::{OpError, OpResult, Operations, Reason};

/// The user to help.
#[derive(Debug, Clone, Copy)]
pub struct OperatorRecovery {
    /// The user, by id, because a user of another platform has no address.
    pub user_id: UserId,
}

/// The factors that were removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactorsReset {
    /// Whose.
    pub user_id: UserId,
    /// Whether there was an authenticator app.
    pub had_totp: bool,
    /// The number of passkeys that were removed.
    pub passkeys: usize,
}

/// A link that sets a new password, to be handed to the person.
#[derive(Debug)]
pub struct ResetLink {
    /// Whose password.
    pub user_id: UserId,
    /// The link, shown this once.
    pub url: SecretString,
    /// The time until which it can be followed.
    pub expires_at: Timestamp,
    /// Whether a code of the authenticator app is required as well.
    pub needs_code: bool,
}

impl Operations {
    /// Removes the authenticator app, the recovery codes and the passkeys of a user and ends every session. From then on the password alone
    /// signs in. API keys remain valid. The user is notified.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `not_found` without such a user.
    pub async fn reset_two_factor(&self, caller: &Caller, command: OperatorRecovery) -> OpResult<FactorsReset> {
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let user = changes.rely_on(self.find_rescued(caller, command).await?);
            let user_id = user.id;
            let had_totp = self.ports.store.second_factors().find_totp(user_id).await?.is_some();
            let passkeys = self.ports.store.passkeys().list(user_id).await?.len();
            remove_second_factors(self, &mut changes, user_id).await?;
            end_everything_signed_in(self, &mut changes, user_id).await?;
            changes.audit(AuditKind::UserFactorsReset, user_id);
            self.send_notice(&mut changes, &user.email, &Notice::second_factors_reset());
            self.commit(caller, changes).await?;
            Ok(FactorsReset { user_id, had_totp, passkeys })
        })
        .await
    }

    /// Creates a link that sets a new password within 30 minutes, as [`Operations::request_password_reset`] mails one, and ends every
    /// session. The old password signs in until the link is followed. The user is notified, without the link.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `not_found` without such a user; `failed_precondition` with
    /// `NO_PASSWORD` for a user who has no address to sign in with.
    pub async fn issue_reset_link(&self, caller: &Caller, command: OperatorRecovery) -> OpResult<ResetLink> {
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let user = changes.rely_on(self.find_rescued(caller, command).await?);
            let (user_id, Some(email)) = (user.id, user.email) else { return Err(no_address()) };
            let purpose = Purpose::Reset { to: email.clone() };
            let expires_at = self.now().plus(purpose.life());
            let token = email_link(self, user_id, purpose, &mut changes);
            end_everything_signed_in(self, &mut changes, user_id).await?;
            let needs_code = self.ports.store.second_factors().find_totp(user_id).await?.is_some();
            changes.audit(AuditKind::UserResetLinkIssued, user_id);
            self.send_notice(&mut changes, [&email], &Notice::reset_link_issued());
            self.commit(caller, changes).await?;
            Ok(ResetLink { user_id, url: reset_url(self, &token), expires_at, needs_code })
        })
        .await
    }

    async fn find_rescued(&self, caller: &Caller, command: OperatorRecovery) -> OpResult<Seen<User>> {
        if caller.principal != Principal::System {
            return Err(Denied.into());
        }
        self.ports.store.users().find(command.user_id).await?.ok_or_else(|| OpError::not_found("user"))
    }
}

/// Ends the sessions of a user, and the sign-ins that wait for a second factor.
pub(crate) async fn end_everything_signed_in(
    operations: &Operations,
    changes: &mut Changes,
    user_id: UserId,
) -> OpResult<()> {
    for pending in operations.ports.store.sign_ins().list_pending(user_id).await? {
        changes.remove(pending);
    }
    end_sessions(operations, user_id, None, changes).await
}

/// Removes app, recovery codes and passkeys, with unfinished enrolments and counted guesses.
pub(crate) async fn remove_second_factors(
    operations: &Operations,
    changes: &mut Changes,
    user_id: UserId,
) -> OpResult<()> {
    let store = &operations.ports.store;
    for passkey in store.passkeys().list(user_id).await? {
        changes.remove(passkey);
    }
    store.second_factors().find_totp(user_id).await?.map(|totp| changes.remove(totp));
    store.second_factors().find_totp_enrollment(user_id).await?.map(|begun| changes.remove(begun));
    store.second_factors().find_recovery_codes(user_id).await?.map(|codes| changes.remove(codes));
    store.passkeys().find_registration(user_id).await?.map(|begun| changes.remove(begun));
    forget_guesses(operations, changes, user_id).await
}

fn no_address() -> OpError {
    OpError::failed_precondition(Reason::NoPassword, "this user has no address, and so no password to sign in with")
}
