//! Tests of the steps of friends: the table of relations and actions, and random orders of wishes, acts of partners and lost answers.

use std::num::NonZeroU64;

use proptest::prelude::*;

use super::*;
use crate::id::{AccountId, FriendId, WorkspaceId};

use ActionState as State;
use FriendRelation as Is;

fn second(second: i64) -> Timestamp {
    Timestamp::MIN.plus(Duration::seconds(second))
}

fn key() -> FriendKey {
    FriendKey {
        id: FriendId::from_bytes([1; 16]),
        workspace_id: WorkspaceId::from_bytes([2; 16]),
        account_id: AccountId::from_bytes([3; 16]),
    }
}

fn user() -> PlatformUserId {
    PlatformUserId::new(NonZeroU64::MIN)
}

fn shown(relation: FriendRelation) -> Option<ShownFriend> {
    let shown = ShownFriend { user: user(), relation, name: None, friend_since: None };
    (relation != Is::None).then_some(shown)
}

/// A friend that the platform showed in this relation at second 0.
fn related(relation: FriendRelation) -> Friend {
    let first = ShownFriend { user: user(), relation, name: None, friend_since: None };
    Friend::first_seen(key(), &first, second(0), second(0))
}

fn state(friend: &Friend) -> Option<(State, Option<FriendFailure>)> {
    friend.request.map(|request| (request.state, request.failure))
}

#[test]
fn each_action_is_possible_reached_or_impossible_in_each_relation() {
    let table = [
        // They asked, we asked, friend, blocked, ignored, none.
        (FriendAction::Add, ["FRIEND", "reached", "reached", "impossible", "FRIEND", "WE_ASKED"]),
        (FriendAction::Accept, ["FRIEND", "impossible", "reached", "impossible", "impossible", "impossible"]),
        (FriendAction::Remove, ["NONE", "NONE", "NONE", "impossible", "NONE", "reached"]),
        (FriendAction::Block, ["BLOCKED", "BLOCKED", "BLOCKED", "reached", "BLOCKED", "BLOCKED"]),
        (FriendAction::Unblock, ["reached", "reached", "reached", "NONE", "reached", "reached"]),
    ];
    assert_eq!(table.map(|(action, _)| action), *FriendAction::ALL);
    for (action, outlooks) in table {
        let found = FriendRelation::ALL.iter().map(|relation| match action.outlook(*relation) {
            Outlook::Possible(relation) => relation.as_str(),
            Outlook::Reached => "reached",
            Outlook::Impossible => "impossible",
        });
        assert_eq!(found.collect::<Vec<_>>(), outlooks, "{action}");
    }
}

#[test]
fn only_a_possible_action_can_be_asked_for() {
    let pairs = FriendRelation::ALL.iter().flat_map(|is| FriendAction::ALL.iter().map(|action| (*is, *action)));
    for (relation, action) in pairs {
        let asked = related(relation).ask(action, second(1)).map(|friend| state(&friend));
        let expected = match action.outlook(relation) {
            Outlook::Possible(_) => Ok(Some((State::Requested, None))),
            Outlook::Reached => Err(FriendError::Reached { action, relation }),
            Outlook::Impossible => Err(FriendError::Impossible { action, relation }),
        };
        assert_eq!(asked, expected, "{action} while {relation}");
    }
}

#[test]
fn an_answered_action_has_its_effect() {
    let sent = related(Is::TheyAsked).ask(FriendAction::Accept, second(1)).unwrap().sending(second(2)).unwrap();
    let done = sent.answered(SendResult::Done, second(3));
    assert_eq!((done.relation, state(&done)), (Is::Friend, Some((State::Done, None))));
}

#[test]
fn a_list_that_was_read_before_the_answer_takes_nothing_back() {
    let sent = related(Is::TheyAsked).ask(FriendAction::Accept, second(1)).unwrap().sending(second(2)).unwrap();
    let done = sent.answered(SendResult::Done, second(4));
    assert_eq!(done.clone().shown(shown(Is::TheyAsked).as_ref(), second(3), second(5)), done);
}

#[test]
fn a_rejected_action_fails_with_its_reason() {
    let sent = related(Is::None).ask(FriendAction::Add, second(1)).unwrap().sending(second(2)).unwrap();
    let failed = sent.answered(SendResult::Rejected(FriendFailure::ListFull), second(3));
    assert_eq!(state(&failed), Some((State::Failed, Some(FriendFailure::ListFull))));
    assert_eq!(failed.relation, Is::None);
}

#[test]
fn an_action_without_an_answer_is_sent_again_only_after_a_later_list_does_not_show_it() {
    let sent = related(Is::None).ask(FriendAction::Add, second(1)).unwrap().sending(second(2)).unwrap();
    assert_eq!(sent.clone().sending(second(3)), None);
    let early = sent.clone().shown(None, second(61), second(61));
    assert_eq!((state(&early), early.sending(second(61))), (Some((State::Uncertain, None)), None));
    let late = sent.shown(None, second(62), second(62));
    assert_eq!(state(&late), Some((State::Requested, None)));
}

#[test]
fn a_list_that_shows_the_goal_settles_an_action_without_an_answer() {
    let sent = related(Is::None).ask(FriendAction::Add, second(1)).unwrap().sending(second(2)).unwrap();
    let found = sent.shown(shown(Is::WeAsked).as_ref(), second(3), second(3));
    assert_eq!((found.relation, state(&found)), (Is::WeAsked, Some((State::Done, None))));
}

#[test]
fn an_action_that_is_never_answered_is_abandoned_after_three_calls() {
    let mut friend = related(Is::None).ask(FriendAction::Add, second(0)).unwrap();
    for call in 1..=3 {
        friend =
            friend.sending(second(call * 100)).unwrap().shown(None, second(call * 100 + 60), second(call * 100 + 60));
    }
    assert_eq!(state(&friend), Some((State::Failed, Some(FriendFailure::NoAnswer))));
}

#[test]
fn a_request_that_the_partner_makes_impossible_fails() {
    let asked = related(Is::TheyAsked).ask(FriendAction::Accept, second(1)).unwrap();
    let withdrawn = asked.shown(None, second(2), second(2));
    assert_eq!(state(&withdrawn), Some((State::Failed, Some(FriendFailure::Overtaken))));
}

#[test]
fn a_waiting_action_is_replaced_and_one_in_flight_is_not() {
    let asked = related(Is::TheyAsked).ask(FriendAction::Accept, second(1)).unwrap();
    assert_eq!(asked.clone().ask(FriendAction::Accept, second(2)), Ok(asked.clone()));
    let replaced = asked.clone().ask(FriendAction::Block, second(2)).unwrap();
    assert_eq!(replaced.request.map(|request| request.action), Some(FriendAction::Block));
    let sent = asked.sending(second(3)).unwrap();
    assert_eq!(sent.ask(FriendAction::Block, second(4)), Err(FriendError::InFlight { action: FriendAction::Accept }));
}

/// One thing that happens, and how many seconds later.
#[derive(Debug, Clone, Copy)]
enum Happening {
    /// A person asks.
    Ask(FriendAction),
    /// The partner, or a person on the platform itself, changes the relation.
    Act(FriendRelation),
    /// The engine sends what waits; the call ends so.
    Send(Ending),
    /// The engine reads the list.
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
        2 => proptest::sample::select(FriendAction::ALL).prop_map(Happening::Ask),
        1 => proptest::sample::select(FriendRelation::ALL).prop_map(Happening::Act),
        3 => proptest::sample::select(&ENDINGS[..]).prop_map(Happening::Send),
        3 => Just(Happening::Read),
    ];
    (happening, 0..90_i64)
}

/// A platform, and what was recorded of it.
struct Story {
    relation: FriendRelation,
    friend: Friend,
    /// Whether the last call had its effect, and nothing else has changed the relation since.
    has_effect: bool,
}

impl Story {
    fn happen(&mut self, what: Happening, at: Timestamp) {
        match what {
            Happening::Ask(action) => {
                if let Ok(asked) = self.friend.clone().ask(action, at) {
                    if asked != self.friend {
                        self.has_effect = false;
                    }
                    self.friend = asked;
                }
            }
            Happening::Act(relation) => (self.relation, self.has_effect) = (relation, false),
            Happening::Read => {
                let read = shown(self.relation);
                self.friend = self.friend.clone().shown(read.as_ref(), at, at);
                assert_eq!(self.friend.relation, self.relation, "what the platform shows wins");
            }
            Happening::Send(ending) => self.send(ending, at),
        }
    }

    fn send(&mut self, ending: Ending, at: Timestamp) {
        let Some(sending) = self.friend.clone().sending(at) else { return };
        assert!(!self.has_effect, "an action that had its effect was sent again");
        let action = sending.request.unwrap().action;
        let outlook = action.outlook(self.relation);
        self.friend = sending;
        if matches!(ending, Ending::LostBefore | Ending::NotSent) {
            if ending == Ending::NotSent {
                self.friend = self.friend.clone().answered(SendResult::NotSent, at);
            }
            return;
        }
        if let Outlook::Possible(relation) = outlook {
            (self.relation, self.has_effect) = (relation, true);
        }
        if ending == Ending::Answered {
            let result = match outlook {
                Outlook::Possible(_) | Outlook::Reached => SendResult::Done,
                Outlook::Impossible => SendResult::Rejected(FriendFailure::Rejected),
            };
            self.friend = self.friend.clone().answered(result, at);
        }
    }
}

proptest! {
    #[test]
    fn in_whatever_order_things_happen_no_effect_is_sent_twice_and_the_platform_wins(
        first in proptest::sample::select(FriendRelation::ALL),
        happenings in proptest::collection::vec(happening(), 0..40),
    ) {
        let mut story = Story { relation: first, friend: related(first), has_effect: false };
        let mut now = 1;
        for (what, seconds) in happenings {
            now += seconds;
            story.happen(what, second(now));
        }
        // Once calls are answered, everything that was asked for ends.
        for _ in 0..5 {
            now += 61;
            story.happen(Happening::Read, second(now));
            now += 1;
            story.happen(Happening::Send(Ending::Answered), second(now));
        }
        now += 61;
        story.happen(Happening::Read, second(now));
        prop_assert!(!story.friend.is_open(), "{:?}", story.friend.request);
        prop_assert!(Friend::restore(story.friend.0.clone()).is_ok());
    }
}
