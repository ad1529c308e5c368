//! Reads of alert channels.

use tradepost_domain::alerts::channel::ChannelStatus;
use tradepost_domain::id::{AlertChannelId, OfAlertChannel, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::store::AlertChannelFilter;

use super::access::{ShownAlertChannel, channel_as_seen, is_seen_by, owner, shown, shown_one};
use crate::paging::ListKey;
use crate::results::in_order;
use crate::rules;
use crate::{OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetAlertChannel {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
}

/// A request for several channels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetAlertChannels {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channels, 1 to 200.
    pub channel_ids: Vec<AlertChannelId>,
}

/// The response of [`Operations::get_alert_channels`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundAlertChannels {
    /// The found channels, in the requested order.
    pub found: Vec<ShownAlertChannel>,
    /// The ids that name none that the caller sees, in the order asked for.
    pub missing: Vec<AlertChannelId>,
}

/// A request for a page of channels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAlertChannels {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Whether to list the caller's own channels, and not those of the workspace.
    pub own: bool,
    /// Only of this status.
    pub status: Option<ChannelStatus>,
}

/// A request for the numbers of channels by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountAlertChannels {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Whether to count the caller's own channels, and not those of the workspace.
    pub own: bool,
}

impl Operations {
    /// Returns one channel.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, also for an own channel of another member.
    pub async fn get_alert_channel(&self, caller: &Caller, command: GetAlertChannel) -> OpResult<ShownAlertChannel> {
        let scope = rules::GET_ALERT_CHANNEL.enter(&caller.principal, command.workspace_id)?;
        let channel = channel_as_seen(self, caller, scope, command.channel_id, None).await?;
        shown_one(self, scope, channel.into()).await
    }

    /// Returns several channels in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_alert_channels(&self, caller: &Caller, command: GetAlertChannels) -> OpResult<FoundAlertChannels> {
        let scope = rules::GET_ALERT_CHANNELS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("channelIds", &command.channel_ids)?;
        let mut found = self.ports.store.alerts().find_channels(scope, &ids).await?;
        found.retain(|channel| is_seen_by(caller, channel.peek().user_id));
        let (found, missing) = in_order(ids, found, |seen| seen.peek().id);
        let found = found.into_iter().map(Versioned::from).collect();
        Ok(FoundAlertChannels { found: shown(self, scope, found).await?, missing })
    }

    /// Returns a page of channels, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_alert_channels(
        &self,
        caller: &Caller,
        command: ListAlertChannels,
    ) -> OpResult<PageOf<AlertChannelId>> {
        let scope = rules::LIST_ALERT_CHANNELS.enter(&caller.principal, command.workspace_id)?;
        let user_id = owner(caller, command.own)?;
        let key = ListKey::of("alert channels", scope).and_id(user_id);
        let key = key.and_code(command.status.map(ChannelStatus::code));
        let request = self.page_request::<OfAlertChannel>(&key, command.limit, &command.cursor)?;
        let filter = AlertChannelFilter { user_id, status: command.status };
        let page = self.to_show(caller, scope).alerts().list_channels(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts channels: one entry for every status, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_alert_channels(
        &self,
        caller: &Caller,
        command: CountAlertChannels,
    ) -> OpResult<Vec<StatusCount<ChannelStatus>>> {
        let scope = rules::COUNT_ALERT_CHANNELS.enter(&caller.principal, command.workspace_id)?;
        // At most 20: they are counted as they are.
        let all = self.to_show(caller, scope).alerts().find_channels_of(scope, owner(caller, command.own)?).await?;
        let count = |status| all.iter().filter(|channel| channel.peek().status == status).count();
        let counted = ChannelStatus::ALL.iter().map(|status| (*status, count(*status)));
        Ok(counted
            .map(|(status, count)| StatusCount { status, count: i64::try_from(count).unwrap_or(i64::MAX) })
            .collect())
    }
}
