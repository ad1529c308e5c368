//! Promises of friends and chats, shown on two accounts of which both are signed in.

use async_trait::async_trait;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::chat::{ChatText, MessagePlace, ShownConversation, ShownMessage};
use tradepost_domain::trading::friend::FriendRelation;
use tradepost_domain::trading::trade::PlatformUserId;

use super::{FaultInjection, retry_after};
use crate::samples::text;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::social::{Social, SocialRefusal, SocialResult};

/// A game platform at which two trading accounts are signed in that are not related.
#[async_trait]
pub trait SocialFixture: FaultInjection {
    /// Returns their friends and chats.
    fn social(&self) -> &dyn Social;
    /// Returns the two accounts.
    fn pair(&self) -> [PlatformUserId; 2];
    /// Returns the number of an account that does not exist.
    fn unknown_user(&self) -> PlatformUserId;
    /// Lets some seconds pass.
    async fn wait(&self);
    /// Executes the next call about a friend, and loses its answer.
    async fn lose_next_friend_answer(&self);
    /// Executes the next message, and loses its answer.
    async fn lose_next_message_answer(&self);
}

fn refused<T>(reason: SocialRefusal) -> SocialResult<T> {
    Err(ExternalError::Rejected(reason))
}

async fn relation(fixture: &dyn SocialFixture, of: PlatformUserId, to: PlatformUserId) -> FriendRelation {
    let friends = fixture.social().friends(of).await.unwrap();
    friends.into_iter().find(|shown| shown.user == to).map_or(FriendRelation::None, |shown| shown.relation)
}

/// Returns the relations of both accounts to each other.
async fn relations(fixture: &dyn SocialFixture) -> [FriendRelation; 2] {
    let [us, them] = fixture.pair();
    [relation(fixture, us, them).await, relation(fixture, them, us).await]
}

async fn befriended(fixture: &dyn SocialFixture) -> [PlatformUserId; 2] {
    let [us, them] = fixture.pair();
    fixture.social().add(us, them).await.unwrap();
    fixture.social().accept(them, us).await.unwrap();
    [us, them]
}

async fn say(fixture: &dyn SocialFixture, from: PlatformUserId, to: PlatformUserId, said: &str) -> MessagePlace {
    fixture.social().say(from, to, &ChatText::plain(said), &text("client-1")).await.unwrap()
}

async fn messages(fixture: &dyn SocialFixture, of: PlatformUserId, with: PlatformUserId) -> Vec<ShownMessage> {
    fixture.social().messages(of, with, None).await.unwrap().messages
}

async fn conversation(
    fixture: &dyn SocialFixture,
    of: PlatformUserId,
    with: PlatformUserId,
) -> Option<ShownConversation> {
    let all = fixture.social().conversations(of).await.unwrap();
    all.into_iter().find(|shown| shown.partner == with)
}

pub async fn a_request_that_is_accepted_makes_friends(fixture: &dyn SocialFixture) {
    let [us, them] = fixture.pair();
    fixture.social().add(us, them).await.unwrap();
    assert_eq!(relations(fixture).await, [FriendRelation::WeAsked, FriendRelation::TheyAsked]);
    fixture.social().accept(them, us).await.unwrap();
    assert_eq!(relations(fixture).await, [FriendRelation::Friend; 2]);
}

pub async fn a_friend_is_shown_with_the_time_since_when(fixture: &dyn SocialFixture) {
    let [us, them] = befriended(fixture).await;
    let friends = fixture.social().friends(us).await.unwrap();
    assert!(friends.iter().any(|shown| shown.user == them && shown.friend_since.is_some()));
}

pub async fn adding_who_asks_is_accepting(fixture: &dyn SocialFixture) {
    let [us, them] = fixture.pair();
    fixture.social().add(us, them).await.unwrap();
    fixture.social().add(them, us).await.unwrap();
    assert_eq!(relations(fixture).await, [FriendRelation::Friend; 2]);
}

pub async fn nothing_is_accepted_that_was_not_asked(fixture: &dyn SocialFixture) {
    let [us, them] = fixture.pair();
    assert_eq!(fixture.social().accept(us, them).await, refused(SocialRefusal::NotAllowed));
    fixture.social().add(us, them).await.unwrap();
    assert_eq!(fixture.social().accept(us, them).await, refused(SocialRefusal::NotAllowed));
    assert_eq!(relations(fixture).await, [FriendRelation::WeAsked, FriendRelation::TheyAsked]);
}

pub async fn removing_ends_a_friendship_and_a_request_on_both_sides(fixture: &dyn SocialFixture) {
    let [us, them] = befriended(fixture).await;
    fixture.social().remove(us, them).await.unwrap();
    assert_eq!(relations(fixture).await, [FriendRelation::None; 2]);
    fixture.social().add(us, them).await.unwrap();
    fixture.social().remove(them, us).await.unwrap();
    assert_eq!(relations(fixture).await, [FriendRelation::None; 2]);
    assert_eq!(fixture.social().remove(us, them).await, refused(SocialRefusal::NotAllowed));
}

pub async fn who_is_blocked_cannot_ask_until_unblocked(fixture: &dyn SocialFixture) {
    let [us, them] = befriended(fixture).await;
    fixture.social().block(us, them).await.unwrap();
    assert_eq!(relations(fixture).await, [FriendRelation::Blocked, FriendRelation::None]);
    assert_eq!(fixture.social().add(them, us).await, refused(SocialRefusal::NotAllowed));
    fixture.social().unblock(us, them).await.unwrap();
    assert_eq!(relations(fixture).await, [FriendRelation::None; 2]);
    assert_eq!(fixture.social().unblock(us, them).await, refused(SocialRefusal::NotAllowed));
    fixture.social().add(them, us).await.unwrap();
}

pub async fn an_unknown_account_is_not_found(fixture: &dyn SocialFixture) {
    let [us, _] = fixture.pair();
    let unknown_user = fixture.unknown_user();
    assert_eq!(fixture.social().add(us, unknown_user).await, refused(SocialRefusal::NotFound));
    let said = fixture.social().say(us, unknown_user, &ChatText::plain("hi"), &text("client-1")).await;
    assert_eq!(said, refused(SocialRefusal::NotFound));
}

pub async fn the_list_shows_what_a_lost_answer_did(fixture: &dyn SocialFixture) {
    let [us, them] = fixture.pair();
    fixture.lose_next_friend_answer().await;
    assert!(matches!(fixture.social().add(us, them).await, Err(ExternalError::Unknown(_))));
    assert_eq!(relations(fixture).await, [FriendRelation::WeAsked, FriendRelation::TheyAsked]);
}

pub async fn a_message_is_at_its_place_for_both_sides(fixture: &dyn SocialFixture) {
    let [us, them] = befriended(fixture).await;
    let first = say(fixture, us, them, "hello").await;
    let second = say(fixture, them, us, "hi").await;
    assert_ne!(first, second);
    let shown = |place, is_from_us, said| ShownMessage { place, is_from_us, text: ChatText::plain(said) };
    assert_eq!(messages(fixture, us, them).await, [shown(second, false, "hi"), shown(first, true, "hello")]);
    assert_eq!(messages(fixture, them, us).await, [shown(second, true, "hi"), shown(first, false, "hello")]);
}

pub async fn a_text_is_shown_as_it_was_sent(fixture: &dyn SocialFixture) {
    let [us, them] = befriended(fixture).await;
    let sent = ChatText::plain("AK-47 [0.07]\n\\[b] costs 5 \\\\ 6");
    fixture.social().say(us, them, &sent, &text("client-1")).await.unwrap();
    assert_eq!(messages(fixture, them, us).await[0].text, sent);
}

pub async fn only_friends_receive_messages(fixture: &dyn SocialFixture) {
    let [us, them] = fixture.pair();
    let said = fixture.social().say(us, them, &ChatText::plain("hi"), &text("client-1")).await;
    assert_eq!(said, refused(SocialRefusal::NotAllowed));
    assert_eq!(messages(fixture, us, them).await, []);
}

pub async fn every_message_is_on_exactly_one_of_several_pages(fixture: &dyn SocialFixture) {
    let [us, them] = befriended(fixture).await;
    let mut places = Vec::new();
    for number in 0..120 {
        places.push(say(fixture, us, them, &format!("message {number}")).await);
    }
    let (mut read, mut before) = (Vec::new(), None);
    loop {
        let page = fixture.social().messages(us, them, before).await.unwrap();
        read.extend(page.messages.iter().map(|shown| shown.place));
        before = read.last().copied();
        if !page.more {
            break;
        }
    }
    read.reverse();
    assert_eq!(read, places);
}

pub async fn a_conversation_shows_what_is_unread_until_it_is_read(fixture: &dyn SocialFixture) {
    let [us, them] = befriended(fixture).await;
    assert_eq!(conversation(fixture, us, them).await, None);
    let first = say(fixture, them, us, "one").await;
    fixture.wait().await;
    let last = say(fixture, them, us, "two").await;
    let shown = |unread| Some(ShownConversation { partner: them, last_message_at: last.sent_at, unread });
    assert_eq!(conversation(fixture, us, them).await, shown(2));
    for (until, unread) in [(first.sent_at, 1), (last.sent_at, 0), (first.sent_at, 0)] {
        fixture.social().mark_read(us, them, until).await.unwrap();
        assert_eq!(conversation(fixture, us, them).await, shown(unread));
    }
    assert_eq!(conversation(fixture, them, us).await.map(|shown| shown.unread), Some(0));
}

pub async fn the_conversation_shows_what_a_lost_answer_sent(fixture: &dyn SocialFixture) {
    let [us, them] = befriended(fixture).await;
    fixture.lose_next_message_answer().await;
    let lost = fixture.social().say(us, them, &ChatText::plain("hello"), &text("client-1")).await;
    assert!(matches!(lost, Err(ExternalError::Unknown(_))), "{lost:?}");
    let texts: Vec<ChatText> = messages(fixture, us, them).await.into_iter().map(|shown| shown.text).collect();
    assert_eq!(texts, [ChatText::plain("hello")]);
}

pub async fn a_call_too_many_does_nothing_and_says_when_to_come_back(fixture: &dyn SocialFixture) {
    let [us, them] = fixture.pair();
    fixture.limit_rate().await;
    assert!(!retry_after(fixture.social().friends(us).await).is_zero());
    assert!(!retry_after(fixture.social().add(us, them).await).is_zero());
    let read = fixture.social().mark_read(us, them, Timestamp::MIN).await;
    assert!(!retry_after(read).is_zero());
}

pub async fn a_lost_session_is_reported(fixture: &dyn SocialFixture) {
    let [us, _] = fixture.pair();
    fixture.lose_session().await;
    let lost = ExternalError::AuthLost { effect: Effect::Nothing };
    assert_eq!(fixture.social().friends(us).await, Err(lost.clone()));
    assert_eq!(fixture.social().conversations(us).await, Err(lost));
}
