//! [`IgnoreInventoryChange`]: a person decides that an open change needs no inventory item.

use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::id::{InventoryChangeId, WorkspaceId};
use tradepost_domain::text::ReasonText;
use tradepost_domain::trading::inventory_change::InventoryChange;
use tradepost_ports::changes::{Caller, Changes};

use super::change_steps::{ChangeAsSeen, change_as_seen, decide_on_change};
use crate::commit::By;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Ignores an inventory change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreInventoryChange {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The inventory change.
    pub inventory_change_id: InventoryChangeId,
    /// Why, in 1 to 200 characters.
    pub reason: String,
    /// The version that the caller saw, from 1; rejected when the change has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Closes a change that needs no inventory item. The remediation of an orphan is resolved with it.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad reason or an expected version below 1, `not_found`, `failed_precondition`:
    /// `VERSION_MISMATCH`, `ILLEGAL_STEP` unless it is open.
    pub async fn ignore_inventory_change(
        &self,
        caller: &Caller,
        command: IgnoreInventoryChange,
    ) -> OpResult<Versioned<InventoryChange>> {
        let scope = rules::IGNORE_INVENTORY_CHANGE.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let reason: ReasonText = fields::text("reason", &command.reason)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = change_as_seen(self, scope, command.inventory_change_id, command.expected_version).await?;
            let (mut changes, why) = (Changes::by(caller), reason.clone());
            let decide = |change: InventoryChange| change.ignored(why, at);
            let ignored =
                decide_on_change(self, &mut changes, By { caller, at }, ChangeAsSeen { scope, seen }, decide).await?;
            let about = About::from(&ignored.value).with(Fact::Reason, &reason);
            changes.audit(AuditKind::InventoryChangeIgnored, about);
            self.commit(caller, changes).await?;
            Ok(ignored.into())
        })
        .await
    }
}
