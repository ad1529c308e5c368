//! [`UpdateAccountGroup`]: changes name or description of a group of trading accounts.

use crate::trading::trading_accounts::account_moves::account_group_as_seen;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::workspace::NewDescription;
use tradepost_domain::id::{AccountGroupId, WorkspaceId};
use tradepost_domain::trading::trading_account::{AccountGroup, GroupChange};
use tradepost_ports::changes::{Caller, Changes};

use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// The changes to one group; absent fields stay unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateAccountGroup {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The group.
    pub account_group_id: AccountGroupId,
    /// The name from now on, 1 to 64 characters.
    pub name: Option<String>,
    /// The description from now on, at most 512 characters; an empty one takes it away.
    pub description: Option<String>,
    /// The version that the caller saw, from 1; rejected when the group has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Changes name or description of a group.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for bad fields, and when nothing is to change; `not_found`;
    /// `failed_precondition` with `VERSION_MISMATCH`.
    pub async fn update_account_group(
        &self,
        caller: &Caller,
        command: UpdateAccountGroup,
    ) -> OpResult<Versioned<AccountGroup>> {
        let scope = rules::UPDATE_ACCOUNT_GROUP.enter(&caller.principal, command.workspace_id)?;
        let change = change(&command)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let group = account_group_as_seen(self, scope, command.account_group_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            let next = changes.revise(group, |group| Ok::<_, OpError>(group.change(change.clone(), at)))?;
            changes.audit(AuditKind::AccountGroupUpdated, &next.value);
            self.commit(caller, changes).await?;
            Ok(next.into())
        })
        .await
    }
}

fn change(command: &UpdateAccountGroup) -> OpResult<GroupChange> {
    let description = match command.description.as_deref().map(str::trim) {
        None => None,
        Some("") => Some(NewDescription::Empty),
        Some(text) => Some(NewDescription::Text(fields::text("description", text)?)),
    };
    let name = command.name.as_deref().map(|name| fields::text("name", name)).transpose()?;
    let change = GroupChange { name, description };
    if change == GroupChange::default() {
        return Err(OpError::invalid_field("name", "or description is required"));
    }
    Ok(change)
}
