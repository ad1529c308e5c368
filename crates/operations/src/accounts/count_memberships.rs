//! `CountMemberships`: how many memberships there are in each status.

use tradepost_domain::accounts::access::{Denied, Principal};
use tradepost_domain::accounts::membership::Status;
use tradepost_domain::accounts::policy::Policy;
use tradepost_domain::id::{UserId, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;

use crate::answers::every_status;
use crate::{OpError, OpResult, Operations, StatusCount};

/// What to count.
#[derive(Debug, Clone, Copy)]
pub struct CountMemberships {
    /// Only this user's.
    pub user_id: Option<UserId>,
    /// Only of this workspace.
    pub workspace_id: Option<WorkspaceId>,
}

impl Operations {
    /// Counts memberships by status, all statuses in order, zeros included. Without a filter a key counts its own
    /// workspace, and a session those of its user.
    ///
    /// # Errors
    /// `permission_denied` for somebody else's memberships across workspaces, or another workspace than the caller's.
    pub async fn count_memberships(
        &self,
        caller: &Caller,
        command: CountMemberships,
    ) -> OpResult<Vec<StatusCount<Status>>> {
        let counts = match (command.user_id, command.workspace_id) {
            (None, None) => match &caller.principal {
                Principal::Session(session) => self.count_of_user(caller, session.user_id).await?,
                Principal::Key(_) | Principal::Person(_) | Principal::System | Principal::Anonymous => {
                    let workspace_id = caller.principal.home()?.ok_or(Denied)?;
                    self.count_in_workspace(caller, workspace_id).await?
                }
            },
            (None, Some(workspace_id)) => self.count_in_workspace(caller, workspace_id).await?,
            (Some(user_id), None) => self.count_of_user(caller, user_id).await?,
            (Some(user_id), Some(workspace_id)) => self.count_of_member(caller, user_id, workspace_id).await?,
        };
        Ok(every_status(&Status::ALL, Status::code, &counts))
    }

    async fn count_in_workspace(&self, caller: &Caller, workspace_id: WorkspaceId) -> OpResult<Vec<(i16, i64)>> {
        let scope = caller.principal.enter_as_member(workspace_id)?;
        Ok(self.ports.store.count_by_status(scope, Kind::Membership, None).await?)
    }

    async fn count_of_user(&self, caller: &Caller, user_id: UserId) -> OpResult<Vec<(i16, i64)>> {
        if caller.principal.act_as_user()? != user_id {
            return Err(Denied.into());
        }
        let user = self.ports.store.find_user(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
        Ok(self.ports.store.count_own_memberships(user.peek()).await?)
    }

    async fn count_of_member(
        &self,
        caller: &Caller,
        user_id: UserId,
        workspace_id: WorkspaceId,
    ) -> OpResult<Vec<(i16, i64)>> {
        let scope = caller.principal.enter_as_member(workspace_id)?;
        let own = caller.principal.access_to(workspace_id)?;
        if own.user_id != user_id && !own.rights.has(Policy::Workspace) {
            return Err(Denied.into());
        }
        Ok(self.ports.store.count_memberships_of(scope, user_id).await?)
    }
}
