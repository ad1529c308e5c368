//! `VerifyEmail`, `ConfirmEmailChange` and `RevertEmailChange`: following a link that was mailed. Any caller that holds the link may follow
//! it; each link works once.

use crate::accounts::sessions::end_sessions;
use crate::calls::tokens::find_by_token;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::accounts::email_link::{EmailLink, Purpose, PurposeKind, RESET_LIFE};
use tradepost_domain::accounts::password::PasswordHash;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::UserId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::limiter::RateClass;
use tradepost_ports::secrets::TokenKind;

use crate::accounts::users::register_user::email_taken;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The token in the link.
#[derive(Debug, Clone)]
pub struct FollowEmailLink {
    /// `tpe_…`
    pub token: SecretString,
}

/// The token in a link that confirms an address, and the password that was entered with the address.
#[derive(Debug, Clone)]
pub struct ConfirmAddress {
    /// `tpe_…`
    pub token: SecretString,
    /// For a first address the password that was entered with it, for a change the account's.
    pub password: SecretString,
}

impl Operations {
    /// Confirms a first address, from a sign-up or added later. From now on the user can sign in with it.
    ///
    /// It requires the password that was entered with the address. Without this, a user could open an account for which a stranger chose
    /// the password.
    ///
    /// # Errors
    /// `failed_precondition` with `TOKEN_INVALID` for a link that is unknown, used, replaced, expired or older than another
    /// sign-up with the address, or with `EMAIL_CREDENTIAL_EXISTS`; `permission_denied` with `PASSWORD_MISMATCH`;
    /// `already_exists` with `EMAIL_TAKEN`; `invalid_argument` without token or password.
    pub async fn verify_email(&self, caller: &Caller, command: ConfirmAddress) -> OpResult<()> {
        self.refunding(self.confirm(caller, command, PurposeKind::Add)).await
    }

    /// Confirms a new address: the account moves to it, and every session ends. It takes the account's password, so that no
    /// account moves to the address of a user who only follows links.
    ///
    /// # Errors
    /// `failed_precondition` with `TOKEN_INVALID`; `permission_denied` with `PASSWORD_MISMATCH`; `already_exists` with
    /// `EMAIL_TAKEN`; `invalid_argument` without token or password.
    pub async fn confirm_email_change(&self, caller: &Caller, command: ConfirmAddress) -> OpResult<()> {
        self.refunding(self.confirm(caller, command, PurposeKind::Change)).await
    }

    /// Reverts a change of address, whether or not it was confirmed in between, and ends every session.
    ///
    /// # Errors
    /// `failed_precondition` with `TOKEN_INVALID`; `already_exists` with `EMAIL_TAKEN`.
    pub async fn revert_email_change(&self, caller: &Caller, command: FollowEmailLink) -> OpResult<()> {
        fields::given("token", &command.token)?;
        self.follow(caller, &command.token, PurposeKind::Revert, None).await
    }

    /// Follows a link for a caller with the password. A wrong password does not spend the link.
    async fn confirm(&self, caller: &Caller, command: ConfirmAddress, kind: PurposeKind) -> OpResult<()> {
        fields::given("token", &command.token)?;
        fields::given("password", &command.password)?;
        let (link, user) = self.find_followed(&command.token, kind).await?;
        self.charge_user(user.peek().id, RateClass::Password).await?;
        let hash = password_of(link.peek(), user.peek());
        if !self.ports.passwords.verify(command.password, hash.clone()).await? {
            let message = "this is not the password that was entered with the address, or the account's";
            return Err(OpError::permission_denied(Reason::PasswordMismatch, message));
        }
        self.follow(caller, &command.token, kind, hash).await
    }

    /// Returns the link with this token and its user, if it may be followed.
    async fn find_followed(&self, token: &SecretString, kind: PurposeKind) -> OpResult<(Seen<EmailLink>, Seen<User>)> {
        let at = self.now();
        let link = find_link(self, token).await?;
        let link = link.filter(|link| link.peek().purpose.kind() == kind && link.peek().is_live(at));
        let link = link.ok_or_else(invalid)?;
        if kind == PurposeKind::Add {
            let latest = self.ports.store.email_links().find_to(link.peek().purpose.email(), kind).await?;
            if latest.is_none_or(|latest| latest.peek().user_id != link.peek().user_id) {
                return Err(invalid());
            }
        }
        let user = self.ports.store.users().find(link.peek().user_id).await?.ok_or_else(invalid)?;
        if kind == PurposeKind::Change && is_overtaken(link.peek(), user.peek()) {
            return Err(invalid());
        }
        Ok((link, user))
    }

    /// Does what a link is for, as long as the password is the one that was checked, where one was.
    async fn follow(
        &self,
        caller: &Caller,
        token: &SecretString,
        kind: PurposeKind,
        checked: Option<PasswordHash>,
    ) -> OpResult<()> {
        let at = self.now();
        self.retrying(|| async {
            let (link, user) = self.find_followed(token, kind).await?;
            if checked.is_some() && password_of(link.peek(), user.peek()) != checked {
                return Err(invalid());
            }
            let mut changes = Changes::by(caller);
            let link = changes.remove(link);
            if kind != PurposeKind::Add {
                end_sessions(self, link.user_id, None, &mut changes).await?;
            }
            changes.audit(audited_as(kind), link.user_id);
            carry_out(&mut changes, user, link.purpose, at)?;
            self.commit(caller, changes).await.map_err(email_taken)?;
            Ok(())
        })
        .await
    }
}

/// Makes the token of a link and stores the link with the changes. It replaces an earlier one of the same purpose.
pub(crate) fn email_link(
    operations: &Operations,
    user_id: UserId,
    purpose: Purpose,
    changes: &mut Changes,
) -> SecretString {
    let issued = operations.ports.secrets.issue(TokenKind::EmailLink);
    changes.put(EmailLink { user_id, purpose, digest: issued.digest, created_at: operations.now() });
    issued.secret
}

/// Makes the link by which the first owner chooses a password, at the time at which the owner is made.
pub(crate) fn setup_link(operations: &Operations, owner: &User, changes: &mut Changes) -> Option<SecretString> {
    let issued = operations.ports.secrets.issue(TokenKind::EmailLink);
    let purpose = Purpose::Reset { to: owner.email.clone()? };
    changes.put(EmailLink { user_id: owner.id, purpose, digest: issued.digest, created_at: owner.created_at });
    Some(issued.secret)
}

/// Voids the link by which the first owner chooses a password, because the owner has one and is signed in.
pub(crate) async fn end_setup_link(
    operations: &Operations,
    changes: &mut Changes,
    user: &User,
    at: Timestamp,
) -> OpResult<()> {
    // Later it would be expired, and is not looked for.
    if at < user.created_at.plus(RESET_LIFE) {
        let link = operations.ports.store.email_links().find_own(user.id, PurposeKind::Reset).await?;
        if let Some(link) = link.filter(|link| link.peek().is_setup(user)) {
            void_setup_link(operations, changes, link)?;
        }
    }
    Ok(())
}

/// Gives the link another token, which no one receives. The link stays until it expires, as a sign of the first start.
pub(crate) fn void_setup_link(operations: &Operations, changes: &mut Changes, link: Seen<EmailLink>) -> OpResult<()> {
    let digest = operations.ports.secrets.issue(TokenKind::EmailLink).digest;
    changes.revise(link, |link| Ok::<_, OpError>(EmailLink { digest, ..link }))?;
    Ok(())
}

/// Returns whether the user was made at the first start, with a link to choose a password that has not expired since.
pub(crate) async fn is_first_start(operations: &Operations, user_id: UserId) -> OpResult<bool> {
    let link = operations.ports.store.email_links().find_own(user_id, PurposeKind::Reset).await?;
    let Some(link) = link.filter(|link| link.peek().is_live(operations.now())) else { return Ok(false) };
    let user = operations.ports.store.users().find(user_id).await?;
    Ok(user.is_some_and(|user| link.peek().is_setup(user.peek())))
}

/// Stores a link that no one receives, for an address without an account. An unknown address then costs as much as a known one, so the
/// response time reveals nothing. An address has one such link at most.
pub(crate) fn decoy_link(operations: &Operations, to: &EmailAddress, changes: &mut Changes) {
    let digest = operations.ports.secrets.code_digest(b"decoy link", to.key());
    let decoy_user = UserId::from_bytes(digest.first_chunk().copied().unwrap_or_default());
    drop(email_link(operations, decoy_user, Purpose::Reset { to: to.clone() }, changes));
}

/// Returns the link with this token.
pub(crate) async fn find_link(operations: &Operations, token: &SecretString) -> OpResult<Option<Seen<EmailLink>>> {
    let find = |digest| async move { operations.ports.store.email_links().find(&digest).await };
    find_by_token(operations, TokenKind::EmailLink, token.expose_secret().trim(), find).await
}

/// Returns the link by which the user can still confirm an address.
pub(crate) async fn waiting_link(
    operations: &Operations,
    user: &User,
    kind: PurposeKind,
) -> OpResult<Option<Seen<EmailLink>>> {
    let (link, at) = (operations.ports.store.email_links().find_own(user.id, kind).await?, operations.now());
    Ok(link.filter(|link| link.peek().is_live(at) && !is_overtaken(link.peek(), user)))
}

/// Returns the password that a link requires: the one that was entered with a first address, else the account's.
fn password_of(link: &EmailLink, user: &User) -> Option<PasswordHash> {
    match &link.purpose {
        Purpose::Add { hash, .. } => Some(hash.clone()),
        Purpose::Change { .. } | Purpose::Revert { .. } | Purpose::Reset { .. } => {
            user.password.as_ref().map(|password| password.hash.clone())
        }
    }
}

const fn audited_as(kind: PurposeKind) -> AuditKind {
    match kind {
        PurposeKind::Add => AuditKind::CredentialEmailVerified,
        PurposeKind::Change => AuditKind::CredentialEmailChangeConfirmed,
        PurposeKind::Revert => AuditKind::CredentialEmailChangeReverted,
        PurposeKind::Reset => AuditKind::CredentialPasswordReset,
    }
}

/// Does what the link is for.
fn carry_out(changes: &mut Changes, user: Seen<User>, purpose: Purpose, at: Timestamp) -> OpResult<()> {
    changes.revise(user, |user| match purpose {
        Purpose::Add { email, hash } => {
            if user.email.is_some() {
                let message = "this account has an e-mail credential already";
                return Err(OpError::failed_precondition(Reason::EmailCredentialExists, message));
            }
            Ok(user.with_email(email, hash, at))
        }
        Purpose::Change { to } | Purpose::Revert { to } => Ok(user.at_email(to, at)),
        // Followed by ResetPassword alone, which sets the password with it.
        Purpose::Reset { .. } => Err(invalid()),
    })?;
    Ok(())
}

/// Returns whether the address was changed, or a change reverted, after this change was requested.
fn is_overtaken(link: &EmailLink, user: &User) -> bool {
    user.email_changed_at.is_some_and(|last| link.created_at < last)
}

/// Returns the error for a link that may not be followed.
pub(crate) fn invalid() -> OpError {
    OpError::failed_precondition(
        Reason::TokenInvalid,
        "this link is unknown, used, replaced or expired; ask for a new one",
    )
}
