//! `VerifyEmail`, `ConfirmEmailChange` and `RevertEmailChange`: following a link that was mailed. Open to everybody who
//! holds the link; each works once.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::audit::AuditKind;
use tradepost_domain::email::EmailAddress;
use tradepost_domain::email_link::{EmailLink, Purpose, PurposeKind};
use tradepost_domain::id::UserId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::user::User;
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::secrets::TokenKind;

use super::register_user::email_taken;
use crate::{OpError, OpResult, Operations, fields};

/// The token in the link.
#[derive(Debug, Clone)]
pub struct FollowEmailLink {
    /// `tpe_…`
    pub token: SecretString,
}

impl Operations {
    /// Confirms a first address, of a sign-up or added later: the account can be signed in to with it from now on.
    ///
    /// # Errors
    /// `failed_precondition` with `TOKEN_INVALID` for a link that is unknown, used, replaced or expired, or with
    /// `EMAIL_CREDENTIAL_EXISTS`; `already_exists` with `EMAIL_TAKEN`.
    pub async fn verify_email(&self, caller: &Caller, command: FollowEmailLink) -> OpResult<()> {
        self.follow(caller, &command, PurposeKind::Add).await
    }

    /// Confirms a new address: the account moves to it, and every session ends.
    ///
    /// # Errors
    /// `failed_precondition` with `TOKEN_INVALID`; `already_exists` with `EMAIL_TAKEN`.
    pub async fn confirm_email_change(&self, caller: &Caller, command: FollowEmailLink) -> OpResult<()> {
        self.follow(caller, &command, PurposeKind::Change).await
    }

    /// Takes a change of address back, whether or not it was confirmed meanwhile, and ends every session.
    ///
    /// # Errors
    /// `failed_precondition` with `TOKEN_INVALID`; `already_exists` with `EMAIL_TAKEN`.
    pub async fn revert_email_change(&self, caller: &Caller, command: FollowEmailLink) -> OpResult<()> {
        self.follow(caller, &command, PurposeKind::Revert).await
    }

    /// Makes the token of a link and stores the link with the changes. It replaces an earlier one of the same purpose.
    pub(super) fn email_link(&self, user_id: UserId, purpose: Purpose, changes: &mut Changes) -> SecretString {
        let issued = self.ports.secrets.issue(TokenKind::EmailLink);
        changes.put(EmailLink { user_id, purpose, digest: issued.digest, created_at: self.now() });
        issued.secret
    }

    /// Stores a link that nobody gets, where there is nobody to make one for, so that a known address costs no more than an
    /// unknown one. An address has one such link at most.
    pub(super) fn decoy_link(&self, to: &EmailAddress, changes: &mut Changes) {
        let digest = self.ports.secrets.code_digest(b"decoy link", to.key());
        let nobody = UserId::from_bytes(digest.first_chunk().copied().unwrap_or_default());
        drop(self.email_link(nobody, Purpose::Reset { to: to.clone() }, changes));
    }

    /// The link with this token.
    pub(super) async fn find_link(&self, token: &SecretString) -> OpResult<Option<Seen<EmailLink>>> {
        let find = |digest| async move { self.ports.store.find_email_link(&digest).await };
        self.find_by_token(TokenKind::EmailLink, token.expose_secret().trim(), find).await
    }

    /// The link by which the user can still confirm an address.
    pub(super) async fn waiting_link(&self, user: &User, kind: PurposeKind) -> OpResult<Option<Seen<EmailLink>>> {
        let (link, at) = (self.ports.store.find_own_email_link(user.id, kind).await?, self.now());
        Ok(link.filter(|link| link.peek().is_live(at) && !is_overtaken(link.peek(), user)))
    }

    async fn follow(&self, caller: &Caller, command: &FollowEmailLink, kind: PurposeKind) -> OpResult<()> {
        fields::given("token", &command.token)?;
        let at = self.now();
        self.retrying(|| async {
            let link = self.find_link(&command.token).await?;
            let link = link.filter(|link| link.peek().purpose.kind() == kind && link.peek().is_live(at));
            let link = link.ok_or_else(invalid)?;
            let user = self.ports.store.find_user(link.peek().user_id).await?.ok_or_else(invalid)?;
            if kind == PurposeKind::Change && is_overtaken(link.peek(), user.peek()) {
                return Err(invalid());
            }
            let mut changes = Changes::by(caller);
            let link = changes.remove(link);
            if kind != PurposeKind::Add {
                self.end_sessions(link.user_id, None, &mut changes).await?;
            }
            changes.audit(audited_as(kind), link.user_id);
            carry_out(&mut changes, user, link.purpose, at)?;
            self.commit(caller, changes).await.map_err(email_taken)?;
            Ok(())
        })
        .await
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
                return Err(OpError::failed_precondition("EMAIL_CREDENTIAL_EXISTS", message));
            }
            Ok(user.with_email(email, hash, at))
        }
        Purpose::Change { to } | Purpose::Revert { to } => Ok(user.at_email(to, at)),
        // Followed by ResetPassword alone, which sets the password with it.
        Purpose::Reset { .. } => Err(invalid()),
    })?;
    Ok(())
}

/// Whether the address was changed, or a change taken back, after this change was asked for.
fn is_overtaken(link: &EmailLink, user: &User) -> bool {
    user.email_changed_at.is_some_and(|last| link.created_at < last)
}

/// The link may not be followed.
pub(super) fn invalid() -> OpError {
    OpError::failed_precondition("TOKEN_INVALID", "this link is unknown, used, replaced or expired; ask for a new one")
}
