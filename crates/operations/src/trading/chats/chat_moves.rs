//! Conversations and messages as they are seen before a change, and the steps of messages with their rows in the log.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, ChatMessageId, ConversationId};
use tradepost_domain::trading::chat::{ChatMessage, Conversation, ConversationKey};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{AppendedRow, Changes, Revised, Seen};
use tradepost_ports::store::{StoreError, Unique};

use crate::commit::{By, Step};
use crate::secrets::data_keys::lost_race;
use crate::{OpError, OpResult, Operations};

/// Returns a conversation for a caller that reads or changes it.
pub(crate) async fn conversation_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: ConversationId,
) -> OpResult<Seen<Conversation>> {
    let found = operations.ports.store.chats().find(scope, id).await?;
    found.ok_or_else(|| OpError::not_found("conversation"))
}

/// Returns a message for a caller that changes it.
pub(crate) async fn message_as_seen(
    operations: &Operations,
    scope: WorkspaceScope,
    id: ChatMessageId,
) -> OpResult<Seen<ChatMessage>> {
    let found = operations.ports.store.chats().find_message(scope, id).await?;
    found.ok_or_else(|| OpError::not_found("chat message"))
}

/// The conversation of an account with a partner: on record, or new.
pub(crate) enum Place {
    Recorded(Seen<Conversation>),
    New(Conversation),
}

impl Place {
    /// Finds it, or makes one.
    pub(crate) async fn find(
        operations: &Operations,
        scope: WorkspaceScope,
        account_id: AccountId,
        partner: PlatformUserId,
    ) -> OpResult<Self> {
        let found = operations.ports.store.chats().find_with(scope, account_id, &[partner]).await?;
        Ok(found.into_iter().next().map_or_else(
            || {
                let (id, workspace_id) = (operations.mint(), scope.workspace_id());
                let key = ConversationKey { id, workspace_id, account_id, partner };
                Self::New(Conversation::new(key, operations.market_now(workspace_id)))
            },
            Self::Recorded,
        ))
    }

    pub(crate) fn conversation(&self) -> Conversation {
        match self {
            Self::Recorded(seen) => *seen.peek(),
            Self::New(conversation) => *conversation,
        }
    }

    /// Writes what is new of it.
    pub(crate) fn keep(self, next: Conversation, changes: &mut Changes) -> OpResult<()> {
        match self {
            Self::Recorded(seen) if *seen.peek() == next => {}
            Self::Recorded(seen) => _ = changes.revise(seen, |_| Ok::<_, OpError>(next))?,
            Self::New(_) => _ = changes.insert(next),
        }
        Ok(())
    }
}

/// Adds a message, with the row of its first step. Its text is added separately.
pub(crate) fn insert_message(operations: &Operations, changes: &mut Changes, by: By<'_>, message: ChatMessage) {
    changes.insert(message);
    log_step(operations, changes, by, None, &Revised { value: message, version: 1 });
}

/// Replaces a message, with the row of its step if it takes one.
pub(crate) fn move_message(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    seen: Seen<ChatMessage>,
    next: ChatMessage,
) -> OpResult<Revised<ChatMessage>> {
    let before = *seen.peek();
    let moved = changes.revise(seen, |_| Ok::<_, OpError>(next))?;
    log_step(operations, changes, by, Some(&before), &moved);
    Ok(moved)
}

fn log_step(
    operations: &Operations,
    changes: &mut Changes,
    by: By<'_>,
    before: Option<&ChatMessage>,
    after: &Revised<ChatMessage>,
) {
    let message = &after.value;
    let Some(trigger) = message.step_from(before) else { return };
    let step = Step {
        subject: Subject::ChatMessage(message.id),
        from: before.map(|before| before.status.as_str()),
        to: message.status.as_str(),
        version: after.version,
        trigger,
    };
    changes.append(AppendedRow::Transition(operations.transition(by.caller, message.workspace_id, step, by.at)));
}

/// Returns a conflict when another call recorded the same conversation or message, or made the same key, first.
pub(crate) fn recorded_first(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(Unique::Conversation | Unique::MessagePlace)) => StoreError::Conflict.into(),
        Some(_) | None => lost_race(error),
    }
}
