//! [`DeleteAlertRule`]: deletes a rule permanently.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AlertRuleId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use super::terms::rule_as_seen;
use crate::alerts::channels::access::require_change;
use crate::results::require_version;
use crate::rules;
use crate::{OpResult, Operations, fields};

/// Deletes a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeleteAlertRule {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The rule.
    pub rule_id: AlertRuleId,
    /// The version that the caller saw, from 1; rejected when the rule has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Deletes a rule. Messages that wait are sent.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for an expected version below 1, `not_found`, `failed_precondition` with
    /// `VERSION_MISMATCH`.
    pub async fn delete_alert_rule(&self, caller: &Caller, command: DeleteAlertRule) -> OpResult<()> {
        let scope = rules::DELETE_ALERT_RULE.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        self.retrying(|| async {
            let seen = rule_as_seen(self, caller, scope, command.rule_id).await?;
            require_change(caller, command.workspace_id, seen.peek().user_id)?;
            require_version(&seen, command.expected_version)?;
            let mut changes = Changes::by(caller);
            let deleted = changes.remove(seen);
            changes.audit(AuditKind::AlertRuleDeleted, &deleted);
            self.commit(caller, changes).await.map(drop)
        })
        .await
    }
}
