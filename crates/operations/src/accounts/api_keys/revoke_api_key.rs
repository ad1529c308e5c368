//! `RevokeAPIKey`: ends a key. It requires no second factor because revoking must be easy.

use crate::accounts::memberships::membership_changes::addresses_of_user;
use crate::accounts::memberships::membership_changes::revoke_key;
use crate::accounts::memberships::membership_changes::workspace_name;
use tradepost_domain::accounts::access::{Denied, Principal, PrincipalId, Prover, WorkspaceAccess};
use tradepost_domain::accounts::policy::Policy;
use tradepost_domain::id::{ApiKeyId, UserId, WorkspaceId};
use tradepost_domain::text::ReasonText;
use tradepost_ports::changes::{Caller, Changes};

use crate::accounts::memberships::membership_changes::Revocation;
use crate::accounts::workspaces::default_workspace::access_at_home;
use crate::mails::Notice;
use crate::rules::WRITE_WORKSPACE;
use crate::{OpError, OpResult, Operations, fields};

/// The key to revoke.
#[derive(Debug, Clone)]
pub struct RevokeApiKey {
    /// The key.
    pub api_key_id: ApiKeyId,
    /// Its workspace, for the process itself.
    pub workspace_id: Option<WorkspaceId>,
    /// Why, in 1 to 200 characters.
    pub reason: Option<String>,
}

impl Operations {
    /// Revokes a key.
    ///
    /// The policy `workspace` revokes any key of the workspace, `identity` the caller's own keys, and every key itself. When another user
    /// revokes it, its owner is notified, with the reason if one is given.
    ///
    /// # Errors
    /// `permission_denied`; `not_found`; `failed_precondition` with `API_KEY_REVOKED` the second time; `invalid_argument` for a
    /// bad reason.
    pub async fn revoke_api_key(&self, caller: &Caller, command: RevokeApiKey) -> OpResult<()> {
        let (scope, holder) = match caller.principal {
            Principal::Key(_) | Principal::Session(_) => {
                let access = access_at_home(caller)?;
                (caller.principal.enter_as_member(access.workspace_id)?, Some(access))
            }
            Principal::Person(_) | Principal::System | Principal::Anonymous => {
                (caller.principal.enter(command.workspace_id.ok_or(Denied)?, WRITE_WORKSPACE)?, None)
            }
        };
        let is_itself = matches!(
            caller.principal.prover(),
            Some(Prover { id: PrincipalId::Key(id), .. }) if id == command.api_key_id
        );
        let reason: Option<ReasonText> = fields::optional(command.reason.as_deref(), fields::text, "reason")?;
        self.retrying(|| async {
            let found = self.ports.store.api_keys().find(scope, command.api_key_id).await?;
            if let Some(holder) = holder {
                let owner = found.as_ref().map(|listed| listed.key.peek().owner_id);
                if !is_itself && !may_revoke(holder, owner) {
                    return Err(Denied.into());
                }
            }
            let listed = found.ok_or_else(|| OpError::not_found("API key"))?;
            let mut changes = Changes::by(caller);
            let revoked = revoke_key(self, caller, &mut changes, listed.key, Revocation::Requested(reason.as_ref()))?;
            if caller.principal.prover().is_none_or(|prover| prover.user_id != revoked.owner_id) {
                let workspace = workspace_name(self, revoked.workspace_id).await?;
                let concerned = addresses_of_user(self, Some(revoked.owner_id)).await?;
                self.send_notice(&mut changes, &concerned, &Notice::key_revoked(&workspace, &revoked, reason.as_ref()));
            }
            self.commit(caller, changes).await?;
            Ok(())
        })
        .await
    }
}

fn may_revoke(holder: WorkspaceAccess, owner: Option<UserId>) -> bool {
    holder.rights.has(Policy::Workspace) || (holder.rights.has(Policy::Identity) && owner == Some(holder.user_id))
}
