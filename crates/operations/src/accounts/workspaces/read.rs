//! Reads of workspaces.

use tradepost_domain::accounts::workspace::{Settings, Workspace};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::Caller;

use crate::rules;
use crate::{OpError, OpResult, Operations, SimulatedTime, Versioned};

/// The workspace to get.
#[derive(Debug, Clone, Copy)]
pub struct GetWorkspace {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// The workspace.
#[derive(Debug, Clone, Copy)]
pub struct GetWorkspaceSettings {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Fetches a workspace.
    ///
    /// # Errors
    /// `permission_denied` for another workspace than the caller's, whether it exists or not.
    pub async fn get_workspace(&self, caller: &Caller, command: GetWorkspace) -> OpResult<Workspace> {
        let scope = rules::GET_WORKSPACE.enter(&caller.principal, command.workspace_id)?;
        let found = self.ports.store.workspaces().find(scope).await?;
        found.map(|seen| seen.into_display().0).ok_or_else(|| OpError::not_found("workspace"))
    }

    /// Returns the time of the simulated market in which this process trades for a workspace; `None` for the real market.
    ///
    /// # Errors
    /// `permission_denied` for another workspace than the caller's, whether it exists or not.
    pub fn get_simulated_time(&self, caller: &Caller, command: GetWorkspace) -> OpResult<Option<SimulatedTime>> {
        rules::GET_WORKSPACE.enter(&caller.principal, command.workspace_id)?;
        Ok(self.simulated_time(command.workspace_id))
    }

    /// Fetches the settings of a workspace, with the version of the workspace.
    ///
    /// # Errors
    /// `permission_denied` for another workspace than the caller's, whether it exists or not.
    pub async fn get_workspace_settings(
        &self,
        caller: &Caller,
        command: GetWorkspaceSettings,
    ) -> OpResult<Versioned<Settings>> {
        let scope = rules::GET_WORKSPACE_SETTINGS.enter(&caller.principal, command.workspace_id)?;
        let found = self.ports.store.workspaces().find(scope).await?;
        let (workspace, version) = found.ok_or_else(|| OpError::not_found("workspace"))?.into_display();
        Ok(Versioned { value: workspace.settings, version })
    }
}
