//! Reads of conversations and messages. They need the policy `accounts`: analytics excludes chats.

use tradepost_domain::id::{AccountId, ChatMessageId, ConversationId, OfChatMessage, OfConversation, WorkspaceId};
use tradepost_domain::trading::chat::{ChatMessage, ChatText, Conversation, Reading};
use tradepost_ports::changes::{Caller, Seen};
use tradepost_ports::record::Kind;
use tradepost_ports::store::ConversationFilter;

use super::chat_moves::conversation_as_seen;
use super::texts::open_texts;
use crate::paging::ListKey;
use crate::results::in_order;
use crate::rules;
use crate::{Batch, OpResult, Operations, PageOf, Versioned, fields};

/// A message with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadMessage {
    /// The message.
    pub message: ChatMessage,
    /// Its text.
    pub text: ChatText,
}

/// The response of [`Operations::get_messages`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundMessages {
    /// The found messages, in the requested order, each once.
    pub messages: Vec<ReadMessage>,
    /// The ids that name no message, in the order asked for.
    pub missing: Vec<ChatMessageId>,
}

/// The number of conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConversationCounts {
    /// All of them.
    pub total: i64,
    /// Those with unread messages.
    pub unread: i64,
}

/// A request for one conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetConversation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The conversation.
    pub conversation_id: ConversationId,
}

/// A request for several conversations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetConversations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The conversations, 1 to 200.
    pub conversation_ids: Vec<ConversationId>,
}

/// A request for a page of conversations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListConversations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only those with unread messages.
    pub unread_only: bool,
}

/// A request for the number of conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountConversations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// A request for a page of the messages of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListMessages {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The conversation.
    pub conversation_id: ConversationId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

/// A request for several messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetMessages {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The messages, 1 to 200.
    pub message_ids: Vec<ChatMessageId>,
}

impl Operations {
    /// Returns one conversation.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_conversation(
        &self,
        caller: &Caller,
        command: GetConversation,
    ) -> OpResult<Versioned<Conversation>> {
        let scope = rules::GET_CONVERSATION.enter(&caller.principal, command.workspace_id)?;
        Ok(conversation_as_seen(self, scope, command.conversation_id).await?.into())
    }

    /// Returns several conversations in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_conversations(
        &self,
        caller: &Caller,
        command: GetConversations,
    ) -> OpResult<Batch<Conversation, OfConversation>> {
        let scope = rules::GET_CONVERSATIONS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("conversationIds", &command.conversation_ids)?;
        let found = self.ports.store.chats().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of conversations, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_conversations(
        &self,
        caller: &Caller,
        command: ListConversations,
    ) -> OpResult<PageOf<ConversationId>> {
        let scope = rules::LIST_CONVERSATIONS.enter(&caller.principal, command.workspace_id)?;
        let (account_id, unread_only) = (command.account_id, command.unread_only);
        let key = ListKey::of("conversations", scope)
            .and_id(account_id)
            .and_code(unread_only.then_some(Reading::Unread.code()));
        let request = self.page_request::<OfConversation>(&key, command.limit, &command.cursor)?;
        let filter = ConversationFilter { account_id, unread_only };
        let page = self.to_show(caller, scope).chats().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts conversations, and those with unread messages.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_conversations(
        &self,
        caller: &Caller,
        command: CountConversations,
    ) -> OpResult<ConversationCounts> {
        let scope = rules::COUNT_CONVERSATIONS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::Conversation, None).await?;
        let unread = counted.iter().filter(|(code, _)| *code == Reading::Unread.code()).map(|(_, count)| *count).sum();
        Ok(ConversationCounts { total: counted.iter().map(|(_, count)| *count).sum(), unread })
    }

    /// Returns a page of the messages of a conversation, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out, `not_found`.
    pub async fn list_messages(&self, caller: &Caller, command: ListMessages) -> OpResult<PageOf<ChatMessageId>> {
        let scope = rules::LIST_MESSAGES.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("chat messages", scope).and_id(Some(command.conversation_id));
        let request = self.page_request::<OfChatMessage>(&key, command.limit, &command.cursor)?;
        let (conversation, _) = conversation_as_seen(self, scope, command.conversation_id).await?.into_display();
        let page = self.to_show(caller, scope).chats().list_messages(scope, conversation.id, request).await?;
        Ok(self.page(&key, page))
    }

    /// Returns several messages with their texts in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`, or `INTERNAL` for a
    /// text that does not open: it was changed or moved in the database.
    pub async fn get_messages(&self, caller: &Caller, command: GetMessages) -> OpResult<FoundMessages> {
        let scope = rules::GET_MESSAGES.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("messageIds", &command.message_ids)?;
        let found = self.ports.store.chats().find_messages(scope, &ids).await?;
        let mut texts = open_texts(self, scope, &ids).await?;
        let with_text = |seen: Seen<ChatMessage>| {
            let (message, _) = seen.into_display();
            Some(ReadMessage { message, text: texts.remove(&message.id)? })
        };
        let found: Vec<ReadMessage> = found.into_iter().filter_map(with_text).collect();
        let (messages, missing) = in_order(ids, found, |read| read.message.id);
        Ok(FoundMessages { messages, missing })
    }
}
