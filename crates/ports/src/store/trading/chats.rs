//! Reads of conversations and their messages. Texts are among the secrets of the workspace.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, ChatMessageId, ConversationId, OfChatMessage, OfConversation};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatMessage, Conversation, MessagePlace};
use tradepost_domain::trading::trade::PlatformUserId;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// The conversations to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConversationFilter {
    /// Only of this account.
    pub account_id: Option<AccountId>,
    /// Only those with unread messages.
    pub unread_only: bool,
}

/// Conversations of trading accounts, and their messages.
#[async_trait]
pub trait Chats: Send + Sync {
    /// Returns a conversation.
    async fn find(&self, scope: WorkspaceScope, id: ConversationId) -> StoreResult<Option<Seen<Conversation>>>;
    /// Returns several conversations, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ConversationId]) -> StoreResult<Vec<Seen<Conversation>>>;
    /// Returns the conversations of an account with these partners, in no order; missing ones are left out.
    async fn find_with(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        partners: &[PlatformUserId],
    ) -> StoreResult<Vec<Seen<Conversation>>>;
    /// Returns conversations of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ConversationFilter,
        page: PageRequest<OfConversation>,
    ) -> StoreResult<Page<OfConversation>>;
    /// Returns conversations that were read here and not on the platform, oldest first.
    async fn list_unreported(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<Conversation>>>;
    /// Returns a message.
    async fn find_message(&self, scope: WorkspaceScope, id: ChatMessageId) -> StoreResult<Option<Seen<ChatMessage>>>;
    /// Returns several messages, in no order; missing ones are left out.
    async fn find_messages(&self, scope: WorkspaceScope, ids: &[ChatMessageId]) -> StoreResult<Vec<Seen<ChatMessage>>>;
    /// Returns messages of a conversation.
    async fn list_messages(
        &self,
        scope: WorkspaceScope,
        conversation: ConversationId,
        page: PageRequest<OfChatMessage>,
    ) -> StoreResult<Page<OfChatMessage>>;
    /// Returns messages that are to be sent, or whose outcome is unknown, oldest first.
    async fn list_open(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<ChatMessage>>>;
    /// Returns the messages of a conversation that were submitted and that the platform has not shown, oldest first.
    async fn list_sought(
        &self,
        scope: WorkspaceScope,
        conversation: ConversationId,
    ) -> StoreResult<Vec<Seen<ChatMessage>>>;
    /// Returns the places of the messages of a conversation from a time on, in no order.
    async fn list_places(
        &self,
        scope: WorkspaceScope,
        conversation: ConversationId,
        from: Timestamp,
    ) -> StoreResult<Vec<MessagePlace>>;
}
