//! Enrolling an authenticator app, and its codes.

use secrecy::{ExposeSecret, SecretString};
use tradepost_domain::accounts::policy::Policy;
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::id::EnrollmentId;
use tradepost_operations::accounts::{CompleteStepUp, ConfirmTotpEnrollment};
use tradepost_operations::{Caller, Code, OpResult};

use crate::harness::{World, refusal};

async fn confirm(world: &World, caller: &Caller, id: EnrollmentId, code: SecretString) -> OpResult<Vec<SecretString>> {
    world.operations.confirm_totp_enrollment(caller, ConfirmTotpEnrollment { enrollment_id: id, code }).await
}

#[tokio::test]
async fn enrolling_needs_a_step_up() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let refused = world.operations.begin_totp_enrollment(&caller).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn a_confirmed_app_gives_ten_different_recovery_codes() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let offered = world.operations.begin_totp_enrollment(&caller).await.unwrap();
    let codes = confirm(&world, &caller, offered.enrollment_id, world.app_code()).await.unwrap();
    let mut distinct: Vec<&str> = codes.iter().map(ExposeSecret::expose_secret).collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), 10);
}

#[tokio::test]
async fn a_wrong_code_confirms_nothing() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let offered = world.operations.begin_totp_enrollment(&caller).await.unwrap();
    let wrong = confirm(&world, &caller, offered.enrollment_id, "x".into()).await;
    assert_eq!(refusal(wrong), (Code::PermissionDenied, "CODE_MISMATCH"));
    assert!(!world.operations.get_current_user(&caller).await.unwrap().factors.totp);
}

#[tokio::test]
async fn an_enrolment_takes_five_tries() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let offered = world.operations.begin_totp_enrollment(&caller).await.unwrap();
    for _ in 0..5 {
        confirm(&world, &caller, offered.enrollment_id, "x".into()).await.unwrap_err();
    }
    let late = confirm(&world, &caller, offered.enrollment_id, world.app_code()).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "ENROLLMENT_EXHAUSTED"));
}

#[tokio::test]
async fn a_new_enrolment_replaces_the_one_before() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let first = world.operations.begin_totp_enrollment(&caller).await.unwrap();
    world.operations.begin_totp_enrollment(&caller).await.unwrap();
    let late = confirm(&world, &caller, first.enrollment_id, world.app_code()).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "ENROLLMENT_INVALID"));
}

#[tokio::test]
async fn a_second_app_cannot_be_enrolled() {
    let world = World::new().await;
    let (caller, _) = world.enrolled().await;
    assert_eq!(
        refusal(world.operations.begin_totp_enrollment(&caller).await),
        (Code::FailedPrecondition, "TOTP_ENABLED")
    );
}

#[tokio::test]
async fn with_an_app_the_step_up_is_no_longer_by_mail() {
    let world = World::new().await;
    let (caller, _) = world.enrolled().await;
    let mails = world.mailer.sent().len();
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    assert_eq!(asked.allowed_methods, [Method::Totp, Method::RecoveryCode]);
    assert_eq!(world.mailer.sent().len(), mails);
}

#[tokio::test]
async fn a_code_of_the_app_steps_up_once() {
    let world = World::new().await;
    let (caller, _) = world.enrolled().await;
    let (mut outcomes, code) = (Vec::new(), world.app_code());
    for _ in 0..2 {
        let challenge_id = world.operations.begin_step_up(&caller).await.unwrap().challenge_id;
        let command =
            CompleteStepUp { challenge_id, method: Method::Totp, code: code.clone(), credential: String::new() };
        outcomes.push(
            world.operations.complete_step_up(&caller, command).await.map_err(|error| error.reason.as_str()).err(),
        );
    }
    assert_eq!(outcomes, [None, Some("CODE_MISMATCH")]);
}

#[tokio::test]
async fn a_disabled_app_takes_its_recovery_codes_along() {
    let world = World::new().await;
    let (caller, _) = world.enrolled().await;
    world.operations.disable_totp(&caller).await.unwrap();
    let status = world.operations.get_two_factor_status(&caller).await.unwrap();
    assert_eq!((status.totp_enabled_at, status.recovery_codes_left), (None, 0));
    assert_eq!(status.methods, [Method::Email]);
    assert_eq!(world.mailer.last_to(&world.owner).unwrap().subject, "Your authenticator app was removed");
}

#[tokio::test]
async fn an_app_is_disabled_once() {
    let world = World::new().await;
    let (caller, _) = world.enrolled().await;
    world.operations.disable_totp(&caller).await.unwrap();
    let again = world.operations.disable_totp(&caller).await;
    assert_eq!(refusal(again), (Code::FailedPrecondition, "TOTP_NOT_ENABLED"));
}

#[tokio::test]
async fn disabling_needs_a_step_up_with_the_key_that_asks() {
    let world = World::new().await;
    world.enrolled().await;
    let other = world.full_key().await;
    let refused = world.operations.disable_totp(&other).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn a_key_without_identity_touches_no_second_factor() {
    let world = World::new().await;
    let caller = world.key_without(Policy::Identity).await;
    let denied = (Code::PermissionDenied, "PERMISSION_DENIED");
    assert_eq!(refusal(world.operations.disable_totp(&caller).await), denied);
    assert_eq!(refusal(world.operations.regenerate_recovery_codes(&caller).await), denied);
    assert_eq!(refusal(world.operations.get_two_factor_status(&caller).await), denied);
}

#[tokio::test]
async fn an_app_that_was_disabled_can_be_enrolled_again() {
    let world = World::new().await;
    let (caller, _) = world.enrolled().await;
    world.operations.disable_totp(&caller).await.unwrap();
    assert!(world.operations.begin_totp_enrollment(&world.again(&caller).await).await.is_ok());
}

#[tokio::test]
async fn a_disabled_app_ends_the_other_sessions_of_its_user() {
    let world = World::new().await;
    world.signed_in(&world.owner).await;
    let caller = world.session().await;
    world.step_up(&caller).await;
    let proven = Caller { guards: Vec::new(), ..caller };
    world.enrol_app(&proven).await;
    world.operations.disable_totp(&proven).await.unwrap();
    let left = world.operations.list_sessions(&proven).await.unwrap();
    assert_eq!(left.iter().map(|session| session.is_current).collect::<Vec<_>>(), [true]);
}
