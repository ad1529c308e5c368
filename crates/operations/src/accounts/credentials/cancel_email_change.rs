//! `CancelEmailChange`: gives up a change of address before it is confirmed.

use crate::accounts::credentials::email_links::waiting_link;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::email_link::PurposeKind;
use tradepost_ports::changes::{Caller, Changes};

use crate::{OpError, OpResult, Operations, Reason};

impl Operations {
    /// Ends both links of the change that waits for its confirmation: the one that confirms it, and the one that takes it
    /// back, for which nothing is left to do.
    ///
    /// # Errors
    /// `failed_precondition` with `NO_EMAIL_CHANGE` when none waits; `permission_denied` for a key without `identity`.
    pub async fn cancel_email_change(&self, caller: &Caller) -> OpResult<()> {
        let user_id = caller.principal.act_as_user()?;
        let store = &self.ports.store;
        self.retrying(|| async {
            let user = store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
            let change = waiting_link(self, user.peek(), PurposeKind::Change).await?.ok_or_else(none_waits)?;
            let mut changes = Changes::by(caller);
            let change = changes.remove(change);
            changes.audit(AuditKind::CredentialEmailChangeCancelled, user_id);
            let revert = store.email_links().find_own(user_id, PurposeKind::Revert).await?;
            // A revert link that is newer than the confirmation link belongs to this change; an older one reverts an earlier change.
            if let Some(revert) = revert.filter(|revert| revert.peek().created_at >= change.created_at) {
                changes.remove(revert);
            }
            self.commit(caller, changes).await.map(drop)
        })
        .await
    }
}

fn none_waits() -> OpError {
    OpError::failed_precondition(Reason::NoEmailChange, "no change of address waits for its confirmation")
}
