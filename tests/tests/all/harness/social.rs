//! Friends, conversations and messages of a world, as an engine would have recorded them.

use std::num::NonZeroU64;

use tradepost_domain::id::{ChatMessageId, ConversationId, FriendId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation, ShownMessage};
use tradepost_domain::trading::friend::{FriendRelation, ShownFriend};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    AccountSecrets, ConversationsWith, GetFriends, ListFriends, ListMessages, RecordFriendList, RecordMessages,
    UpdateAccount,
};
use tradepost_testkit::samples::start;

use super::World;

/// The accounts that are related to the first trading account, and how.
const RELATED: [(u64, FriendRelation); 4] = [
    (701, FriendRelation::TheyAsked),
    (702, FriendRelation::Friend),
    (703, FriendRelation::WeAsked),
    (704, FriendRelation::Blocked),
];
/// The partner of its only conversation.
pub(crate) const PARTNER: u64 = 702;
/// What the partner wrote.
const PARTNERS_TEXT: &str = "a text that only the partner and we know";

fn user(number: u64) -> PlatformUserId {
    PlatformUserId::new(NonZeroU64::new(number).unwrap())
}

impl World {
    /// The friend of the first trading account in a relation, recorded by the first who asks for it.
    pub(crate) async fn friend(&self, relation: FriendRelation) -> FriendId {
        self.friend_of(self.desk.workspace_id, relation).await
    }

    /// The same in a workspace.
    pub(crate) async fn friend_of(&self, workspace_id: WorkspaceId, relation: FriendRelation) -> FriendId {
        let (operations, system, account_id) =
            (self.app.operations(), Caller::system(), self.account_of(workspace_id, 1).await);
        let (limit, cursor) = (200, String::new());
        let list = ListFriends { workspace_id, limit, cursor, account_id: Some(account_id), relation: None };
        let mut known = operations.list_friends(&system, list.clone()).await.unwrap().entries;
        if known.len() < RELATED.len() {
            let shown = RELATED.map(|(number, relation)| {
                let friend_since = (relation == FriendRelation::Friend).then(start);
                ShownFriend { user: user(number), relation, name: None, friend_since }
            });
            let report = RecordFriendList { workspace_id, account_id, shown: shown.to_vec(), began_at: start() };
            operations.record_friend_list(&system, &report).await.unwrap();
            known = operations.list_friends(&system, list).await.unwrap().entries;
        }
        let wanted = RELATED.iter().find(|(_, other)| *other == relation).map(|(number, _)| user(*number)).unwrap();
        let get = GetFriends { workspace_id, friend_ids: known };
        let found = operations.get_friends(&system, get).await.unwrap().found;
        found.into_iter().find(|found| found.value.user == wanted).unwrap().value.id
    }

    /// The conversation of the first trading account, whose chat is enabled, with one message of the partner that is unread.
    pub(crate) async fn conversation(&self) -> ConversationId {
        self.conversation_of(self.desk.workspace_id).await
    }

    /// The same in a workspace.
    pub(crate) async fn conversation_of(&self, workspace_id: WorkspaceId) -> ConversationId {
        let (operations, system, account_id) =
            (self.app.operations(), Caller::system(), self.account_of(workspace_id, 1).await);
        let ask = ConversationsWith { workspace_id, account_id, partners: vec![user(PARTNER)] };
        if let Some(known) = operations.conversations_with(&system, ask.clone()).await.unwrap().first() {
            return known.value.id;
        }
        let update = UpdateAccount {
            workspace_id,
            account_id,
            trade_token: None,
            capabilities: Vec::new(),
            limits: None,
            chat_enabled: Some(true),
            cancel_strange_offers: None,
            giving_limits: None,
            secrets: AccountSecrets::default(),
            expected_version: None,
        };
        operations.update_account(&system, update).await.unwrap();
        let place = MessagePlace { sent_at: start(), ordinal: 0 };
        let text = ChatText::plain(PARTNERS_TEXT);
        let report = RecordMessages {
            workspace_id,
            account_id,
            partner: user(PARTNER),
            conversation: Some(ShownConversation { partner: user(PARTNER), last_message_at: start(), unread: 1 }),
            messages: vec![ShownMessage { place, is_from_us: false, text }],
            complete_from: Some(Timestamp::MIN),
            began_at: start(),
        };
        operations.record_messages(&system, &report).await.unwrap();
        operations.conversations_with(&system, ask).await.unwrap()[0].value.id
    }

    /// The first message of that conversation.
    pub(crate) async fn chat_message(&self) -> ChatMessageId {
        self.chat_message_of(self.desk.workspace_id).await
    }

    /// The same in a workspace.
    pub(crate) async fn chat_message_of(&self, workspace_id: WorkspaceId) -> ChatMessageId {
        let conversation_id = self.conversation_of(workspace_id).await;
        let list = ListMessages { workspace_id, conversation_id, limit: 200, cursor: String::new() };
        let messages = self.app.operations().list_messages(&Caller::system(), list).await.unwrap().entries;
        *messages.last().unwrap()
    }
}
