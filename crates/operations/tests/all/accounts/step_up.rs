//! Second-factor checks: asking for one, passing it, and what it opens.

use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::id::ChallengeId;
use tradepost_domain::time::Timestamp;
use tradepost_operations::accounts::{CompleteStepUp, ResendStepUpCode};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;

use crate::harness::{World, refusal};

async fn answer(world: &World, caller: &Caller, challenge_id: ChallengeId, code: SecretString) -> OpResult<Timestamp> {
    let command = CompleteStepUp { challenge_id, method: Method::Email, code, credential: String::new() };
    world.operations.complete_step_up(caller, command).await.map(|done| done.verified_until)
}

/// Spends every try of a challenge.
async fn exhaust(world: &World, caller: &Caller, challenge_id: ChallengeId) {
    for _ in 0..5 {
        let wrong = answer(world, caller, challenge_id, "00000000".into()).await;
        assert_eq!(refusal(wrong), (Code::PermissionDenied, "CODE_MISMATCH"));
    }
}

#[tokio::test]
async fn the_mailed_code_opens_sensitive_operations_for_ten_minutes() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    assert_eq!(asked.allowed_methods, [Method::Email]);
    let until = answer(&world, &caller, asked.challenge_id, world.mailed_code()).await.unwrap();
    assert_eq!(until, world.clock.now().plus(Duration::minutes(10)));
}

#[tokio::test]
async fn a_wrong_code_is_denied_and_the_right_one_still_works() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    let wrong = answer(&world, &caller, asked.challenge_id, "00000000".into()).await;
    assert_eq!(refusal(wrong), (Code::PermissionDenied, "CODE_MISMATCH"));
    assert!(answer(&world, &caller, asked.challenge_id, world.mailed_code()).await.is_ok());
}

#[tokio::test]
async fn after_five_wrong_codes_not_even_the_right_one_works() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    exhaust(&world, &caller, asked.challenge_id).await;
    let late = answer(&world, &caller, asked.challenge_id, world.mailed_code()).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "CHALLENGE_EXHAUSTED"));
}

#[tokio::test]
async fn a_code_works_once() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    let code = world.mailed_code();
    answer(&world, &caller, asked.challenge_id, code.clone()).await.unwrap();
    let again = answer(&world, &caller, asked.challenge_id, code).await;
    assert_eq!(refusal(again), (Code::FailedPrecondition, "CHALLENGE_INVALID"));
}

#[tokio::test]
async fn another_key_cannot_answer() {
    let world = World::new().await;
    let (first, other) = (world.full_key().await, world.full_key().await);
    let asked = world.operations.begin_step_up(&first).await.unwrap();
    let stolen = answer(&world, &other, asked.challenge_id, world.mailed_code()).await;
    assert_eq!(refusal(stolen), (Code::FailedPrecondition, "CHALLENGE_INVALID"));
}

#[tokio::test]
async fn a_challenge_ends_after_ten_minutes() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    world.advance(Duration::minutes(10));
    let late = answer(&world, &caller, asked.challenge_id, world.mailed_code()).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "CHALLENGE_INVALID"));
}

#[tokio::test]
async fn a_fourth_challenge_ends_the_first() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let first = world.operations.begin_step_up(&caller).await.unwrap();
    let code = world.mailed_code();
    for _ in 0..3 {
        world.operations.begin_step_up(&caller).await.unwrap();
    }
    assert_eq!(
        refusal(answer(&world, &caller, first.challenge_id, code).await),
        (Code::FailedPrecondition, "CHALLENGE_INVALID")
    );
}

#[tokio::test]
async fn a_method_that_was_not_offered_is_answered_with_the_one_that_was() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    let code = world.mailed_code();
    for _ in 0..6 {
        let by_app = CompleteStepUp {
            challenge_id: asked.challenge_id,
            method: Method::Totp,
            code: code.clone(),
            credential: String::new(),
        };
        let error = world.operations.complete_step_up(&caller, by_app).await.unwrap_err();
        assert_eq!((error.code, error.reason.as_str()), (Code::FailedPrecondition, "OTHER_METHOD"));
        assert!(error.message.contains("answered by EMAIL only"), "{error}");
    }
    assert!(answer(&world, &caller, asked.challenge_id, code).await.is_ok(), "no try was spent");
}

#[tokio::test]
async fn a_mailed_code_answers_nothing_once_something_stronger_is_enrolled() {
    let world = World::new().await;
    let caller = world.proven_key().await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    let code = world.mailed_code();
    world.enrol_app(&caller).await;
    let late = answer(&world, &caller, asked.challenge_id, code).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "OTHER_METHOD"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_tries_at_once_five_are_looked_at_and_the_others_find_it_exhausted() {
    let world = Arc::new(World::new().await);
    let caller = world.full_key().await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    let tries = (0..64).map(|_| {
        let (world, caller) = (Arc::clone(&world), caller.clone());
        tokio::spawn(async move { answer(&world, &caller, asked.challenge_id, "00000000".into()).await })
    });
    let answers = futures::future::join_all(tries).await;
    let (looked_at, others): (Vec<_>, Vec<_>) =
        answers.into_iter().map(|answer| refusal(answer.unwrap()).1).partition(|reason| *reason == "CODE_MISMATCH");
    assert_eq!(looked_at.len(), 5);
    assert!(others.iter().all(|reason| *reason == "CHALLENGE_EXHAUSTED"), "{others:?}");
}

#[tokio::test]
async fn a_step_up_of_a_session_gives_it_a_new_token_and_ends_the_old_one() {
    let world = World::new().await;
    let before = world.signed_in(&world.owner).await;
    let caller = world.caller(&before).await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    let command = CompleteStepUp {
        challenge_id: asked.challenge_id,
        method: Method::Email,
        code: world.mailed_code(),
        credential: String::new(),
    };
    let done = world.operations.complete_step_up(&caller, command).await.unwrap();
    let after = world.caller(&done.session_token.unwrap()).await;
    assert_eq!(after.principal.prover(), caller.principal.prover(), "it is the same session");
    let old = world.operations.authenticate(before.expose_secret(), None).await;
    assert_eq!(refusal(old), (Code::Unauthenticated, "UNAUTHENTICATED"));
}

#[tokio::test]
async fn a_step_up_of_a_session_opens_nothing_to_a_key_of_the_same_user() {
    let world = World::new().await;
    let key = world.full_key().await;
    let session = world.caller(&world.signed_in(&world.owner).await).await;
    let asked = world.operations.begin_step_up(&session).await.unwrap();
    let by_key = answer(&world, &key, asked.challenge_id, world.mailed_code()).await;
    assert_eq!(refusal(by_key), (Code::FailedPrecondition, "CHALLENGE_INVALID"));
}

async fn resend(world: &World, caller: &Caller, challenge_id: ChallengeId) -> OpResult<()> {
    world.operations.resend_step_up_code(caller, ResendStepUpCode { challenge_id }).await
}

#[tokio::test]
async fn a_code_that_is_mailed_again_ends_the_one_before() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    let first = world.mailed_code();
    resend(&world, &caller, asked.challenge_id).await.unwrap();
    let old = answer(&world, &caller, asked.challenge_id, first).await;
    assert_eq!(refusal(old), (Code::PermissionDenied, "CODE_MISMATCH"));
    assert!(answer(&world, &caller, asked.challenge_id, world.mailed_code()).await.is_ok());
}

#[tokio::test]
async fn a_code_mailed_again_brings_no_new_tries() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    exhaust(&world, &caller, asked.challenge_id).await;
    let exhausted = resend(&world, &caller, asked.challenge_id).await;
    assert_eq!(refusal(exhausted), (Code::FailedPrecondition, "CHALLENGE_EXHAUSTED"));
}

#[tokio::test]
async fn no_code_is_mailed_for_a_challenge_of_another_kind_or_of_another_key() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    let other = resend(&world, &world.full_key().await, asked.challenge_id).await;
    assert_eq!(refusal(other), (Code::FailedPrecondition, "CHALLENGE_INVALID"));
    let (caller, _) = world.enrolled().await;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    let by_app = resend(&world, &caller, asked.challenge_id).await;
    assert_eq!(refusal(by_app), (Code::FailedPrecondition, "OTHER_METHOD"));
}
