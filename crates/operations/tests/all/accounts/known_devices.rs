//! Devices that have signed in before.

use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_operations::accounts::{SignIn, SignInAnswer};
use tradepost_operations::{Caller, Code};
use tradepost_ports::limiter::RateClass;
use tradepost_testkit::fakes::ScriptedLimiter;

use crate::harness::{PASSWORD, World, refusal, sign_in};

async fn world() -> (World, Arc<ScriptedLimiter>) {
    let limiter = Arc::new(ScriptedLimiter::default());
    (World::with(|ports| ports.limiter = limiter.clone()).await, limiter)
}

/// What a device of the owner got at its last sign-in.
async fn device_token(world: &World) -> SecretString {
    match world.operations.sign_in(&Caller::anonymous(None), sign_in(world.owner.as_str(), PASSWORD)).await.unwrap() {
        SignInAnswer::Open(signed_in) => signed_in.device_token.unwrap(),
        SignInAnswer::Asked { .. } => panic!("a second factor is asked for"),
    }
}

/// Whether a try of this device takes none of those that strangers have at the address.
async fn is_known(world: &World, limiter: &ScriptedLimiter, email: &str, token: &SecretString) -> bool {
    let before = limiter.charges().len();
    let command = SignIn { device_token: Some(token.clone()), ..sign_in(email, "wrong") };
    let refused = world.operations.sign_in(&Caller::anonymous(None), command).await;
    assert_eq!(refusal(refused), (Code::Unauthenticated, "WRONG_CREDENTIALS"));
    let charges = limiter.charges().split_off(before);
    let shows_token =
        |partition: &[u8]| !token.expose_secret().is_empty() && partition == token.expose_secret().as_bytes();
    assert!(!charges.iter().any(|(_, partition)| shows_token(partition)), "others may read the token");
    !charges.contains(&(RateClass::PasswordAddress, email.to_lowercase().into_bytes()))
}

#[tokio::test]
async fn a_known_device_has_tries_of_its_own() {
    let (world, limiter) = world().await;
    let token = device_token(&world).await;
    assert!(is_known(&world, &limiter, "Owner@example.com", &token).await);
    let own = |limiter: &ScriptedLimiter| limiter.charges().pop().unwrap();
    let first = own(&limiter);
    assert!(is_known(&world, &limiter, "owner@example.com", &token).await);
    assert_eq!(own(&limiter), first);
    world.advance(Duration::seconds(1));
    let other_device = device_token(&world).await;
    assert!(is_known(&world, &limiter, "owner@example.com", &other_device).await);
    assert_ne!(own(&limiter), first);
}

#[tokio::test]
async fn a_device_is_known_for_ninety_days() {
    let (world, limiter) = world().await;
    let token = device_token(&world).await;
    world.advance(Duration::days(90));
    assert!(!is_known(&world, &limiter, "owner@example.com", &token).await);
}

#[tokio::test]
async fn a_device_is_known_at_its_own_address_alone() {
    let (world, limiter) = world().await;
    let token = device_token(&world).await;
    assert!(!is_known(&world, &limiter, "other@example.com", &token).await);
}

#[tokio::test]
async fn what_was_not_given_here_makes_no_device_known() {
    let (world, limiter) = world().await;
    for forged in ["", "no base64!", "AAAA", &"A".repeat(100)] {
        assert!(!is_known(&world, &limiter, "owner@example.com", &forged.into()).await, "{forged}");
    }
}
