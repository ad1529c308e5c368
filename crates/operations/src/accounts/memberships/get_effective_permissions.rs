//! `GetEffectivePermissions`: what the caller may do now.

use tradepost_domain::accounts::access::{Denied, PrincipalId};
use tradepost_domain::accounts::policy::{PolicySet, Role};
use tradepost_domain::id::{UserId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;

use crate::rules::RULES;
use crate::{OpResult, Operations};

/// The workspace.
#[derive(Debug, Clone, Copy)]
pub struct GetEffectivePermissions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// The rights of a key or session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectivePermissions {
    /// The key or session that calls.
    pub principal: PrincipalId,
    /// The key's owner or the session's user.
    pub user_id: UserId,
    /// The user's role.
    pub role: Role,
    /// The policies in force: the key's, as far as its owner holds them now; for a session the user's, and `identity`.
    pub policies: PolicySet,
    /// The names of the operations that are open.
    pub operations: Vec<&'static str>,
    /// The time until which sensitive operations are open; absent when a step-up is needed first.
    pub step_up_valid_until: Option<Timestamp>,
}

impl Operations {
    /// Returns what the calling key or session may do in a workspace.
    ///
    /// # Errors
    /// `permission_denied` for a workspace that is not the caller's.
    pub async fn get_effective_permissions(
        &self,
        caller: &Caller,
        command: GetEffectivePermissions,
    ) -> OpResult<EffectivePermissions> {
        let access = caller.principal.access_to(command.workspace_id)?;
        let prover = caller.principal.prover().ok_or(Denied)?;
        let within = caller.principal.within(command.workspace_id);
        Ok(EffectivePermissions {
            principal: prover.id,
            user_id: prover.user_id,
            role: access.role,
            policies: access.rights,
            operations: RULES.iter().filter(|rule| rule.admits(&within)).map(|rule| rule.method).collect(),
            step_up_valid_until: self.get_step_up_status(caller).await?,
        })
    }
}
