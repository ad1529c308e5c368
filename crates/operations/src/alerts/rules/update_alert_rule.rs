//! [`UpdateAlertRule`]: replaces what a rule says.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::alerts::rule::AlertRule;
use tradepost_domain::id::{AlertRuleId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use super::terms::{AlertRuleTerms, rule_as_seen};
use crate::alerts::channels::access::require_change;
use crate::results::require_version;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Replaces what a rule says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateAlertRule {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The rule.
    pub rule_id: AlertRuleId,
    /// What it says from now on.
    pub terms: AlertRuleTerms,
    /// The version that the caller saw, from 1; rejected when the rule has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Replaces what a rule says. Messages that wait stay as they are.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` naming the field, `not_found`, `failed_precondition` with `VERSION_MISMATCH`.
    pub async fn update_alert_rule(&self, caller: &Caller, command: UpdateAlertRule) -> OpResult<Versioned<AlertRule>> {
        let scope = rules::UPDATE_ALERT_RULE.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let (terms, at) = (command.terms.checked(self, scope).await?, self.now());
        let changed = self
            .retrying(|| async {
                let seen = rule_as_seen(self, caller, scope, command.rule_id).await?;
                require_change(caller, command.workspace_id, seen.peek().user_id)?;
                require_version(&seen, command.expected_version)?;
                let mut changes = Changes::by(caller);
                let next = changes.revise(seen, |rule| Ok::<_, OpError>(rule.with_terms(terms.clone(), at)))?;
                changes.audit(AuditKind::AlertRuleUpdated, &next.value);
                self.commit(caller, changes).await?;
                Ok(next)
            })
            .await?;
        Ok(changed.into())
    }
}
