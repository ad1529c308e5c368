use time::Duration;

use super::*;
use crate::id::{AccountId, ConfirmationId, RecordKey, WorkspaceId};
use crate::text::ExternalId;

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
    let seen = Confirmation::seen(key, AccountId::from_bytes([3; 16]), shown, at(0));
    let attempts = u8::from(matches!(
        status,
        ConfirmationStatus::Allowing | ConfirmationStatus::Denying | ConfirmationStatus::Uncertain
    ));
    Confirmation { status, attempts, ..seen }
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
    let mut waiting = of_offer(ConfirmationStatus::Matched);
    for attempt in 1..=MOST_ATTEMPTS {
        let allowing = waiting.answering(ConfirmationStep::AllowByPerson, at(1)).unwrap();
        assert_eq!(allowing.attempts, attempt);
        let lost = allowing.shown_after(ConfirmationOutcome::Unknown, at(2));
        assert_eq!(lost.status, ConfirmationStatus::Uncertain);
        waiting = lost.shown_after(ConfirmationOutcome::StillWaits, at(3));
    }
    assert_eq!(waiting.status, ConfirmationStatus::Strange);
    assert_eq!(waiting.clone().answering(ConfirmationStep::AllowByPerson, at(4)), Err(StepError::Attempts));
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
        (Is::Denying, Shows::StillWaits, Is::Seen),
        (Is::Denying, Shows::Unknown, Is::Denying),
        (Is::Seen, Shows::Gone, Is::Vanished),
        (Is::Strange, Shows::Gone, Is::Vanished),
        (Is::Seen, Shows::Unknown, Is::Seen),
        (Is::Matched, Shows::StillWaits, Is::Matched),
    ] {
        assert_eq!(of_offer(status).shown_after(shows, at(1)).status, expected, "{status} {shows:?}");
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
