//! `RevokeAPIKey`: a key that opens nothing any more. Easy on purpose: no second factor is asked for.

use tradepost_domain::access::{Denied, KeyHolder};
use tradepost_domain::id::{ApiKeyId, WorkspaceId};
use tradepost_domain::policy::Policy;
use tradepost_ports::changes::{Caller, Changes};

use crate::rules::WRITE_WORKSPACE;
use crate::{OpError, OpResult, Operations};

/// Which key.
#[derive(Debug, Clone, Copy)]
pub struct RevokeApiKey {
    /// The key.
    pub api_key_id: ApiKeyId,
    /// Its workspace, for callers that are no key themselves.
    pub workspace_id: Option<WorkspaceId>,
}

impl Operations {
    /// Revokes a key: any key of the workspace with the policy `workspace`, one's own with `identity`, and every key
    /// itself.
    ///
    /// # Errors
    /// `permission_denied`; `not_found`; `failed_precondition` with `API_KEY_REVOKED` the second time.
    pub async fn revoke_api_key(&self, caller: &Caller, command: RevokeApiKey) -> OpResult<()> {
        let (scope, holder) = match caller.principal.key() {
            Ok(holder) => (caller.principal.enter_as_member(holder.workspace_id)?, Some(holder)),
            Err(denied) => (caller.principal.enter(command.workspace_id.ok_or(denied)?, WRITE_WORKSPACE)?, None),
        };
        self.retrying(|| async {
            let found = self.ports.store.find_key(scope, command.api_key_id).await?;
            if let Some(holder) = holder {
                let owner = found.as_ref().map(|listed| listed.key.peek().owner_id);
                let may = may_revoke(holder, command.api_key_id)
                    || (owner == Some(holder.user_id) && holder.rights.has(Policy::Identity));
                if !may {
                    return Err(Denied.into());
                }
            }
            let listed = found.ok_or_else(|| OpError::not_found("API key"))?;
            let mut changes = Changes::by(caller);
            self.revoke_key(caller, &mut changes, listed.key, "revoke")?;
            self.commit(caller, changes).await?;
            Ok(())
        })
        .await
    }
}

fn may_revoke(holder: &KeyHolder, key: ApiKeyId) -> bool {
    holder.key_id == key || holder.rights.has(Policy::Workspace)
}
