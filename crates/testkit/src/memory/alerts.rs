//! Reads of alert channels, of their rules and progress, and of messages.

use std::collections::BTreeSet;

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::alerts::channel::AlertChannel;
use tradepost_domain::alerts::message::{AlertMessage, MessageState};
use tradepost_domain::alerts::progress::AlertProgress;
use tradepost_domain::alerts::rule::AlertRule;
use tradepost_domain::alerts::topic::ProblemKey;
use tradepost_domain::id::{
    AlertChannelId, AlertMessageId, AlertRuleId, OfAlertChannel, OfAlertMessage, OfAlertRule, RecordKey, UserId,
};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{AlertChannelFilter, AlertMessageFilter, Alerts, Page, PageRequest, StoreResult};

use crate::memory::MemoryStore;
use crate::memory::state::keys_after;

fn is_due(message: &AlertMessage, at: Timestamp) -> bool {
    message.state == MessageState::Waiting && message.due_at <= at
}

#[async_trait]
impl Alerts for MemoryStore {
    async fn find_channels(
        &self,
        scope: WorkspaceScope,
        ids: &[AlertChannelId],
    ) -> StoreResult<Vec<Seen<AlertChannel>>> {
        Ok(self.state().several(scope.workspace_id(), |channel: &AlertChannel| ids.contains(&channel.id)))
    }
    async fn find_channels_of(
        &self,
        scope: WorkspaceScope,
        user: Option<UserId>,
    ) -> StoreResult<Vec<Seen<AlertChannel>>> {
        Ok(self.state().several(scope.workspace_id(), |channel: &AlertChannel| channel.user_id == user))
    }
    async fn list_channels(
        &self,
        scope: WorkspaceScope,
        filter: AlertChannelFilter,
        page: PageRequest<OfAlertChannel>,
    ) -> StoreResult<Page<OfAlertChannel>> {
        let is_wanted = |channel: &AlertChannel| {
            channel.user_id == filter.user_id && filter.status.is_none_or(|wanted| channel.status == wanted)
        };
        Ok(self.state().page(scope.workspace_id(), &page, is_wanted))
    }
    async fn find_alert_progress(
        &self,
        scope: WorkspaceScope,
        ids: &[AlertChannelId],
    ) -> StoreResult<Vec<Seen<AlertProgress>>> {
        Ok(self.state().several(scope.workspace_id(), |progress: &AlertProgress| ids.contains(&progress.channel_id)))
    }
    async fn find_rules(&self, scope: WorkspaceScope, ids: &[AlertRuleId]) -> StoreResult<Vec<Seen<AlertRule>>> {
        Ok(self.state().several(scope.workspace_id(), |rule: &AlertRule| ids.contains(&rule.id)))
    }
    async fn find_rules_of(&self, scope: WorkspaceScope, channel: AlertChannelId) -> StoreResult<Vec<Seen<AlertRule>>> {
        Ok(self.state().several(scope.workspace_id(), |rule: &AlertRule| rule.channel_id == channel))
    }
    async fn list_rules(
        &self,
        scope: WorkspaceScope,
        channel: AlertChannelId,
        page: PageRequest<OfAlertRule>,
    ) -> StoreResult<Page<OfAlertRule>> {
        Ok(self.state().page(scope.workspace_id(), &page, |rule: &AlertRule| rule.channel_id == channel))
    }
    async fn find_messages(
        &self,
        scope: WorkspaceScope,
        ids: &[AlertMessageId],
    ) -> StoreResult<Vec<Seen<AlertMessage>>> {
        Ok(self.state().several(scope.workspace_id(), |message: &AlertMessage| ids.contains(&message.id)))
    }
    async fn find_problems(
        &self,
        scope: WorkspaceScope,
        channel: AlertChannelId,
        problems: &[ProblemKey],
    ) -> StoreResult<Vec<Seen<AlertMessage>>> {
        let is_wanted = |message: &AlertMessage| message.channel_id == channel && problems.contains(&message.problem);
        Ok(self.state().several(scope.workspace_id(), is_wanted))
    }
    async fn list_messages(
        &self,
        scope: WorkspaceScope,
        filter: AlertMessageFilter,
        page: PageRequest<OfAlertMessage>,
    ) -> StoreResult<Page<OfAlertMessage>> {
        let is_wanted = |message: &AlertMessage| {
            message.channel_id == filter.channel_id
                && filter.state.is_none_or(|wanted| message.state == wanted)
                && filter.topic.is_none_or(|wanted| message.topic == wanted)
        };
        Ok(self.state().page(scope.workspace_id(), &page, is_wanted))
    }
    async fn list_active_channels(
        &self,
        after: Option<RecordKey<AlertChannelId>>,
        limit: u32,
    ) -> StoreResult<Vec<RecordKey<AlertChannelId>>> {
        let state = self.state();
        let active = state.all(|channel: &AlertChannel| channel.is_active() && state.is_kept(channel.workspace_id));
        let keys = active.iter().map(|seen| (seen.peek().workspace_id, seen.peek().id));
        Ok(keys_after(keys, after, limit))
    }
    async fn list_due_channels(&self, at: Timestamp, limit: u32) -> StoreResult<Vec<RecordKey<AlertChannelId>>> {
        let state = self.state();
        let due = state.all(|message: &AlertMessage| is_due(message, at) && state.is_kept(message.workspace_id));
        let keys: BTreeSet<_> = due.iter().map(|seen| (seen.peek().workspace_id, seen.peek().channel_id)).collect();
        Ok(keys_after(keys.into_iter(), None, limit))
    }
    async fn list_due_messages(
        &self,
        RecordKey { workspace_id, id }: RecordKey<AlertChannelId>,
        at: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Seen<AlertMessage>>> {
        let is_wanted = |message: &AlertMessage| message.channel_id == id && is_due(message, at);
        let mut due = self.state().several(workspace_id, is_wanted);
        due.sort_by_key(|message| (message.peek().due_at, message.peek().id));
        due.truncate(limit as usize);
        Ok(due)
    }
}
