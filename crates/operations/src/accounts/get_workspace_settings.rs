//! `GetWorkspaceSettings`: what a workspace asks of its members and of their keys.

use tradepost_domain::accounts::workspace::Settings;
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::Caller;

use crate::{OpError, OpResult, Operations, Versioned};

/// Of which workspace.
#[derive(Debug, Clone, Copy)]
pub struct GetWorkspaceSettings {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Fetches the settings of a workspace, with the version of the workspace.
    ///
    /// # Errors
    /// `permission_denied` for another workspace than the caller's, whether it exists or not.
    pub async fn get_workspace_settings(
        &self,
        caller: &Caller,
        command: GetWorkspaceSettings,
    ) -> OpResult<Versioned<Settings>> {
        let scope = caller.principal.enter_as_member(command.workspace_id)?;
        let found = self.ports.store.find_workspace(scope).await?;
        let (workspace, version) = found.ok_or_else(|| OpError::not_found("workspace"))?.only_to_show();
        Ok(Versioned { value: workspace.settings, version })
    }
}
