//! A new password for a user who has forgotten theirs.

use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_domain::accounts::step_up::Method;
use tradepost_operations::accounts::{ChangePassword, RequestPasswordReset, ResetPassword};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_testkit::fakes::FakeBotCheck;

use crate::harness::{PASSWORD, World, address, refusal, sign_in};

const NEW_PASSWORD: &str = "nine quiet herons cross the marsh";
const INVALID: (Code, &str) = (Code::FailedPrecondition, "TOKEN_INVALID");

fn stranger() -> Caller {
    Caller::anonymous(None)
}

async fn request(world: &World, email: &str) -> OpResult<()> {
    let command = RequestPasswordReset { email: email.to_owned(), bot_check_token: FakeBotCheck::HUMAN.into() };
    world.operations.request_password_reset(&stranger(), command).await
}

/// The token of a link that was just mailed to the owner.
async fn requested(world: &World) -> SecretString {
    request(world, world.owner.as_str()).await.unwrap();
    world.mailed_token(&world.owner)
}

async fn reset(world: &World, token: &SecretString, code: Option<(Method, SecretString)>) -> OpResult<()> {
    let command = ResetPassword { token: token.clone(), new_password: NEW_PASSWORD.into(), code };
    world.operations.reset_password(&stranger(), command).await
}

#[tokio::test]
async fn the_mailed_link_sets_a_password_once_and_ends_every_session() {
    let world = World::new().await;
    let session = world.signed_in(&world.owner).await;
    world.advance(Duration::minutes(1));
    let token = requested(&world).await;
    reset(&world, &token, None).await.unwrap();
    assert!(world.operations.authenticate(session.expose_secret(), None).await.is_err());
    assert!(world.operations.sign_in(&stranger(), sign_in(world.owner.as_str(), NEW_PASSWORD)).await.is_ok());
    let old = world.operations.sign_in(&stranger(), sign_in(world.owner.as_str(), PASSWORD)).await;
    assert_eq!(refusal(old), (Code::Unauthenticated, "WRONG_CREDENTIALS"));
    assert_eq!(refusal(reset(&world, &token, None).await), INVALID);
}

#[tokio::test]
async fn a_link_works_for_half_an_hour() {
    let world = World::new().await;
    let token = requested(&world).await;
    world.advance(Duration::minutes(30));
    assert_eq!(refusal(reset(&world, &token, None).await), INVALID);
}

#[tokio::test]
async fn a_password_that_was_changed_in_the_meantime_makes_the_link_worthless() {
    let world = World::new().await;
    let token = requested(&world).await;
    world.advance(Duration::minutes(1));
    let change =
        ChangePassword { current_password: PASSWORD.into(), new_password: "eleven amber kites above the dunes".into() };
    world.operations.change_password(&world.full_key().await, change).await.unwrap();
    assert_eq!(refusal(reset(&world, &token, None).await), INVALID);
}

#[tokio::test]
async fn a_link_does_not_get_around_the_authenticator_app() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let codes = world.enrol_app(&caller).await;
    let token = requested(&world).await;
    assert_eq!(refusal(reset(&world, &token, None).await), (Code::FailedPrecondition, "CODE_REQUIRED"));
    let wrong = reset(&world, &token, Some((Method::Totp, "no code".into()))).await;
    assert_eq!(refusal(wrong), (Code::PermissionDenied, "CODE_MISMATCH"));
    let mailed = reset(&world, &token, Some((Method::Email, "12345678".into()))).await;
    assert_eq!(refusal(mailed), (Code::FailedPrecondition, "OTHER_METHOD"));
    reset(&world, &token, Some((Method::RecoveryCode, codes[0].clone()))).await.unwrap();
}

#[tokio::test]
async fn a_weak_password_is_refused_and_does_not_spend_the_link() {
    let world = World::new().await;
    let token = requested(&world).await;
    let weak = ResetPassword { token: token.clone(), new_password: "too short".into(), code: None };
    let refused = world.operations.reset_password(&stranger(), weak).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "PASSWORD_TOO_SHORT"));
    reset(&world, &token, None).await.unwrap();
}

#[tokio::test]
async fn asking_for_an_unknown_address_answers_the_same() {
    let world = World::new().await;
    request(&world, "unknown@example.com").await.unwrap();
    let mail = world.mailer.last_to(&address("unknown@example.com")).unwrap();
    assert_eq!(mail.subject, "There is no account with this address");
    assert!(!mail.text.contains('#'), "no link is in it");
}
