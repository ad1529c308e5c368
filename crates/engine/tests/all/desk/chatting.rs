//! Chats of an account of a desk: enabled by a person, and written in.

use tradepost_domain::id::{AccountId, ChatMessageId};
use tradepost_domain::trading::chat::{MessageFailure, MessageStatus};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_operations::Caller;
use tradepost_operations::trading::{AccountSecrets, GetMessages, SendMessage, UpdateAccount};

use super::Desk;

impl Desk {
    /// Enables or disables the chat of an account.
    pub(crate) async fn set_chat(&self, account_id: AccountId, is_enabled: bool) {
        let update = UpdateAccount {
            workspace_id: self.workspace_id,
            account_id,
            trade_token: None,
            capabilities: Vec::new(),
            limits: None,
            chat_enabled: Some(is_enabled),
            cancel_strange_offers: None,
            giving_limits: None,
            secrets: AccountSecrets::default(),
            expected_version: None,
        };
        self.operations.update_account(&Caller::system(), update).await.unwrap();
    }

    /// Has an account write to a partner.
    pub(crate) async fn say(&self, account_id: AccountId, partner: PlatformUserId, text: &str) -> ChatMessageId {
        let (workspace_id, partner, text) = (self.workspace_id, partner.to_string(), text.to_owned());
        let send = SendMessage { workspace_id, account_id, partner, text };
        self.operations.send_message(&Caller::system(), send).await.unwrap().message.id
    }

    /// The status of a message, and why it failed.
    pub(crate) async fn message(&self, id: ChatMessageId) -> (MessageStatus, Option<MessageFailure>) {
        let get = GetMessages { workspace_id: self.workspace_id, message_ids: vec![id] };
        let found = self.operations.get_messages(&Caller::system(), get).await.unwrap().messages;
        (found[0].message.status, found[0].message.failure)
    }
}
