//! Reads of conversations and their messages.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, ChatMessageId, ConversationId, OfChatMessage, OfConversation};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatMessage, Conversation, MessagePlace, Reading};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Chats, ConversationFilter, Page, PageRequest, StoreResult};

use crate::memory::MemoryStore;

#[async_trait]
impl Chats for MemoryStore {
    async fn find(&self, scope: WorkspaceScope, id: ConversationId) -> StoreResult<Option<Seen<Conversation>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ConversationId]) -> StoreResult<Vec<Seen<Conversation>>> {
        Ok(self.state().several(scope.workspace_id(), |conversation: &Conversation| ids.contains(&conversation.id)))
    }
    async fn find_with(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        partners: &[PlatformUserId],
    ) -> StoreResult<Vec<Seen<Conversation>>> {
        Ok(self.state().several(scope.workspace_id(), |conversation: &Conversation| {
            conversation.account_id == account && partners.contains(&conversation.partner)
        }))
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ConversationFilter,
        page: PageRequest<OfConversation>,
    ) -> StoreResult<Page<OfConversation>> {
        Ok(self.state().page(scope.workspace_id(), &page, |conversation: &Conversation| {
            filter.account_id.is_none_or(|wanted| conversation.account_id == wanted)
                && (!filter.unread_only || conversation.reading() == Reading::Unread)
        }))
    }
    async fn list_unreported(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<Conversation>>> {
        let mut found = self.state().several(scope.workspace_id(), |found: &Conversation| found.is_unreported);
        found.truncate(most as usize);
        Ok(found)
    }
    async fn find_message(&self, scope: WorkspaceScope, id: ChatMessageId) -> StoreResult<Option<Seen<ChatMessage>>> {
        Ok(self.state().find(scope.workspace_id().to_bytes(), id.to_bytes()))
    }
    async fn find_messages(&self, scope: WorkspaceScope, ids: &[ChatMessageId]) -> StoreResult<Vec<Seen<ChatMessage>>> {
        Ok(self.state().several(scope.workspace_id(), |message: &ChatMessage| ids.contains(&message.id)))
    }
    async fn list_messages(
        &self,
        scope: WorkspaceScope,
        conversation: ConversationId,
        page: PageRequest<OfChatMessage>,
    ) -> StoreResult<Page<OfChatMessage>> {
        let is_in = |message: &ChatMessage| message.conversation_id == conversation;
        Ok(self.state().page(scope.workspace_id(), &page, is_in))
    }
    async fn list_open(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<ChatMessage>>> {
        let mut open = self.state().several(scope.workspace_id(), ChatMessage::is_open);
        open.truncate(most as usize);
        Ok(open)
    }
    async fn list_sought(
        &self,
        scope: WorkspaceScope,
        conversation: ConversationId,
    ) -> StoreResult<Vec<Seen<ChatMessage>>> {
        let is_sought = |message: &ChatMessage| message.conversation_id == conversation && message.is_sought();
        Ok(self.state().several(scope.workspace_id(), is_sought))
    }
    async fn list_places(
        &self,
        scope: WorkspaceScope,
        conversation: ConversationId,
        from: Timestamp,
    ) -> StoreResult<Vec<MessagePlace>> {
        let found = self.state().several(scope.workspace_id(), |message: &ChatMessage| {
            message.conversation_id == conversation && message.place.is_some_and(|place| place.sent_at >= from)
        });
        Ok(found.into_iter().filter_map(|message| message.peek().place).collect())
    }
}
