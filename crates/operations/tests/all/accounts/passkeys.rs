//! Registering passkeys.

use time::Duration;
use tradepost_domain::passkey::Passkey;
use tradepost_operations::accounts::{BeginPasskeyRegistration, FinishPasskeyRegistration};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::testing::fakes::FakePasskeys;

use crate::harness::{World, refusal};

async fn begin(world: &World, caller: &Caller) -> String {
    let command = BeginPasskeyRegistration { name: "laptop".to_owned() };
    world.operations.begin_passkey_registration(caller, command).await.unwrap()
}

async fn finish(world: &World, caller: &Caller, credential: String) -> OpResult<Passkey> {
    world.operations.finish_passkey_registration(caller, FinishPasskeyRegistration { credential }).await
}

#[tokio::test]
async fn a_passkey_is_kept_under_the_name_it_was_begun_with() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let options = begin(&world, &caller).await;
    let passkey = finish(&world, &caller, FakePasskeys::answer(&options)).await.unwrap();
    assert_eq!(passkey.name.as_str(), "laptop");
    assert!(world.operations.get_current_user(&caller).await.unwrap().factors.passkey);
}

#[tokio::test]
async fn beginning_needs_no_step_up_and_finishing_does() {
    let world = World::new().await;
    let caller = world.full_key().await;
    let options = begin(&world, &caller).await;
    let refused = finish(&world, &caller, FakePasskeys::answer(&options)).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn a_registration_can_be_finished_once() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let options = begin(&world, &caller).await;
    finish(&world, &caller, FakePasskeys::answer(&options)).await.unwrap();
    let again = finish(&world, &caller, FakePasskeys::answer(&options)).await;
    assert_eq!(refusal(again), (Code::FailedPrecondition, "CHALLENGE_INVALID"));
}

#[tokio::test]
async fn a_registration_is_open_for_five_minutes() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let options = begin(&world, &caller).await;
    world.advance(Duration::minutes(5));
    let late = finish(&world, &caller, FakePasskeys::answer(&options)).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "CHALLENGE_INVALID"));
}

#[tokio::test]
async fn an_answer_to_other_options_is_refused() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let earlier = begin(&world, &caller).await;
    begin(&world, &caller).await;
    let refused = finish(&world, &caller, FakePasskeys::answer(&earlier)).await;
    assert_eq!(refusal(refused), (Code::InvalidArgument, "CREDENTIAL_REFUSED"));
}
