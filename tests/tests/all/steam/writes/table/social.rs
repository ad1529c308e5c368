//! Friends and chats: what a person asks for about another account, and what is so after a row.

use std::sync::Arc;

use tradepost::engine::Engine;
use tradepost_adapters_simulator::SimulatedSocial;
use tradepost_domain::id::{ChatMessageId, ConversationId, FriendId};
use tradepost_domain::trading::chat::{ChatMessage, Conversation, MessageStatus};
use tradepost_domain::trading::friend::{ActionState, Friend, FriendRelation, Outlook};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    AcceptFriend, AccountSecrets, AddFriend, BlockFriend, ConversationsWith, GetConversations, GetFriends, GetMessages,
    ListFriends, MarkConversationRead, RefreshFriends, RemoveFriend, SendMessage, UnblockFriend, UpdateAccount,
};
use tradepost_ports::game_platform::social::Social as _;

use super::super::super::vault::WorldTokens;
use super::super::SocialWrite;
use super::{MOST_PASSES, STEP, Table};

const TEXT: &str = "three lanterns for two";

/// What a person has asked for about another account.
#[derive(Debug)]
pub(super) struct SocialTask {
    other: PlatformUserId,
    record: Record,
}

/// The record that says how far it is.
#[derive(Debug, Clone, Copy)]
enum Record {
    Friend(FriendId),
    Message(ChatMessageId),
    Conversation(ConversationId),
}

/// What a person does.
impl Table {
    /// The same table, whose processes have friends and chats. The chat of the account is enabled.
    pub(super) async fn with_social(self) -> Self {
        let enable = UpdateAccount {
            workspace_id: self.desk.workspace_id,
            account_id: self.desk.first().id,
            trade_token: None,
            capabilities: Vec::new(),
            limits: None,
            chat_enabled: Some(true),
            secrets: AccountSecrets::default(),
            cancel_strange_offers: None,
            giving_limits: None,
            expected_version: None,
        };
        self.desk.operations.update_account(&Caller::system(), enable).await.unwrap();
        Self { has_social: true, ..self }
    }

    pub(super) async fn ask_social(&self, write: SocialWrite, engine: &mut Engine) -> SocialTask {
        let other = self.related(write);
        let (on, workspace_id, system) = (&self.desk.operations, self.desk.workspace_id, Caller::system());
        let (account_id, expected_version) = (self.desk.first().id, None);
        let record = match write {
            SocialWrite::Add => {
                let (platform_user_id, note) = (other.to_string(), String::new());
                let add = AddFriend { workspace_id, account_id, platform_user_id, note };
                Record::Friend(on.add_friend(&system, add).await.unwrap().value.id)
            }
            SocialWrite::Accept => {
                let friend_id = self.listed(other, engine).await;
                let accept = AcceptFriend { workspace_id, friend_id, expected_version };
                Record::Friend(on.accept_friend(&system, accept).await.unwrap().value.id)
            }
            SocialWrite::Decline | SocialWrite::Remove => {
                let friend_id = self.listed(other, engine).await;
                let remove = RemoveFriend { workspace_id, friend_id, expected_version };
                Record::Friend(on.remove_friend(&system, remove).await.unwrap().value.id)
            }
            SocialWrite::Block => {
                let friend_id = self.listed(other, engine).await;
                let block = BlockFriend { workspace_id, friend_id, expected_version };
                Record::Friend(on.block_friend(&system, block).await.unwrap().value.id)
            }
            SocialWrite::Unblock => {
                let friend_id = self.listed(other, engine).await;
                let unblock = UnblockFriend { workspace_id, friend_id, expected_version };
                Record::Friend(on.unblock_friend(&system, unblock).await.unwrap().value.id)
            }
            SocialWrite::Say => {
                let (partner, text) = (other.to_string(), TEXT.to_owned());
                let send = SendMessage { workspace_id, account_id, partner, text };
                Record::Message(on.send_message(&system, send).await.unwrap().message.id)
            }
            SocialWrite::MarkRead => {
                let conversation_id = self.unread(other, engine).await;
                let read = MarkConversationRead { workspace_id, conversation_id, until: None };
                Record::Conversation(on.mark_conversation_read(&system, read).await.unwrap().value.id)
            }
        };
        SocialTask { other, record }
    }

    /// An account that does nothing by itself, and is related to ours as it is before a write.
    fn related(&self, write: SocialWrite) -> PlatformUserId {
        let (ours, other) = (self.ours().user, self.desk.stranger("other").user);
        self.desk.fakes.simulator().world(|world| {
            world.relate_to(ours, other, write.before());
            if write == SocialWrite::MarkRead {
                world.write_to(ours, other, "ok");
            }
        });
        other
    }

    /// Takes passes until another account is on record. Returns it.
    async fn listed(&self, other: PlatformUserId, engine: &mut Engine) -> FriendId {
        let (workspace_id, account_id) = (self.desk.workspace_id, self.desk.first().id);
        // A list that was read at the same time would not be read again.
        self.desk.pass_time(STEP).await;
        let refresh = RefreshFriends { workspace_id, account_id };
        self.desk.operations.refresh_friends(&Caller::system(), refresh).await.unwrap();
        for _ in 0..MOST_PASSES {
            engine.pass().await;
            if let Some(found) = self.newest_friends().await.into_iter().find(|friend| friend.user == other) {
                return found.id;
            }
            self.desk.pass_time(STEP).await;
        }
        panic!("{other} is not on record");
    }

    /// Takes passes until a conversation is on record that has something unread. Returns it.
    async fn unread(&self, other: PlatformUserId, engine: &mut Engine) -> ConversationId {
        let (workspace_id, account_id) = (self.desk.workspace_id, self.desk.first().id);
        for _ in 0..MOST_PASSES {
            engine.pass().await;
            let ask = ConversationsWith { workspace_id, account_id, partners: vec![other] };
            let found = self.desk.operations.conversations_with(&Caller::system(), ask).await.unwrap();
            if let Some(found) = found.into_iter().find(|found| found.value.unread > 0) {
                return found.value.id;
            }
            self.desk.pass_time(STEP).await;
        }
        panic!("nothing of {other} is unread");
    }
}

/// What is on record, and what the platform shows.
impl Table {
    async fn newest_friends(&self) -> Vec<Friend> {
        let (workspace_id, limit, cursor) = (self.desk.workspace_id, 200, String::new());
        let list = ListFriends { workspace_id, limit, cursor, account_id: None, relation: None };
        let ids = self.desk.operations.list_friends(&Caller::system(), list).await.unwrap().entries;
        if ids.is_empty() { Vec::new() } else { self.friends_by_id(ids).await }
    }

    async fn friends_by_id(&self, friend_ids: Vec<FriendId>) -> Vec<Friend> {
        let get = GetFriends { workspace_id: self.desk.workspace_id, friend_ids };
        let found = self.desk.operations.get_friends(&Caller::system(), get).await.unwrap().found;
        found.into_iter().map(|friend| friend.value).collect()
    }

    async fn friend(&self, id: FriendId) -> Friend {
        self.friends_by_id(vec![id]).await.remove(0)
    }

    async fn message(&self, id: ChatMessageId) -> ChatMessage {
        let get = GetMessages { workspace_id: self.desk.workspace_id, message_ids: vec![id] };
        self.desk.operations.get_messages(&Caller::system(), get).await.unwrap().messages.remove(0).message
    }

    async fn conversation(&self, id: ConversationId) -> Conversation {
        let get = GetConversations { workspace_id: self.desk.workspace_id, conversation_ids: vec![id] };
        self.desk.operations.get_conversations(&Caller::system(), get).await.unwrap().found.remove(0).value
    }

    /// Friends and chats of the world, in process and without Steam's wire.
    fn social_world(&self) -> SimulatedSocial {
        self.desk.fakes.simulator().social().with_vault(Arc::new(WorldTokens(self.vault.clone())))
    }

    async fn shown_relation(&self, other: PlatformUserId) -> FriendRelation {
        let friends = self.social_world().friends(self.ours().user).await.unwrap();
        friends.into_iter().find(|shown| shown.user == other).map_or(FriendRelation::None, |shown| shown.relation)
    }

    async fn shown_unread(&self, other: PlatformUserId) -> u32 {
        let conversations = self.social_world().conversations(self.ours().user).await.unwrap();
        conversations.iter().filter(|shown| shown.partner == other).map(|shown| shown.unread).sum()
    }

    pub(super) async fn is_social_over(&self, task: &SocialTask) -> bool {
        match task.record {
            Record::Friend(id) => !self.friend(id).await.is_open(),
            Record::Message(id) => {
                !matches!(self.message(id).await.status, MessageStatus::Draft | MessageStatus::Uncertain)
            }
            Record::Conversation(id) => !self.conversation(id).await.is_unreported,
        }
    }
}

/// What is so after a row.
impl Table {
    /// Asserts that the record agrees with the platform, after so many calls that were carried out. Both accounts are strangers again then: the
    /// list of friends has an end.
    pub(super) async fn assert_changed(&self, task: &SocialTask, made: usize) {
        let (ours, other) = (self.ours().user, task.other);
        match task.record {
            Record::Friend(id) => {
                let (friend, shown) = (self.friend(id).await, self.shown_relation(other).await);
                assert_eq!(friend.relation, shown, "{friend:?}");
                let request = friend.request.unwrap();
                let is_reached = request.action.outlook(shown) == Outlook::Reached;
                assert_eq!(request.state == ActionState::Done, is_reached, "{shown:?} {friend:?}");
            }
            Record::Message(id) => {
                let status = self.message(id).await.status;
                let said = self.desk.fakes.simulator().world(|world| world.said_between(ours, other));
                assert_eq!(said.len(), usize::from(status == MessageStatus::Sent), "{status:?}: {said:?}");
            }
            Record::Conversation(id) => {
                assert_eq!(self.conversation(id).await.unread, 0);
                let unread = self.shown_unread(other).await;
                assert!(made == 0 || unread == 0, "{unread} messages are unread after {made} calls");
            }
        }
        self.desk.fakes.simulator().world(|world| world.relate_to(ours, other, FriendRelation::None));
    }
}
