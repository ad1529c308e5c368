//! `ListWorkspaces`: where the caller's user is a member.

use tradepost_domain::accounts::workspace::Workspace;
use tradepost_ports::changes::Caller;

use crate::{OpResult, Operations};

impl Operations {
    /// Lists the workspaces of which the caller's user is an accepted member, the newest first.
    ///
    /// # Errors
    /// `permission_denied` for a key without `identity`.
    pub async fn list_workspaces(&self, caller: &Caller) -> OpResult<Vec<Workspace>> {
        let user_id = caller.principal.act_as_user()?;
        let own = self.ports.store.workspaces().list_own(user_id).await?;
        Ok(own.into_iter().rev().map(|seen| seen.into_display().0).collect())
    }
}
