//! The steps of a session.

use time::Duration;

use super::*;
use crate::id::{AccountId, AccountSessionId, RecordKey, WorkspaceId};
use crate::trading::account_session::{Guard, Start, may_start_again};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(0).unwrap().plus(Duration::seconds(seconds))
}

fn started() -> AccountSession {
    let key = RecordKey { workspace_id: WorkspaceId::from_bytes([1; 16]), id: AccountSessionId::from_bytes([2; 16]) };
    let start = Start { uses_stored_code: true, is_automatic: false };
    AccountSession::start(key, AccountId::from_bytes([3; 16]), start, at(0))
}

fn asking(guards: &[Guard]) -> SessionEvent {
    SessionEvent::Asked(Asked { guards: guards.to_vec(), email_domain: None })
}

fn tokens_of(seconds: i64) -> TokenExpiry {
    TokenExpiry { access: at(seconds), refresh: at(seconds * 200) }
}

fn after(events: impl IntoIterator<Item = SessionEvent>) -> AccountSession {
    events.into_iter().fold(started(), |session, event| session.apply(event, at(1)).unwrap())
}

#[test]
fn a_sign_in_waits_for_a_code_or_for_an_approval_and_then_works_until_it_is_lost() {
    let waiting = after([asking(&[Guard::DeviceApproval, Guard::DeviceCode])]);
    assert!(waiting.code_guard() == Some(Guard::DeviceCode));
    assert_eq!(after([asking(&[Guard::EmailApproval])]).status, SessionStatus::AwaitingApproval);
    let signed_in = waiting.apply(SessionEvent::CodeGiven, at(2)).unwrap();
    assert_eq!((signed_in.status, signed_in.codes_given), (SessionStatus::Starting, 1));
    let active = signed_in.apply(SessionEvent::SignedIn(tokens_of(86_400)), at(3)).unwrap();
    assert!(active.status.works() && active.asked.guards.is_empty());
    let lost = active.apply(SessionEvent::Lost(SessionFailure::Expired), at(4)).unwrap();
    assert_eq!((lost.status, lost.failure), (SessionStatus::Expired, Some(SessionFailure::Expired)));
}

#[test]
fn a_sign_in_takes_ten_minutes_at_most_once_it_was_begun_and_waits_a_day_for_that() {
    let (waiting, begun) = (started(), after([SessionEvent::Begun]));
    let after_minutes = |minutes: i64| at(minutes * 60);
    // It was begun an hour after its start.
    let is_late_after = |minutes: i64| {
        let begun_for = Some(Duration::minutes(minutes));
        begun.is_late(after_minutes(60 + minutes), true, begun_for)
    };
    assert_eq!([0, 9, 10].map(is_late_after), [false, false, true]);
    for session in [&waiting, &begun] {
        let is_late_at = |minutes: i64| session.is_late(after_minutes(minutes), true, None);
        assert_eq!([24 * 60 - 1, 24 * 60].map(is_late_at), [false, true], "{:?}", session.called_at);
    }
    assert!(waiting.is_late(after_minutes(10), false, None), "no engine here can begin it");
}

#[test]
fn a_code_that_is_not_accepted_is_asked_for_again() {
    let again = after([asking(&[Guard::EmailCode]), SessionEvent::CodeGiven, SessionEvent::CodeRefused]);
    assert_eq!((again.code_guard(), again.failure), (Some(Guard::EmailCode), Some(SessionFailure::WrongCode)));
    assert_eq!(again.codes_given, 1);
}

#[test]
fn after_five_wrong_codes_a_sign_in_has_failed() {
    let mut session = after([asking(&[Guard::EmailCode])]);
    while session.code_guard().is_some() {
        session = session.apply(SessionEvent::CodeGiven, at(2)).unwrap();
        session = session.apply(SessionEvent::CodeRefused, at(3)).unwrap();
    }
    assert_eq!((session.codes_given, session.status), (5, SessionStatus::Failed));
}

#[test]
fn a_sign_in_is_begun_once_in_two_minutes_until_tokens_come() {
    let begun = after([SessionEvent::Begun]);
    assert_eq!((begun.status, begun.called_at), (SessionStatus::Starting, Some(at(1))));
    assert!(begun.clone().apply(SessionEvent::Begun, at(120)).is_err(), "another node has announced the call");
    let asked = begun.clone().apply(asking(&[Guard::EmailCode]), at(2)).unwrap();
    assert!(!asked.may_call(at(120)) && asked.may_call(at(121)), "a process that starts again begins it again");
    assert_eq!(asked.apply(SessionEvent::Begun, at(121)).unwrap().status, SessionStatus::AwaitingCode);
    assert_eq!(begun.apply(SessionEvent::SignedIn(tokens_of(9)), at(3)).unwrap().called_at, None);
}

#[test]
fn tokens_are_revoked_on_request_alone_and_once_in_a_minute() {
    let active = after([SessionEvent::Begun, SessionEvent::SignedIn(tokens_of(9))]);
    assert!(active.clone().apply(SessionEvent::RevocationBegun, at(2)).is_err(), "no one asked for it");
    let asked = active.apply(SessionEvent::EndRequested, at(2)).unwrap();
    let begun = asked.apply(SessionEvent::RevocationBegun, at(3)).unwrap();
    assert_eq!((begun.status, begun.called_at), (SessionStatus::Active, Some(at(3))));
    assert!(begun.clone().apply(SessionEvent::RevocationBegun, at(62)).is_err(), "another node has announced the call");
    let renewed = begun.apply(SessionEvent::Renewed(tokens_of(20)), at(4)).unwrap();
    assert!(!renewed.may_call(at(62)) && renewed.may_call(at(63)));
}

#[test]
fn a_code_of_a_person_waits_until_the_engine_takes_it() {
    let submitted = after([asking(&[Guard::EmailCode]), SessionEvent::CodeSubmitted]);
    assert_eq!((submitted.status, submitted.has_code, submitted.codes_given), (SessionStatus::Starting, true, 0));
    let given = submitted.apply(SessionEvent::CodeGiven, at(2)).unwrap();
    assert_eq!((given.has_code, given.codes_given), (false, 1));
}

#[test]
fn the_engine_makes_a_second_code_once_the_first_has_ended_and_no_third_one() {
    let waiting = after([asking(&[Guard::DeviceCode])]);
    assert!(waiting.makes_code(at(1)));
    let again =
        waiting.apply(SessionEvent::CodeGiven, at(10)).unwrap().apply(SessionEvent::CodeRefused, at(11)).unwrap();
    assert!(!again.makes_code(at(39)) && again.makes_code(at(40)));
    let third = again.apply(SessionEvent::CodeGiven, at(40)).unwrap().apply(SessionEvent::CodeRefused, at(41)).unwrap();
    assert!(!third.makes_code(at(4_000)) && third.code_guard().is_some());
}

#[test]
fn the_engine_signs_in_again_three_times_a_day_and_never_with_a_wrong_password() {
    let ended = |started_at: i64, is_automatic, failure| AccountSession {
        is_automatic,
        created_at: at(started_at),
        ..after([SessionEvent::Refused(failure)])
    };
    let automatic = |minute: i64| ended(minute * 60, true, SessionFailure::PlatformDown);
    assert!(may_start_again(&[], at(0)));
    assert!(may_start_again(&[ended(0, false, SessionFailure::Expired)], at(1)));
    assert!(!may_start_again(&[ended(0, false, SessionFailure::WrongPassword)], at(1_000_000)));
    assert!(!may_start_again(&[automatic(0)], at(899)) && may_start_again(&[automatic(0)], at(900)));
    let three = [automatic(60), automatic(30), automatic(0)];
    assert!(!may_start_again(&three, at(23 * 3_600)) && may_start_again(&three, at(24 * 3_600)));
    assert!(!may_start_again(&[after([SessionEvent::SignedIn(tokens_of(9))])], at(1)));
    assert!(!may_start_again(&[after([SessionEvent::Closed])], at(1_000_000)), "a person ended it");
    let outage_after_a_wrong_password =
        [ended(60, false, SessionFailure::PlatformDown), ended(0, false, SessionFailure::WrongPassword)];
    assert!(!may_start_again(&outage_after_a_wrong_password, at(1_000_000)));
}

#[test]
fn a_renewal_leaves_the_session_working_whatever_comes_of_it() {
    let renewing = after([SessionEvent::SignedIn(tokens_of(10)), SessionEvent::RenewalBegun]);
    assert!(renewing.status.works());
    let renewed = renewing.clone().apply(SessionEvent::Renewed(tokens_of(20)), at(2)).unwrap();
    assert_eq!((renewed.status, renewed.expiry), (SessionStatus::Active, Some(tokens_of(20))));
    let postponed = renewing.apply(SessionEvent::RenewalPostponed, at(2)).unwrap();
    assert_eq!((postponed.status, postponed.expiry), (SessionStatus::Active, Some(tokens_of(10))));
}

#[test]
fn what_is_over_has_no_further_step() {
    let events = || {
        [
            SessionEvent::Begun,
            asking(&[Guard::EmailCode]),
            SessionEvent::CodeSubmitted,
            SessionEvent::CodeGiven,
            SessionEvent::CodeRefused,
            SessionEvent::SignedIn(tokens_of(1)),
            SessionEvent::Refused(SessionFailure::WrongCode),
            SessionEvent::RenewalBegun,
            SessionEvent::Renewed(tokens_of(1)),
            SessionEvent::RenewalPostponed,
            SessionEvent::Lost(SessionFailure::Expired),
            SessionEvent::EndRequested,
            SessionEvent::RevocationBegun,
            SessionEvent::Closed,
            SessionEvent::Revoked,
        ]
    };
    for over in [SessionStatus::Failed, SessionStatus::Revoked, SessionStatus::Closed] {
        for event in events() {
            assert_eq!(over.after(&event), None, "{over} {event:?}");
        }
    }
}

#[test]
fn an_expired_session_can_only_be_ended_or_followed() {
    let possible = |event: &SessionEvent| SessionStatus::Expired.after(event);
    assert_eq!(possible(&SessionEvent::Closed), Some(SessionStatus::Closed));
    assert_eq!(possible(&SessionEvent::Revoked), Some(SessionStatus::Revoked));
    assert_eq!(possible(&SessionEvent::SignedIn(tokens_of(1))), None);
    assert_eq!(possible(&SessionEvent::RenewalBegun), None);
}

#[test]
fn a_working_session_is_never_late() {
    assert!(!after([SessionEvent::SignedIn(tokens_of(10))]).is_late(at(24 * 3_600), true, Some(Duration::HOUR)));
}

#[test]
fn every_step_leads_to_a_session_that_keeps_the_rules() {
    let steps = [
        vec![asking(&[Guard::EmailCode])],
        vec![asking(&[Guard::EmailApproval])],
        vec![SessionEvent::SignedIn(tokens_of(9))],
        vec![SessionEvent::SignedIn(tokens_of(9)), SessionEvent::RenewalBegun],
        vec![SessionEvent::SignedIn(tokens_of(9)), SessionEvent::Lost(SessionFailure::Expired)],
        vec![SessionEvent::Refused(SessionFailure::WrongPassword)],
        vec![SessionEvent::SignedIn(tokens_of(9)), SessionEvent::EndRequested, SessionEvent::Revoked],
    ];
    for events in steps {
        let session = after(events);
        assert_eq!(session.clone().checked(), Ok(session));
    }
}
