//! Linking identities of other platforms, and signing in with them.

use time::Duration;
use tradepost_domain::accounts::account_link::Provider;
use tradepost_domain::accounts::session::Proof;
use tradepost_domain::accounts::step_up::Method;
use tradepost_domain::accounts::user::{LinkedIdentity, User};
use tradepost_operations::accounts::{
    BeginLink, BeginPasskeyRegistration, CompleteSignIn, FinishLink, FinishLinkedSignIn, FinishPasskeyRegistration,
    SignInAnswer, SignedIn, UnlinkAccount,
};
use tradepost_operations::{Caller, Code, OpResult};
use tradepost_ports::changes::Changes;
use tradepost_ports::store::Records;
use tradepost_ports::store::Store as _;
use tradepost_testkit::fakes::{FakeLinking, FakePasskeys};

use crate::harness::{World, refusal};

const INVALID: (Code, &str) = (Code::FailedPrecondition, "LINK_INVALID");
const LAST: (Code, &str) = (Code::FailedPrecondition, "LAST_SIGN_IN_METHOD");

fn question(provider: Provider) -> BeginLink {
    BeginLink { provider, redirect_uri: FakeLinking::REDIRECT.to_owned() }
}

fn stranger() -> Caller {
    Caller::anonymous(None)
}

/// Begins a link and returns the answer that proves an identity.
async fn agreed(world: &World, caller: &Caller, identity: &str) -> FinishLink {
    let caller = world.again(caller).await;
    let begun = world.operations.begin_account_link(&caller, question(Provider::Discord)).await.unwrap();
    answer(begun.link_id, &begun.authorization_url, identity)
}

async fn agreed_to_sign_in(world: &World, identity: &str) -> FinishLink {
    let begun = world.operations.begin_linked_sign_in(&stranger(), question(Provider::Discord)).await.unwrap();
    answer(begun.link_id, &begun.authorization_url, identity)
}

fn answer(link_id: tradepost_domain::id::AccountLinkId, url: &str, identity: &str) -> FinishLink {
    let (code, issuer, open_id_params) = (FakeLinking::code_of(identity), String::new(), String::new());
    FinishLink { link_id, state: FakeLinking::state_of(url), code, issuer, open_id_params }
}

async fn link(world: &World, caller: &Caller, identity: &str) -> OpResult<LinkedIdentity> {
    let answer = agreed(world, caller, identity).await;
    world.operations.finish_account_link(&world.again(caller).await, answer).await
}

async fn sign_in(world: &World, identity: &str) -> OpResult<SignInAnswer> {
    let answer = agreed_to_sign_in(world, identity).await;
    world.operations.finish_linked_sign_in(&stranger(), FinishLinkedSignIn { answer, user_agent: None }).await
}

async fn signed_in(world: &World, identity: &str) -> SignedIn {
    match sign_in(world, identity).await.unwrap() {
        SignInAnswer::Open(signed_in) => *signed_in,
        SignInAnswer::Asked { .. } => panic!("a second factor is asked for"),
    }
}

async fn unlink(world: &World, caller: &Caller, identity: &LinkedIdentity) -> OpResult<()> {
    let command = UnlinkAccount { linked_account_id: identity.id };
    world.operations.unlink_account(&world.again(caller).await, command).await
}

/// A user who signs in with this identity only.
async fn newcomer(world: &World, identity: &str) -> (Caller, LinkedIdentity) {
    let caller = world.caller(&signed_in(world, identity).await.session_token).await;
    let linked = world.operations.list_linked_accounts(&caller).await.unwrap();
    (caller, linked.into_iter().next().unwrap())
}

#[tokio::test]
async fn a_linked_identity_signs_in_as_its_user() {
    let world = World::new().await;
    let owner = world.proven_key().await;
    link(&world, &owner, "ada").await.unwrap();
    assert_eq!(world.mailer.last_to(&world.owner).unwrap().subject, "Discord was linked to your account");
    let signed_in = signed_in(&world, "ada").await;
    assert_eq!(signed_in.user.email.as_ref(), Some(&world.owner));
    let caller = world.caller(&signed_in.session_token).await;
    let sessions = world.operations.list_sessions(&caller).await.unwrap();
    assert_eq!(sessions.first().unwrap().session.proofs.iter().collect::<Vec<_>>(), [Proof::LinkedIdentity]);
}

#[tokio::test]
async fn an_unknown_identity_becomes_one_user_with_its_name_and_no_address() {
    let world = World::new().await;
    let [first, second] = [signed_in(&world, "ada").await.user, signed_in(&world, "ada").await.user];
    assert_eq!(first, second);
    assert_eq!((first.display_name.as_str(), first.email, first.password), ("ada", None, None));
}

#[tokio::test]
async fn an_unknown_identity_becomes_no_user_when_sign_up_is_closed() {
    let world = World::closed().await;
    assert_eq!(refusal(sign_in(&world, "ada").await), (Code::FailedPrecondition, "SIGN_UP_CLOSED"));
    let owner = world.proven_key().await;
    link(&world, &owner, "ada").await.unwrap();
    assert!(sign_in(&world, "ada").await.is_ok(), "who has an account signs in");
}

#[tokio::test]
async fn a_user_without_a_factor_needs_a_recent_sign_in_to_add_an_identity() {
    let world = World::new().await;
    let (caller, _) = newcomer(&world, "ada").await;
    world.advance(Duration::minutes(10));
    let late = world.operations.begin_account_link(&caller, question(Provider::Steam)).await;
    assert_eq!(refusal(late), (Code::FailedPrecondition, "REAUTH_REQUIRED"));
    let again = world.caller(&signed_in(&world, "ada").await.session_token).await;
    assert!(world.operations.begin_account_link(&again, question(Provider::Steam)).await.is_ok());
}

#[tokio::test]
async fn a_link_that_is_linked_already_is_answered_as_it_is() {
    let world = World::new().await;
    let owner = world.proven_key().await;
    let first = link(&world, &owner, "ada").await.unwrap();
    assert_eq!(link(&world, &owner, "ada").await.unwrap(), first);
    assert_eq!(world.operations.list_linked_accounts(&owner).await.unwrap(), [first]);
}

#[tokio::test]
async fn beginning_needs_a_step_up_of_who_has_a_factor_and_finishing_does_not() {
    let world = World::new().await;
    let unproven = world.full_key().await;
    let refused = world.operations.begin_account_link(&unproven, question(Provider::Steam)).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"));
    world.step_up(&unproven).await;
    let answer = agreed(&world, &unproven, "ada").await;
    world.advance(Duration::minutes(9));
    world.operations.finish_account_link(&unproven, answer).await.unwrap();
}

#[tokio::test]
async fn a_link_is_open_for_ten_minutes_for_one_answer_of_its_own_caller() {
    let world = World::new().await;
    let [owner, other] = [world.proven_key().await, world.proven_key().await];
    let first = agreed(&world, &owner, "ada").await;
    assert_eq!(refusal(world.operations.finish_account_link(&other, first.clone()).await), INVALID);
    world.operations.finish_account_link(&owner, first.clone()).await.unwrap();
    assert_eq!(refusal(world.operations.finish_account_link(&owner, first).await), INVALID);
    let late = agreed(&world, &owner, "grace").await;
    world.advance(Duration::minutes(10));
    assert_eq!(refusal(world.operations.finish_account_link(&owner, late).await), INVALID);
}

#[tokio::test]
async fn a_refused_answer_leaves_the_link_for_a_better_one() {
    let world = World::new().await;
    let good = agreed_to_sign_in(&world, "ada").await;
    for (code, reason) in [
        (FakeLinking::NO, (Code::FailedPrecondition, "PROVIDER_DENIED")),
        (FakeLinking::SILENCE, (Code::Internal, "PROVIDER_UNAVAILABLE")),
    ] {
        let answer = FinishLink { code: code.to_owned(), ..good.clone() };
        let command = FinishLinkedSignIn { answer, user_agent: None };
        assert_eq!(refusal(world.operations.finish_linked_sign_in(&stranger(), command).await), reason);
    }
    let command = FinishLinkedSignIn { answer: good, user_agent: None };
    world.operations.finish_linked_sign_in(&stranger(), command).await.unwrap();
}

#[tokio::test]
async fn the_same_answer_of_openid_is_taken_once_even_for_another_link() {
    let world = World::new().await;
    let [first, second] = [agreed_to_sign_in(&world, "").await, agreed_to_sign_in(&world, "").await];
    let with_nonce = |answer: FinishLink| FinishLinkedSignIn {
        answer: FinishLink { code: String::new(), open_id_params: "nonce of the player".to_owned(), ..answer },
        user_agent: None,
    };
    world.operations.finish_linked_sign_in(&stranger(), with_nonce(first)).await.unwrap();
    assert_eq!(refusal(world.operations.finish_linked_sign_in(&stranger(), with_nonce(second)).await), INVALID);
}

#[tokio::test]
async fn the_last_way_to_sign_in_stays_whatever_it_is() {
    let world = World::new().await;
    let (caller, only) = newcomer(&world, "ada").await;
    assert_eq!(refusal(unlink(&world, &caller, &only).await), LAST);
    link(&world, &caller, "ada at home").await.unwrap();
    unlink(&world, &caller, &only).await.unwrap();
    let (caller, only) = newcomer(&world, "grace").await;
    let named = BeginPasskeyRegistration { name: "laptop".to_owned() };
    let options = world.operations.begin_passkey_registration(&caller, named).await.unwrap();
    let finish = FinishPasskeyRegistration { credential: FakePasskeys::answer(&options) };
    world.operations.finish_passkey_registration(&caller, finish).await.unwrap();
    let refused = unlink(&world, &caller, &only).await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "STEP_UP_REQUIRED"), "there is a factor now");
}

#[tokio::test]
async fn of_two_identities_that_are_unlinked_at_once_one_stays() {
    let world = World::new().await;
    let (caller, first) = newcomer(&world, "ada").await;
    let second = link(&world, &caller, "ada at home").await.unwrap();
    let (one, other) = tokio::join!(unlink(&world, &caller, &first), unlink(&world, &caller, &second));
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    assert_eq!(world.operations.list_linked_accounts(&caller).await.unwrap().len(), 1);
}

#[tokio::test]
async fn who_has_an_authenticator_app_is_asked_for_it_and_unlinking_ends_the_question() {
    let world = World::new().await;
    let owner = world.proven_key().await;
    let identity = link(&world, &owner, "ada").await.unwrap();
    world.enrol_app(&world.again(&owner).await).await;
    for is_unlinked in [false, true] {
        let SignInAnswer::Asked { challenge_id, allowed_methods, .. } = sign_in(&world, "ada").await.unwrap() else {
            panic!("no second factor is asked for")
        };
        assert_eq!(allowed_methods, [Method::Totp, Method::RecoveryCode]);
        if is_unlinked {
            unlink(&world, &owner, &identity).await.unwrap();
        }
        let code = world.app_code();
        let complete =
            CompleteSignIn { challenge_id, method: Method::Totp, code, credential: String::new(), user_agent: None };
        let completed = world.operations.complete_sign_in(&stranger(), complete).await;
        assert_eq!(completed.is_ok(), !is_unlinked);
    }
}

#[tokio::test]
async fn a_disabled_user_gets_the_answer_for_wrong_credentials() {
    let world = World::new().await;
    let user_id = signed_in(&world, "ada").await.user.id;
    let user = world.store.users().find(user_id).await.unwrap().unwrap();
    let mut changes = Changes::by(&Caller::system());
    changes.revise(user, |user| Ok::<_, ()>(User { disabled: true, ..user })).unwrap();
    world.store.commit(changes).await.unwrap();
    assert_eq!(refusal(sign_in(&world, "ada").await), (Code::Unauthenticated, "WRONG_CREDENTIALS"));
}

#[tokio::test]
async fn a_user_has_ten_identities_at_most() {
    let world = World::new().await;
    let owner = world.proven_key().await;
    for number in 0..10 {
        link(&world, &owner, &format!("ada {number}")).await.unwrap();
    }
    let refused = link(&world, &owner, "one too many").await;
    assert_eq!(refusal(refused), (Code::FailedPrecondition, "LINK_LIMIT"));
}

#[tokio::test]
async fn links_that_are_over_are_forgotten_and_no_others() {
    let world = World::new().await;
    let old = agreed_to_sign_in(&world, "ada").await;
    world.advance(Duration::minutes(6));
    let open = agreed_to_sign_in(&world, "ada").await;
    world.advance(Duration::minutes(5));
    assert_eq!(world.operations.forget_old_links().await.unwrap(), 1);
    assert!(world.store.account_links().find(old.link_id).await.unwrap().is_none());
    assert!(world.store.account_links().find(open.link_id).await.unwrap().is_some());
}
