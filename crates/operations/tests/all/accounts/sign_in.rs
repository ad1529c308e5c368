//! Signing in: by password alone, with a second factor, and in vain.

use std::sync::Arc;
use tradepost_ports::store::Records;

use async_trait::async_trait;
use futures::future::FutureExt as _;
use futures::stream::{FuturesUnordered, StreamExt as _};
use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_domain::accounts::password::PasswordHash;
use tradepost_domain::accounts::session::Proof;
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::accounts::user::User;
use tradepost_domain::id::ChallengeId;
use tradepost_operations::accounts::{ChangePassword, CompleteSignIn, SignIn, SignInAnswer, SignedIn};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::changes::Changes;
use tradepost_ports::clock::Clock as _;
use tradepost_ports::limiter::RateClass;
use tradepost_ports::passwords::{HasherBusy, Passwords};
use tradepost_ports::store::Store as _;
use tradepost_testkit::fakes::{FakePasswords, ScriptedLimiter};

use crate::harness::{PASSWORD, World, refusal, sign_in};

const WRONG: (Code, &str) = (Code::Unauthenticated, "WRONG_CREDENTIALS");

fn stranger() -> Caller {
    Caller::anonymous(Some([192, 0, 2, 7].into()))
}

/// A world whose owner has an authenticator app, with the owner's recovery codes.
async fn with_app() -> (World, Vec<SecretString>) {
    let world = World::new().await;
    let (_, codes) = world.enrolled().await;
    (world, codes)
}

/// The question that the owner's password leads to.
async fn asked(world: &World) -> ChallengeId {
    match world.operations.sign_in(&stranger(), sign_in("owner@example.com", PASSWORD)).await.unwrap() {
        SignInAnswer::Asked { challenge_id, allowed_methods, .. } => {
            assert_eq!(allowed_methods, [Method::Totp, Method::RecoveryCode]);
            challenge_id
        }
        SignInAnswer::Open(_) => panic!("no second factor is asked for"),
    }
}

async fn complete(world: &World, challenge_id: ChallengeId, method: Method, code: SecretString) -> OpResult<SignedIn> {
    let command = CompleteSignIn { challenge_id, method, code, credential: String::new(), user_agent: None };
    world.operations.complete_sign_in(&stranger(), command).await
}

#[tokio::test]
async fn a_password_opens_a_session_where_nothing_stronger_is_enrolled() {
    let world = World::new().await;
    let answer = world.operations.sign_in(&stranger(), sign_in("OWNER@example.com", PASSWORD)).await.unwrap();
    let SignInAnswer::Open(signed_in) = answer else { panic!("a second factor is asked for") };
    assert_eq!(signed_in.expires_at, world.clock.now().plus(Duration::hours(24)));
    let caller = world.caller(&signed_in.session_token).await;
    assert!(caller.principal.enter_as_member(world.workspace_id).is_ok());
    assert_eq!(caller.principal.act_in_person(), Ok(signed_in.user.id));
}

#[tokio::test]
async fn every_wrong_credential_gets_the_same_answer() {
    let world = World::new().await;
    let wrong = world.operations.sign_in(&stranger(), sign_in("owner@example.com", "wrong")).await.unwrap_err();
    let unknown = world.operations.sign_in(&stranger(), sign_in("unknown@example.com", PASSWORD)).await.unwrap_err();
    disable_owner(&world).await;
    let disabled = world.operations.sign_in(&stranger(), sign_in("owner@example.com", PASSWORD)).await.unwrap_err();
    for error in [wrong, unknown, disabled] {
        assert_eq!((error.code, error.reason.as_str()), WRONG);
        assert_eq!(error.message, "no account can be signed in to with this address and password");
    }
}

async fn disable_owner(world: &World) {
    let user = world.store.users().find_by_email(&world.owner).await.unwrap().unwrap();
    let mut changes = Changes::by(&Caller::system());
    changes.revise(user, |user| Ok::<_, ()>(User { disabled: true, ..user })).unwrap();
    world.store.commit(changes).await.unwrap();
}

#[tokio::test]
async fn a_try_is_charged_to_the_network_and_to_the_address_whether_or_not_there_is_an_account() {
    for email in ["owner@example.com", "unknown@example.com"] {
        let network = vec![192, 0, 2, 7];
        let at_address = [network.as_slice(), b" ", email.as_bytes()].concat();
        for (class, partition) in [
            (RateClass::PasswordNetwork, network),
            (RateClass::Password, at_address),
            (RateClass::PasswordAddress, email.as_bytes().to_vec()),
        ] {
            let limiter = Arc::new(ScriptedLimiter::allowing(class, 1));
            let world = World::with(|ports| ports.limiter = limiter.clone()).await;
            assert_eq!(refusal(world.operations.sign_in(&stranger(), sign_in(email, "wrong")).await), WRONG);
            let refused = world.operations.sign_in(&stranger(), sign_in(email, "wrong")).await;
            assert_eq!(refusal(refused), (Code::ResourceExhausted, "RATE_LIMITED"), "{class:?}");
            assert!(limiter.charges().contains(&(class, partition)), "{class:?} {email}");
        }
    }
}

/// Checks passwords for ever.
struct Endless;

#[async_trait]
impl Passwords for Endless {
    async fn hash(&self, password: SecretString) -> Result<PasswordHash, HasherBusy> {
        Ok(FakePasswords::hash_of(password.expose_secret()))
    }

    async fn verify(&self, _password: SecretString, _hash: Option<PasswordHash>) -> Result<bool, HasherBusy> {
        std::future::pending().await
    }

    fn is_outdated(&self, _hash: &PasswordHash) -> bool {
        false
    }

    fn is_breached(&self, _password: &SecretString) -> bool {
        false
    }

    async fn score(&self, _password: SecretString, _context: Vec<String>) -> Result<u8, HasherBusy> {
        Ok(4)
    }
}

#[tokio::test]
async fn a_sign_in_above_the_limit_of_active_ones_is_refused_before_any_charge() {
    let limiter = Arc::new(ScriptedLimiter::default());
    let world = World::with(|ports| {
        ports.limiter = limiter.clone();
        ports.passwords = Arc::new(Endless);
    })
    .await;
    let caller = stranger();
    let mut active: FuturesUnordered<_> =
        (0..32).map(|_| world.operations.sign_in(&caller, sign_in("unknown@example.com", PASSWORD))).collect();
    assert!(active.next().now_or_never().is_none(), "none of them ends");
    let charged = limiter.charges().len();
    let one_more = world.operations.sign_in(&stranger(), sign_in("unknown@example.com", PASSWORD)).await;
    assert_eq!(refusal(one_more), (Code::ResourceExhausted, "BUSY"));
    assert_eq!(limiter.charges().len(), charged);
    drop(active);
}

#[tokio::test]
async fn a_password_hashed_at_another_cost_is_rehashed_when_it_signs_in() {
    let world = World::new().await;
    let user = world.store.users().find_by_email(&world.owner).await.unwrap().unwrap();
    let mut changes = Changes::by(&Caller::system());
    changes.revise(user, |user| Ok::<_, ()>(user.with_hash(FakePasswords::outdated_hash_of(PASSWORD)))).unwrap();
    world.store.commit(changes).await.unwrap();
    let session = world.session().await;
    let user = world.store.users().find_by_email(&world.owner).await.unwrap().unwrap();
    assert_eq!(user.peek().password.as_ref().unwrap().hash, FakePasswords::hash_of(PASSWORD));
    assert!(world.operations.list_sessions(&session).await.is_ok(), "the password is the same: no session ends");
}

#[tokio::test]
async fn a_code_of_the_app_completes_a_sign_in() {
    let (world, _) = with_app().await;
    let challenge_id = asked(&world).await;
    let signed_in = complete(&world, challenge_id, Method::Totp, world.app_code()).await.unwrap();
    let caller = world.caller(&signed_in.session_token).await;
    let sessions = world.operations.list_sessions(&caller).await.unwrap();
    let proofs: Vec<Proof> = sessions.first().unwrap().session.proofs.iter().collect();
    assert_eq!(proofs, [Proof::Password, Proof::Totp]);
}

#[tokio::test]
async fn a_recovery_code_completes_a_sign_in_once_and_its_use_is_mailed() {
    let (world, codes) = with_app().await;
    let first = asked(&world).await;
    complete(&world, first, Method::RecoveryCode, codes[3].clone()).await.unwrap();
    assert_eq!(world.mailer.last_to(&world.owner).unwrap().subject, "A recovery code was used");
    let second = asked(&world).await;
    let again = complete(&world, second, Method::RecoveryCode, codes[3].clone()).await;
    assert_eq!(refusal(again), (Code::PermissionDenied, "CODE_MISMATCH"));
    complete(&world, second, Method::RecoveryCode, codes[4].clone()).await.unwrap();
}

#[tokio::test]
async fn after_five_wrong_codes_not_even_the_right_one_completes_a_sign_in() {
    let (world, _) = with_app().await;
    let challenge_id = asked(&world).await;
    for _ in 0..5 {
        let wrong = complete(&world, challenge_id, Method::Totp, "no code".into()).await;
        assert_eq!(refusal(wrong), (Code::PermissionDenied, "CODE_MISMATCH"));
    }
    let late = complete(&world, challenge_id, Method::Totp, world.app_code()).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "CHALLENGE_EXHAUSTED"));
}

#[tokio::test]
async fn a_mailed_code_completes_no_sign_in_and_costs_no_try() {
    let (world, _) = with_app().await;
    let challenge_id = asked(&world).await;
    for _ in 0..6 {
        let refused = complete(&world, challenge_id, Method::Email, "12345678".into()).await;
        assert_eq!(refusal(refused), (Code::FailedPrecondition, "OTHER_METHOD"));
    }
    complete(&world, challenge_id, Method::Totp, world.app_code()).await.unwrap();
}

#[tokio::test]
async fn a_sign_in_is_completed_once_and_within_ten_minutes() {
    let (world, _) = with_app().await;
    let invalid = (Code::FailedPrecondition, "CHALLENGE_INVALID");
    let first = asked(&world).await;
    complete(&world, first, Method::Totp, world.app_code()).await.unwrap();
    assert_eq!(refusal(complete(&world, first, Method::Totp, world.app_code()).await), invalid);
    let second = asked(&world).await;
    world.advance(Duration::minutes(10));
    assert_eq!(refusal(complete(&world, second, Method::Totp, world.app_code()).await), invalid);
}

#[tokio::test]
async fn a_password_that_was_changed_in_the_meantime_completes_no_sign_in() {
    let (world, _) = with_app().await;
    let challenge_id = asked(&world).await;
    let owner = world.store.users().find_by_email(&world.owner).await.unwrap().unwrap();
    let change =
        ChangePassword { current_password: PASSWORD.into(), new_password: "nine quiet herons cross the marsh".into() };
    world.advance(Duration::seconds(1));
    world.operations.change_password(&Caller::person(owner.peek().id), change).await.unwrap();
    let late = complete(&world, challenge_id, Method::Totp, world.app_code()).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "CHALLENGE_INVALID"));
}

#[tokio::test]
async fn a_twenty_first_session_ends_the_oldest() {
    let world = World::new().await;
    let first = world.signed_in(&world.owner).await;
    let second = world.signed_in(&world.owner).await;
    for _ in 0..18 {
        world.signed_in(&world.owner).await;
    }
    assert!(world.operations.authenticate(first.expose_secret(), None).await.is_ok());
    world.signed_in(&world.owner).await;
    let over = world.operations.authenticate(first.expose_secret(), None).await;
    assert_eq!(refusal(over), (Code::Unauthenticated, "UNAUTHENTICATED"));
    let caller = world.caller(&second).await;
    assert_eq!(world.operations.list_sessions(&caller).await.unwrap().len(), 20);
}

#[tokio::test]
async fn after_five_failures_a_person_shows_that_they_are_one_whether_or_not_the_address_has_an_account() {
    let world = World::new().await;
    let caller = Caller::anonymous(None);
    for email in [world.owner.as_str(), "unknown@example.com"] {
        for _ in 0..5 {
            let refused = world.operations.sign_in(&caller, sign_in(email, "not the password")).await;
            assert_eq!(refusal(refused.map(drop)), (Code::Unauthenticated, "WRONG_CREDENTIALS"));
        }
        let refused = world.operations.sign_in(&caller, sign_in(email, PASSWORD)).await;
        assert_eq!(refusal(refused.map(drop)), (Code::FailedPrecondition, "BOT_CHECK_REQUIRED"));
        let script = SignIn { bot_check_token: Some("a script".into()), ..sign_in(email, PASSWORD) };
        let refused = world.operations.sign_in(&caller, script).await;
        assert_eq!(refusal(refused.map(drop)), (Code::FailedPrecondition, "BOT_CHECK_FAILED"));
    }
    let person = SignIn { bot_check_token: Some("human".into()), ..sign_in(world.owner.as_str(), PASSWORD) };
    assert!(world.operations.sign_in(&caller, person).await.is_ok());
    // A success is the end of it.
    assert!(world.operations.sign_in(&caller, sign_in(world.owner.as_str(), PASSWORD)).await.is_ok());
}

#[tokio::test]
async fn failures_of_one_network_ask_no_other_network_for_a_check() {
    let world = World::new().await;
    let (theirs, ours) = ([192, 0, 2, 1], [192, 0, 2, 2]);
    for _ in 0..6 {
        let caller = Caller::anonymous(Some(theirs.into()));
        drop(world.operations.sign_in(&caller, sign_in(world.owner.as_str(), "not the password")).await);
    }
    let caller = Caller::anonymous(Some(ours.into()));
    assert!(world.operations.sign_in(&caller, sign_in(world.owner.as_str(), PASSWORD)).await.is_ok());
}
