//! `UpdateWorkspace`: another name or description for a workspace.

use tradepost_domain::audit::AuditKind;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::workspace::{NewDescription, Workspace, WorkspaceChange};
use tradepost_ports::changes::{Caller, Changes};

use crate::answers::require_version;
use crate::rules::WRITE_WORKSPACE;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// What to change of which workspace; what is absent stays.
#[derive(Debug, Clone)]
pub struct UpdateWorkspace {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The name from now on.
    pub name: Option<String>,
    /// What it is for from now on; an empty text takes the description away.
    pub description: Option<String>,
    /// The version that the caller saw, from 1; refused when the workspace has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Changes name and description of a workspace.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for bad fields and when nothing is to change; `failed_precondition` with
    /// `VERSION_MISMATCH`.
    pub async fn update_workspace(&self, caller: &Caller, command: UpdateWorkspace) -> OpResult<Versioned<Workspace>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_WORKSPACE)?;
        let change = change(&command)?;
        fields::expected_version(command.expected_version)?;
        self.retrying(|| async {
            let found = self.ports.store.find_workspace(scope).await?;
            let workspace = found.ok_or_else(|| OpError::not_found("workspace"))?;
            require_version(&workspace, command.expected_version)?;
            let at = self.now();
            let mut changes = Changes::by(caller);
            let decide = |workspace: Workspace| Ok::<_, OpError>(workspace.change(change.clone(), at));
            let revised = changes.revise(workspace, decide)?;
            changes.audit(AuditKind::WorkspaceUpdated, revised.value.id);
            self.commit(caller, changes).await?;
            Ok(revised.into())
        })
        .await
    }
}

fn change(command: &UpdateWorkspace) -> OpResult<WorkspaceChange> {
    let description = match command.description.as_deref().map(str::trim) {
        None => None,
        Some("") => Some(NewDescription::Empty),
        Some(text) => Some(NewDescription::Text(fields::text("description", text)?)),
    };
    let name = command.name.as_deref().map(|name| fields::text("name", name)).transpose()?;
    if name.is_none() && description.is_none() {
        return Err(OpError::invalid_field("name", "or description is required"));
    }
    Ok(WorkspaceChange { name, description })
}
