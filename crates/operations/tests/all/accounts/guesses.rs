//! What many wrong passwords and codes come to.

use secrecy::SecretString;
use time::Duration;
use tradepost_domain::accounts::guesses::{DAY, MOST_WRONG_CODES, MOST_WRONG_CODES_OF_ONE, MOST_WRONG_PASSWORDS};
use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::id::ChallengeId;
use tradepost_operations::accounts::{
    CompleteSignIn, CompleteStepUp, RequestPasswordReset, ResetPassword, SignIn, SignInAnswer, SignedIn,
};
use tradepost_operations::{Caller, Code, OpError, OpResult};
use tradepost_testkit::fakes::FakeBotCheck;

use crate::harness::{PASSWORD, World, refusal, sign_in};

const WRONG: (Code, &str) = (Code::Unauthenticated, "WRONG_CREDENTIALS");
const NEW_PASSWORD: &str = "nine quiet herons cross the marsh";

/// Signs in from a client of its own, which passes the bot check.
async fn try_password(world: &World, password: &str) -> OpResult<SignInAnswer> {
    let command =
        SignIn { bot_check_token: Some(FakeBotCheck::HUMAN.into()), ..sign_in(world.owner.as_str(), password) };
    world.operations.sign_in(&Caller::anonymous(None), command).await
}

async fn guess_passwords(world: &World, times: u32) {
    for _ in 0..times {
        assert_eq!(refusal(try_password(world, "wrong").await), WRONG);
    }
}

async fn reset_password(world: &World) {
    let stranger = Caller::anonymous(None);
    let request = RequestPasswordReset { email: world.owner.to_string(), bot_check_token: FakeBotCheck::HUMAN.into() };
    world.operations.request_password_reset(&stranger, request).await.unwrap();
    let token = world.mailed_token(&world.owner);
    let reset = ResetPassword { token, new_password: NEW_PASSWORD.into(), code: None };
    world.operations.reset_password(&stranger, reset).await.unwrap();
}

/// The question that the owner's password leads to.
async fn asked(world: &World) -> ChallengeId {
    match try_password(world, PASSWORD).await.unwrap() {
        SignInAnswer::Asked { challenge_id, .. } => challenge_id,
        SignInAnswer::Open(_) => panic!("no second factor is asked for"),
    }
}

async fn answer(world: &World, method: Method, code: SecretString) -> Result<SignedIn, OpError> {
    let challenge_id = asked(world).await;
    let command = CompleteSignIn { challenge_id, method, code, credential: String::new(), user_agent: None };
    world.operations.complete_sign_in(&Caller::anonymous(None), command).await
}

async fn guess_codes(world: &World, times: u32) {
    for _ in 0..times {
        assert_eq!(
            refusal(answer(world, Method::Totp, "no code".into()).await),
            (Code::PermissionDenied, "CODE_MISMATCH")
        );
    }
}

#[tokio::test]
async fn after_a_hundred_wrong_passwords_in_a_row_the_right_one_is_refused_like_them() {
    let world = World::new().await;
    guess_passwords(&world, MOST_WRONG_PASSWORDS).await;
    assert_eq!(refusal(try_password(&world, PASSWORD).await), WRONG);
}

#[tokio::test]
async fn the_user_gets_one_mail_that_the_password_was_suspended() {
    let world = World::new().await;
    guess_passwords(&world, MOST_WRONG_PASSWORDS - 1).await;
    assert!(world.mailer.last_to(&world.owner).is_none());
    guess_passwords(&world, 5).await;
    let mails = world.mailer.sent().into_iter().filter(|mail| mail.subject == "Your password was suspended");
    assert_eq!(mails.count(), 1);
}

#[tokio::test]
async fn a_right_password_resets_the_count() {
    let world = World::new().await;
    for _ in 0..2 {
        guess_passwords(&world, MOST_WRONG_PASSWORDS - 1).await;
        assert!(try_password(&world, PASSWORD).await.is_ok());
    }
}

#[tokio::test]
async fn a_new_password_signs_in_again() {
    let world = World::new().await;
    guess_passwords(&world, MOST_WRONG_PASSWORDS).await;
    world.advance(Duration::minutes(1));
    reset_password(&world).await;
    assert!(try_password(&world, NEW_PASSWORD).await.is_ok());
}

#[tokio::test]
async fn a_known_device_signs_in_while_the_password_is_suspended_and_lifts_that() {
    let world = World::new().await;
    let SignInAnswer::Open(signed_in) = try_password(&world, PASSWORD).await.unwrap() else {
        panic!("a second factor is asked for")
    };
    guess_passwords(&world, MOST_WRONG_PASSWORDS).await;
    let known = SignIn {
        bot_check_token: Some(FakeBotCheck::HUMAN.into()),
        device_token: signed_in.device_token,
        ..sign_in(world.owner.as_str(), PASSWORD)
    };
    assert!(world.operations.sign_in(&Caller::anonymous(None), known).await.is_ok());
    assert!(try_password(&world, PASSWORD).await.is_ok());
}

#[tokio::test]
async fn after_twenty_wrong_codes_the_right_one_is_not_looked_at_for_the_rest_of_the_day() {
    let world = World::new().await;
    world.enrolled().await;
    guess_codes(&world, MOST_WRONG_CODES).await;
    let refused = answer(&world, Method::Totp, world.app_code()).await.unwrap_err();
    assert_eq!((refused.code, refused.reason.as_str()), (Code::ResourceExhausted, "RATE_LIMITED"));
    let wait = refused.charge.unwrap().verdict.wait;
    world.advance(wait.try_into().unwrap());
    assert!(wait <= DAY.unsigned_abs());
    assert!(answer(&world, Method::Totp, world.app_code()).await.is_ok());
}

async fn step_up(world: &World, caller: &Caller, code: SecretString) -> OpResult<()> {
    let challenge_id = world.operations.begin_step_up(caller).await?.challenge_id;
    let answer = CompleteStepUp { challenge_id, method: Method::Totp, code, credential: String::new() };
    world.operations.complete_step_up(caller, answer).await.map(drop)
}

/// A key that may read, and has tried as many wrong codes as one key may.
async fn guessing_key(world: &World) -> Caller {
    let key = world.key(PolicySet::of(&[Policy::Analytics])).await;
    for _ in 0..MOST_WRONG_CODES_OF_ONE {
        let refused = refusal(step_up(world, &key, "no code".into()).await);
        assert_eq!(refused, (Code::PermissionDenied, "CODE_MISMATCH"));
    }
    key
}

const LIMITED: (Code, &str) = (Code::ResourceExhausted, "RATE_LIMITED");

#[tokio::test]
async fn wrong_codes_of_a_key_lock_out_that_key_alone() {
    let world = World::new().await;
    let session = world.session().await;
    world.enrolled().await;
    let (guesser, other) = (guessing_key(&world).await, world.full_key().await);
    assert_eq!(refusal(step_up(&world, &guesser, world.app_code()).await), LIMITED);
    step_up(&world, &other, world.app_code()).await.unwrap();
    step_up(&world, &session, world.app_code()).await.unwrap();
    assert!(answer(&world, Method::Totp, world.app_code()).await.is_ok());
    world.advance(DAY);
    step_up(&world, &guesser, world.app_code()).await.unwrap();
}

#[tokio::test]
async fn wrong_codes_of_all_keys_lock_out_no_session_and_no_sign_in() {
    let world = World::new().await;
    let session = world.session().await;
    world.enrolled().await;
    for _ in 0..MOST_WRONG_CODES / MOST_WRONG_CODES_OF_ONE {
        guessing_key(&world).await;
    }
    let fresh = world.full_key().await;
    assert_eq!(refusal(step_up(&world, &fresh, world.app_code()).await), LIMITED);
    step_up(&world, &session, world.app_code()).await.unwrap();
    assert!(answer(&world, Method::Totp, world.app_code()).await.is_ok());
}

#[tokio::test]
async fn wrong_codes_of_sign_ins_lock_out_no_session_and_no_key() {
    let world = World::new().await;
    let session = world.session().await;
    let (key, _) = world.enrolled().await;
    guess_codes(&world, MOST_WRONG_CODES).await;
    step_up(&world, &session, world.app_code()).await.unwrap();
    step_up(&world, &key, world.app_code()).await.unwrap();
}

#[tokio::test]
async fn a_recovery_code_signs_in_when_app_codes_are_no_longer_checked() {
    let world = World::new().await;
    let (_, codes) = world.enrolled().await;
    guess_codes(&world, MOST_WRONG_CODES).await;
    assert!(answer(&world, Method::RecoveryCode, codes[0].clone()).await.is_ok());
}

#[tokio::test]
async fn right_codes_are_not_counted() {
    let world = World::new().await;
    world.enrolled().await;
    for _ in 0..=MOST_WRONG_CODES {
        assert!(answer(&world, Method::Totp, world.app_code()).await.is_ok());
    }
}
