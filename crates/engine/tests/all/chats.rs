//! Chats: a message is sent once, a lost answer is settled by what the platform shows, and what partners write is data.

use time::Duration;
use tradepost_adapters_simulator::{Call, Fault, Side};
use tradepost_domain::id::{AccountId, ChatMessageId, ConversationId};
use tradepost_domain::trading::chat::{MessageFailure, MessageStatus};
use tradepost_domain::trading::friend::FriendRelation;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_engine::Engine;
use tradepost_operations::Caller;
use tradepost_operations::trading::{
    GetConversations, GetMessages, ListConversations, ListMessages, MarkConversationRead, ReadMessage,
};
use tradepost_ports::game_platform::social::Social as _;

use crate::desk::Desk;
use crate::flaky_social::FlakySocial;

/// The desk's account with chat enabled, and a friend of it.
struct Chat {
    desk: Desk,
    account_id: AccountId,
    partner: PlatformUserId,
    engine: Engine,
}

impl Chat {
    async fn new() -> Self {
        let mut desk = Desk::slow(7).await;
        desk.step = Duration::seconds(20);
        let account_id = desk.on_record().await;
        let account = desk.account.user;
        let partner = desk.simulator.world(|world| {
            let partner = world.befriend(account);
            world.relate_to(partner, account, FriendRelation::Friend);
            partner
        });
        let mut chat = Self { account_id, partner, engine: desk.engine(), desk };
        chat.enable(true).await;
        chat.engine.pass().await;
        chat
    }

    async fn enable(&self, is_enabled: bool) {
        self.desk.set_chat(self.account_id, is_enabled).await;
    }

    async fn send(&self, text: &str) -> ChatMessageId {
        self.desk.say(self.account_id, self.partner, text).await
    }

    async fn message(&self, id: ChatMessageId) -> (MessageStatus, Option<MessageFailure>) {
        self.desk.message(id).await
    }

    /// Every recorded message, the oldest first.
    async fn recorded(&self) -> Vec<ReadMessage> {
        let (workspace_id, on) = (self.desk.workspace_id, &self.desk.operations);
        let list =
            ListConversations { workspace_id, limit: 200, cursor: String::new(), account_id: None, unread_only: false };
        let conversations = on.list_conversations(&Caller::system(), list).await.unwrap().entries;
        let mut recorded = Vec::new();
        for conversation_id in conversations {
            let list = ListMessages { workspace_id, conversation_id, limit: 200, cursor: String::new() };
            let message_ids = on.list_messages(&Caller::system(), list).await.unwrap().entries;
            if !message_ids.is_empty() {
                let get = GetMessages { workspace_id, message_ids };
                recorded.extend(on.get_messages(&Caller::system(), get).await.unwrap().messages);
            }
        }
        recorded.reverse();
        recorded
    }

    /// Everything that we wrote, as the platform has it.
    fn said(&self) -> Vec<String> {
        self.desk.simulator.world(|world| world.said_between(self.desk.account.user, self.partner))
    }

    fn write(&self, written: &str) {
        let account = self.desk.account.user;
        self.desk.simulator.world(|world| world.write_to(account, self.partner, written));
    }

    async fn unread(&self) -> u32 {
        let conversations = self.desk.simulator.social().conversations(self.desk.account.user).await.unwrap();
        conversations.iter().map(|shown| shown.unread).sum()
    }

    /// Has a person read the conversation.
    async fn mark_read(&self) -> ConversationId {
        let (workspace_id, on) = (self.desk.workspace_id, &self.desk.operations);
        let cursor = String::new();
        let list = ListConversations { workspace_id, limit: 0, cursor, account_id: None, unread_only: true };
        let conversation_id = on.list_conversations(&Caller::system(), list).await.unwrap().entries[0];
        let read = MarkConversationRead { workspace_id, conversation_id, until: None };
        on.mark_conversation_read(&Caller::system(), read).await.unwrap();
        conversation_id
    }

    /// How many messages of a conversation were not read here, and whether the platform is still to learn what was.
    async fn unreported(&self, conversation_id: ConversationId) -> (u32, bool) {
        let get = GetConversations { workspace_id: self.desk.workspace_id, conversation_ids: vec![conversation_id] };
        let found = self.desk.operations.get_conversations(&Caller::system(), get).await.unwrap().found;
        (found[0].value.unread, found[0].value.is_unreported)
    }

    /// A pass some seconds later.
    async fn pass(&mut self) {
        self.desk.simulator.advance(Duration::seconds(3));
        self.engine.pass().await;
    }

    fn inject(&self, fault: Fault) {
        self.desk.simulator.world(|world| world.inject(fault));
    }

    async fn live(&mut self, by: Duration) {
        self.desk.live(&mut self.engine, by).await;
    }
}

/// Our own messages among them.
fn ours(said: &[String]) -> usize {
    said.iter().filter(|written| written.starts_with("hello")).count()
}

#[tokio::test]
async fn a_message_is_sent_once_and_is_on_record_once() {
    let mut chat = Chat::new().await;
    let id = chat.send("hello").await;
    chat.pass().await;
    assert_eq!(chat.message(id).await, (MessageStatus::Sent, None));
    chat.live(Duration::minutes(5)).await;
    assert_eq!(ours(&chat.said()), 1);
    let recorded = chat.recorded().await;
    assert_eq!(recorded.iter().filter(|read| read.text.as_str() == "hello").count(), 1);
}

#[tokio::test]
async fn what_a_partner_writes_is_recorded_as_plain_text_and_done_by_no_one() {
    let mut chat = Chat::new().await;
    chat.write("[b]!sell everything for 0.01[/b]");
    chat.live(Duration::minutes(2)).await;
    let recorded = chat.recorded().await;
    assert_eq!(recorded.len(), 1);
    assert_eq!(recorded[0].text.as_str(), "!sell everything for 0.01");
    assert_eq!(recorded[0].message.status, MessageStatus::Received);
    assert_eq!(chat.said().len(), 1, "nothing answers by itself");
}

#[tokio::test]
async fn a_message_whose_answer_was_lost_is_found_and_not_sent_again() {
    let mut chat = Chat::new().await;
    chat.inject(Fault::TimeoutAfterCommit { call: Call::Say });
    let id = chat.send("hello").await;
    chat.pass().await;
    assert_eq!(chat.message(id).await, (MessageStatus::Uncertain, None));
    chat.live(Duration::minutes(4)).await;
    assert_eq!(chat.message(id).await, (MessageStatus::Sent, None));
    assert_eq!(ours(&chat.said()), 1);
}

#[tokio::test]
async fn a_message_that_was_lost_before_it_arrived_fails_and_is_not_sent_by_itself() {
    let mut chat = Chat::new().await;
    chat.inject(Fault::TimeoutBeforeCommit { call: Call::Say });
    let id = chat.send("hello").await;
    chat.pass().await;
    assert_eq!(chat.message(id).await, (MessageStatus::Uncertain, None));
    chat.live(Duration::minutes(5)).await;
    assert_eq!(chat.message(id).await, (MessageStatus::Failed, Some(MessageFailure::NotShown)));
    assert_eq!(ours(&chat.said()), 0);
    let again = chat.send("hello").await;
    chat.live(Duration::minutes(1)).await;
    assert_eq!((chat.message(again).await, ours(&chat.said())), ((MessageStatus::Sent, None), 1));
}

#[tokio::test]
async fn an_engine_that_is_replaced_after_a_lost_answer_sends_nothing_again() {
    for (fault, expected) in [
        (Fault::TimeoutAfterCommit { call: Call::Say }, (MessageStatus::Sent, 1)),
        (Fault::TimeoutBeforeCommit { call: Call::Say }, (MessageStatus::Failed, 0)),
    ] {
        let mut chat = Chat::new().await;
        chat.inject(fault);
        let id = chat.send("hello").await;
        chat.pass().await;
        chat.engine = chat.desk.engine();
        chat.live(Duration::minutes(5)).await;
        assert_eq!((chat.message(id).await.0, ours(&chat.said())), expected);
    }
}

#[tokio::test]
async fn a_message_without_an_answer_holds_up_those_after_it_in_its_conversation() {
    let mut chat = Chat::new().await;
    chat.inject(Fault::TimeoutAfterCommit { call: Call::Say });
    let (first, second) = (chat.send("hello 1").await, chat.send("hello 2").await);
    chat.pass().await;
    assert_eq!(chat.message(first).await.0, MessageStatus::Uncertain);
    assert_eq!(chat.message(second).await.0, MessageStatus::Draft);
    chat.live(Duration::minutes(4)).await;
    assert_eq!((chat.message(first).await.0, chat.message(second).await.0), (MessageStatus::Sent, MessageStatus::Sent));
    let said: Vec<String> = chat.said().into_iter().filter(|written| written.starts_with("hello")).collect();
    assert_eq!(said, ["hello 1", "hello 2"]);
}

#[tokio::test]
async fn a_rate_limit_delays_a_message() {
    let mut chat = Chat::new().await;
    chat.inject(Fault::RateLimitStorm { side: Side::Platform, seconds: 120 });
    let id = chat.send("hello").await;
    chat.pass().await;
    assert_eq!(chat.message(id).await, (MessageStatus::Draft, None));
    chat.live(Duration::minutes(6)).await;
    assert_eq!((chat.message(id).await, ours(&chat.said())), ((MessageStatus::Sent, None), 1));
}

#[tokio::test]
async fn a_message_to_an_account_that_is_not_a_friend_fails() {
    let mut chat = Chat::new().await;
    let account = chat.desk.account.user;
    chat.desk.simulator.world(|world| world.relate_to(chat.partner, account, FriendRelation::None));
    let id = chat.send("hello").await;
    chat.live(Duration::minutes(1)).await;
    assert_eq!(chat.message(id).await, (MessageStatus::Failed, Some(MessageFailure::Rejected)));
}

#[tokio::test]
async fn what_was_read_here_is_read_on_the_platform() {
    let mut chat = Chat::new().await;
    chat.write("hi");
    chat.live(Duration::minutes(2)).await;
    assert_eq!(chat.unread().await, 1);
    let conversation_id = chat.mark_read().await;
    chat.live(Duration::minutes(2)).await;
    assert_eq!((chat.unread().await, chat.unreported(conversation_id).await), (0, (0, false)));
}

#[tokio::test]
async fn what_was_read_here_is_reported_later_if_the_driver_made_no_call() {
    let mut chat = Chat::new().await;
    chat.write("hi");
    chat.live(Duration::minutes(2)).await;
    let social = FlakySocial::of(&chat.desk);
    social.mood().marks_not_done = 1;
    chat.engine = social.engine(&chat.desk);
    let conversation_id = chat.mark_read().await;
    chat.pass().await;
    assert_eq!(social.mood().marks_not_done, 0, "it was tried");
    assert_eq!((chat.unread().await, chat.unreported(conversation_id).await), (1, (0, true)));
    chat.live(Duration::minutes(2)).await;
    assert_eq!((chat.unread().await, chat.unreported(conversation_id).await), (0, (0, false)));
}

#[tokio::test]
async fn an_account_without_chat_is_not_read_and_its_drafts_fail() {
    let mut chat = Chat::new().await;
    let id = chat.send("hello").await;
    chat.enable(false).await;
    chat.live(Duration::minutes(2)).await;
    assert_eq!(chat.message(id).await, (MessageStatus::Failed, Some(MessageFailure::ChatDisabled)));
    chat.write("hi");
    chat.live(Duration::minutes(3)).await;
    assert_eq!(chat.recorded().await.len(), 1);
}

#[tokio::test]
async fn a_node_without_the_lease_of_the_accounts_sends_nothing() {
    let chat = Chat::new().await;
    let mut other = chat.desk.engine_of("node-2");
    let id = chat.send("hello").await;
    other.pass().await;
    assert_eq!((chat.message(id).await.0, ours(&chat.said())), (MessageStatus::Draft, 0));
}

#[tokio::test]
async fn more_messages_than_a_page_has_are_recorded_each_once() {
    let mut chat = Chat::new().await;
    for number in 0..120 {
        chat.write(&format!("message {number}"));
    }
    chat.live(Duration::minutes(3)).await;
    let texts: Vec<String> = chat.recorded().await.iter().map(|read| read.text.as_str().to_owned()).collect();
    assert_eq!(texts, (0..120).map(|number| format!("message {number}")).collect::<Vec<_>>());
}
