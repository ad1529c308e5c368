//! [`MarkConversationRead`]: marks a conversation as read, here and on the platform.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{ConversationId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::Conversation;
use tradepost_ports::changes::{Caller, Changes};

use super::chat_moves::conversation_as_seen;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned};

/// Marks a conversation as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkConversationRead {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The conversation.
    pub conversation_id: ConversationId,
    /// Until when it was read; `None` for its last message.
    pub until: Option<Timestamp>,
}

impl Operations {
    /// Marks a conversation as read until a time, or until its last message. The engine informs the platform in one of its next passes.
    /// An earlier time than before changes nothing.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a time to come, `not_found`.
    pub async fn mark_conversation_read(
        &self,
        caller: &Caller,
        command: MarkConversationRead,
    ) -> OpResult<Versioned<Conversation>> {
        let scope = rules::MARK_CONVERSATION_READ.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = conversation_as_seen(self, scope, command.conversation_id).await?;
            // The platform's clock may be ahead: its last message can be marked as read all the same.
            let latest = seen.peek().last_message_at.max(Some(at));
            if command.until > latest {
                return Err(OpError::invalid_field("until", "must not be in the future"));
            }
            let mut changes = Changes::by(caller);
            let next = seen.peek().read(command.until, at);
            if *seen.peek() == next {
                return Ok(seen.into());
            }
            let read = changes.revise(seen, |_| Ok::<_, OpError>(next))?;
            changes.audit(AuditKind::ConversationRead, &read.value);
            self.commit(caller, changes).await?;
            Ok(read.into())
        })
        .await
    }
}
