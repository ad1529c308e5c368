//! A passkey as the answer to a challenge.

use std::sync::Arc;

use time::Duration;
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::id::ChallengeId;
use tradepost_domain::time::Timestamp;
use tradepost_operations::accounts::{
    BeginPasskeyRegistration, BeginStepUpPasskey, CompleteStepUp, DeletePasskey, FinishPasskeyRegistration,
};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::fakes::FakePasskeys;

use crate::harness::{World, refusal};

/// A caller who has not stepped up, whose owner has a passkey and nothing else that is strong.
async fn with_passkey(world: &World) -> (Caller, Passkey) {
    let passkey = world.passkey().await;
    (world.full_key().await, passkey)
}

async fn challenge(world: &World, caller: &Caller) -> ChallengeId {
    world.operations.begin_step_up(caller).await.unwrap().challenge_id
}

async fn ask(world: &World, caller: &Caller, challenge_id: ChallengeId) -> OpResult<String> {
    world.operations.begin_step_up_passkey(caller, BeginStepUpPasskey { challenge_id }).await
}

async fn answer(world: &World, caller: &Caller, challenge_id: ChallengeId, credential: &str) -> OpResult<Timestamp> {
    let credential = credential.to_owned();
    let command = CompleteStepUp { challenge_id, method: Method::Passkey, code: "".into(), credential };
    world.operations.complete_step_up(caller, command).await.map(|done| done.verified_until)
}

/// Steps up with the passkey's counter at this count.
async fn step_up(world: &World, caller: &Caller, passkey: &Passkey, counter: u32) -> OpResult<Timestamp> {
    let id = challenge(world, caller).await;
    let options = ask(world, caller, id).await.unwrap();
    answer(world, caller, id, &FakePasskeys::proof(&options, &passkey.credential_id, counter)).await
}

async fn only_passkey(world: &World, caller: &Caller) -> Passkey {
    world.operations.list_passkeys(caller).await.unwrap().pop().unwrap().value
}

#[tokio::test]
async fn who_has_only_a_passkey_steps_up_by_it() {
    let world = World::new().await;
    let (caller, passkey) = with_passkey(&world).await;
    let mails = world.mailer.sent().len();
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    assert_eq!(asked.allowed_methods, [Method::Passkey]);
    assert_eq!(world.mailer.sent().len(), mails, "no code is mailed to who has a passkey");
    let options = ask(&world, &caller, asked.challenge_id).await.unwrap();
    let proof = FakePasskeys::proof(&options, &passkey.credential_id, 1);
    let until = answer(&world, &caller, asked.challenge_id, &proof).await.unwrap();
    assert_eq!(until, world.clock.now().plus(Duration::minutes(10)));
    assert_eq!(world.operations.get_step_up_status(&caller).await.unwrap(), Some(until));
}

#[tokio::test]
async fn its_use_is_kept_with_the_passkey() {
    let world = World::new().await;
    let (caller, passkey) = with_passkey(&world).await;
    assert_eq!((passkey.last_used_at, passkey.backed_up), (None, false));
    step_up(&world, &caller, &passkey, 5).await.unwrap();
    let used = only_passkey(&world, &caller).await;
    assert_eq!((used.last_used_at, used.backed_up), (Some(world.clock.now()), true));
    assert_eq!(used.credential, "5");
}

#[tokio::test]
async fn either_an_app_or_a_passkey_answers_the_challenge() {
    let world = World::new().await;
    let (caller, _) = world.enrolled().await;
    let options = {
        let begin = BeginPasskeyRegistration { name: "laptop".to_owned() };
        world.operations.begin_passkey_registration(&caller, begin).await.unwrap()
    };
    let finish = FinishPasskeyRegistration { credential: FakePasskeys::answer(&options) };
    let passkey = world.operations.finish_passkey_registration(&caller, finish).await.unwrap().value;
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    assert_eq!(asked.allowed_methods, [Method::Totp, Method::Passkey, Method::RecoveryCode]);
    assert!(step_up(&world, &caller, &passkey, 1).await.is_ok());
    let (challenge_id, code) = (asked.challenge_id, world.app_code());
    let by_app = CompleteStepUp { challenge_id, method: Method::Totp, code, credential: String::new() };
    assert!(world.operations.complete_step_up(&caller, by_app).await.is_ok());
}

#[tokio::test]
async fn an_answer_without_a_question_is_refused_and_costs_no_try() {
    let world = World::new().await;
    let (caller, passkey) = with_passkey(&world).await;
    let id = challenge(&world, &caller).await;
    for _ in 0..6 {
        let refused = answer(&world, &caller, id, &FakePasskeys::proof("x", &passkey.credential_id, 1)).await;
        assert_eq!(refusal(refused), (Code::FailedPrecondition, "CHALLENGE_INVALID"));
    }
    let options = ask(&world, &caller, id).await.unwrap();
    let proof = FakePasskeys::proof(&options, &passkey.credential_id, 1);
    assert!(answer(&world, &caller, id, &proof).await.is_ok());
}

#[tokio::test]
async fn an_answer_that_failed_cannot_be_tried_again_on_the_same_options() {
    let world = World::new().await;
    let (caller, passkey) = with_passkey(&world).await;
    let id = challenge(&world, &caller).await;
    let options = ask(&world, &caller, id).await.unwrap();
    let wrong = answer(&world, &caller, id, &FakePasskeys::proof("other options", &passkey.credential_id, 1)).await;
    assert_eq!(refusal(wrong), (Code::PermissionDenied, "CREDENTIAL_REFUSED"));
    let right = FakePasskeys::proof(&options, &passkey.credential_id, 1);
    assert_eq!(refusal(answer(&world, &caller, id, &right).await), (Code::FailedPrecondition, "CHALLENGE_INVALID"));
}

#[tokio::test]
async fn new_options_end_the_ones_before() {
    let world = World::new().await;
    let (caller, passkey) = with_passkey(&world).await;
    let id = challenge(&world, &caller).await;
    let early = ask(&world, &caller, id).await.unwrap();
    ask(&world, &caller, id).await.unwrap();
    let refused = answer(&world, &caller, id, &FakePasskeys::proof(&early, &passkey.credential_id, 1)).await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "CREDENTIAL_REFUSED"));
}

#[tokio::test]
async fn options_end_with_their_challenge() {
    let world = World::new().await;
    let (caller, passkey) = with_passkey(&world).await;
    let id = challenge(&world, &caller).await;
    let options = ask(&world, &caller, id).await.unwrap();
    world.advance(Duration::minutes(10));
    let proof = FakePasskeys::proof(&options, &passkey.credential_id, 1);
    let invalid = (Code::FailedPrecondition, "CHALLENGE_INVALID");
    assert_eq!(refusal(answer(&world, &caller, id, &proof).await), invalid);
    assert_eq!(refusal(ask(&world, &caller, id).await), invalid);
}

#[tokio::test]
async fn another_key_is_neither_given_options_nor_taken_an_answer_of() {
    let world = World::new().await;
    let (caller, passkey) = with_passkey(&world).await;
    let other = world.full_key().await;
    let id = challenge(&world, &caller).await;
    let invalid = (Code::FailedPrecondition, "CHALLENGE_INVALID");
    assert_eq!(refusal(ask(&world, &other, id).await), invalid);
    let options = ask(&world, &caller, id).await.unwrap();
    let proof = FakePasskeys::proof(&options, &passkey.credential_id, 1);
    assert_eq!(refusal(answer(&world, &other, id, &proof).await), invalid);
}

#[tokio::test]
async fn a_challenge_of_who_has_no_passkey_is_answered_otherwise() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let id = challenge(&world, &caller).await;
    let other_method = (Code::FailedPrecondition, "OTHER_METHOD");
    assert_eq!(refusal(ask(&world, &caller, id).await), other_method);
    assert_eq!(refusal(answer(&world, &caller, id, "a\nb\n1").await), other_method);
}

#[tokio::test]
async fn a_passkey_that_is_deleted_in_the_meantime_proves_nothing() {
    let world = World::new().await;
    let (caller, passkey) = with_passkey(&world).await;
    step_up(&world, &caller, &passkey, 1).await.unwrap();
    let id = challenge(&world, &caller).await;
    let options = ask(&world, &caller, id).await.unwrap();
    world.operations.delete_passkey(&caller, DeletePasskey { passkey_id: passkey.id }).await.unwrap();
    let caller = world.again(&caller).await;
    let proof = FakePasskeys::proof(&options, &passkey.credential_id, 2);
    assert_eq!(refusal(answer(&world, &caller, id, &proof).await), (Code::PermissionDenied, "CREDENTIAL_REFUSED"));
    let another = challenge(&world, &caller).await;
    assert_eq!(refusal(ask(&world, &caller, another).await), (Code::FailedPrecondition, "OTHER_METHOD"));
}

#[tokio::test]
async fn a_copied_passkey_is_disabled_and_its_user_notified() {
    let world = World::new().await;
    let (caller, passkey) = with_passkey(&world).await;
    step_up(&world, &caller, &passkey, 7).await.unwrap();
    let copied = step_up(&world, &caller, &passkey, 7).await;
    assert_eq!(refusal(copied), (Code::PermissionDenied, "PASSKEY_COMPROMISED"));
    assert_eq!(only_passkey(&world, &caller).await.disabled_at, Some(world.clock.now()));
    assert_eq!(world.mailer.last_to(&world.owner).unwrap().subject, "A passkey was disabled");
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    assert_eq!(asked.allowed_methods, [Method::Email], "it is no longer a factor");
}

#[tokio::test]
async fn a_malformed_answer_costs_no_try() {
    let world = World::new().await;
    let (caller, passkey) = with_passkey(&world).await;
    let id = challenge(&world, &caller).await;
    let options = ask(&world, &caller, id).await.unwrap();
    for (answer_of, reason) in [("", "INVALID_FIELD"), ("{}", "CREDENTIAL_MALFORMED")] {
        for _ in 0..6 {
            let refused = answer(&world, &caller, id, answer_of).await;
            assert_eq!(refusal(refused), (Code::InvalidArgument, reason));
        }
    }
    assert!(answer(&world, &caller, id, &FakePasskeys::proof(&options, &passkey.credential_id, 1)).await.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_equal_answers_at_once_one_is_let_in() {
    let world = Arc::new(World::new().await);
    let (caller, passkey) = with_passkey(&world).await;
    let id = challenge(&world, &caller).await;
    let proof = FakePasskeys::proof(&ask(&world, &caller, id).await.unwrap(), &passkey.credential_id, 1);
    let tries = (0..64).map(|_| {
        let (world, caller, proof) = (Arc::clone(&world), caller.clone(), proof.clone());
        tokio::spawn(async move { answer(&world, &caller, id, &proof).await })
    });
    let answers = futures::future::join_all(tries).await;
    let (let_in, refused): (Vec<_>, Vec<_>) = answers.into_iter().map(Result::unwrap).partition(Result::is_ok);
    assert_eq!(let_in.len(), 1);
    assert!(refused.into_iter().all(|answer| refusal(answer).1 == "CHALLENGE_INVALID"));
}
