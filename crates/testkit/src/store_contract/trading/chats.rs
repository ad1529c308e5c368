//! Promises about conversations and messages: they are read back as they were written, only at home, and a message has its place once.

use tradepost_domain::trading::chat::{
    Author, ChatMessage, Conversation, ConversationKey, Draft, MessagePlace, MessageStatus, Reading, ShownConversation,
};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{ConversationFilter, PageRequest, Store, StoreError, Unique};

use crate::samples::{Scene, minute, start};
use crate::store_contract::{insert, value, values};

async fn kept(store: &dyn Store, conversation: Conversation) -> Conversation {
    insert(store, [conversation.into()]).await.unwrap();
    conversation
}

async fn written(store: &dyn Store, message: ChatMessage) -> ChatMessage {
    insert(store, [message.into()]).await.unwrap();
    message
}

fn unread(scene: &Scene, conversation: Conversation) -> Conversation {
    let partner = scene.samples.platform_user();
    conversation.shown(&ShownConversation { partner, last_message_at: minute(3), unread: 2 }, minute(4))
}

pub async fn a_conversation_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let new = || scene.samples.conversation(scene.id(), scene.samples.id());
    let place = MessagePlace { sent_at: minute(3), ordinal: 7 };
    for conversation in
        [new(), unread(&scene, new()), unread(&scene, new()).recorded(place, minute(5)).read(None, minute(6))]
    {
        let conversation = kept(store, conversation).await;
        let read = value(store.chats().find(scene.scope(), conversation.id).await.unwrap());
        assert_eq!(read, Some(conversation));
    }
}

pub async fn a_conversation_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let conversation = home.samples.conversation(home.id(), home.samples.id());
    let conversation = kept(store, unread(&home, conversation).read(None, minute(5))).await;
    let (account, partners) = (conversation.account_id, [home.samples.platform_user(), conversation.partner]);
    for (scope, found) in [(home.scope(), Some(conversation)), (abroad.scope(), None)] {
        let all: Vec<Conversation> = found.into_iter().collect();
        assert_eq!(value(store.chats().find(scope, conversation.id).await.unwrap()), found);
        assert_eq!(values(store.chats().find_many(scope, &[conversation.id]).await.unwrap()), all);
        assert_eq!(values(store.chats().find_with(scope, account, &partners).await.unwrap()), all);
        assert_eq!(values(store.chats().list_unreported(scope, 9).await.unwrap()), all);
    }
    let other = store.chats().find_with(home.scope(), home.samples.id(), &partners).await.unwrap();
    assert_eq!(values(other), []);
}

pub async fn conversations_are_listed_by_account_and_reading_and_counted(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (one, other) = (scene.samples.id(), scene.samples.id());
    let first = kept(store, scene.samples.conversation(scene.id(), one)).await.id;
    let second = kept(store, unread(&scene, scene.samples.conversation(scene.id(), one))).await.id;
    let third = kept(store, unread(&scene, scene.samples.conversation(scene.id(), other))).await.id;
    let listed = async |account_id, unread_only| {
        let page = PageRequest { before: None, limit: 9 };
        store.chats().list(scene.scope(), ConversationFilter { account_id, unread_only }, page).await.unwrap().ids
    };
    assert_eq!(listed(None, false).await, [third, second, first]);
    assert_eq!(listed(Some(one), false).await, [second, first]);
    assert_eq!(listed(None, true).await, [third, second]);
    assert_eq!(listed(Some(one), true).await, [second]);
    let mut counts = store.counters().by_status(scene.scope(), Kind::Conversation, None).await.unwrap();
    counts.retain(|(_, count)| *count != 0);
    assert_eq!(counts, [(Reading::Read.code(), 1), (Reading::Unread.code(), 2)]);
}

pub async fn an_account_has_one_conversation_with_a_partner(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let conversation = kept(store, scene.samples.conversation(scene.id(), scene.samples.id())).await;
    let again = |account_id| {
        let (workspace_id, partner) = (scene.id(), conversation.partner);
        Conversation::new(ConversationKey { id: scene.samples.id(), workspace_id, account_id, partner }, start())
    };
    let refused = insert(store, [again(conversation.account_id).into()]).await;
    assert_eq!(refused.unwrap_err(), StoreError::Duplicate(Unique::Conversation));
    kept(store, again(scene.samples.id())).await;
}

pub async fn a_message_in_every_status_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let conversation = scene.samples.conversation(scene.id(), scene.samples.id());
    let mut messages: Vec<ChatMessage> =
        MessageStatus::ALL.iter().map(|status| scene.samples.chat_message(&conversation, *status)).collect();
    for author in [Author::User(scene.user.id), Author::Key(scene.key.id)] {
        let key = scene.samples.message_key(scene.id(), conversation.account_id, conversation.id);
        messages.push(ChatMessage::draft(Draft { key, author: Some(author) }, start()));
    }
    for message in messages {
        let message = written(store, message).await;
        assert_eq!(value(store.chats().find_message(scene.scope(), message.id).await.unwrap()), Some(message));
    }
}

pub async fn messages_are_listed_by_conversation_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let [one, other] = [(); 2].map(|()| home.samples.conversation(home.id(), home.samples.id()));
    let first = written(store, home.samples.chat_message(&one, MessageStatus::Received)).await;
    let second = written(store, home.samples.chat_message(&one, MessageStatus::Sent)).await;
    written(store, home.samples.chat_message(&other, MessageStatus::Sent)).await;
    let page = PageRequest { before: None, limit: 9 };
    let listed = store.chats().list_messages(home.scope(), one.id, page).await.unwrap().ids;
    assert_eq!(listed, [second.id, first.id]);
    assert_eq!(store.chats().list_messages(abroad.scope(), one.id, page).await.unwrap().ids, []);
    let found = values(store.chats().find_messages(home.scope(), &[first.id, home.samples.id()]).await.unwrap());
    assert_eq!(found, [first]);
    assert_eq!(values(store.chats().find_messages(abroad.scope(), &[first.id]).await.unwrap()), []);
}

pub async fn open_and_sought_messages_are_read_oldest_first(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let [one, other] = [(); 2].map(|()| scene.samples.conversation(scene.id(), scene.samples.id()));
    let make = async |of, status| written(store, scene.samples.chat_message(of, status)).await;
    let draft = make(&one, MessageStatus::Draft).await;
    let uncertain = make(&one, MessageStatus::Uncertain).await;
    let failed = make(&one, MessageStatus::Failed).await;
    make(&one, MessageStatus::Sent).await;
    let elsewhere = make(&other, MessageStatus::Uncertain).await;
    let open = values(store.chats().list_open(scene.scope(), 9).await.unwrap());
    assert_eq!(open, [draft, uncertain, elsewhere]);
    assert_eq!(values(store.chats().list_open(scene.scope(), 1).await.unwrap()), [draft]);
    assert_eq!(values(store.chats().list_sought(scene.scope(), one.id).await.unwrap()), [uncertain, failed]);
}

pub async fn a_place_in_a_conversation_has_one_message(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let [one, other] = [(); 2].map(|()| scene.samples.conversation(scene.id(), scene.samples.id()));
    let place = MessagePlace { sent_at: minute(2), ordinal: 1 };
    let at = |conversation: &Conversation| {
        let key = scene.samples.message_key(scene.id(), conversation.account_id, conversation.id);
        ChatMessage::first_seen(key, false, place, start())
    };
    written(store, at(&one)).await;
    let refused = insert(store, [at(&one).into()]).await;
    assert_eq!(refused.unwrap_err(), StoreError::Duplicate(Unique::MessagePlace));
    written(store, at(&other)).await;
    let places = async |from| store.chats().list_places(scene.scope(), one.id, from).await.unwrap();
    assert_eq!((places(minute(2)).await, places(minute(3)).await), (vec![place], vec![]));
}
