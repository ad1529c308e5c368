//! Tests of how messages of ours are found: by examples, and by random orders of calls, losses and readings.

use std::collections::BTreeMap;

use proptest::prelude::*;
use time::Duration;

use super::*;
use crate::id::{AccountId, ConversationId, WorkspaceId};
use crate::time::Timestamp;
use crate::trading::chat::{Draft, MessageFailure, MessageKey, MessageStatus, SayResult};

fn second(second: i64) -> Timestamp {
    Timestamp::MIN.plus(Duration::seconds(1_000 + second))
}

fn place(at: i64, ordinal: u32) -> MessagePlace {
    MessagePlace { sent_at: second(at), ordinal }
}

fn key(number: u8) -> MessageKey {
    MessageKey {
        id: ChatMessageId::from_bytes([number; 16]),
        workspace_id: WorkspaceId::from_bytes([1; 16]),
        account_id: AccountId::from_bytes([2; 16]),
        conversation_id: ConversationId::from_bytes([3; 16]),
    }
}

fn draft(number: u8) -> ChatMessage {
    ChatMessage::draft(Draft { key: key(number), author: None }, second(0))
}

fn uncertain(number: u8, text: &str, at: i64) -> SoughtMessage {
    SoughtMessage { message: draft(number).submitting(second(at)).unwrap(), text: ChatText::plain(text) }
}

fn shown(at: MessagePlace, is_from_us: bool, text: &str) -> ShownMessage {
    ShownMessage { place: at, is_from_us, text: ChatText::plain(text) }
}

fn ours(number: u8) -> Found {
    Found::Ours(ChatMessageId::from_bytes([number; 16]))
}

#[test]
fn a_message_without_an_answer_is_found_by_its_text() {
    let sought = [uncertain(1, "hello", 10)];
    let found = assign(&[shown(place(11, 0), false, "hello"), shown(place(12, 0), true, "hello")], &sought);
    assert_eq!(found, [Found::New, ours(1)]);
}

#[test]
fn two_messages_with_one_text_are_found_in_their_order_and_each_once() {
    let sought = [uncertain(2, "hello", 20), uncertain(1, "hello", 10)];
    let all = [place(11, 0), place(21, 0), place(22, 0)].map(|at| shown(at, true, "hello"));
    assert_eq!(assign(&all, &sought), [ours(1), ours(2), Found::New]);
}

#[test]
fn an_older_message_with_the_same_text_is_another_one() {
    let sought = [uncertain(1, "hello", 500)];
    assert_eq!(assign(&[shown(place(10, 0), true, "hello")], &sought), [Found::New]);
}

#[test]
fn a_message_that_counted_as_not_sent_is_found_all_the_same() {
    let SoughtMessage { message, text } = uncertain(1, "hello", 10);
    let sought = [SoughtMessage { message: message.failed(MessageFailure::NotShown), text }];
    assert_eq!(assign(&[shown(place(12, 0), true, "hello")], &sought), [ours(1)]);
}

#[test]
fn each_status_follows_from_the_steps_that_the_table_names() {
    let sending = draft(1).submitting(second(10)).unwrap();
    for (result, status) in [
        (SayResult::Sent(place(11, 0)), MessageStatus::Sent),
        (SayResult::Rejected(MessageFailure::Rejected), MessageStatus::Failed),
        (SayResult::NotSent, MessageStatus::Draft),
    ] {
        assert_eq!(sending.answered(result).status, status);
        assert_eq!(draft(1).answered(result).status, MessageStatus::Draft, "a draft has no answer");
    }
    assert_eq!(sending.submitting(second(12)), None, "a message is submitted once");
    assert_eq!((sending.is_disproven_by(second(69)), sending.is_disproven_by(second(70))), (false, true));
}

/// What happens in a conversation, and how many seconds later.
#[derive(Debug, Clone, Copy)]
enum Happening {
    /// A person sends a message with one of three texts.
    Write(u8),
    /// The engine sends the first draft; the call ends so.
    Send(Ending),
    /// The partner writes, or a person of ours on the platform itself.
    Outside { is_from_us: bool, text: u8 },
    /// The engine reads the conversation.
    Read,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Ending {
    Answered,
    LostBefore,
    LostAfter,
    NotSent,
}

fn happening() -> impl Strategy<Value = (Happening, i64)> {
    const ENDINGS: [Ending; 4] = [Ending::Answered, Ending::LostBefore, Ending::LostAfter, Ending::NotSent];
    let happening = prop_oneof![
        (0..3_u8).prop_map(Happening::Write),
        proptest::sample::select(&ENDINGS[..]).prop_map(Happening::Send),
        (any::<bool>(), 3..6_u8).prop_map(|(is_from_us, text)| Happening::Outside { is_from_us, text }),
        Just(Happening::Read),
    ];
    (happening, 0..90_i64)
}

/// A conversation on a platform, and the records of it.
#[derive(Default)]
struct Story {
    /// On the platform.
    said: Vec<ShownMessage>,
    records: Vec<SoughtMessage>,
    /// How often each record was sent with an effect.
    sent: BTreeMap<usize, u32>,
}

impl Story {
    fn next_number(&self) -> u8 {
        u8::try_from(self.records.len() + 1).unwrap()
    }

    fn say(&mut self, is_from_us: bool, text: ChatText, at: i64) -> MessagePlace {
        let same = self.said.iter().filter(|said| said.place.sent_at == second(at)).count();
        let place = place(at, u32::try_from(same).unwrap());
        self.said.push(ShownMessage { place, is_from_us, text });
        place
    }

    fn happen(&mut self, what: Happening, at: i64) {
        match what {
            Happening::Write(text) => {
                let text = ChatText::plain(&format!("text {text}"));
                self.records.push(SoughtMessage { message: draft(self.next_number()), text });
            }
            Happening::Outside { is_from_us, text } => {
                self.say(is_from_us, ChatText::plain(&format!("text {text}")), at);
            }
            Happening::Send(ending) => self.send(ending, at),
            Happening::Read => self.read(at),
        }
    }

    fn send(&mut self, ending: Ending, at: i64) {
        // One after the other: a message without an answer holds up those after it.
        if self.records.iter().any(|record| record.message.status == MessageStatus::Uncertain) {
            return;
        }
        let next = self.records.iter().position(|record| record.message.submitting(second(at)).is_some());
        let Some(next) = next else { return };
        let SoughtMessage { message, text } = self.records[next].clone();
        let message = message.submitting(second(at)).unwrap();
        self.records[next].message = match ending {
            Ending::LostBefore => message,
            Ending::NotSent => message.answered(SayResult::NotSent),
            Ending::Answered | Ending::LostAfter => {
                let place = self.say(true, text, at);
                *self.sent.entry(next).or_default() += 1;
                if ending == Ending::Answered { message.answered(SayResult::Sent(place)) } else { message }
            }
        };
    }

    fn read(&mut self, at: i64) {
        let known: Vec<MessagePlace> = self.records.iter().filter_map(|record| record.message.place).collect();
        let new: Vec<ShownMessage> = self.said.iter().filter(|said| !known.contains(&said.place)).cloned().collect();
        let found = assign(&new, &self.records);
        for (shown, found) in new.into_iter().zip(found) {
            match found {
                Found::Ours(id) => {
                    let record = self.records.iter_mut().find(|record| record.message.id == id).unwrap();
                    record.message = record.message.at_place(shown.place);
                }
                Found::New => {
                    let message =
                        ChatMessage::first_seen(key(self.next_number()), shown.is_from_us, shown.place, second(at));
                    self.records.push(SoughtMessage { message, text: shown.text });
                }
            }
        }
        for record in &mut self.records {
            if record.message.is_disproven_by(second(at)) {
                record.message = record.message.failed(MessageFailure::NotShown);
            }
        }
    }
}

proptest! {
    #[test]
    fn in_whatever_order_things_happen_nothing_is_sent_twice_and_everything_shown_is_recorded_once(
        happenings in proptest::collection::vec(happening(), 0..40),
    ) {
        let (mut story, mut now) = (Story::default(), 0);
        for (what, seconds) in happenings {
            now += seconds;
            story.happen(what, now);
        }
        for what in [Happening::Read, Happening::Read] {
            now += 61;
            story.happen(what, now);
        }
        prop_assert!(story.sent.values().all(|times| *times <= 1));
        let mut places: Vec<MessagePlace> = story.records.iter().filter_map(|record| record.message.place).collect();
        places.sort_unstable();
        let mut said: Vec<MessagePlace> = story.said.iter().map(|said| said.place).collect();
        said.sort_unstable();
        prop_assert_eq!(places, said);
        for (number, record) in story.records.iter().enumerate() {
            prop_assert!(ChatMessage::restore(*record.message).is_ok());
            let is_sent = record.message.status == MessageStatus::Sent;
            prop_assert!(record.message.status != MessageStatus::Uncertain);
            prop_assert!(!story.sent.contains_key(&number) || is_sent, "what was sent is known to be");
        }
    }
}
