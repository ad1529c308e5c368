//! Recovery codes: one proves a second factor once, and new ones end the old.

use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::step_up::Method;
use tradepost_operations::accounts::{CompleteStepUp, SteppedUp};
use tradepost_operations::{Caller, Code, OpResult};

use crate::harness::{World, refusal};

async fn step_up(world: &World, caller: &Caller, code: &SecretString) -> OpResult<SteppedUp> {
    let challenge_id = world.operations.begin_step_up(caller).await.unwrap().challenge_id;
    let command =
        CompleteStepUp { challenge_id, method: Method::RecoveryCode, code: code.clone(), credential: String::new() };
    world.operations.complete_step_up(caller, command).await
}

async fn codes_left(world: &World, caller: &Caller) -> usize {
    world.operations.get_two_factor_status(caller).await.unwrap().recovery_codes_left
}

#[tokio::test]
async fn a_recovery_code_opens_sensitive_operations_once() {
    let world = World::new().await;
    let (_, codes) = world.enrolled().await;
    let caller = world.full_key().await;
    let until = step_up(&world, &caller, &codes[3]).await.unwrap().verified_until;
    assert_eq!(world.operations.get_step_up_status(&caller).await.unwrap(), Some(until));
    assert_eq!(codes_left(&world, &caller).await, 9);
    let again = step_up(&world, &caller, &codes[3]).await;
    assert_eq!(refusal(again), (Code::PermissionDenied, "CODE_MISMATCH"));
    assert!(step_up(&world, &caller, &codes[4]).await.is_ok());
}

#[tokio::test]
async fn the_use_of_a_recovery_code_is_reported_by_mail() {
    let world = World::new().await;
    let (caller, codes) = world.enrolled().await;
    step_up(&world, &caller, &codes[0]).await.unwrap();
    let mail = world.mailer.last_to(&world.owner).unwrap();
    assert_eq!(mail.subject, "A recovery code was used");
    assert!(mail.text.contains("Codes left: 9."), "{}", mail.text);
    assert!(!mail.text.contains(codes[0].expose_secret()));
}

#[tokio::test]
async fn a_recovery_code_may_be_typed_in_groups() {
    let world = World::new().await;
    let (caller, codes) = world.enrolled().await;
    let (first, last) = codes[0].expose_secret().split_at(12);
    assert!(step_up(&world, &caller, &format!(" {first}-{last} ").into()).await.is_ok());
}

#[tokio::test]
async fn new_codes_end_the_old_ones() {
    let world = World::new().await;
    let (caller, old) = world.enrolled().await;
    step_up(&world, &caller, &old[0]).await.unwrap();
    let new = world.operations.regenerate_recovery_codes(&caller).await.unwrap();
    assert_eq!((new.len(), codes_left(&world, &caller).await), (10, 10));
    assert_eq!(world.mailer.last_to(&world.owner).unwrap().subject, "Your recovery codes were replaced");
    assert_eq!(refusal(step_up(&world, &caller, &old[1]).await), (Code::PermissionDenied, "CODE_MISMATCH"));
    assert!(step_up(&world, &caller, &new[1]).await.is_ok());
}

#[tokio::test]
async fn recovery_codes_are_made_only_alongside_an_app() {
    let world = World::new().await;
    let caller = world.full_key().await;
    world.step_up(&caller).await;
    let refused = world.operations.regenerate_recovery_codes(&caller).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "TOTP_NOT_ENABLED"));
}

#[tokio::test]
async fn new_codes_need_a_step_up() {
    let world = World::new().await;
    world.enrolled().await;
    let refused = world.operations.regenerate_recovery_codes(&world.full_key().await).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
}

#[tokio::test]
async fn without_a_step_up_the_status_says_nothing_of_a_time() {
    let world = World::new().await;
    let caller = world.full_key().await;
    assert_eq!(world.operations.get_step_up_status(&caller).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_keys_that_show_one_code_at_once_one_is_let_in() {
    let world = Arc::new(World::new().await);
    let (_, codes) = world.enrolled().await;
    let tries = (0..16).map(|_| {
        let (world, code) = (Arc::clone(&world), codes[0].clone());
        tokio::spawn(async move {
            let caller = world.full_key().await;
            step_up(&world, &caller, &code).await
        })
    });
    let answers = futures::future::join_all(tries).await;
    let (let_in, refused): (Vec<_>, Vec<_>) = answers.into_iter().map(Result::unwrap).partition(Result::is_ok);
    assert_eq!(let_in.len(), 1);
    assert!(refused.into_iter().all(|answer| refusal(answer).1 == "CODE_MISMATCH"));
}
