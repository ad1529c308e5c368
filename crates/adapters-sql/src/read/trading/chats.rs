//! Reads of conversations and their messages.

use std::sync::LazyLock;

use async_trait::async_trait;
use sea_orm::Value;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{AccountId, ChatMessageId, ConversationId, OfChatMessage, OfConversation};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatMessage, Conversation, MessagePlace, Reading};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::{Chats, ConversationFilter, Page, PageRequest, StoreResult};
use uuid::Uuid;

use crate::rows::trading::conversation::place_of;
use crate::rows::trading::{chat_message, conversation};
use crate::rows::{RowLocation, cell, uuid};
use crate::store::SqlStore;
use crate::table::select_list;

static CONVERSATIONS: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<conversation::Entity>("", "");
    format!("SELECT {columns} FROM conversations{{by}} WHERE workspace_id = $1")
});
static MESSAGES: LazyLock<String> = LazyLock::new(|| {
    let columns = select_list::<chat_message::Entity>("", "");
    format!("SELECT {columns} FROM chat_messages{{by}} WHERE workspace_id = $1")
});
const PLACES: &str = "SELECT sent_at, ordinal FROM chat_messages{by} \
    WHERE workspace_id = $1 AND conversation_id = $2 AND sent_at >= $3";
/// The partners in a list of numbers at `$3`.
const PARTNERS_SQLITE: &str = "SELECT value FROM json_each($3)";
const PARTNERS_POSTGRES: &str = "SELECT json_array_elements_text($3::json)";

#[async_trait]
impl Chats for SqlStore {
    async fn find(&self, scope: WorkspaceScope, id: ConversationId) -> StoreResult<Option<Seen<Conversation>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_many(&self, scope: WorkspaceScope, ids: &[ConversationId]) -> StoreResult<Vec<Seen<Conversation>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn find_with(
        &self,
        scope: WorkspaceScope,
        account: AccountId,
        partners: &[PlatformUserId],
    ) -> StoreResult<Vec<Seen<Conversation>>> {
        let among = self.pick(PARTNERS_SQLITE, PARTNERS_POSTGRES);
        let text = format!("{} AND account_id = $2 AND partner IN ({among})", *CONVERSATIONS);
        let text = self.by_index(&text, "conversations_partner");
        let partners: Vec<String> = partners.iter().map(ToString::to_string).collect();
        let partners: Value = serde_json::Value::from(partners).to_string().into();
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), uuid(account).into(), partners]).await
    }
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: ConversationFilter,
        page: PageRequest<OfConversation>,
    ) -> StoreResult<Page<OfConversation>> {
        let mut equal = vec![("workspace_id", uuid(scope.workspace_id()).into())];
        equal.extend(filter.account_id.map(|account| ("account_id", uuid(account).into())));
        equal.extend(filter.unread_only.then(|| ("reading", Reading::Unread.code().into())));
        self.page("conversations", equal, page).await
    }
    async fn list_unreported(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<Conversation>>> {
        let text = format!("{} AND unreported = 1 ORDER BY id LIMIT $2", *CONVERSATIONS);
        let text = self.by_index(&text, "conversations_unreported");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), i64::from(most).into()]).await
    }
    async fn find_message(&self, scope: WorkspaceScope, id: ChatMessageId) -> StoreResult<Option<Seen<ChatMessage>>> {
        self.find(vec![uuid(scope.workspace_id()).into(), uuid(id).into()]).await
    }
    async fn find_messages(&self, scope: WorkspaceScope, ids: &[ChatMessageId]) -> StoreResult<Vec<Seen<ChatMessage>>> {
        self.find_several(uuid(scope.workspace_id()), ids).await
    }
    async fn list_messages(
        &self,
        scope: WorkspaceScope,
        conversation: ConversationId,
        page: PageRequest<OfChatMessage>,
    ) -> StoreResult<Page<OfChatMessage>> {
        let (workspace, conversation) = (uuid(scope.workspace_id()).into(), uuid(conversation).into());
        self.page("chat_messages", vec![("workspace_id", workspace), ("conversation_id", conversation)], page).await
    }
    async fn list_open(&self, scope: WorkspaceScope, most: u32) -> StoreResult<Vec<Seen<ChatMessage>>> {
        let text = format!("{} AND status IN (2, 4) ORDER BY id LIMIT $2", *MESSAGES);
        let text = self.by_index(&text, "chat_messages_open");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), i64::from(most).into()]).await
    }
    async fn list_sought(
        &self,
        scope: WorkspaceScope,
        conversation: ConversationId,
    ) -> StoreResult<Vec<Seen<ChatMessage>>> {
        let text = format!("{} AND conversation_id = $2 AND (status = 4 OR failure = 4) ORDER BY id", *MESSAGES);
        let text = self.by_index(&text, "chat_messages_sought");
        self.readable(&text, vec![uuid(scope.workspace_id()).into(), uuid(conversation).into()]).await
    }
    async fn list_places(
        &self,
        scope: WorkspaceScope,
        conversation: ConversationId,
        from: Timestamp,
    ) -> StoreResult<Vec<MessagePlace>> {
        let text = self.by_index(PLACES, "chat_messages_place");
        let (workspace, conversation) = (uuid(scope.workspace_id()), uuid(conversation));
        let rows = self.rows(&text, vec![workspace.into(), conversation.into(), from.as_micros().into()]).await?;
        let at = RowLocation { table: "chat_messages", home: workspace, key: Uuid::nil() };
        let place = |row| place_of(at, cell(row, 0)?, cell(row, 1)?);
        rows.iter().filter_map(|row| place(row).transpose()).collect()
    }
}
