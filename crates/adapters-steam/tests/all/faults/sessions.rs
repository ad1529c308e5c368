//! Faults of calls about sessions. A call that may have had its effect never ends as if it had none.

use std::time::Duration;

use tradepost_adapters_steam::SteamSessions;
use tradepost_fakes::Fault;
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::game_platform::sessions::{PlatformSessions as _, SessionRefusal};

use super::{MESSAGE, huge, limited, signed_out, unknown};
use crate::calls::SessionCall;
use crate::facades::{unpaced, wait};
use crate::scene::Scene;

type Failure = ExternalError<SessionRefusal>;

/// The fault of a call, after which an account is signed in and the same call works.
async fn fails_once(scene: &Scene, call: SessionCall, fault: Fault) -> Failure {
    scene.rest();
    let before = scene.facades.calls(call.route());
    let failed = scene.make_with(call, fault).await.unwrap_err();
    assert_eq!(scene.facades.calls(call.route()), before + 1, "{call:?} is not repeated by itself");
    assert_eq!(scene.make(call).await, Ok(()), "the next {call:?} works");
    failed
}

#[tokio::test]
async fn f01_a_limit_that_names_a_time_is_waited_for_and_may_have_come_after_the_act() {
    let scene = Scene::new().await;
    for call in SessionCall::ALL {
        scene.rest();
        let failed = scene.make_with(call, Fault::F01 { retry_after_seconds: 60 }).await;
        assert_eq!(failed, Err(limited(Duration::from_mins(1), call.effect())), "{call:?}");
        let before = scene.facades.fakes.ledger().len();
        let early = scene.sessions.begin(&scene.asked(None).who()).await;
        assert!(early.as_ref().is_err_and(ExternalError::did_nothing), "{early:?}");
        assert_eq!(scene.facades.fakes.ledger().len(), before, "nothing is sent before the time");
        wait(Duration::from_secs(61)).await;
        assert_eq!(scene.make(call).await, Ok(()), "{call:?}");
    }
}

#[tokio::test]
async fn f02_a_limit_that_follows_other_calls_is_waited_for() {
    let scene = Scene::new().await;
    let pause = unpaced().sign_in.pause;
    scene.make(SessionCall::Begin).await.unwrap();
    for call in SessionCall::ALL {
        scene.rest();
        let failed = scene.make_with(call, Fault::F02).await;
        assert_eq!(failed, Err(limited(pause, call.effect())), "{call:?}");
        wait(pause).await;
        assert_eq!(scene.make(call).await, Ok(()), "{call:?}");
    }
}

#[tokio::test]
async fn f02_a_refusal_of_the_client_is_certain_for_the_key_alone() {
    let scene = Scene::new().await;
    let tokens = scene.sign_in(scene.asked(None)).await;
    let at_rest = || SteamSessions::new(scene.facades.services(&unpaced()));
    scene.facades.arm(SessionCall::Key.route(), Fault::F02);
    let refused = at_rest().begin(&scene.asked(None).who()).await;
    assert!(matches!(refused, Err(ExternalError::Rejected(SessionRefusal::Other(_)))), "{refused:?}");
    scene.facades.arm(SessionCall::Renew.route(), Fault::F02);
    unknown(&at_rest().renew(&tokens, true).await.unwrap_err());
}

#[tokio::test]
async fn f05_and_f06_an_error_of_the_service_or_a_page_leaves_the_outcome_unknown() {
    let scene = Scene::new().await;
    for call in SessionCall::ALL {
        for status in [500, 502, 503] {
            let failed = fails_once(&scene, call, Fault::F05 { status }).await;
            assert_eq!(unknown(&failed), format!("it answered {status}"), "{call:?}");
        }
        assert_eq!(unknown(&fails_once(&scene, call, Fault::F06).await), "its answer has no result", "{call:?}");
    }
}

#[tokio::test]
async fn f07_a_connection_that_is_reset_leaves_the_outcome_unknown_wherever_it_is_reset() {
    let scene = Scene::new().await;
    for call in SessionCall::ALL {
        for bytes in [Some(0), Some(100), call.is_long().then_some(200)].into_iter().flatten() {
            unknown(&fails_once(&scene, call, Fault::F07 { bytes }).await);
        }
    }
}

#[tokio::test]
async fn f08_an_answer_that_is_not_whole_leaves_the_outcome_unknown() {
    let scene = Scene::new().await;
    let (too_long, text) = huge();
    for call in SessionCall::ALL {
        assert_eq!(unknown(&fails_once(&scene, call, too_long.clone()).await), text, "{call:?}");
    }
    for call in SessionCall::ALL.into_iter().filter(|call| call.has_content()) {
        unknown(&fails_once(&scene, call, Fault::F08Truncated).await);
        unknown(&fails_once(&scene, call, Fault::F08WrongGzip).await);
    }
}

#[tokio::test]
async fn f08_an_answer_that_stalls_is_waited_for_within_the_time_of_a_call() {
    let scene = Scene::new().await;
    for call in SessionCall::ALL {
        scene.rest();
        let failed = scene.facades.stalled(call.route(), scene.make(call)).await.unwrap_err();
        assert_eq!(unknown(&failed), "no complete answer within 10 s", "{call:?}");
        assert_eq!(scene.make(call).await, Ok(()), "the next {call:?} works");
    }
}

#[tokio::test]
async fn f09_a_call_that_is_not_admitted_ends_the_session_and_no_redirect_is_followed() {
    let scene = Scene::new().await;
    for call in SessionCall::ALL {
        assert_eq!(fails_once(&scene, call, Fault::F09 { status: 401 }).await, signed_out(), "{call:?}");
        let redirected = fails_once(&scene, call, Fault::F09 { status: 302 }).await;
        assert_eq!(unknown(&redirected), "it answered 302", "{call:?}");
    }
}

#[tokio::test]
async fn f10_and_f11_a_refusal_that_names_no_known_result_leaves_the_outcome_unknown() {
    let scene = Scene::new().await;
    for call in SessionCall::ALL {
        assert_eq!(unknown(&fails_once(&scene, call, Fault::F10).await), "it answered 403", "{call:?}");
        let failed = fails_once(&scene, call, Fault::F11 { message: MESSAGE.to_owned() }).await;
        assert_eq!(unknown(&failed), "it answered result 2", "{call:?}");
    }
}

#[tokio::test]
async fn f12_a_result_means_what_it_means_for_its_call() {
    let rejected = ExternalError::Rejected;
    let minutes = |minutes| limited(Duration::from_mins(minutes), Effect::Nothing);
    let scene = Scene::new().await;
    for (call, eresult, meaning) in [
        (SessionCall::Begin, 5, rejected(SessionRefusal::WrongPassword)),
        (SessionCall::Begin, 18, rejected(SessionRefusal::WrongPassword)),
        (SessionCall::Begin, 84, minutes(10)),
        (SessionCall::Key, 84, minutes(10)),
        (SessionCall::Code, 65, rejected(SessionRefusal::WrongCode)),
        (SessionCall::Code, 88, rejected(SessionRefusal::WrongCode)),
        (SessionCall::Code, 9, rejected(SessionRefusal::Expired)),
        (SessionCall::Code, 27, rejected(SessionRefusal::Expired)),
        (SessionCall::Code, 84, minutes(1)),
        (SessionCall::Poll, 9, rejected(SessionRefusal::Expired)),
        (SessionCall::Poll, 27, rejected(SessionRefusal::Expired)),
        (SessionCall::Poll, 15, rejected(SessionRefusal::ApprovalDenied)),
        (SessionCall::Renew, 5, signed_out()),
        (SessionCall::Renew, 9, signed_out()),
        (SessionCall::Renew, 15, signed_out()),
        (SessionCall::Renew, 27, signed_out()),
        (SessionCall::Renew, 84, minutes(1)),
        (SessionCall::Revoke, 15, signed_out()),
        (SessionCall::Revoke, 84, minutes(1)),
    ] {
        assert_eq!(fails_once(&scene, call, Fault::F12 { eresult }).await, meaning, "{call:?} {eresult}");
    }
}

#[tokio::test]
async fn f12_a_result_that_is_not_known_leaves_the_outcome_unknown() {
    let scene = Scene::new().await;
    for call in SessionCall::ALL {
        for eresult in [2, 10, 16, 20, 9_999] {
            let failed = fails_once(&scene, call, Fault::F12 { eresult }).await;
            assert_eq!(unknown(&failed), format!("it answered result {eresult}"), "{call:?}");
        }
    }
}

#[tokio::test]
async fn f13_an_answer_without_a_result_leaves_the_outcome_unknown() {
    let scene = Scene::new().await;
    for call in SessionCall::ALL {
        assert_eq!(unknown(&fails_once(&scene, call, Fault::F13).await), "its answer has no result", "{call:?}");
    }
}

#[tokio::test]
async fn f18_and_f32_fields_and_numbers_that_no_one_has_seen_change_no_call() {
    let scene = Scene::new().await;
    for call in SessionCall::ALL {
        for fault in [Fault::F18, Fault::F32] {
            scene.rest();
            assert_eq!(scene.make_with(call, fault).await, Ok(()), "{call:?}");
        }
    }
}

#[tokio::test]
async fn a_key_a_sign_in_or_a_renewal_without_its_fields_is_not_taken() {
    let scene = Scene::new().await;
    for call in [SessionCall::Key, SessionCall::Begin, SessionCall::Renew] {
        unknown(&fails_once(&scene, call, Fault::Drift).await);
    }
}
