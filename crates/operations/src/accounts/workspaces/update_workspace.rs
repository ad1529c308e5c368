//! `UpdateWorkspace`: another name, description, time zone or other settings for a workspace.

use crate::accounts::two_factor::strong_factors::require_factors_of_members;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::workspace::{KeyLife, NewDescription, SettingsChange, Workspace, WorkspaceChange};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::{Caller, Changes};

use crate::results::require_version;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// The changes to one workspace; absent fields stay unchanged.
#[derive(Debug, Clone)]
pub struct UpdateWorkspace {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The name from now on.
    pub name: Option<String>,
    /// The new description; an empty text removes it.
    pub description: Option<String>,
    /// The time zone from now on: a name of the IANA database; empty is UTC.
    pub time_zone: Option<String>,
    /// Whether members need an authenticator app or a passkey from now on.
    pub require_two_factor: Option<bool>,
    /// The maximum lifetime of new keys in days, 1 to 3650; 0 for no limit of the workspace.
    pub max_api_key_lifetime_days: Option<i32>,
    /// Whether a mailed code counts as a second factor from now on.
    pub allow_email_step_up: Option<bool>,
    /// The version that the caller saw, from 1; rejected when the workspace has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Changes name, description, time zone and settings of a workspace. What asks for less than before needs a recent second factor.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for bad fields and when nothing is to change; `failed_precondition` with
    /// `VERSION_MISMATCH`, `STEP_UP_REQUIRED`, or `MEMBERS_WITHOUT_TWO_FACTOR` where a second factor is to be asked for that
    /// not every member has.
    pub async fn update_workspace(&self, caller: &Caller, command: UpdateWorkspace) -> OpResult<Versioned<Workspace>> {
        let scope = rules::UPDATE_WORKSPACE.enter(&caller.principal, command.workspace_id)?;
        let change = change(&command)?;
        fields::expected_version(command.expected_version)?;
        self.retrying(|| async {
            let found = self.ports.store.workspaces().find(scope).await?;
            let workspace = found.ok_or_else(|| OpError::not_found("workspace"))?;
            require_version(&workspace, command.expected_version)?;
            let (at, before) = (self.now(), workspace.peek().settings);
            let mut changes = Changes::by(caller);
            let decide = |workspace: Workspace| Ok::<_, OpError>(workspace.change(change.clone(), at));
            let revised = changes.revise(workspace, decide)?;
            let after = revised.value.settings;
            if before.is_stricter_than(after) {
                self.require_step_up_in(caller, scope, rules::UPDATE_WORKSPACE, &mut changes).await?;
            }
            if after.require_two_factor && !before.require_two_factor {
                require_factors_of_members(self, scope, &mut changes).await?;
            }
            changes.audit(AuditKind::WorkspaceUpdated, &revised.value);
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
    let time_zone = command.time_zone.as_deref().map(|name| fields::time_zone("timeZone", name)).transpose()?;
    let settings = SettingsChange {
        require_two_factor: command.require_two_factor,
        key_life: command.max_api_key_lifetime_days.map(key_life).transpose()?,
        allow_email_step_up: command.allow_email_step_up,
    };
    let change = WorkspaceChange { name, description, time_zone, settings };
    if change == WorkspaceChange::default() {
        return Err(OpError::invalid_field("name", "or another field that is to change is required"));
    }
    Ok(change)
}

fn key_life(days: i32) -> OpResult<Option<KeyLife>> {
    match days {
        0 => Ok(None),
        days => KeyLife::new(days.into()).map(Some).map_err(|error| {
            OpError::invalid_field("maxApiKeyLifetimeDays", format_args!("{error}, or 0 for no limit"))
        }),
    }
}
