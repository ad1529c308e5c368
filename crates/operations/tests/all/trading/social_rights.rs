//! Who may read and change friends, and who may read and write chats: the calls of each, for the tables of rights.

use std::num::NonZeroU64;

use tradepost_domain::id::{Id, WorkspaceId};
use tradepost_domain::trading::chat::{MessageFailure, SayResult};
use tradepost_domain::trading::friend::SendResult;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    AcceptFriend, AddFriend, BeginFriendAction, BeginMessage, BlockFriend, ConversationsWith, CountConversations,
    CountFriends, FailMessage, FriendReadings, GetConversation, GetConversations, GetFriend, GetFriends, GetMessages,
    ListConversations, ListFriends, ListMessages, MarkConversationRead, OpenFriendActions, OpenMessages,
    RecordConversationReported, RecordFriendAnswer, RecordFriendList, RecordMessageAnswer, RecordMessages,
    RefreshFriends, RemoveFriend, SendMessage, UnblockFriend, UnreportedConversations,
};
use tradepost_testkit::samples::start;

use super::Staff;
use super::rights::{Refusals, of};

pub(super) async fn reads_of_friends(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, friend_id) = (&staff.world.operations, Id::from_bytes([9; 16]));
    let list = ListFriends { workspace_id, limit: 0, cursor: String::new(), account_id: None, relation: None };
    let several = GetFriends { workspace_id, friend_ids: vec![friend_id] };
    vec![
        of("ListFriends", on.list_friends(caller, list).await),
        of("GetFriend", on.get_friend(caller, GetFriend { workspace_id, friend_id }).await),
        of("GetFriends", on.get_friends(caller, several).await),
        of("CountFriends", on.count_friends(caller, CountFriends { workspace_id }).await),
    ]
}

pub(super) async fn writes_of_friends(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, friend_id, account_id) = (&staff.world.operations, Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let (expected_version, most) = (None, 9);
    let add = AddFriend { workspace_id, account_id, platform_user_id: "5".to_owned(), note: String::new() };
    let accept = AcceptFriend { workspace_id, friend_id, expected_version };
    let remove = RemoveFriend { workspace_id, friend_id, expected_version };
    let block = BlockFriend { workspace_id, friend_id, expected_version };
    let unblock = UnblockFriend { workspace_id, friend_id, expected_version };
    let begin = BeginFriendAction { workspace_id, friend_id, expected_version: 1 };
    let answer = RecordFriendAnswer { workspace_id, friend_id, result: SendResult::Done };
    let list = RecordFriendList { workspace_id, account_id, shown: Vec::new(), began_at: start() };
    vec![
        of("AddFriend", on.add_friend(caller, add).await),
        of("AcceptFriend", on.accept_friend(caller, accept).await),
        of("RemoveFriend", on.remove_friend(caller, remove).await),
        of("BlockFriend", on.block_friend(caller, block).await),
        of("UnblockFriend", on.unblock_friend(caller, unblock).await),
        of("RefreshFriends", on.refresh_friends(caller, RefreshFriends { workspace_id, account_id }).await),
        of("OpenFriendActions", on.open_friend_actions(caller, OpenFriendActions { workspace_id, most }).await),
        of("FriendReadings", on.friend_readings(caller, FriendReadings { workspace_id }).await),
        of("BeginFriendAction", on.begin_friend_action(caller, begin).await),
        of("RecordFriendAnswer", on.record_friend_answer(caller, answer).await),
        of("RecordFriendList", on.record_friend_list(caller, &list).await),
    ]
}

/// Reads are among them: analytics excludes chats.
pub(super) async fn uses_of_chats(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, conversation_id, message_id) = (&staff.world.operations, Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let (limit, cursor, account_id) = (0, String::new(), Id::from_bytes([9; 16]));
    let list = ListConversations { workspace_id, limit, cursor: cursor.clone(), account_id: None, unread_only: false };
    let several = GetConversations { workspace_id, conversation_ids: vec![conversation_id] };
    let messages = ListMessages { workspace_id, conversation_id, limit, cursor };
    let send = SendMessage { workspace_id, account_id, partner: "5".to_owned(), text: "hi".to_owned() };
    let read = MarkConversationRead { workspace_id, conversation_id, until: None };
    let get = GetMessages { workspace_id, message_ids: vec![message_id] };
    vec![
        of("ListConversations", on.list_conversations(caller, list).await),
        of("GetConversation", on.get_conversation(caller, GetConversation { workspace_id, conversation_id }).await),
        of("GetConversations", on.get_conversations(caller, several).await),
        of("CountConversations", on.count_conversations(caller, CountConversations { workspace_id }).await),
        of("ListMessages", on.list_messages(caller, messages).await),
        of("GetMessages", on.get_messages(caller, get).await),
        of("SendMessage", on.send_message(caller, send).await),
        of("MarkConversationRead", on.mark_conversation_read(caller, read).await),
    ]
}

pub(super) async fn reports_of_chats(staff: &Staff, caller: &Caller, workspace_id: WorkspaceId) -> Refusals {
    let (on, most, account_id) = (&staff.world.operations, 9, Id::from_bytes([9; 16]));
    let (message_id, conversation_id) = (Id::from_bytes([9; 16]), Id::from_bytes([9; 16]));
    let partner = PlatformUserId::new(NonZeroU64::MIN);
    let with = ConversationsWith { workspace_id, account_id, partners: vec![partner] };
    let answer = RecordMessageAnswer { workspace_id, message_id, result: SayResult::NotSent };
    let fail = FailMessage { workspace_id, message_id, failure: MessageFailure::ChatDisabled };
    let reported = RecordConversationReported { workspace_id, conversation_id, until: start() };
    let report = RecordMessages {
        workspace_id,
        account_id,
        partner,
        conversation: None,
        messages: Vec::new(),
        complete_from: None,
        began_at: start(),
    };
    let unreported = UnreportedConversations { workspace_id, most };
    vec![
        of("OpenMessages", on.open_messages(caller, OpenMessages { workspace_id, most }).await),
        of("ConversationsWith", on.conversations_with(caller, with).await),
        of("UnreportedConversations", on.unreported_conversations(caller, unreported).await),
        of("BeginMessage", on.begin_message(caller, BeginMessage { workspace_id, message_id }).await),
        of("RecordMessageAnswer", on.record_message_answer(caller, answer).await),
        of("FailMessage", on.fail_message(caller, fail).await),
        of("RecordConversationReported", on.record_conversation_reported(caller, reported).await),
        of("RecordMessages", on.record_messages(caller, &report).await),
    ]
}
