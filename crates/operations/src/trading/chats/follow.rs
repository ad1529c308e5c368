//! What the engine sends for people, and what it knows of conversations: [`OpenMessages`], [`BeginMessage`], [`RecordMessageAnswer`],
//! [`FailMessage`], [`ConversationsWith`], [`UnreportedConversations`] and [`RecordConversationReported`]. Not operations of the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, ChatMessageId, ConversationId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatMessage, ChatText, Conversation, MessageFailure, MessageStatus, SayResult};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::chat_moves::{conversation_as_seen, message_as_seen, move_message, recorded_first};
use super::texts::open_texts;
use crate::commit::By;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpError, OpResult, Operations, Versioned};

/// A query for messages that are to be sent, or whose outcome is unknown, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenMessages {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum number.
    pub most: u32,
}

/// An announcement that a message is about to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeginMessage {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The message.
    pub message_id: ChatMessageId,
}

/// A message whose call is recorded, with what the call needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BegunMessage {
    /// The message.
    pub message: ChatMessage,
    /// The partner.
    pub partner: PlatformUserId,
    /// The text.
    pub text: ChatText,
}

/// The answer to a message that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordMessageAnswer {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The message.
    pub message_id: ChatMessageId,
    /// The answer.
    pub result: SayResult,
}

/// A report that a draft cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailMessage {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The message.
    pub message_id: ChatMessageId,
    /// Why.
    pub failure: MessageFailure,
}

/// A query for the conversations of an account with some partners.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationsWith {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Our account.
    pub account_id: AccountId,
    /// The partners.
    pub partners: Vec<PlatformUserId>,
}

/// A query for conversations that were read here and not on the platform, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnreportedConversations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum number.
    pub most: u32,
}

/// A report that the platform knows until when a conversation was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordConversationReported {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The conversation.
    pub conversation_id: ConversationId,
    /// Until when.
    pub until: Timestamp,
}

impl Operations {
    /// Returns messages that are to be sent, or whose outcome is unknown.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn open_messages(&self, caller: &Caller, command: OpenMessages) -> OpResult<Vec<Versioned<ChatMessage>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let open = self.ports.store.chats().list_open(scope, command.most).await?;
        Ok(open.into_iter().map(Versioned::from).collect())
    }

    /// Returns the conversations of an account with some partners, in no order.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn conversations_with(
        &self,
        caller: &Caller,
        command: ConversationsWith,
    ) -> OpResult<Vec<Versioned<Conversation>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let found = self.ports.store.chats().find_with(scope, command.account_id, &command.partners).await?;
        Ok(found.into_iter().map(Versioned::from).collect())
    }

    /// Returns conversations that were read here and not on the platform.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn unreported_conversations(
        &self,
        caller: &Caller,
        command: UnreportedConversations,
    ) -> OpResult<Vec<Versioned<Conversation>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let found = self.ports.store.chats().list_unreported(scope, command.most).await?;
        Ok(found.into_iter().map(Versioned::from).collect())
    }

    /// Records that a draft is about to be sent, and returns what the call needs. Returns `None` where it is not a draft, or its text was
    /// deleted.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`; `failed_precondition` with `CONFLICT`; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn begin_message(&self, caller: &Caller, command: BeginMessage) -> OpResult<Option<BegunMessage>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let seen = message_as_seen(self, scope, command.message_id).await?;
        let Some(submitting) = seen.peek().submitting(at) else { return Ok(None) };
        let conversation = conversation_as_seen(self, scope, submitting.conversation_id).await?;
        let mut texts = open_texts(self, scope, &[submitting.id]).await?;
        let Some(text) = texts.remove(&submitting.id) else { return Ok(None) };
        let mut changes = Changes::by(caller);
        let begun = move_message(self, &mut changes, By { caller, at }, seen, submitting)?;
        self.commit(caller, changes).await?;
        Ok(Some(BegunMessage { message: begun.value, partner: conversation.peek().partner, text }))
    }

    /// Records the answer to a message that was sent. One that is settled already stays so.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn record_message_answer(
        &self,
        caller: &Caller,
        command: RecordMessageAnswer,
    ) -> OpResult<Versioned<ChatMessage>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        self.change_message(caller, scope, command.message_id, |message| message.answered(command.result)).await
    }

    /// Records that a draft cannot be sent. A message that was submitted stays as it is.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn fail_message(&self, caller: &Caller, command: FailMessage) -> OpResult<Versioned<ChatMessage>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let fail = |message: ChatMessage| {
            if message.status == MessageStatus::Draft { message.failed(command.failure) } else { message }
        };
        self.change_message(caller, scope, command.message_id, fail).await
    }

    async fn change_message(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        id: ChatMessageId,
        change: impl Fn(ChatMessage) -> ChatMessage + Send + Sync,
    ) -> OpResult<Versioned<ChatMessage>> {
        let at = self.market_now(scope.workspace_id());
        let change = &change;
        self.retrying(|| async move {
            let seen: Seen<ChatMessage> = message_as_seen(self, scope, id).await?;
            let next = change(*seen.peek());
            if *seen.peek() == next {
                return Ok(seen.into());
            }
            let mut changes = Changes::by(caller);
            let moved = move_message(self, &mut changes, By { caller, at }, seen, next)?;
            self.commit(caller, changes).await.map_err(recorded_first)?;
            Ok(moved.into())
        })
        .await
    }

    /// Records that the platform knows until when a conversation was read.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn record_conversation_reported(
        &self,
        caller: &Caller,
        command: RecordConversationReported,
    ) -> OpResult<()> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = conversation_as_seen(self, scope, command.conversation_id).await?;
            let mut changes = Changes::by(caller);
            changes.revise(seen, |conversation| Ok::<_, OpError>(conversation.reported(command.until, at)))?;
            self.commit(caller, changes).await.map(drop)
        })
        .await
    }
}
