//! Signing in with a passkey: alone, and after a password.

use time::Duration;
use tradepost_domain::accounts::passkey::Passkey;
use tradepost_domain::accounts::session::Proof;
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::UserId;
use tradepost_operations::accounts::{CompleteSignIn, FinishPasskeySignIn, PasskeySignInAsked, SignInAnswer, SignedIn};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::changes::Changes;
use tradepost_ports::store::Records;
use tradepost_ports::store::Store as _;
use tradepost_testkit::fakes::FakePasskeys;

use crate::harness::{PASSWORD, World, refusal, sign_in};

const INVALID: (Code, &str) = (Code::FailedPrecondition, "CHALLENGE_INVALID");
const REFUSED: (Code, &str) = (Code::Unauthenticated, "CREDENTIAL_REFUSED");

fn stranger() -> Caller {
    Caller::anonymous(Some([192, 0, 2, 7].into()))
}

async fn begin(world: &World) -> PasskeySignInAsked {
    world.operations.begin_passkey_sign_in(&stranger()).await.unwrap()
}

/// What the authenticator answers, saying that the passkey is this user's.
fn proof(asked: &PasskeySignInAsked, user: UserId, passkey: &Passkey, counter: u32) -> String {
    FakePasskeys::proof_of(user, &FakePasskeys::proof(&asked.options, &passkey.credential_id, counter))
}

async fn finish(world: &World, asked: &PasskeySignInAsked, credential: String) -> OpResult<SignedIn> {
    let command = FinishPasskeySignIn { challenge_id: asked.challenge_id, credential, user_agent: None };
    world.operations.finish_passkey_sign_in(&stranger(), command).await
}

async fn proofs_in(world: &World, signed_in: &SignedIn) -> Vec<Proof> {
    let caller = world.caller(&signed_in.session_token).await;
    let sessions = world.operations.list_sessions(&caller).await.unwrap();
    sessions.into_iter().find(|session| session.is_current).unwrap().session.proofs.iter().collect()
}

#[tokio::test]
async fn a_passkey_signs_its_user_in_alone() {
    let world = World::new().await;
    let passkey = world.passkey().await;
    let asked = begin(&world).await;
    let signed_in = finish(&world, &asked, proof(&asked, passkey.user_id, &passkey, 1)).await.unwrap();
    assert_eq!(signed_in.user.id, passkey.user_id);
    assert_eq!(proofs_in(&world, &signed_in).await, [Proof::Passkey]);
}

#[tokio::test]
async fn an_answer_signs_in_once() {
    let world = World::new().await;
    let passkey = world.passkey().await;
    let asked = begin(&world).await;
    let answer = proof(&asked, passkey.user_id, &passkey, 1);
    finish(&world, &asked, answer.clone()).await.unwrap();
    assert_eq!(refusal(finish(&world, &asked, answer).await), INVALID);
}

#[tokio::test]
async fn the_question_is_open_for_five_minutes() {
    let world = World::new().await;
    let passkey = world.passkey().await;
    let asked = begin(&world).await;
    world.advance(Duration::minutes(5));
    let late = finish(&world, &asked, proof(&asked, passkey.user_id, &passkey, 1)).await;
    assert_eq!(refusal(late), INVALID);
}

#[tokio::test]
async fn a_passkey_signs_in_only_its_user() {
    let world = World::new().await;
    let passkey = world.passkey().await;
    let other = world.user("other@example.com").await;
    for named in [other, UserId::from_bytes([9; 16])] {
        let asked = begin(&world).await;
        assert_eq!(refusal(finish(&world, &asked, proof(&asked, named, &passkey, 1)).await), REFUSED);
    }
}

#[tokio::test]
async fn a_wrong_answer_uses_the_question_up() {
    let world = World::new().await;
    let passkey = world.passkey().await;
    let [asked, other] = [begin(&world).await, begin(&world).await];
    let elsewhere = proof(&other, passkey.user_id, &passkey, 1);
    assert_eq!(refusal(finish(&world, &asked, elsewhere).await), REFUSED);
    assert_eq!(refusal(finish(&world, &asked, proof(&asked, passkey.user_id, &passkey, 1)).await), INVALID);
}

#[tokio::test]
async fn a_malformed_answer_leaves_the_question_open() {
    let world = World::new().await;
    let passkey = world.passkey().await;
    let asked = begin(&world).await;
    let nameless = FakePasskeys::proof(&asked.options, &passkey.credential_id, 1);
    for malformed in ["nonsense".to_owned(), nameless] {
        let refused = finish(&world, &asked, malformed).await;
        assert_eq!(refusal(refused), (Code::InvalidArgument, "CREDENTIAL_MALFORMED"));
    }
    assert!(finish(&world, &asked, proof(&asked, passkey.user_id, &passkey, 1)).await.is_ok());
}

#[tokio::test]
async fn a_disabled_user_is_refused_like_an_unknown_one() {
    let world = World::new().await;
    let passkey = world.passkey().await;
    let user = world.store.users().find(passkey.user_id).await.unwrap().unwrap();
    let mut changes = Changes::by(&Caller::system());
    changes.revise(user, |user| Ok::<_, ()>(User { disabled: true, ..user })).unwrap();
    world.store.commit(changes).await.unwrap();
    let asked = begin(&world).await;
    assert_eq!(refusal(finish(&world, &asked, proof(&asked, passkey.user_id, &passkey, 1)).await), REFUSED);
}

#[tokio::test]
async fn a_copied_passkey_is_disabled_and_its_user_notified() {
    let world = World::new().await;
    let passkey = world.passkey().await;
    for (counter, outcome) in [(2, None), (2, Some((Code::Unauthenticated, "PASSKEY_COMPROMISED"))), (3, Some(REFUSED))]
    {
        let asked = begin(&world).await;
        let answer = finish(&world, &asked, proof(&asked, passkey.user_id, &passkey, counter)).await;
        assert_eq!(answer.err().map(|error| (error.code, error.reason.as_str())), outcome);
    }
    assert_eq!(world.mailer.last_to(&world.owner).unwrap().subject, "A passkey was disabled");
}

#[tokio::test]
async fn unanswered_questions_are_forgotten() {
    let world = World::new().await;
    let old = begin(&world).await;
    world.advance(Duration::minutes(6));
    let new = begin(&world).await;
    let kept =
        async |asked: &PasskeySignInAsked| world.store.sign_ins().find_by_passkey(asked.challenge_id).await.unwrap();
    assert!(kept(&old).await.is_none() && kept(&new).await.is_some());
}

/// What the owner's password leads to, and the options for the passkey.
async fn asked_after_password(world: &World) -> PasskeySignInAsked {
    match world.operations.sign_in(&stranger(), sign_in("owner@example.com", PASSWORD)).await.unwrap() {
        SignInAnswer::Asked { challenge_id, allowed_methods, passkey_options } => {
            assert_eq!(allowed_methods, [Method::Passkey]);
            PasskeySignInAsked { challenge_id, options: passkey_options.unwrap() }
        }
        SignInAnswer::Open(_) => panic!("no second factor is asked for"),
    }
}

async fn complete(world: &World, asked: &PasskeySignInAsked, credential: &str) -> OpResult<SignedIn> {
    let command = CompleteSignIn {
        challenge_id: asked.challenge_id,
        method: Method::Passkey,
        code: "".into(),
        credential: credential.to_owned(),
        user_agent: None,
    };
    world.operations.complete_sign_in(&stranger(), command).await
}

#[tokio::test]
async fn who_has_only_a_passkey_completes_a_sign_in_by_it() {
    let world = World::new().await;
    let passkey = world.passkey().await;
    let asked = asked_after_password(&world).await;
    let answer = FakePasskeys::proof(&asked.options, &passkey.credential_id, 1);
    let signed_in = complete(&world, &asked, &answer).await.unwrap();
    assert_eq!(proofs_in(&world, &signed_in).await, [Proof::Password, Proof::Passkey]);
    assert_eq!(refusal(complete(&world, &asked, &answer).await), INVALID);
}

#[tokio::test]
async fn one_answer_of_a_passkey_is_tried() {
    let world = World::new().await;
    let passkey = world.passkey().await;
    let [earlier, asked] = [asked_after_password(&world).await, asked_after_password(&world).await];
    let answer = |asked: &PasskeySignInAsked| FakePasskeys::proof(&asked.options, &passkey.credential_id, 1);
    let refused = complete(&world, &asked, &answer(&earlier)).await;
    assert_eq!(refusal(refused), (Code::PermissionDenied, "CREDENTIAL_REFUSED"));
    assert_eq!(refusal(complete(&world, &asked, &answer(&asked)).await), INVALID);
}

#[tokio::test]
async fn a_code_completes_no_sign_in_of_who_has_only_a_passkey_and_costs_no_try() {
    let world = World::new().await;
    let passkey = world.passkey().await;
    let asked = asked_after_password(&world).await;
    for _ in 0..6 {
        let by_code = CompleteSignIn {
            challenge_id: asked.challenge_id,
            method: Method::Totp,
            code: "123456".into(),
            credential: String::new(),
            user_agent: None,
        };
        let refused = world.operations.complete_sign_in(&stranger(), by_code).await;
        assert_eq!(refusal(refused), (Code::FailedPrecondition, "OTHER_METHOD"));
    }
    assert!(complete(&world, &asked, &FakePasskeys::proof(&asked.options, &passkey.credential_id, 1)).await.is_ok());
}
