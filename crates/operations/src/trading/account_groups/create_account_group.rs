//! [`CreateAccountGroup`]: makes a group of trading accounts.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{RecordKey, WorkspaceId};
use tradepost_domain::text::Description;
use tradepost_domain::trading::trading_account::AccountGroup;
use tradepost_ports::changes::{Caller, Changes};

use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Makes a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateAccountGroup {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Name for people, 1 to 64 characters.
    pub name: String,
    /// The purpose of the group, at most 512 characters; may be empty.
    pub description: String,
}

impl Operations {
    /// Creates a group of trading accounts, without members.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field.
    pub async fn create_account_group(
        &self,
        caller: &Caller,
        command: CreateAccountGroup,
    ) -> OpResult<Versioned<AccountGroup>> {
        rules::CREATE_ACCOUNT_GROUP.enter(&caller.principal, command.workspace_id)?;
        let name = fields::text("name", &command.name)?;
        let description: Option<Description> = match command.description.trim() {
            "" => None,
            text => Some(fields::text("description", text)?),
        };
        let at = self.market_now(command.workspace_id);
        let key = RecordKey { workspace_id: command.workspace_id, id: self.mint() };
        let group = AccountGroup::new(key, name, description, at);
        let mut changes = Changes::by(caller);
        changes.insert(group.clone());
        changes.audit(AuditKind::AccountGroupCreated, &group);
        self.commit(caller, changes).await?;
        Ok(Versioned::new(group))
    }
}
