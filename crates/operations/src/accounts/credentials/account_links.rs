//! `BeginAccountLink`, `FinishAccountLink`, `ListLinkedAccounts` and `UnlinkAccount`: identities of other platforms by which a
//! user can sign in.

use crate::accounts::credentials::linking::begin_link;
use crate::accounts::credentials::linking::prove_identity;
use crate::accounts::credentials::linking::use_up;
use crate::accounts::credentials::sign_in_methods::rely_on_another_way_in;
use tradepost_domain::accounts::account_link::{MOST, Purpose};
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::user::LinkedIdentity;
use tradepost_domain::id::{LinkedIdentityId, UserId};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{StoreError, Unique};

use super::linking::{BeginLink, BegunLink, FinishLink, ProvenAt, used_up};
use super::sign_in_methods::SignInMethod;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason};

/// The identity to unlink.
#[derive(Debug, Clone, Copy)]
pub struct UnlinkAccount {
    /// The identity.
    pub linked_account_id: LinkedIdentityId,
}

impl Operations {
    /// Begins to link an identity of another platform to the caller's user. Only the same key or session can finish it.
    ///
    /// # Errors
    /// `invalid_argument` for an address that is not allowed; `failed_precondition` with `STEP_UP_REQUIRED` or
    /// `PROVIDER_NOT_OFFERED`; `permission_denied` for a key without `identity`.
    pub async fn begin_account_link(&self, caller: &Caller, command: BeginLink) -> OpResult<BegunLink> {
        let (user_id, purpose) = (caller.principal.act_as_user()?, purpose_of(caller)?);
        let mut changes = Changes::by(caller);
        self.require_step_up(caller, rules::BEGIN_ACCOUNT_LINK, &mut changes).await?;
        changes.audit(AuditKind::AccountLinkBegin, About::from(user_id).with(Fact::Provider, &command.provider));
        begin_link(self, caller, changes, command, purpose).await
    }

    /// Links the identity that the platform's answer proves, and notifies the user by mail. An identity that the user already has is
    /// returned unchanged.
    ///
    /// # Errors
    /// `failed_precondition` with `LINK_INVALID`, `PROVIDER_DENIED` or `LINK_LIMIT`; `already_exists` with `IDENTITY_TAKEN`;
    /// `internal` with `PROVIDER_UNAVAILABLE`; `invalid_argument`; `permission_denied` for a key without `identity`.
    pub async fn finish_account_link(&self, caller: &Caller, command: FinishLink) -> OpResult<LinkedIdentity> {
        let user_id = caller.principal.act_as_user()?;
        let purpose = purpose_of(caller)?;
        let proven = prove_identity(self, &command, purpose).await?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            use_up(self, command.link_id, purpose, &proven.proven, &mut changes).await?;
            let linked = self.link_identity(user_id, &proven, &mut changes).await?;
            self.commit(caller, changes).await.map_err(lost_race)?;
            Ok(linked)
        })
        .await
    }

    /// Links the identity to the user.
    async fn link_identity(
        &self,
        user_id: UserId,
        ProvenAt { provider, proven }: &ProvenAt,
        changes: &mut Changes,
    ) -> OpResult<LinkedIdentity> {
        if let Some(known) = self.ports.store.account_links().find_identity(*provider, &proven.subject).await? {
            let (known, _) = known.into_display();
            return if known.user_id == user_id { Ok(known) } else { Err(taken()) };
        }
        // Rewritten, so that of two concurrent calls one has to count again.
        let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
        changes.revise(user, Ok::<_, OpError>)?;
        if self.ports.store.account_links().list_identities(user_id).await?.len() >= MOST {
            let message = format!("a user has at most {MOST} linked identities");
            return Err(OpError::failed_precondition(Reason::LinkLimit, message));
        }
        let at = self.now();
        let subject = proven.subject.clone();
        let identity = LinkedIdentity { id: self.mint(), user_id, provider: *provider, subject, linked_at: at };
        changes.insert(identity.clone());
        changes.audit(AuditKind::AccountLinkLinked, &identity);
        self.notify_user(changes, user_id, |to| Self::identity_linked_mail(to, *provider)).await?;
        Ok(identity)
    }

    /// Lists the identities that are linked to the caller's user, the oldest first.
    ///
    /// # Errors
    /// `permission_denied` for a key without `identity`.
    pub async fn list_linked_accounts(&self, caller: &Caller) -> OpResult<Vec<LinkedIdentity>> {
        let user_id = caller.principal.act_as_user()?;
        let linked = self.ports.store.account_links().list_identities(user_id).await?;
        Ok(linked.into_iter().map(|identity| identity.into_display().0).collect())
    }

    /// Unlinks an identity, ends its sign-ins that wait for a second factor, and notifies the user by mail. The last sign-in method stays.
    ///
    /// # Errors
    /// `not_found`; `failed_precondition` with `STEP_UP_REQUIRED` or `LAST_SIGN_IN_METHOD`; `permission_denied` for a key
    /// without `identity`.
    pub async fn unlink_account(&self, caller: &Caller, command: UnlinkAccount) -> OpResult<()> {
        let user_id = caller.principal.act_as_user()?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up(caller, rules::UNLINK_ACCOUNT, &mut changes).await?;
            let linked = self.ports.store.account_links().list_identities(user_id).await?;
            let it = linked.into_iter().find(|linked| linked.peek().id == command.linked_account_id);
            let it = it.ok_or_else(|| OpError::not_found("linked account"))?;
            let method = SignInMethod::LinkedIdentity(command.linked_account_id);
            rely_on_another_way_in(self, user_id, method, &mut changes).await?;
            for begun in self.ports.store.sign_ins().list_pending(user_id).await? {
                changes.remove(begun);
            }
            let unlinked = changes.remove(it);
            changes.audit(AuditKind::AccountLinkUnlinked, &unlinked);
            self.notify_user(&mut changes, user_id, |to| Self::identity_unlinked_mail(to, unlinked.provider)).await?;
            self.commit(caller, changes).await.map(drop)
        })
        .await
    }
}

/// Returns the purpose of a link of the caller's user, by the caller's key or session.
fn purpose_of(caller: &Caller) -> OpResult<Purpose> {
    let user_id = caller.principal.act_as_user()?;
    Ok(Purpose::Link { user_id, principal: caller.principal.prover().map(|prover| prover.id) })
}

fn lost_race(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(Unique::LinkedIdentity)) => taken(),
        Some(_) | None => used_up(error),
    }
}

fn taken() -> OpError {
    OpError::already_exists(Reason::IdentityTaken, "this identity is linked to another account")
}
