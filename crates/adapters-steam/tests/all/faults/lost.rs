//! Answers that were lost after the platform had acted: what the call ends with, and what shows its effect.

use tradepost_domain::trading::account_session::Guard;
use tradepost_fakes::Fault;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::{PlatformSessions as _, SessionRefusal, Tokens};

use super::{signed_out, unknown};
use crate::calls::SessionCall;
use crate::scene::Scene;

const RESET: Fault = Fault::F07 { bytes: 0 };

async fn signed_in() -> (Scene, Tokens) {
    let scene = Scene::new().await;
    let tokens = scene.sign_in(scene.asked(None)).await;
    (scene, tokens)
}

#[tokio::test]
async fn a_renewal_whose_answer_is_lost_may_have_replaced_the_refresh_token() {
    let (scene, tokens) = signed_in().await;
    scene.facades.arm(SessionCall::Renew.route(), RESET);
    unknown(&scene.sessions.renew(&tokens, true).await.unwrap_err());
    assert_eq!(scene.sessions.renew(&tokens, true).await, Err(signed_out()));
    assert_eq!(scene.facades.calls(SessionCall::Renew.route()), 2);
}

#[tokio::test]
async fn a_renewal_that_keeps_the_refresh_token_can_be_repeated() {
    let (scene, tokens) = signed_in().await;
    scene.facades.arm(SessionCall::Renew.route(), RESET);
    unknown(&scene.sessions.renew(&tokens, false).await.unwrap_err());
    assert!(scene.sessions.renew(&tokens, false).await.is_ok());
}

#[tokio::test]
async fn tokens_whose_answer_is_lost_are_not_issued_again() {
    let scene = Scene::new().await;
    let begun = scene.sessions.begin(&scene.asked(None).who()).await.unwrap();
    scene.facades.arm(SessionCall::Poll.route(), RESET);
    unknown(&scene.sessions.poll(&begun.attempt).await.unwrap_err());
    let expired = ExternalError::Rejected(SessionRefusal::Expired);
    assert_eq!(scene.sessions.poll(&begun.attempt).await, Err(expired));
    scene.sign_in(scene.asked(None)).await;
}

#[tokio::test]
async fn a_poll_shows_that_a_code_was_accepted_whose_answer_is_lost() {
    let scene = Scene::new().await;
    let begun = scene.sessions.begin(&scene.asked(Some(Guard::EmailCode)).who()).await.unwrap();
    scene.facades.arm(SessionCall::Code.route(), RESET);
    let code = scene.code(Guard::EmailCode);
    unknown(&scene.sessions.give_code(&begun.attempt, Guard::EmailCode, &code).await.unwrap_err());
    assert!(scene.sessions.poll(&begun.attempt).await.unwrap().is_some());
}

#[tokio::test]
async fn a_code_that_steam_has_already_counts_as_given() {
    let scene = Scene::new().await;
    let given = scene.make_with(SessionCall::Code, Fault::F12 { eresult: 29 }).await;
    assert_eq!(given, Ok(()));
}

#[tokio::test]
async fn a_repeated_revocation_shows_that_the_first_one_ended_the_session() {
    let (scene, tokens) = signed_in().await;
    scene.facades.arm(SessionCall::Revoke.route(), RESET);
    unknown(&scene.sessions.revoke(&tokens).await.unwrap_err());
    assert_eq!(scene.sessions.revoke(&tokens).await, Err(signed_out()));
}

#[tokio::test]
async fn a_sign_in_whose_answer_is_lost_is_begun_again() {
    let scene = Scene::new().await;
    scene.facades.arm(SessionCall::Begin.route(), RESET);
    unknown(&scene.sessions.begin(&scene.asked(None).who()).await.unwrap_err());
    assert_eq!(scene.facades.calls(SessionCall::Begin.route()), 1, "the platform may have mailed a code");
    scene.sign_in(scene.asked(None)).await;
}
