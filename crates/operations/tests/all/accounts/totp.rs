//! Enrolling an authenticator app, and its codes.

use secrecy::{ExposeSecret, SecretString};
use time::Duration;
use tradepost_domain::id::EnrollmentId;
use tradepost_domain::step_up::Method;
use tradepost_operations::accounts::{CompleteStepUp, ConfirmTotpEnrollment};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::testing::fakes::FakeTotp;

use crate::harness::{World, refusal};

/// The first secret that [`FakeTotp`] makes.
const SECRET: [u8; 20] = [1; 20];

fn code(world: &World) -> SecretString {
    FakeTotp::code(&SECRET, world.clock.now()).into()
}

async fn confirm(world: &World, caller: &Caller, id: EnrollmentId, code: SecretString) -> OpResult<Vec<SecretString>> {
    world.operations.confirm_totp_enrollment(caller, ConfirmTotpEnrollment { enrollment_id: id, code }).await
}

/// A caller whose owner has an authenticator app, and time has gone on by a step since.
async fn enrolled(world: &World) -> Caller {
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let offered = world.operations.begin_totp_enrollment(&caller).await.unwrap();
    confirm(world, &caller, offered.enrollment_id, code(world)).await.unwrap();
    world.advance(Duration::minutes(1));
    caller
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
    let codes = confirm(&world, &caller, offered.enrollment_id, code(&world)).await.unwrap();
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
    let late = confirm(&world, &caller, offered.enrollment_id, code(&world)).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "ENROLLMENT_EXHAUSTED"));
}

#[tokio::test]
async fn a_new_enrolment_replaces_the_one_before() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let first = world.operations.begin_totp_enrollment(&caller).await.unwrap();
    world.operations.begin_totp_enrollment(&caller).await.unwrap();
    let late = confirm(&world, &caller, first.enrollment_id, code(&world)).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "ENROLLMENT_INVALID"));
}

#[tokio::test]
async fn a_second_app_cannot_be_enrolled() {
    let world = World::new().await;
    let caller = enrolled(&world).await;
    assert_eq!(
        refusal(world.operations.begin_totp_enrollment(&caller).await),
        (Code::FailedPrecondition, "TOTP_ENABLED")
    );
}

#[tokio::test]
async fn with_an_app_the_step_up_is_no_longer_by_mail() {
    let world = World::new().await;
    let caller = enrolled(&world).await;
    let mails = world.mailer.sent().len();
    let asked = world.operations.begin_step_up(&caller).await.unwrap();
    assert_eq!(asked.allowed_methods, [Method::Totp]);
    assert_eq!(world.mailer.sent().len(), mails);
}

#[tokio::test]
async fn a_code_of_the_app_steps_up_once() {
    let world = World::new().await;
    let caller = enrolled(&world).await;
    let mut outcomes = Vec::new();
    for _ in 0..2 {
        let challenge_id = world.operations.begin_step_up(&caller).await.unwrap().challenge_id;
        let command = CompleteStepUp { challenge_id, method: Method::Totp, code: code(&world) };
        outcomes.push(world.operations.complete_step_up(&caller, command).await.map_err(|error| error.reason).err());
    }
    assert_eq!(outcomes, [None, Some("CODE_MISMATCH")]);
}
