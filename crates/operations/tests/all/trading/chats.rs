//! Messages that people send, what the engine sends for them, and what the platform shows.

use std::num::NonZeroU64;

use time::Duration;
use tradepost_domain::id::{AccountId, ChatMessageId, ConversationId};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{
    Author, ChatText, Conversation, MessageFailure, MessagePlace, MessageStatus, SayResult, ShownConversation,
    ShownMessage,
};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_domain::transition::Subject;
use tradepost_operations::trading::{
    AccountSecrets, AccountTokens, BeginMessage, CountConversations, FailMessage, GetConversation, GetMessages,
    ListConversations, ListMessages, MarkConversationRead, ReadMessage, RecordConversationReported,
    RecordMessageAnswer, RecordMessages, RemoveAccount, SendMessage, UnreportedConversations, UpdateAccount,
};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::game_platform::sessions::TokenVault as _;
use tradepost_ports::game_platform::social::SocialChange;
use tradepost_ports::store::Records as _;
use tradepost_testkit::samples::text;

use super::{Staff, refusal};

fn partner() -> PlatformUserId {
    PlatformUserId::new(NonZeroU64::new(77).unwrap())
}

fn place(sent_at: Timestamp, ordinal: u32) -> MessagePlace {
    MessagePlace { sent_at, ordinal }
}

fn shown(place: MessagePlace, is_from_us: bool, text: &str) -> ShownMessage {
    ShownMessage { place, is_from_us, text: ChatText::plain(text) }
}

impl Staff {
    async fn chat(&self, account_id: AccountId, is_enabled: bool) {
        let update = UpdateAccount {
            workspace_id: self.world.workspace_id,
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
        self.world.operations.update_account(&self.keeper, update).await.unwrap();
    }

    /// An account whose chat is enabled.
    async fn chatting(&self) -> TradingAccount {
        let account = self.register(1).await;
        self.chat(account.id, true).await;
        account
    }

    fn saying(&self, account_id: AccountId, text: &str) -> SendMessage {
        let (workspace_id, partner, text) = (self.world.workspace_id, partner().to_string(), text.to_owned());
        SendMessage { workspace_id, account_id, partner, text }
    }

    async fn say(&self, account_id: AccountId, text: &str) -> ReadMessage {
        self.world.operations.send_message(&self.keeper, self.saying(account_id, text)).await.unwrap()
    }

    fn now(&self) -> Timestamp {
        self.world.clock.now()
    }

    /// Records that the platform shows these messages, which are all there are.
    async fn shows_messages(&self, account_id: AccountId, messages: &[ShownMessage], unread: u32) {
        let last = messages.iter().map(|shown| shown.place.sent_at).max();
        let conversation =
            last.map(|last_message_at| ShownConversation { partner: partner(), last_message_at, unread });
        let report = RecordMessages {
            workspace_id: self.world.workspace_id,
            account_id,
            partner: partner(),
            conversation,
            messages: messages.to_vec(),
            complete_from: Some(Timestamp::MIN),
            began_at: self.now(),
        };
        self.world.operations.record_messages(&Caller::system(), &report).await.unwrap();
    }

    async fn conversations(&self) -> Vec<ConversationId> {
        let (workspace_id, cursor) = (self.world.workspace_id, String::new());
        let list = ListConversations { workspace_id, limit: 0, cursor, account_id: None, unread_only: false };
        self.world.operations.list_conversations(&self.keeper, list).await.unwrap().entries
    }

    async fn conversation(&self) -> Conversation {
        let get =
            GetConversation { workspace_id: self.world.workspace_id, conversation_id: self.conversations().await[0] };
        self.world.operations.get_conversation(&self.keeper, get).await.unwrap().value
    }

    /// The messages of the only conversation, the newest first.
    async fn messages(&self) -> Vec<ReadMessage> {
        let (workspace_id, conversation_id) = (self.world.workspace_id, self.conversations().await[0]);
        let list = ListMessages { workspace_id, conversation_id, limit: 200, cursor: String::new() };
        let message_ids = self.world.operations.list_messages(&self.keeper, list).await.unwrap().entries;
        let get = GetMessages { workspace_id, message_ids };
        self.world.operations.get_messages(&self.keeper, get).await.unwrap().messages
    }

    async fn texts(&self) -> Vec<(String, MessageStatus)> {
        let texts = self.messages().await.into_iter().rev();
        texts.map(|read| (read.text.as_str().to_owned(), read.message.status)).collect()
    }

    async fn begin_message(&self, message_id: ChatMessageId) -> Option<ChatText> {
        let begin = BeginMessage { workspace_id: self.world.workspace_id, message_id };
        self.world.operations.begin_message(&Caller::system(), begin).await.unwrap().map(|begun| begun.text)
    }

    async fn answer_message(&self, message_id: ChatMessageId, result: SayResult) -> MessageStatus {
        let answer = RecordMessageAnswer { workspace_id: self.world.workspace_id, message_id, result };
        self.world.operations.record_message_answer(&Caller::system(), answer).await.unwrap().value.status
    }

    async fn mark_read(&self, until: Option<Timestamp>) -> OpResult<Conversation> {
        let (workspace_id, conversation_id) = (self.world.workspace_id, self.conversations().await[0]);
        let mark = MarkConversationRead { workspace_id, conversation_id, until };
        self.world.operations.mark_conversation_read(&self.keeper, mark).await.map(|read| read.value)
    }
}

#[tokio::test]
async fn a_message_waits_for_the_engine_with_its_author_and_plain_text() {
    let staff = Staff::open().await;
    let account = staff.chatting().await;
    let sent = staff.say(account.id, " [b]hello[/b] \u{202E}there ").await;
    assert_eq!((sent.message.status, sent.text.as_str()), (MessageStatus::Draft, "hello there"));
    assert!(matches!(sent.message.author, Some(Author::Key(_))));
    assert_eq!(staff.messages().await, [sent]);
    let counts = CountConversations { workspace_id: staff.world.workspace_id };
    let counts = staff.world.operations.count_conversations(&staff.keeper, counts).await.unwrap();
    assert_eq!((counts.total, counts.unread), (1, 0));
}

#[tokio::test]
async fn the_log_has_the_steps_of_a_message_and_not_its_text() {
    let staff = Staff::open().await;
    let account = staff.chatting().await;
    let sent = staff.say(account.id, "hello").await.message;
    staff.begin_message(sent.id).await.unwrap();
    staff.answer_message(sent.id, SayResult::Sent(place(staff.now(), 0))).await;
    let (scope, subject) = (staff.scope(), Subject::ChatMessage(sent.id));
    let steps = staff.world.store.transitions().list_of(scope, subject, 9).await.unwrap();
    let named: Vec<_> = steps.iter().map(|step| (step.trigger, step.to)).collect();
    assert_eq!(named, [("drafted", "DRAFT"), ("submitted", "UNCERTAIN"), ("sent", "SENT")]);
    assert!(!format!("{steps:?}").contains("hello"));
}

#[tokio::test]
async fn a_bad_partner_and_a_text_that_is_empty_or_too_long_are_rejected() {
    let staff = Staff::open().await;
    let account = staff.chatting().await;
    let invalid = (Code::InvalidArgument, "INVALID_FIELD");
    for text in ["", "  ", "[b][/b]", &"x".repeat(2_001)] {
        let sending = staff.world.operations.send_message(&staff.keeper, staff.saying(account.id, text));
        assert_eq!(refusal(sending).await, invalid);
    }
    for partner in ["", "x", &account.platform_user_id.to_string()] {
        let command = SendMessage { partner: partner.to_owned(), ..staff.saying(account.id, "hi") };
        assert_eq!(refusal(staff.world.operations.send_message(&staff.keeper, command)).await, invalid, "{partner}");
    }
}

#[tokio::test]
async fn an_account_without_chat_and_a_removed_one_send_nothing() {
    let staff = Staff::open().await;
    let (on, account, workspace_id) = (&staff.world.operations, staff.register(1).await, staff.world.workspace_id);
    let disabled = (Code::FailedPrecondition, "CHAT_DISABLED");
    assert_eq!(refusal(on.send_message(&staff.keeper, staff.saying(account.id, "hi"))).await, disabled);
    let (account_id, expected_version) = (account.id, None);
    on.remove_account(&Caller::system(), RemoveAccount { workspace_id, account_id, expected_version }).await.unwrap();
    let removed = (Code::FailedPrecondition, "ACCOUNT_REMOVED");
    assert_eq!(refusal(on.send_message(&staff.keeper, staff.saying(account.id, "hi"))).await, removed);
}

#[tokio::test]
async fn a_message_is_begun_once_and_an_answer_settles_it() {
    let staff = Staff::open().await;
    let account = staff.chatting().await;
    let sent = staff.say(account.id, "hello").await.message;
    assert_eq!(staff.begin_message(sent.id).await, Some(ChatText::plain("hello")));
    assert_eq!(staff.begin_message(sent.id).await, None);
    assert_eq!(staff.answer_message(sent.id, SayResult::Sent(place(staff.now(), 0))).await, MessageStatus::Sent);
    let late = SayResult::Rejected(MessageFailure::Rejected);
    assert_eq!(staff.answer_message(sent.id, late).await, MessageStatus::Sent, "a late answer changes nothing");
}

#[tokio::test]
async fn a_draft_fails_once_chat_is_disabled_and_what_was_submitted_does_not() {
    let staff = Staff::open().await;
    let account = staff.chatting().await;
    let (first, second) = (staff.say(account.id, "one").await.message, staff.say(account.id, "two").await.message);
    staff.begin_message(first.id).await.unwrap();
    for (message_id, status) in [(first.id, MessageStatus::Uncertain), (second.id, MessageStatus::Failed)] {
        let (workspace_id, failure) = (staff.world.workspace_id, MessageFailure::ChatDisabled);
        let fail = FailMessage { workspace_id, message_id, failure };
        let failed = staff.world.operations.fail_message(&Caller::system(), fail).await.unwrap().value;
        assert_eq!(failed.status, status);
    }
}

#[tokio::test]
async fn what_the_platform_shows_is_recorded_once_in_its_order() {
    let staff = Staff::open().await;
    let (account, at) = (staff.chatting().await, staff.now());
    let all = [shown(place(at, 1), true, "outside"), shown(place(at, 0), false, "[b]hi[/b]")];
    for _ in 0..2 {
        staff.shows_messages(account.id, &all, 1).await;
    }
    let expected = [("hi".to_owned(), MessageStatus::Received), ("outside".to_owned(), MessageStatus::Sent)];
    assert_eq!(staff.texts().await, expected);
    let conversation = staff.conversation().await;
    assert_eq!((conversation.unread, conversation.last_message_at), (1, Some(at)));
}

#[tokio::test]
async fn a_long_conversation_is_recorded_whole_and_in_its_order() {
    let staff = Staff::open().await;
    let (account, at) = (staff.chatting().await, staff.now());
    let all: Vec<ShownMessage> = (0..120).rev().map(|n| shown(place(at, n), false, &format!("message {n}"))).collect();
    staff.shows_messages(account.id, &all, 120).await;
    let texts: Vec<String> = staff.texts().await.into_iter().map(|(text, _)| text).collect();
    assert_eq!(texts, (0..120).map(|n| format!("message {n}")).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_message_without_an_answer_is_found_by_its_text() {
    let staff = Staff::open().await;
    let account = staff.chatting().await;
    let sent = staff.say(account.id, "hello").await.message;
    staff.begin_message(sent.id).await.unwrap();
    staff.shows_messages(account.id, &[shown(place(staff.now(), 0), true, "hello")], 0).await;
    let messages = staff.messages().await;
    assert_eq!((messages.len(), messages[0].message.id), (1, sent.id));
    assert_eq!(messages[0].message.status, MessageStatus::Sent);
}

#[tokio::test]
async fn a_message_that_is_not_shown_for_a_minute_was_not_sent_unless_it_is_shown_later() {
    let staff = Staff::open().await;
    let account = staff.chatting().await;
    let (sent, at) = (staff.say(account.id, "hello").await.message, staff.now());
    staff.begin_message(sent.id).await.unwrap();
    staff.shows_messages(account.id, &[], 0).await;
    assert_eq!(staff.messages().await[0].message.status, MessageStatus::Uncertain);
    staff.world.advance(Duration::seconds(61));
    staff.shows_messages(account.id, &[], 0).await;
    let failed = staff.messages().await[0].message;
    assert_eq!((failed.status, failed.failure), (MessageStatus::Failed, Some(MessageFailure::NotShown)));
    staff.shows_messages(account.id, &[shown(place(at, 0), true, "hello")], 0).await;
    let found = staff.messages().await;
    assert_eq!((found.len(), found[0].message.status), (1, MessageStatus::Sent));
}

#[tokio::test]
async fn a_conversation_is_read_until_its_last_message_or_a_time() {
    let staff = Staff::open().await;
    let (account, at) = (staff.chatting().await, staff.now());
    staff.shows_messages(account.id, &[shown(place(at, 0), false, "hi")], 1).await;
    let future = staff.mark_read(Some(at.plus(Duration::hours(1)))).await.map_err(|error| error.reason.as_str());
    assert_eq!(future, Err("INVALID_FIELD"));
    assert_eq!(staff.mark_read(Some(at.plus(-Duration::hours(1)))).await.unwrap().unread, 1);
    let read = staff.mark_read(None).await.unwrap();
    assert_eq!((read.unread, read.read_until), (0, Some(at)));
    let (workspace_id, most) = (staff.world.workspace_id, 9);
    let unreported = async || {
        let ask = UnreportedConversations { workspace_id, most };
        staff.world.operations.unreported_conversations(&Caller::system(), ask).await.unwrap().len()
    };
    assert_eq!(unreported().await, 1);
    let reported = RecordConversationReported { workspace_id, conversation_id: read.id, until: at };
    staff.world.operations.record_conversation_reported(&Caller::system(), reported).await.unwrap();
    assert_eq!(unreported().await, 0);
}

#[tokio::test]
async fn messages_and_texts_are_forgotten_after_90_days() {
    let staff = Staff::open().await;
    let account = staff.chatting().await;
    staff.say(account.id, "hello").await;
    let kept = staff.messages().await;
    staff.world.advance(Duration::days(89));
    assert_eq!(staff.world.operations.forget_old_chats().await.unwrap(), 0);
    staff.world.advance(Duration::days(2));
    assert_eq!(staff.world.operations.forget_old_chats().await.unwrap(), 2, "the message and its text");
    let get = GetMessages { workspace_id: staff.world.workspace_id, message_ids: vec![kept[0].message.id] };
    let found = staff.world.operations.get_messages(&Caller::system(), get).await.unwrap();
    assert_eq!((found.messages.len(), found.missing.len()), (0, 1));
}

#[tokio::test]
async fn a_text_is_read_after_its_key_was_rotated() {
    let staff = Staff::open().await;
    let account = staff.chatting().await;
    staff.say(account.id, "hello").await;
    let owner = staff.world.proven_key().await;
    let rotate = tradepost_operations::accounts::RotateWorkspaceKey { workspace_id: staff.world.workspace_id };
    staff.world.operations.rotate_workspace_key(&owner, rotate).await.unwrap();
    staff.world.operations.reseal_workspace_secrets().await.unwrap();
    assert_eq!(staff.texts().await, [("hello".to_owned(), MessageStatus::Draft)]);
}

#[tokio::test]
async fn a_driver_sends_a_message_that_is_on_record_as_begun_while_the_chat_is_enabled() {
    let staff = Staff::open().await;
    let account = staff.chatting().await;
    let vault = AccountTokens::new(staff.world.operations.clone(), staff.world.workspace_id, text("steam"));
    let may = async |change: SocialChange| vault.may_change(account.platform_user_id, &change).await.unwrap();
    let of = |id: ChatMessageId| {
        let client_id = ExternalId::from(id.to_bytes());
        SocialChange::Message { partner: partner(), client_id }
    };
    assert!(!may(of(ChatMessageId::from_bytes([9; 16]))).await, "there is no conversation");
    let first = staff.say(account.id, "hello").await.message.id;
    let second = staff.say(account.id, "hello").await.message.id;
    assert!(!may(of(first)).await, "the engine has not begun");
    staff.begin_message(first).await.unwrap();
    assert_eq!((may(of(first)).await, may(of(second)).await), (true, false));
    staff.chat(account.id, false).await;
    assert!(!may(of(first)).await, "the chat is disabled");
    staff.chat(account.id, true).await;
    staff.answer_message(first, SayResult::Sent(place(staff.now(), 0))).await;
    assert!(!may(of(first)).await, "it is sent");
}

#[tokio::test]
async fn a_driver_marks_a_conversation_as_read_that_was_read_here() {
    let staff = Staff::open().await;
    let account = staff.chatting().await;
    let vault = AccountTokens::new(staff.world.operations.clone(), staff.world.workspace_id, text("steam"));
    let at = staff.now();
    let may = async |until| {
        vault.may_change(account.platform_user_id, &SocialChange::Read { partner: partner(), until }).await.unwrap()
    };
    staff.shows_messages(account.id, &[shown(place(at, 0), false, "hi")], 1).await;
    assert!(!may(at).await, "it was not read here");
    staff.mark_read(None).await.unwrap();
    assert_eq!((may(at).await, may(at.plus(Duration::seconds(1))).await), (true, false));
    staff.chat(account.id, false).await;
    assert!(!may(at).await, "the chat is disabled");
}
