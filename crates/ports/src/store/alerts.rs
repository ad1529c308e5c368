//! Reads of alert channels, of their rules and progress, and of messages.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::alerts::channel::{AlertChannel, ChannelStatus};
use tradepost_domain::alerts::message::{AlertMessage, MessageState};
use tradepost_domain::alerts::progress::AlertProgress;
use tradepost_domain::alerts::rule::AlertRule;
use tradepost_domain::alerts::topic::{AlertTopic, ProblemKey};
use tradepost_domain::id::{
    AlertChannelId, AlertMessageId, AlertRuleId, OfAlertChannel, OfAlertMessage, OfAlertRule, RecordKey, UserId,
};
use tradepost_domain::time::Timestamp;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// The channels to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlertChannelFilter {
    /// The member whose own channels they are; absent for those of the workspace.
    pub user_id: Option<UserId>,
    /// Only of this status.
    pub status: Option<ChannelStatus>,
}

/// The messages to list, all of one channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlertMessageFilter {
    /// The channel.
    pub channel_id: AlertChannelId,
    /// Only in this state.
    pub state: Option<MessageState>,
    /// Only of this topic.
    pub topic: Option<AlertTopic>,
}

/// Alert channels, their rules, their progress and their messages.
///
/// The three reads without a scope are of the process that sends, over all workspaces that are not deleted.
#[async_trait]
pub trait Alerts: Send + Sync {
    /// Returns several channels, in no order; missing ones are left out.
    async fn find_channels(
        &self,
        scope: WorkspaceScope,
        ids: &[AlertChannelId],
    ) -> StoreResult<Vec<Seen<AlertChannel>>>;
    /// Returns every channel of the workspace, or every own one of a member, the oldest first.
    async fn find_channels_of(
        &self,
        scope: WorkspaceScope,
        user: Option<UserId>,
    ) -> StoreResult<Vec<Seen<AlertChannel>>>;
    /// Returns channels of the workspace.
    async fn list_channels(
        &self,
        scope: WorkspaceScope,
        filter: AlertChannelFilter,
        page: PageRequest<OfAlertChannel>,
    ) -> StoreResult<Page<OfAlertChannel>>;
    /// Returns the progress of channels, in no order; missing ones are left out.
    async fn find_alert_progress(
        &self,
        scope: WorkspaceScope,
        ids: &[AlertChannelId],
    ) -> StoreResult<Vec<Seen<AlertProgress>>>;
    /// Returns several rules, in no order; missing ones are left out.
    async fn find_rules(&self, scope: WorkspaceScope, ids: &[AlertRuleId]) -> StoreResult<Vec<Seen<AlertRule>>>;
    /// Returns every rule of a channel, the oldest first.
    async fn find_rules_of(&self, scope: WorkspaceScope, channel: AlertChannelId) -> StoreResult<Vec<Seen<AlertRule>>>;
    /// Returns rules of a channel.
    async fn list_rules(
        &self,
        scope: WorkspaceScope,
        channel: AlertChannelId,
        page: PageRequest<OfAlertRule>,
    ) -> StoreResult<Page<OfAlertRule>>;
    /// Returns several messages, in no order; missing ones are left out.
    async fn find_messages(
        &self,
        scope: WorkspaceScope,
        ids: &[AlertMessageId],
    ) -> StoreResult<Vec<Seen<AlertMessage>>>;
    /// Returns the messages of a channel about problems, in no order.
    async fn find_problems(
        &self,
        scope: WorkspaceScope,
        channel: AlertChannelId,
        problems: &[ProblemKey],
    ) -> StoreResult<Vec<Seen<AlertMessage>>>;
    /// Returns messages of a channel, the newest first.
    async fn list_messages(
        &self,
        scope: WorkspaceScope,
        filter: AlertMessageFilter,
        page: PageRequest<OfAlertMessage>,
    ) -> StoreResult<Page<OfAlertMessage>>;
    /// Returns active channels behind one, in the order of their keys.
    async fn list_active_channels(
        &self,
        after: Option<RecordKey<AlertChannelId>>,
        limit: u32,
    ) -> StoreResult<Vec<RecordKey<AlertChannelId>>>;
    /// Returns channels that have a message that is due, in no order, whatever their status.
    async fn list_due_channels(&self, at: Timestamp, limit: u32) -> StoreResult<Vec<RecordKey<AlertChannelId>>>;
    /// Returns messages of a channel that are due, those that have waited longest first.
    async fn list_due_messages(
        &self,
        channel: RecordKey<AlertChannelId>,
        at: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<Seen<AlertMessage>>>;
}
