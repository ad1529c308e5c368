//! [`CreateAlertRule`]: creates a rule of a channel.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::alerts::channel::ChannelKind;
use tradepost_domain::alerts::rule::{AlertRule, MOST_RULES};
use tradepost_domain::id::{AlertChannelId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use super::terms::AlertRuleTerms;
use crate::alerts::channels::access::{channel_to_change, progress_of};
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// Makes a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateAlertRule {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
    /// What it says.
    pub terms: AlertRuleTerms,
}

impl Operations {
    /// Creates a rule of a channel. It is about what happens from now on.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field; `not_found` without such a channel; `failed_precondition` with
    /// `ALERT_LIMIT`.
    pub async fn create_alert_rule(&self, caller: &Caller, command: CreateAlertRule) -> OpResult<Versioned<AlertRule>> {
        let scope = rules::CREATE_ALERT_RULE.enter(&caller.principal, command.workspace_id)?;
        let (terms, id, at) = (command.terms.checked(self, scope).await?, command.channel_id, self.now());
        self.retrying(|| async {
            let seen = channel_to_change(self, caller, scope, id, None).await?;
            let mut changes = Changes::by(caller);
            let channel = changes.rely_on(seen);
            if channel.kind == ChannelKind::Heartbeat {
                return Err(OpError::invalid_field("channelId", "must not be a heartbeat, which has no rules"));
            }
            // Of two rules that are created at once, one commits and the other is counted again.
            changes.revise(progress_of(self, scope, id).await?, Ok::<_, OpError>)?;
            if self.ports.store.alerts().find_rules_of(scope, id).await?.len() >= MOST_RULES {
                let message = format!("an alert channel has at most {MOST_RULES} rules; delete one first");
                return Err(OpError::failed_precondition(Reason::AlertLimit, message));
            }
            let rule = AlertRule {
                id: self.mint(),
                workspace_id: channel.workspace_id,
                channel_id: id,
                user_id: channel.user_id,
                terms: terms.clone(),
                created_at: at,
                updated_at: at,
            };
            changes.insert(rule.clone());
            changes.audit(AuditKind::AlertRuleCreated, &rule);
            self.commit(caller, changes).await?;
            Ok(Versioned::new(rule))
        })
        .await
    }
}
