//! `GetEffectivePermissions`: what the caller may do now.

use tradepost_domain::id::{UserId, WorkspaceId};
use tradepost_domain::policy::{PolicySet, Role};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;

use crate::rules::RULES;
use crate::{OpResult, Operations};

/// In which workspace.
#[derive(Debug, Clone, Copy)]
pub struct GetEffectivePermissions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// The rights of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectivePermissions {
    /// The key's owner.
    pub user_id: UserId,
    /// The owner's role.
    pub role: Role,
    /// The policies in force: the key's, as far as its owner holds them now.
    pub policies: PolicySet,
    /// The names of the operations that are open.
    pub operations: Vec<&'static str>,
    /// Until when sensitive operations are open; absent when a step-up is needed first.
    pub step_up_valid_until: Option<Timestamp>,
}

impl Operations {
    /// Tells what the calling key may do in its workspace.
    ///
    /// # Errors
    /// `permission_denied` for another workspace than the key's.
    pub async fn get_effective_permissions(
        &self,
        caller: &Caller,
        command: GetEffectivePermissions,
    ) -> OpResult<EffectivePermissions> {
        caller.principal.enter_as_member(command.workspace_id)?;
        let holder = caller.principal.key()?;
        let at = self.now();
        let grant = self.ports.store.find_grant(holder.user_id, holder.key_id).await?;
        let grant = grant.map(|seen| seen.only_to_show().0).filter(|grant| grant.is_valid(at));
        Ok(EffectivePermissions {
            user_id: holder.user_id,
            role: holder.role,
            policies: holder.rights,
            operations: RULES.iter().filter(|rule| rule.admits(&caller.principal)).map(|rule| rule.method).collect(),
            step_up_valid_until: grant.map(|grant| grant.valid_until()),
        })
    }
}
