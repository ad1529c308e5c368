//! Reads of alert rules.

use tradepost_domain::alerts::rule::AlertRule;
use tradepost_domain::id::{AlertChannelId, AlertRuleId, OfAlertRule, WorkspaceId};
use tradepost_ports::changes::Caller;

use super::terms::rule_as_seen;
use crate::alerts::channels::access::{channel_as_seen, is_seen_by};
use crate::paging::ListKey;
use crate::rules;
use crate::{Batch, OpResult, Operations, PageOf, Versioned, fields};

/// A request for one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetAlertRule {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The rule.
    pub rule_id: AlertRuleId,
}

/// A request for several rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetAlertRules {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The rules, 1 to 200.
    pub rule_ids: Vec<AlertRuleId>,
}

/// A request for a page of the rules of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAlertRules {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

/// A request for the number of rules of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountAlertRules {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
}

impl Operations {
    /// Returns one rule.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, also for one of another member's own channel.
    pub async fn get_alert_rule(&self, caller: &Caller, command: GetAlertRule) -> OpResult<Versioned<AlertRule>> {
        let scope = rules::GET_ALERT_RULE.enter(&caller.principal, command.workspace_id)?;
        Ok(rule_as_seen(self, caller, scope, command.rule_id).await?.into())
    }

    /// Returns several rules in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_alert_rules(
        &self,
        caller: &Caller,
        command: GetAlertRules,
    ) -> OpResult<Batch<AlertRule, OfAlertRule>> {
        let scope = rules::GET_ALERT_RULES.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("ruleIds", &command.rule_ids)?;
        let mut found = self.ports.store.alerts().find_rules(scope, &ids).await?;
        found.retain(|rule| is_seen_by(caller, rule.peek().user_id));
        Ok(Batch::in_order(ids, found, |rule| rule.id))
    }

    /// Returns a page of the rules of a channel, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` without such a channel, `invalid_argument` for a negative limit or a cursor that this list did not
    /// give out.
    pub async fn list_alert_rules(&self, caller: &Caller, command: ListAlertRules) -> OpResult<PageOf<AlertRuleId>> {
        let scope = rules::LIST_ALERT_RULES.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("alert rules", scope).and_id(Some(command.channel_id));
        let request = self.page_request::<OfAlertRule>(&key, command.limit, &command.cursor)?;
        channel_as_seen(self, caller, scope, command.channel_id, None).await?.into_display();
        let page = self.to_show(caller, scope).alerts().list_rules(scope, command.channel_id, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts the rules of a channel.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` without such a channel.
    pub async fn count_alert_rules(&self, caller: &Caller, command: CountAlertRules) -> OpResult<i64> {
        let scope = rules::COUNT_ALERT_RULES.enter(&caller.principal, command.workspace_id)?;
        channel_as_seen(self, caller, scope, command.channel_id, None).await?.into_display();
        let rules = self.to_show(caller, scope).alerts().find_rules_of(scope, command.channel_id).await?;
        Ok(i64::try_from(rules.len()).unwrap_or(i64::MAX))
    }
}
