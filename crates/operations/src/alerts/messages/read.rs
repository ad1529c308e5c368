//! Reads of alert messages.

use tradepost_domain::alerts::message::{AlertMessage, MessageState};
use tradepost_domain::alerts::topic::AlertTopic;
use tradepost_domain::id::{AlertChannelId, AlertMessageId, OfAlertMessage, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::store::AlertMessageFilter;

use crate::alerts::channels::access::{channel_as_seen, is_seen_by};
use crate::paging::ListKey;
use crate::rules;
use crate::{Batch, OpResult, Operations, PageOf, fields};

/// A request for several messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetAlertMessages {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The messages, 1 to 200.
    pub message_ids: Vec<AlertMessageId>,
}

/// A request for a page of the messages of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAlertMessages {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The channel.
    pub channel_id: AlertChannelId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only in this state.
    pub state: Option<MessageState>,
    /// Only of this topic.
    pub topic: Option<AlertTopic>,
}

impl Operations {
    /// Returns several messages in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_alert_messages(
        &self,
        caller: &Caller,
        command: GetAlertMessages,
    ) -> OpResult<Batch<AlertMessage, OfAlertMessage>> {
        let scope = rules::GET_ALERT_MESSAGES.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("messageIds", &command.message_ids)?;
        let mut found = self.ports.store.alerts().find_messages(scope, &ids).await?;
        found.retain(|message| is_seen_by(caller, message.peek().user_id));
        Ok(Batch::in_order(ids, found, |message| message.id))
    }

    /// Returns a page of the messages of a channel, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` without such a channel, `invalid_argument` for a negative limit or a cursor that this list did not
    /// give out.
    pub async fn list_alert_messages(
        &self,
        caller: &Caller,
        command: ListAlertMessages,
    ) -> OpResult<PageOf<AlertMessageId>> {
        let scope = rules::LIST_ALERT_MESSAGES.enter(&caller.principal, command.workspace_id)?;
        let ListAlertMessages { channel_id, state, topic, .. } = command;
        let key = ListKey::of("alert messages", scope)
            .and_id(Some(channel_id))
            .and_code(state.map(MessageState::code))
            .and_code(topic.map(AlertTopic::code));
        let request = self.page_request::<OfAlertMessage>(&key, command.limit, &command.cursor)?;
        channel_as_seen(self, caller, scope, channel_id, None).await?.into_display();
        let filter = AlertMessageFilter { channel_id, state, topic };
        let page = self.to_show(caller, scope).alerts().list_messages(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }
}
