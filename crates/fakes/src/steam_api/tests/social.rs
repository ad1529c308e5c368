//! Friends, conversations and messages of an account that needs no sign-in.

use serde_json::{Value, json};
use time::Duration;
use tradepost_adapters_simulator::{Answer, Request, SocialCall};
use tradepost_domain::trading::chat::ChatText;
use tradepost_domain::trading::friend::FriendRelation;
use tradepost_domain::trading::trade::PlatformUserId;

use super::super::{CONVERSATIONS, FRIENDS, MESSAGES, READ_MARK, SAY, answer, messages};
use super::reads::Two;
use crate::facade::{Asked, Reply};
use crate::protobuf::Field;

/// An account with a friend.
struct Friends {
    two: Two,
    us: PlatformUserId,
    friend: PlatformUserId,
}

impl Friends {
    fn new() -> Self {
        let two = Two::new();
        let us = two.us.user;
        let friend = two.fakes.simulator().world(|world| {
            let friend = world.befriend(us);
            world.relate_to(friend, us, FriendRelation::Friend);
            friend
        });
        Self { two, us, friend }
    }

    fn hear(&self, written: &str) {
        self.two.fakes.simulator().world(|world| world.write_to(self.us, self.friend, written));
    }

    fn say(&self, text: &str) {
        let call = SocialCall::Say { partner: self.friend, text: ChatText::stored(text) };
        let request = Request::Social { account: self.us, token: None, call };
        let said = self.two.fakes.simulator().world(|world| world.answer(&request));
        assert!(matches!(said, Answer::Place(_)), "{said:?}");
    }

    fn ask(&self, route: &'static str, message: &Value, fields: &[Field]) -> Reply {
        let mut asked = messages::request(route, message, fields);
        asked.query.insert("access_token".to_owned(), self.two.token(self.us));
        answer(&self.two.fakes, &asked)
    }

    fn friends(&self) -> Reply {
        self.ask(FRIENDS, &json!({}), &[])
    }

    fn conversations(&self) -> Reply {
        self.ask(CONVERSATIONS, &json!({}), messages::CONVERSATIONS_REQUEST)
    }

    /// The messages with the friend, and these fields in the request.
    fn messages(&self, further: &Value) -> Reply {
        let mut request = json!({ "steamid1": self.us.number(), "steamid2": self.friend.number(), "bbcode": true });
        for (name, value) in further.as_object().unwrap() {
            request[name] = value.clone();
        }
        self.ask(MESSAGES, &request, messages::RECENT_REQUEST)
    }

    /// Sends a message whose markup is read.
    fn send(&self, to: PlatformUserId, text: &str) -> Reply {
        let request = json!({
            "steamid": to.number(), "chat_entry_type": 1, "message": text, "contains_bbcode": true,
            "echo_to_sender": true, "client_message_id": "one",
        });
        self.ask(SAY, &request, messages::SAY_REQUEST)
    }

    fn mark_read(&self, until: &Value) -> Reply {
        let request = json!({ "steamid_partner": self.friend.number(), "timestamp": until });
        self.ask(READ_MARK, &request, messages::READ_MARK_REQUEST)
    }
}

/// Every answer about friends and chats.
pub(super) fn every_reply() -> Vec<Reply> {
    let friends = Friends::new();
    let mut replies = vec![friends.conversations(), friends.messages(&json!({}))];
    friends.hear("[b]hello[/b]");
    replies.extend([friends.friends(), friends.conversations(), friends.messages(&json!({}))]);
    replies.push(friends.messages(&json!({ "steamid1": friends.friend.number() })));
    let sent = friends.send(friends.friend, "hi");
    let until = sent.body["server_timestamp"].clone();
    replies.extend([sent, friends.send(friends.two.them.user, "hi"), friends.mark_read(&until)]);
    for route in [CONVERSATIONS, MESSAGES, SAY, READ_MARK] {
        let query = [("access_token".to_owned(), friends.two.token(friends.us))].into();
        replies.push(answer(&friends.two.fakes, &Asked { route, query, ..Asked::default() }));
    }
    let numbers: Vec<Option<u32>> = replies.iter().map(Reply::eresult).collect();
    assert_eq!(numbers, [1, 1, 1, 1, 1, 15, 1, 15, 1, 8, 8, 8, 8].map(Some));
    replies
}

#[test]
fn a_friend_is_listed_with_the_number_of_the_relation() {
    let friends = Friends::new();
    for (relation, number) in
        [(FriendRelation::Friend, 3), (FriendRelation::WeAsked, 2), (FriendRelation::TheyAsked, 4)]
    {
        friends.two.fakes.simulator().world(|world| world.relate_to(friends.friend, friends.us, relation));
        let shown = json!([{ "ulfriendid": friends.friend.to_string(), "efriendrelationship": number }]);
        assert_eq!(friends.friends().body["response"]["friendslist"]["friends"], shown);
    }
    for (relation, number) in [(FriendRelation::Blocked, 5), (FriendRelation::Ignored, 1)] {
        friends.two.fakes.simulator().world(|world| world.relate_to(friends.us, friends.friend, relation));
        let shown = &friends.friends().body["response"]["friendslist"]["friends"][0];
        assert_eq!(shown["efriendrelationship"], number, "{relation:?}");
    }
}

#[test]
fn messages_come_in_pages_of_three_with_the_newest_first() {
    let friends = Friends::new();
    for number in 0..5 {
        friends.hear(&format!("[i]{number}[/i]"));
        if number % 2 == 1 {
            friends.two.fakes.advance(Duration::SECOND);
        }
    }
    for [time, ordinal] in [["time_last", "ordinal_last"], ["rtime32_start_time", "start_ordinal"]] {
        let (mut pages, mut further) = (Vec::new(), json!({}));
        loop {
            let page = friends.messages(&further).body;
            let shown = page["messages"].as_array().unwrap().clone();
            let oldest = shown.last().unwrap();
            further = json!({ time: oldest["timestamp"], ordinal: oldest["ordinal"] });
            pages.push(shown.iter().map(|message| message["message"].clone()).collect::<Vec<Value>>());
            if page["more_available"] == false {
                break;
            }
        }
        assert_eq!(pages, [vec!["[i]4[/i]", "[i]3[/i]", "[i]2[/i]"], vec!["[i]1[/i]", "[i]0[/i]"]]);
    }
    let single = friends.messages(&json!({ "count": 1, "bbcode": false })).body;
    assert_eq!(
        (&single["messages"][0]["message"], single["messages"].as_array().map(Vec::len)),
        (&json!("4"), Some(1))
    );
}

#[test]
fn messages_name_their_author_and_conversations_their_partner() {
    let friends = Friends::new();
    friends.hear("hello");
    let account = |user: PlatformUserId| json!(user.number().get() - 76_561_197_960_265_728);
    let unread = friends.conversations().body["sessions"][0].clone();
    assert_eq!((&unread["unread_count"], unread.get("last_view")), (&json!(1), None));
    assert_eq!(unread["accountid_friend"], account(friends.friend));
    let now = friends.two.fakes.now();
    let until = SocialCall::MarkRead { partner: friends.friend, until: now };
    let request = Request::Social { account: friends.us, token: None, call: until };
    friends.two.fakes.simulator().world(|world| world.answer(&request));
    let read = friends.conversations().body["sessions"][0].clone();
    assert_eq!((&read["unread_count"], &read["last_view"]), (&json!(0), &read["last_message"]));
    friends.say("hi [you]");
    let all = friends.messages(&json!({})).body["messages"].clone();
    let authors = [&all[0], &all[1]].map(|message| message["accountid"].clone());
    assert_eq!(authors, [account(friends.us), account(friends.friend)]);
    assert_eq!(all[0]["message"], "hi \\[you]");
}

#[test]
fn a_message_is_sent_with_its_markup_read_and_is_sent_again_under_the_same_id() {
    let friends = Friends::new();
    let sent = [friends.send(friends.friend, "[b]hi[/b] \\[you]"), friends.send(friends.friend, "hi")];
    let places = [&sent[0], &sent[1]].map(|reply| (&reply.body["server_timestamp"], &reply.body["ordinal"]));
    assert_eq!(places[0].0, places[1].0);
    assert_eq!((places[0].1, places[1].1), (&json!(0), &json!(1)));
    assert_eq!(sent[0].body["message_without_bb_code"], "hi [you]");
    let all = friends.messages(&json!({ "bbcode": false })).body["messages"].clone();
    assert_eq!([&all[0]["message"], &all[1]["message"]], ["hi", "hi [you]"]);
}

#[test]
fn only_a_friend_is_sent_a_message_and_only_a_text_is_sent() {
    let friends = Friends::new();
    assert_eq!(friends.send(friends.two.them.user, "hi").eresult(), Some(15));
    let typing = json!({ "steamid": friends.friend.number(), "chat_entry_type": 2, "message": "" });
    assert_eq!(friends.ask(SAY, &typing, messages::SAY_REQUEST).eresult(), Some(8));
    assert_eq!(friends.messages(&json!({})).body["messages"], json!([]));
}

#[test]
fn a_conversation_is_read_until_the_time_that_is_marked() {
    let friends = Friends::new();
    friends.hear("hello");
    let unread = || friends.conversations().body["sessions"][0]["unread_count"].clone();
    friends.mark_read(&json!(0));
    assert_eq!(unread(), 1);
    let last = friends.conversations().body["sessions"][0]["last_message"].clone();
    friends.mark_read(&last);
    assert_eq!(unread(), 0);
}
