//! Samples of friends, conversations and messages.

use std::num::NonZeroU64;

use tradepost_domain::id::{AccountId, ConversationId, WorkspaceId};
use tradepost_domain::trading::chat::{
    ChatMessage, Conversation, ConversationKey, Draft, MessageFailure, MessageKey, MessagePlace, MessageStatus,
    SayResult,
};
use tradepost_domain::trading::friend::{Friend, FriendKey, FriendRelation, ShownFriend};
use tradepost_domain::trading::trade::PlatformUserId;

use super::{Samples, minute, start, text};

impl Samples {
    /// Returns the number of an account of the platform that was not returned before.
    ///
    /// # Panics
    /// Never: the number is not zero.
    pub fn platform_user(&self) -> PlatformUserId {
        PlatformUserId::new(NonZeroU64::new(76_561_199_000_000_000 + self.number()).unwrap())
    }

    /// Returns a friend that the platform showed in a relation.
    pub fn friend(&self, workspace_id: WorkspaceId, account_id: AccountId, relation: FriendRelation) -> Friend {
        let key = FriendKey { id: self.id(), workspace_id, account_id };
        let is_friend = relation == FriendRelation::Friend;
        let friend_since = is_friend.then(start);
        let shown = ShownFriend { user: self.platform_user(), relation, name: Some(text("Partner")), friend_since };
        Friend::first_seen(key, &shown, start(), start())
    }

    /// Returns a conversation with a partner of its own, of which nothing was seen.
    pub fn conversation(&self, workspace_id: WorkspaceId, account_id: AccountId) -> Conversation {
        let partner = self.platform_user();
        Conversation::new(ConversationKey { id: self.id(), workspace_id, account_id, partner }, start())
    }

    /// Returns a message of a conversation in a status; its place, if it has one, is of its own.
    ///
    /// # Panics
    /// Never: each path is legal.
    pub fn chat_message(&self, conversation: &Conversation, status: MessageStatus) -> ChatMessage {
        let key = self.message_key(conversation.workspace_id, conversation.account_id, conversation.id);
        let place = MessagePlace { sent_at: minute(1), ordinal: u32::try_from(self.number() & 0xffff).unwrap() };
        let draft = ChatMessage::draft(Draft { key, author: None }, start());
        let submitted = draft.submitting(minute(1)).unwrap();
        match status {
            MessageStatus::Received => ChatMessage::first_seen(key, false, place, start()),
            MessageStatus::Draft => draft,
            MessageStatus::Sent => submitted.answered(SayResult::Sent(place)),
            MessageStatus::Uncertain => submitted,
            MessageStatus::Failed => submitted.failed(MessageFailure::NotShown),
        }
    }

    /// Returns the key of a message of a conversation.
    pub fn message_key(
        &self,
        workspace_id: WorkspaceId,
        account_id: AccountId,
        conversation_id: ConversationId,
    ) -> MessageKey {
        MessageKey { id: self.id(), workspace_id, account_id, conversation_id }
    }
}
