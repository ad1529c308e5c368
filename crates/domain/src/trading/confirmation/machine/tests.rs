//! The steps of a confirmation: what people and the engine answer, and what the platform shows of it.

use time::Duration;

use super::*;
use crate::id::{ConfirmationId, RecordKey, WorkspaceId};
use crate::text::{AccountName, ExternalId};
use crate::trading::confirmation::ANSWER_LASTS;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(0).unwrap().plus(Duration::seconds(seconds))
}

fn in_status(status: ConfirmationStatus, platform_kind: u32) -> Confirmation {
    let shown = ShownConfirmation {
        platform_id: ExternalId::new("4000").unwrap(),
        platform_kind,
        kind_name: None,
        creator: ExternalId::new("77").unwrap(),
        headline: None,
        summary: Vec::new(),
        created_at: at(0),
    };
    let key = RecordKey { workspace_id: WorkspaceId::from_bytes([1; 16]), id: ConfirmationId::from_bytes([2; 16]) };
    let seen = Confirmation::seen(key, AccountName::new("trader-1").unwrap(), shown, at(0));
    let is_answered =
        matches!(status, ConfirmationStatus::Allowing | ConfirmationStatus::Denying | ConfirmationStatus::Uncertain);
    let is_by_person = status == ConfirmationStatus::Denying;
    let answer = is_answered.then_some(PendingAnswer { asked_at: at(0), is_by_person, begun_at: Some(at(0)) });
    Confirmation { status, attempts: u8::from(is_answered), answer, ..seen }
}

fn of_offer(status: ConfirmationStatus) -> Confirmation {
    in_status(status, 2)
}

#[test]
fn the_engine_allows_only_what_matched_and_a_person_what_waits() {
    use ConfirmationStatus as Is;
    let possible = |step| {
        let is_possible = move |status: &&Is| of_offer(**status).answering(step, at(1)).is_ok();
        Is::ALL.iter().filter(is_possible).copied().collect::<Vec<_>>()
    };
    assert_eq!(possible(ConfirmationStep::Allow), [Is::Matched]);
    assert_eq!(possible(ConfirmationStep::AllowByPerson), [Is::Seen, Is::Matched, Is::Strange]);
    assert_eq!(possible(ConfirmationStep::Deny), [Is::Seen, Is::Matched, Is::Strange]);
}

#[test]
fn nobody_allows_here_what_changes_the_account_and_anybody_denies_it() {
    for number in [5, 6, 9, 11] {
        for step in [ConfirmationStep::Allow, ConfirmationStep::AllowByPerson] {
            let refused = in_status(ConfirmationStatus::Matched, number).answering(step, at(1));
            assert_eq!(refused, Err(StepError::NotHere), "{number}");
        }
        let denied = in_status(ConfirmationStatus::Strange, number).answering(ConfirmationStep::Deny, at(1)).unwrap();
        assert_eq!(denied.status, ConfirmationStatus::Denying);
    }
}

#[test]
fn an_answer_without_an_outcome_is_repeated_five_times_at_most() {
    let mut waiting = of_offer(ConfirmationStatus::Matched).answering(ConfirmationStep::AllowByPerson, at(1)).unwrap();
    for attempt in 1..=MOST_ATTEMPTS {
        let allowing = waiting.begun(at(1));
        assert_eq!((allowing.status, allowing.attempts), (ConfirmationStatus::Allowing, attempt));
        let lost = allowing.shown_after(ConfirmationOutcome::Unknown, at(2));
        assert_eq!(lost.status, ConfirmationStatus::Uncertain);
        waiting = lost.shown_after(ConfirmationOutcome::StillWaits, at(3));
    }
    assert_eq!((waiting.status, waiting.answer), (ConfirmationStatus::Strange, None));
    assert_eq!(waiting.clone().answering(ConfirmationStep::AllowByPerson, at(4)), Err(StepError::Attempts));
    assert!(waiting.answering(ConfirmationStep::Deny, at(4)).is_ok());
}

#[test]
fn an_answer_that_the_driver_does_not_give_ends_with_its_reason() {
    use ConfirmationStatus as Is;
    let why = || ReasonText::new("giving is not enabled").ok();
    let strange = in_status(Is::Denying, 9).refused(why(), at(2));
    assert_eq!((strange.status, strange.answer, strange.attempts), (Is::Strange, None, 0));
    assert_eq!(strange.checks, [ConfirmationCheck { code: CheckCode::Halt, holds: false, detail: why() }]);
    let of_ours = of_offer(Is::Matched).about(TradeOfferId::from_bytes([3; 16]), None, at(1));
    let asked = of_ours.answering(ConfirmationStep::AllowByPerson, at(1)).unwrap();
    assert!(asked_again(&asked));
    assert_eq!(asked.refused(why(), at(2)).status, Is::Seen);
    let waiting = of_offer(Is::Seen);
    assert_eq!(waiting.clone().refused(why(), at(2)), waiting, "no answer was asked for");
}

/// Whether a person can answer once more what the driver did not answer.
fn asked_again(asked: &Confirmation) -> bool {
    asked.clone().refused(None, at(2)).answering(ConfirmationStep::AllowByPerson, at(3)).is_ok()
}

#[test]
fn an_answer_is_being_given_from_its_beginning_on_and_no_other_one_is() {
    let asked = of_offer(ConfirmationStatus::Seen).answering(ConfirmationStep::AllowByPerson, at(1)).unwrap();
    assert!(!asked.is_being_answered(true), "the engine has not begun");
    let begun = asked.begun(at(2));
    assert_eq!([true, false].map(|is_allowed| begun.is_being_answered(is_allowed)), [true, false]);
    let denied = in_status(ConfirmationStatus::Denying, 9);
    assert_eq!([true, false].map(|is_allowed| denied.is_being_answered(is_allowed)), [false, true]);
    assert!(!in_status(ConfirmationStatus::Allowing, 9).is_being_answered(true), "what changes the account");
    assert!(!of_offer(ConfirmationStatus::Uncertain).is_being_answered(true), "the answer is over");
}

#[test]
fn an_answer_of_the_engine_begins_at_once_and_one_of_a_person_waits_for_it() {
    let of_engine = of_offer(ConfirmationStatus::Matched).answering(ConfirmationStep::Allow, at(1)).unwrap();
    assert_eq!((of_engine.attempts, of_engine.answer.unwrap().begun_at), (1, Some(at(1))));
    let asked = of_offer(ConfirmationStatus::Seen).answering(ConfirmationStep::AllowByPerson, at(1)).unwrap();
    assert_eq!((asked.attempts, asked.answer.unwrap().begun_at), (0, None));
    let begun = asked.clone().begun(at(2));
    assert_eq!((begun.attempts, begun.answer.unwrap().begun_at), (1, Some(at(2))));
    assert_eq!(begun.clone().begun(at(3)), begun);
    assert!(asked.is_answer_late(at(1).plus(ANSWER_LASTS)) && !begun.is_answer_late(at(1).plus(ANSWER_LASTS)));
}

#[test]
fn a_call_that_did_nothing_is_made_again_for_a_person_and_examined_again_for_the_engine() {
    let of_engine = of_offer(ConfirmationStatus::Matched).answering(ConfirmationStep::Allow, at(1)).unwrap();
    let again = of_engine.not_answered(at(2));
    assert_eq!((again.status, again.answer, again.attempts), (ConfirmationStatus::Seen, None, 0));
    let asked = of_offer(ConfirmationStatus::Seen).answering(ConfirmationStep::AllowByPerson, at(1)).unwrap();
    let again = asked.clone().begun(at(2)).not_answered(at(3));
    assert_eq!((again.status, again.attempts), (ConfirmationStatus::Allowing, 0));
    assert_eq!(again.answer.unwrap().begun_at, None);
    let late = asked.not_answered(at(1).plus(ANSWER_LASTS));
    assert_eq!((late.status, late.answer), (ConfirmationStatus::Seen, None));
}

#[test]
fn one_that_changes_the_account_stays_until_a_person_denies_it() {
    let unexpected = in_status(ConfirmationStatus::Seen, 9).reported(CheckCode::Kind, None, at(1));
    assert_eq!(unexpected.status, ConfirmationStatus::Strange);
    let missing = unexpected.shown_after(ConfirmationOutcome::Gone, at(2));
    assert!(missing.stops_giving() && missing.status == ConfirmationStatus::Strange);
    let denied = missing.answering(ConfirmationStep::Deny, at(3)).unwrap().begun(at(3));
    let denied = denied.shown_after(ConfirmationOutcome::Gone, at(4));
    assert!(!denied.stops_giving() && denied.status == ConfirmationStatus::Denied);
}

#[test]
fn what_the_platform_shows_decides_what_came_of_an_answer() {
    use ConfirmationOutcome as Shows;
    use ConfirmationStatus as Is;
    for (status, shows, expected) in [
        (Is::Allowing, Shows::Allowed, Is::Allowed),
        (Is::Uncertain, Shows::Allowed, Is::Allowed),
        (Is::Allowing, Shows::StillWaits, Is::Seen),
        (Is::Allowing, Shows::Gone, Is::Vanished),
        (Is::Uncertain, Shows::Gone, Is::Vanished),
        (Is::Denying, Shows::Denied, Is::Denied),
        (Is::Denying, Shows::Gone, Is::Denied),
        (Is::Denying, Shows::StillWaits, Is::Denying),
        (Is::Allowing, Shows::Denied, Is::Vanished),
        (Is::Denying, Shows::Unknown, Is::Denying),
        (Is::Seen, Shows::Gone, Is::Vanished),
        (Is::Strange, Shows::Gone, Is::Vanished),
        (Is::Seen, Shows::Unknown, Is::Seen),
        (Is::Matched, Shows::StillWaits, Is::Matched),
    ] {
        let after = of_offer(status).shown_after(shows, at(1));
        assert_eq!(after.status, expected, "{status} {shows:?}");
        assert!(!after.is_corrupt(), "{status} {shows:?}");
    }
}

#[test]
fn nothing_follows_a_final_status() {
    use ConfirmationOutcome as Shows;
    for status in ConfirmationStatus::ALL.iter().copied().filter(|status| status.is_terminal()) {
        for shows in [Shows::Allowed, Shows::Denied, Shows::Unknown, Shows::StillWaits, Shows::Gone] {
            assert_eq!(of_offer(status).shown_after(shows, at(1)), of_offer(status), "{status} {shows:?}");
        }
    }
}

#[test]
fn one_that_is_seen_again_is_missing_no_more() {
    let missing = of_offer(ConfirmationStatus::Seen).missing(at(5)).missing(at(9));
    assert_eq!(missing.missing_since, Some(at(5)));
    let shown = missing.shown.clone();
    let again = missing.seen_again(shown, at(10));
    assert_eq!((again.missing_since, again.seen_at), (None, at(10)));
}

#[test]
fn what_was_decided_does_not_hold_for_something_else_under_the_same_id() {
    let asked = of_offer(ConfirmationStatus::Matched).answering(ConfirmationStep::AllowByPerson, at(1)).unwrap();
    for spoil in [
        |shown: &mut ShownConfirmation| shown.platform_kind = 9,
        |shown: &mut ShownConfirmation| {
            shown.creator = ExternalId::new("78").unwrap();
        },
    ] {
        let mut shown = asked.shown.clone();
        spoil(&mut shown);
        let other = asked.clone().seen_again(shown, at(2));
        assert_eq!((other.status, other.answer), (ConfirmationStatus::Seen, None));
    }
}
